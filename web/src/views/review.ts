// Review: games judged move by move, with a graph, accuracy, the better lines, and mistakes to try again.

import type { App, Arrival, View } from '../app';
import { Board } from '../board';
import { announce, button, download, field, fill, h, notice, select, sign } from '../dom';
import { Graph } from '../graph';
import { moveList, type Mark } from '../movelist';
import { openingOf } from '../openings';
import type { Errors, GameReview, OpenedReview, Retry, ReviewProgress, ReviewSummary, Side } from '../protocol';
import { fromUci, position, scoreText, squaresOf } from '../rules';
import { set, settings } from '../settings';
import { Tree, type Branch } from '../tree';

const SIGNS: Record<string, string> = { inaccuracy: '?!', mistake: '?', blunder: '??' };
const EFFORTS: [string, string][] = [
  ['d8', 'quick (depth 8)'],
  ['d12', 'normal (depth 12)'],
  ['d16', 'thorough (depth 16)'],
  ['d20', 'deep (depth 20)'],
  ['t200', '0.2 seconds a position'],
  ['t1000', '1 second a position'],
  ['t5000', '5 seconds a position'],
];

export class ReviewView implements View {
  readonly element = h('div', { class: 'review' });
  private board: Board | undefined;
  private graph: Graph | undefined;
  private opened: OpenedReview | undefined;
  private game: GameReview | undefined;
  private tree = new Tree();
  private parts: { moves: HTMLElement; remark: HTMLElement; opening: HTMLElement } | undefined;
  private retry: { list: Retry[]; at: number; message: string; solved: boolean } | undefined;
  private progress = h('div', { class: 'progress-card', hidden: true });
  private waiting: string | undefined;
  private stopListening: (() => void)[];
  private draft: string;

  constructor(private app: App, arrival: Arrival) {
    this.draft = arrival.pgn ?? '';
    this.stopListening = [
      app.line.whenOpen((hello) => hello.review && this.hear(hello.review)),
      app.line.on('review', (progress) => this.hear(progress)),
    ];
    this.drawStart();
    if (arrival.pgn) void this.start();
  }

  close(): void {
    for (const stop of this.stopListening) stop();
    this.board?.destroy();
    this.graph?.destroy();
  }

  text(text: string): boolean {
    this.draft = text;
    this.drawStart();
    return true;
  }

  key(event: KeyboardEvent): boolean {
    if (!this.game) return false;
    const at = this.tree.at;
    const steps: Record<string, () => void> = {
      ArrowLeft: () => this.look(at.parent),
      ArrowRight: () => this.look(at.children[0]),
      Home: () => this.look(this.tree.root),
      End: () => this.look(this.tree.end()),
      f: () => this.flip(),
    };
    const step = steps[event.key];
    step?.();
    return step !== undefined;
  }

  private drawStart(): void {
    this.board?.destroy();
    this.graph?.destroy();
    this.board = this.graph = this.game = this.parts = undefined;
    const text = h('textarea', { rows: 10, class: 'mono', spellcheck: 'false', placeholder: '1. e4 e5 2. Nf3 …' });
    text.value = this.draft;
    text.addEventListener('input', () => (this.draft = text.value));
    const file = h('input', { type: 'file', accept: '.pgn,.txt', hidden: true, 'aria-label': 'PGN file' });
    file.addEventListener('change', async () => {
      text.value = this.draft = (await file.files?.[0]?.text()) ?? '';
      file.value = '';
    });
    const list = h('div', {});
    fill(
      this.element,
      h(
        'div',
        { class: 'page' },
        h('h1', {}, 'Review games'),
        h('p', { class: 'soft' }, 'Paste a game or a whole file, or drop one anywhere. Every position is judged; what went wrong is shown with what would have been better.'),
        field('PGN', text),
        h('div', { class: 'inline' },
          field('Effort', select(EFFORTS, settings.effort, (value) => set('effort', value))),
          button('Review', () => void this.start(), { class: 'primary' }),
          button('Open a file', () => file.click()),
          file),
        this.progress,
        list,
      ),
    );
    void this.list(list);
  }

