// Review: starting a review, its progress, and earlier reviews.

import type { App, Arrival, View } from '../app';
import { button, field, progressBar, select } from '../controls';
import { createdAt } from '../dates';
import { fill, h } from '../elements';
import { showError } from '../errors';
import { textOf } from '../files';
import { pairing } from '../games';
import { announce, notice } from '../notices';
import type { ReviewProgress, ReviewRequest, ReviewSummary } from '../protocol';
import { ReviewedGame, percent } from './reviewedgame';
import { fillSavedList } from '../savedlist';
import { set, settings } from '../settings';
import { decimal, t } from '../strings';

/** Longer texts are not shown: a text field of megabytes keeps the browser busy for seconds. */
const MAX_SHOWN = 200_000;

export class ReviewView implements View {
  readonly element = h('div', { class: 'review' });
  private shown: ReviewedGame | undefined;
  private progress = h('div', { class: 'progress-card', hidden: true });
  private waiting: string | undefined;
  private stopListening: (() => void)[];
  private draft: string;

  constructor(
    private app: App,
    arrival: Arrival,
  ) {
    this.draft = arrival.pgn ?? '';
    this.drawStart();
    this.stopListening = [
      app.studio.whenOpen((hello) => {
        if (!hello.review) this.waiting = undefined;
        this.progress.hidden = !hello.review;
        if (hello.review) this.showProgress(hello.review);
        if (!this.shown) this.drawStart();
      }),
      app.studio.on('review', (progress) => this.showProgress(progress)),
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

  private get engines(): string[] {
    return this.app.studio.hello?.engines ?? [];
  }

  private drawStart(): void {
    this.shown?.close();
    this.shown = undefined;
    const file = h('input', { type: 'file', accept: '.pgn,.txt', hidden: true, 'aria-label': t.common.pgnFile });
    file.addEventListener('change', async () => {
      this.text(await textOf(file.files?.[0]));
      file.value = '';
    });
    const list = h('div', {});
    const { engines } = this;
    fill(
      this.element,
      h(
        'div',
        { class: 'page' },
        h('h1', {}, t.review.title),
        h('p', { class: 'soft' }, t.review.intro),
        this.games(),
        h(
          'div',
          { class: 'inline' },
          field(
            t.review.effort,
            select(Object.entries(t.review.efforts), settings.effort, (value) => set('effort', value)),
          ),
          engines.length > 0 &&
            field(
              t.common.engine,
              select(
                [['', 'Vedette'], ...engines.map((name): [string, string] => [name, name])],
                engines.includes(settings.reviewer) ? settings.reviewer : '',
                (value) => set('reviewer', value),
              ),
            ),
          button(t.review.start, () => void this.start(), { class: 'primary' }),
          button(t.common.openFile, () => file.click()),
          file,
        ),
        this.progress,
        list,
      ),
    );
    void this.list(list);
  }

  /** The games to review, editable unless there are very many. */
  private games(): HTMLElement {
    if (this.draft.length > MAX_SHOWN) {
      const size = t.review.size(decimal(this.draft.length / 1e6, 1), this.draft.slice(0, 60).trim());
      return h(
        'div',
        { class: 'between' },
        h('p', { class: 'mono' }, size),
        button(t.review.clear, () => this.text('')),
      );
    }
    const text = h('textarea', { rows: 10, class: 'mono', spellcheck: 'false', placeholder: '1. e4 e5 2. Nf3 …' });
    text.value = this.draft;
    text.addEventListener('input', () => (this.draft = text.value));
    return field('PGN', text);
  }

  private async list(into: HTMLElement): Promise<void> {
    const reviews = await this.app.studio.ask({ review: 'list' }, 'reviews').catch(() => []);
    if (!reviews.length) return fill(into);
    const remove = (id: string) => async (): Promise<void> => {
      await this.app.studio.ask({ review: { remove: { id } } }, 'done').catch(showError);
      void this.list(into);
    };
    fillSavedList(
      into,
      t.review.earlier,
      reviews.map((review) => {
        const name = pairing(review.white, review.black);
        return {
          name: [`${name}${review.games > 1 ? t.review.andMore(review.games - 1) : ''}`],
          details: describe(review),
          open: () => void this.open(review.id),
          attributes: { disabled: review.games === 0 },
          buttons: [
            review.resumable &&
              button(t.common.resume, () => void this.follow({ resume: { id: review.id } }), {
                'aria-label': t.review.resumeOf(name),
              }),
          ],
          removed: t.review.removed(name),
          remove: remove(review.id),
        };
      }),
    );
  }

  private async start(): Promise<void> {
    if (!this.draft.trim()) return void notice(t.review.nothing);
    const amount = Number(settings.effort.slice(1));
    const limit = settings.effort.startsWith('t') ? { millis: amount } : { depth: amount };
    const engine = this.engines.includes(settings.reviewer) ? settings.reviewer : null;
    await this.follow({ start: { pgn: this.draft, engine, ...limit } });
  }

  /** Starts or resumes a review, and shows it when it is finished. */
  private async follow(request: ReviewRequest): Promise<void> {
    try {
      this.waiting = await this.app.studio.ask({ review: request }, 'started');
    } catch (error) {
      showError(error);
    }
  }

  private showProgress(progress: ReviewProgress): void {
    // A review that another page has started is followed, unless one is open here.
    if (!this.shown) this.waiting ??= progress.id;
    if (progress.id !== this.waiting) return;
    if (progress.finished) {
      this.waiting = undefined;
      this.progress.hidden = true;
      if (progress.error) notice(t.review.ended(progress.error));
      if (this.shown) return void notice(t.review.finishedElsewhere, 'news');
      announce(t.review.finished);
      // A review that was stopped in its first game has nothing to show.
      if (progress.game > 0) void this.open(progress.id);
      else this.drawStart();
      return;
    }
    this.progress.hidden = false;
    fill(
      this.progress,
      ...progressBar(
        progress.games > 1 ? t.common.gameOf(progress.game, progress.games) : t.review.analysing,
        t.review.positions(progress.done, progress.total),
        { max: progress.total, value: progress.done, 'aria-label': t.review.progress },
      ),
      button(t.common.stop, () => void this.app.studio.ask({ review: 'stop' }, 'done').catch(showError)),
    );
  }

  private async open(id: string): Promise<void> {
    try {
      const opened = await this.app.studio.ask({ review: { open: { id } } }, 'review');
      if (!opened.games.length) return void notice(t.review.noneFinished);
      this.shown?.close();
      this.shown = new ReviewedGame(this.app, opened, () => {
        this.draft = '';
        this.drawStart();
      });
      await this.shown.show(0);
      fill(this.element, this.shown.element);
      window.scrollTo(0, 0);
    } catch (error) {
      showError(error);
    }
  }
}

/** A review in one line. */
function describe(review: ReviewSummary): string {
  const accuracy = t.review.accuracies(percent(review.accuracy.white), percent(review.accuracy.black));
  const parts = review.games ? [review.result, accuracy, review.limits] : [review.result];
  return [...parts, ...(review.resumable ? [t.review.interrupted] : []), createdAt(review.id)].join(' · ');
}
