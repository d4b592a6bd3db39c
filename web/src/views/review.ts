// Review: games to be judged, how far the judging is, and what was judged before.

import type { App, Arrival, View } from '../app';
import { announce, button, complain, field, fill, h, madeAt, notice, remover, select, textOf } from '../dom';
import { pairing } from '../games';
import type { OpenedReview, ReviewProgress, ReviewSummary } from '../protocol';
import { set, settings } from '../settings';
import { ReviewedGame, percent } from './reviewedgame';

/** More than this is not shown for editing: a browser is busy with a field of megabytes for seconds. */
const MOST_SHOWN = 200_000;

const EFFORTS: [string, string][] = [
  ['d8', 'quick (depth 8)'],
  ['d12', 'normal (depth 12)'],
  ['d16', 'thorough (depth 16)'],
  ['d20', 'deep (depth 20)'],
  ['t200', '0.2 s per position'],
  ['t1000', '1 s per position'],
  ['t5000', '5 s per position'],
];

export class ReviewView implements View {
  readonly element = h('div', { class: 'review' });
  private shown: ReviewedGame | undefined;
  private progress = h('div', { class: 'progress-card', hidden: true });
  private waiting: string | undefined;
  private stopListening: (() => void)[];
  private draft: string;

  constructor(private app: App, arrival: Arrival) {
    this.draft = arrival.pgn ?? '';
    this.drawStart();
    this.stopListening = [
      app.line.whenOpen((hello) => {
        if (!hello.review) this.waiting = undefined;
        this.progress.hidden = !hello.review;
        if (hello.review) this.hear(hello.review);
        if (!this.shown) this.drawStart();
      }),
      app.line.on('review', (progress) => this.hear(progress)),
    ];
    if (arrival.pgn) void this.start();
  }

  close(): void {
    for (const stop of this.stopListening) stop();
    this.shown?.close();
  }

  text(text: string | undefined): boolean {
    if (text !== undefined) {
      this.draft = text;
      this.drawStart();
    }
    return true;
  }

  key(event: KeyboardEvent): boolean {
    return this.shown?.key(event.key) ?? false;
  }

  private drawStart(): void {
    this.shown?.close();
    this.shown = undefined;
    const file = h('input', { type: 'file', accept: '.pgn,.txt', hidden: true, 'aria-label': 'PGN file' });
    file.addEventListener('change', async () => {
      this.text(await textOf(file.files?.[0]));
      file.value = '';
    });
    const list = h('div', {});
    fill(
      this.element,
      h(
        'div',
        { class: 'page' },
        h('h1', {}, 'Review games'),
        h('p', { class: 'soft' }, 'Get accuracy, mistakes and better moves for every game. Paste a game or a whole PGN file, or drop a file anywhere.'),
        this.games(),
        h('div', { class: 'inline' },
          field('Analysis depth', select(EFFORTS, settings.effort, (value) => set('effort', value))),
          button('Review', () => void this.start(), { class: 'primary' }),
          button('Open file', () => file.click()),
          file),
        this.progress,
        list,
      ),
    );
    void this.list(list);
  }

  /** The games that are to be reviewed, to be read and changed unless they are very many. */
  private games(): HTMLElement {
    if (this.draft.length > MOST_SHOWN) {
      const size = `${(this.draft.length / 1e6).toFixed(1)} MB of games, starting with ${this.draft.slice(0, 60).trim()} …`;
      return h('div', { class: 'between' }, h('p', { class: 'mono' }, size), button('Clear', () => this.text('')));
    }
    const text = h('textarea', { rows: 10, class: 'mono', spellcheck: 'false', placeholder: '1. e4 e5 2. Nf3 …' });
    text.value = this.draft;
    text.addEventListener('input', () => (this.draft = text.value));
    return field('PGN', text);
  }

  private async list(into: HTMLElement): Promise<void> {
    const reviews = await this.app.line.ask<ReviewSummary[]>('review-list').catch(() => []);
    if (!reviews.length) return fill(into);
    const remove = (id: string) => async (): Promise<void> => {
      await this.app.line.ask('review-remove', { id }).catch(complain);
      void this.list(into);
    };
    fill(
      into,
      h('h2', {}, 'Earlier reviews'),
      h('ul', { class: 'list' }, ...reviews.map((review) =>
        h('li', {},
          h('button', { type: 'button', class: 'wide', disabled: review.games === 0, click: () => void this.open(review.id) },
            h('span', {}, `${pairing(review.white, review.black)}${review.games > 1 ? ` and ${review.games - 1} more` : ''}`),
            h('span', { class: 'soft' }, describe(review))),
          review.resumable && button('Resume', () => void this.follow('review-resume', { id: review.id }), { 'aria-label': `Resume the review of ${pairing(review.white, review.black)}` }),
          remover(`the review of ${pairing(review.white, review.black)}`, remove(review.id))))),
    );
  }

  private async start(): Promise<void> {
    if (!this.draft.trim()) return void notice('Nothing to review: paste a game first');
    const amount = Number(settings.effort.slice(1));
    const effort = settings.effort.startsWith('t') ? { millis: amount } : { depth: amount };
    await this.follow('review-start', { pgn: this.draft, ...effort });
  }

  /** Begins a review, or goes on with one, and shows it when it is done. */
  private async follow(what: string, details: object): Promise<void> {
    try {
      this.waiting = (await this.app.line.ask<{ id: string }>(what, details)).id;
    } catch (error) {
      complain(error);
    }
  }

  private hear(progress: ReviewProgress): void {
    // A review that another page has begun is followed, unless one is being read here.
    if (!this.shown) this.waiting ??= progress.id;
    if (progress.id !== this.waiting) return;
    if (progress.finished) {
      this.waiting = undefined;
      this.progress.hidden = true;
      if (progress.error) notice(`Review ended: ${progress.error}`);
      if (this.shown) return void notice('Review finished: see All reviews', 'news');
      announce('Review finished.');
      // Stopped before its first game was done, a review has nothing to show.
      if (progress.game > 0) void this.open(progress.id);
      else this.drawStart();
      return;
    }
    this.progress.hidden = false;
    fill(
      this.progress,
      h('div', { class: 'between' },
        h('span', {}, progress.games > 1 ? `Game ${progress.game} of ${progress.games}` : 'Analysing every position'),
        h('span', { class: 'soft' }, `${progress.done} of ${progress.total} positions`)),
      h('progress', { max: progress.total, value: progress.done, 'aria-label': 'Progress of the review' }),
      button('Stop', () => void this.app.line.ask('review-stop').catch(complain)),
    );
  }

  private async open(id: string): Promise<void> {
    try {
      const opened = await this.app.line.ask<OpenedReview>('review-open', { id });
      if (!opened.games.length) return void notice('No game of this review was finished');
      this.shown?.close();
      this.shown = new ReviewedGame(this.app, opened, () => {
        this.draft = '';
        this.drawStart();
      });
      await this.shown.show(0);
      fill(this.element, this.shown.element);
      window.scrollTo(0, 0);
    } catch (error) {
      complain(error);
    }
  }
}

/** A review in a line. */
function describe(review: ReviewSummary): string {
  const accuracy = `accuracy ${percent(review.accuracy.white)} / ${percent(review.accuracy.black)}`;
  const parts = review.games ? [review.result, accuracy, review.limits] : [review.result];
  return [...parts, ...(review.resumable ? ['interrupted'] : []), madeAt(review.id)].join(' · ');
}