  private async list(into: HTMLElement): Promise<void> {
    const reviews = await this.app.line.ask<ReviewSummary[]>('review-list').catch(() => []);
    if (!reviews.length) return;
    fill(
      into,
      h('h2', {}, 'Earlier reviews'),
      h('ul', { class: 'list' }, ...reviews.map((review) =>
        h('li', {},
          h('button', { type: 'button', class: 'wide', click: () => void this.open(review.id) },
            h('span', {}, `${review.white} – ${review.black}${review.games > 1 ? ` and ${review.games - 1} more` : ''}`),
            h('span', { class: 'soft' }, `${review.result} · accuracy ${percent(review.accuracy.white)} / ${percent(review.accuracy.black)} · ${review.limits}`)),
          sign('×', `Remove the review of ${review.white} – ${review.black}`, async () => {
            await this.app.line.ask('review-remove', { id: review.id }).catch(() => {});
            void this.list(into);
          })))),
    );
  }

  private async start(): Promise<void> {
    if (!this.draft.trim()) return notice('there is nothing to review: paste a game first');
    const amount = Number(settings.effort.slice(1));
    const effort = settings.effort.startsWith('t') ? { millis: amount } : { depth: amount };
    try {
      const { id } = await this.app.line.ask<{ id: string }>('review-start', { pgn: this.draft, ...effort });
      this.waiting = id;
    } catch (error) {
      notice((error as Error).message);
    }
  }

  private hear(progress: ReviewProgress): void {
    this.waiting ??= progress.id;
    if (progress.id !== this.waiting) return;
    if (progress.finished) {
      this.waiting = undefined;
      this.progress.hidden = true;
      if (progress.error) notice(`The review ended: ${progress.error}`);
      announce('The review is done.');
      void this.open(progress.id);
      return;
    }
    this.progress.hidden = false;
    fill(
      this.progress,
      h('div', { class: 'between' },
        h('span', {}, progress.games > 1 ? `Game ${progress.game} of ${progress.games}` : 'Looking at every position'),
        h('span', { class: 'soft' }, `${progress.done} of ${progress.total} positions`)),
      h('progress', { max: progress.total, value: progress.done, 'aria-label': 'Progress of the review' }),
      button('Stop', () => void this.app.line.ask('review-stop').catch(() => {})),
    );
  }

  private async open(id: string): Promise<void> {
    try {
      this.opened = await this.app.line.ask<OpenedReview>('review-open', { id });
      if (this.opened.games.length) await this.show(0);
    } catch (error) {
      notice((error as Error).message);
    }
  }

  private async show(index: number): Promise<void> {
    const { opened } = this;
    if (!opened) return;
    const game = await this.app.line.ask<GameReview>('review-game', { id: opened.id, number: index });
    this.game = game;
    this.retry = undefined;
    this.tree = new Tree(game.start);
    let at = this.tree.root;
    for (const move of game.moves) at = this.tree.play(move.uci, at) ?? at;
    this.tree.at = this.tree.root;
    this.board?.destroy();
    this.graph?.destroy();
    this.board = new Board((uci) => this.tryMove(uci), 'Reviewed game');
    this.graph = new Graph({
      label: 'White\'s winning chances during the game',
      height: 150,
      range: [0, 100],
      curves: [{ label: 'White', color: '--accent', fill: '--graph-fill' }],
      xLabel: (ply) => (ply % 2 === 0 ? String(ply / 2) : ''),
      yLabel: (value) => `${value} %`,
      onChoose: (ply) => this.look(this.branchAt(ply)),
    });
    this.parts = { moves: h('div', { class: 'scroll grow' }), remark: h('div', { class: 'remark', 'aria-live': 'polite' }), opening: h('p', { class: 'opening' }) };
    const games = opened.games;
    const skipped = opened.broken.filter((broken) => broken.skipped);
    const name = (tag: string): string => game.tags.find(([key]) => key === tag)?.[1] ?? '?';
    fill(
      this.element,
      h(
        'div',
        { class: 'workbench' },
        h('div', { class: 'stage' }, h('div', { class: 'framed' }, this.board.element), this.steps(), this.graph.element),
        h(
          'section',
          { class: 'panel', 'aria-label': 'Review' },
          h('div', { class: 'between' }, h('h1', {}, `${name('White')} – ${name('Black')}`), h('span', { class: 'soft' }, game.result)),
          games.length > 1 && field('Game', select(games.map((one, at) => [String(at), `${at + 1}. ${one.white} – ${one.black} ${one.result}`]), String(index), (value) => void this.show(Number(value)))),
          skipped.length > 0 && h('details', { class: 'warnings' }, h('summary', {}, `${skipped.length} ${skipped.length === 1 ? 'game was' : 'games were'} skipped`),
            h('ul', {}, ...skipped.map((broken) => h('li', {}, `line ${broken.line}: ${broken.what}`)))),
          h('div', { class: 'cards' },
            this.card('White', name('White'), game.accuracy.white, game.errors.white),
            this.card('Black', name('Black'), game.accuracy.black, game.errors.black)),
          this.parts.opening,
          this.parts.remark,
          this.parts.moves,
          h(
            'div',
            { class: 'actions' },
            game.retry.length > 0 && button(`Try the mistakes again (${game.retry.length})`, () => this.startRetry(), { class: 'primary' }),
            button('Analyse here', () => this.analyse()),
            button('Save annotated PGN', () => void this.save()),
            button('Other games', () => {
              this.draft = '';
              this.drawStart();
            }),
          ),
        ),
      ),
    );
    this.draw();
    this.graph.show([[0, ...game.moves.map((move) => move.ply)], [game.chance, ...game.moves.map((move) => move.chance)]], 0);
  }

  private card(side: string, name: string, accuracy: number | null, errors: Errors): HTMLElement {
    return h(
      'div',
      { class: 'card' },
      h('div', { class: 'between' }, h('span', { class: `dot ${side.toLowerCase()}`, 'aria-hidden': 'true' }), h('span', { class: 'name' }, name === '?' ? side : name), h('strong', { class: 'accuracy' }, percent(accuracy))),
      h('div', { class: 'soft' }, 'accuracy'),
      h('ul', { class: 'errors' },
        h('li', { class: 'inaccuracy' }, `${errors.inaccuracies} ${errors.inaccuracies === 1 ? 'inaccuracy' : 'inaccuracies'}`),
        h('li', { class: 'mistake' }, `${errors.mistakes} ${errors.mistakes === 1 ? 'mistake' : 'mistakes'}`),
        h('li', { class: 'blunder' }, `${errors.blunders} ${errors.blunders === 1 ? 'blunder' : 'blunders'}`)),
    );
  }

  private steps(): HTMLElement {
    return h(
      'div',
      { class: 'steps' },
      sign('|◀', 'First position', () => this.look(this.tree.root)),
      sign('◀', 'One move back', () => this.look(this.tree.at.parent)),
      sign('▶', 'One move on', () => this.look(this.tree.at.children[0])),
      sign('▶|', 'Last position', () => this.look(this.tree.end())),
      sign('⇅', 'Turn the board', () => this.flip()),
    );
  }

  private flip(): void {
    this.board?.flip();
  }

  private branchAt(ply: number): Branch | undefined {
    let branch: Branch | undefined = this.tree.root;
    for (let at = 0; at < ply; at++) branch = branch?.children[0];
    return branch;
  }

  private look(branch: Branch | undefined): void {
    if (!branch) return;
    this.retry = undefined;
    this.tree.at = branch;
    this.draw();
  }

  private judged(branch: Branch): Mark | undefined {
    const move = branch.isMainLine ? this.game?.moves[branch.path.length - 2] : undefined;
    const signs = move && SIGNS[move.judgement];
    return signs ? { sign: signs, kind: move.judgement } : undefined;
  }

  private draw(): void {
    if (!this.board || !this.parts || !this.game) return;
    const at = this.tree.at;
    const place = at.path.length - 1;
    this.board.show({ at: at.position, lastMove: squaresOf(at.move) });
    this.parts.opening.textContent = openingOf(at) ?? ' ';
    fill(this.parts.moves, moveList(this.tree, (branch) => this.look(branch), (branch) => this.judged(branch)));
    this.graph?.point(place);
    this.remark(place);
  }

  private remark(place: number): void {
    const move = this.game?.moves[place - 1];
    if (!move) return fill(this.parts!.remark, h('p', { class: 'soft' }, 'Step through the game; the graph can be clicked.'));
    const bad = SIGNS[move.judgement];
    const better = bad && move.best;
    fill(
      this.parts!.remark,
      h('p', {},
        h('strong', { class: move.judgement }, `${move.number}${move.white ? '.' : '…'} ${move.san}${bad ?? ''}`),
        ` ${move.judgement}`,
        move.score && ` · ${scoreText(move.score)}`,
        move.loss >= 0.5 && ` · cost ${move.loss.toFixed(0)} % of the chances`),
      better && h('p', {}, 'Better: ', h('span', { class: 'better' }, move.line.slice(0, 8).join(' '))),
    );
    if (better) {
      const before = position(move.fen);
      const squares = squaresOf(this.bestMove(before, move.best!));
      if (squares) this.board!.arrows([{ orig: squares[0]!, dest: squares[1]!, brush: 'green' }]);
    }
  }

  private bestMove(at: ReturnType<typeof position>, san: string) {
    const retry = this.game?.retry.find((one) => one.best === san);
    return retry ? fromUci(at, retry.best_uci) : undefined;
  }

  private startRetry(): void {
    this.retry = { list: this.game!.retry, at: 0, message: '', solved: false };
    this.drawRetry();
  }

  private drawRetry(): void {
    const { retry } = this;
    const task = retry?.list[retry.at];
    if (!retry || !task || !this.board || !this.parts) return;
    const side: Side = task.white ? 'white' : 'black';
    const place = task.ply - 1;
    const before = this.branchAt(place) ?? this.tree.root;
    this.tree.at = before;
    this.board.show({ at: before.position, lastMove: squaresOf(before.move), orientation: side, movable: retry.solved ? undefined : side });
    this.graph?.point(place);
    fill(
      this.parts.remark,
      h('p', {}, h('strong', {}, `Mistake ${retry.at + 1} of ${retry.list.length}: `), `${task.white ? 'White' : 'Black'} played `, h('strong', { class: task.judgement }, task.played), '. Find a better move.'),
      retry.message && h('p', { class: retry.solved ? 'right' : 'wrong' }, retry.message),
      h('div', { class: 'actions' },
        !retry.solved && button('Show it', () => {
          retry.solved = true;
          retry.message = `Better: ${task.line.slice(0, 8).join(' ')}`;
          this.drawRetry();
        }),
        retry.at + 1 < retry.list.length && button('Next', () => {
          this.retry = { ...retry, at: retry.at + 1, message: '', solved: false };
          this.drawRetry();
        }, retry.solved ? { class: 'primary' } : {}),
        button('Back to the game', () => this.look(this.branchAt(task.ply)))),
    );
  }

  private tryMove(uci: string): void {
    const { retry } = this;
    const task = retry?.list[retry.at];
    if (!retry || !task) return;
    const at = position(task.fen);
    const right = fromUci(at, task.best_uci);
    const tried = fromUci(at, uci);
    retry.solved = !!right && !!tried && right.from === tried.from && right.to === tried.to && right.promotion === tried.promotion;
    retry.message = retry.solved ? `That is it: ${task.line.slice(0, 8).join(' ')}` : 'Not that one. Try again.';
    announce(retry.message);
    this.drawRetry();
  }

  private async save(): Promise<void> {
    try {
      const { id } = this.opened!;
      download(await this.app.line.ask<string>('review-pgn', { id }), `review-${id}.pgn`);
    } catch (error) {
      notice((error as Error).message);
    }
  }

  private analyse(): void {
    const tree = Tree.fromPgn(this.tree.toPgn());
    for (const uci of this.tree.at.moves) tree.at = tree.play(uci) ?? tree.at;
    this.app.go('analyse', { tree });
  }
}

function percent(value: number | null): string {
  return value === null ? '–' : `${value.toFixed(0)} %`;
}
