// A reviewed game: board, graph of winning chances, accuracy, comments, and mistakes to learn from.

import type { App } from '../app';
import { Bar } from '../bar';
import { Board } from '../board';
import { button, field, select } from '../controls';
import { fill, h } from '../elements';
import { evaluate } from '../engine';
import { showError } from '../errors';
import { download } from '../files';
import { pairing } from '../games';
import { Graph } from '../graph';
import { moveList, type Mark } from '../movelist';
import { announce } from '../notices';
import { openingOf } from '../openings';
import type { Errors, GameReview, PgnWarning, Retry, ReviewDetails, Side } from '../protocol';
import { fromText, fromUci, makeSan, makeUci, position, scoreText, share, squaresOf } from '../rules';
import { Tree, type Branch } from '../tree';
import { stepButtons, stepByKey, stepByWheel, type Walker } from '../walk';

const GLYPHS: Record<string, string> = { inaccuracy: '?!', mistake: '?', blunder: '??' };
/** Up to this many warnings are shown expanded. */
const FEW = 3;
/** A list of thousands keeps the browser busy. */
const MAX_WARNINGS = 200;
/** How deep a tried move is searched, and how much of the expected score it may cost. */
const TRY_DEPTH = 12;
const GOOD_ENOUGH = 0.05;

export class ReviewedGame implements Walker {
  readonly element = h('div', { class: 'workbench' });
  tree = new Tree();
  private board = new Board((uci) => void this.tryMove(uci), 'Reviewed game');
  private bar = new Bar();
  private graph: Graph;
  private game: GameReview | undefined;
  private panel = h('section', { class: 'panel', 'aria-label': 'Review' });
  private moves = h('div', { class: 'scroll grow' });
  private note = h('div', { class: 'note', 'aria-live': 'polite' });
  private opening = h('p', { class: 'opening' });
  private retry: { at: number; message: string; solved: boolean } | undefined;

  constructor(
    private app: App,
    private opened: ReviewDetails,
    private leave: () => void,
  ) {
    this.graph = new Graph({
      label: "White's winning chances during the game",
      height: 9,
      range: [0, 100],
      curves: [
        { label: 'White', color: '--accent', fill: '--graph-fill' },
        ...Object.keys(GLYPHS).map((kind) => ({ label: kind, color: `--${kind}`, dots: true })),
      ],
      xName: 'move',
      yName: 'winning chances',
      xLabel: (ply) => (ply % 2 === 0 ? String(ply / 2) : ''),
      yLabel: (value) => `${value} %`,
      onChoose: (ply) => this.look(this.branchAt(ply)),
    });
    stepByWheel(this, this.board.element);
    const framed = h('div', { class: 'framed' }, this.bar.element, this.board.element);
    this.element.append(h('div', { class: 'stage' }, framed, stepButtons(this), this.graph.element), this.panel);
  }

  close(): void {
    this.board.destroy();
    this.graph.destroy();
  }

  key(key: string): boolean {
    return stepByKey(this, key);
  }

  flip(): void {
    this.board.flip();
    this.bar.turn(this.board.orientation);
  }

  /** Shows a game of the review. */
  async show(index: number): Promise<void> {
    const game = await this.app.studio.ask({ review: { game: { id: this.opened.id, index } } }, 'reviewed-game');
    this.game = game;
    this.retry = undefined;
    this.tree = new Tree(game.start);
    this.tree.tags = new Map([...game.tags, ['Result', game.result]]);
    let at = this.tree.root;
    for (const move of game.moves) at = this.tree.play(move.uci, at) ?? at;
    this.drawPanel(game, index);
    this.draw();
    const plies = [0, ...game.moves.map((move) => move.ply)];
    const errors = Object.keys(GLYPHS).map((kind) => [
      null,
      ...game.moves.map((move) => (move.quality === kind ? move.chance : null)),
    ]);
    this.graph.show([plies, [game.chance, ...game.moves.map((move) => move.chance)], ...errors], 0);
  }

  private drawPanel(game: GameReview, index: number): void {
    const { games, broken, engine, limits } = this.opened;
    const name = (tag: string): string => game.tags.find(([key]) => key === tag)?.[1] ?? '?';
    fill(
      this.panel,
      h(
        'div',
        { class: 'between' },
        h('h1', {}, pairing(name('White'), name('Black'))),
        h('span', { class: 'soft fixed' }, game.result),
      ),
      games.length > 1 &&
        field(
          'Game',
          select(
            games.map((one, at) => [String(at), `${at + 1}. ${pairing(one.white, one.black)} ${one.result}`]),
            String(index),
            (value) => void this.show(Number(value)).catch(showError),
          ),
        ),
      broken.length > 0 && warnings(broken),
      h(
        'div',
        { class: 'cards' },
        card('White', name('White'), game.accuracy.white, game.errors.white),
        card('Black', name('Black'), game.accuracy.black, game.errors.black),
      ),
      this.opening,
      this.note,
      this.moves,
      h(
        'div',
        { class: 'actions' },
        game.retry.length > 0 &&
          button(`Learn from your mistakes (${game.retry.length})`, () => this.tryAgain(0), { class: 'primary' }),
        button('Analyse here', () => this.analyse()),
        button('Save annotated PGN', () => void this.save()),
        button('← All reviews', this.leave),
      ),
      h('p', { class: 'soft small', title: engine }, `Analysed by ${engine.split(',')[0]}, ${limits}`),
    );
  }

  private branchAt(ply: number): Branch | undefined {
    let branch: Branch | undefined = this.tree.root;
    for (let at = 0; at < ply; at++) branch = branch?.children[0];
    return branch;
  }

  look(branch: Branch | undefined): void {
    if (!branch) return;
    this.retry = undefined;
    this.tree.at = branch;
    this.draw();
  }

  private markOf(branch: Branch): Mark | undefined {
    const move = branch.isMainLine ? this.game?.moves[branch.path.length - 2] : undefined;
    const glyph = move && GLYPHS[move.quality];
    return glyph ? { glyph, kind: move.quality } : undefined;
  }

  private draw(): void {
    if (!this.game) return;
    const at = this.tree.at;
    this.board.show({ at: at.position, lastMove: at.squares });
    this.drawPlace();
    this.drawNote(at.path.length - 1);
  }

  /** Draws what depends on the current move only. */
  private drawPlace(): void {
    const game = this.game!;
    const at = this.tree.at;
    const place = at.path.length - 1;
    const move = game.moves[place - 1];
    const score = move ? move.score : game.score;
    this.opening.textContent = openingOf(at) ?? ' ';
    fill(
      this.moves,
      moveList(
        this.tree,
        (branch) => this.look(branch),
        (branch) => this.markOf(branch),
      ),
    );
    this.graph.point(place);
    this.bar.show(
      (move?.chance ?? game.chance) / 100,
      score ? scoreText(score) : at.position.isCheckmate() ? '#' : '0.00',
      this.board.orientation,
    );
  }

  private drawNote(place: number): void {
    const move = this.game?.moves[place - 1];
    if (!move) return fill(this.note, h('p', { class: 'soft' }, 'Step through the moves or click the graph.'));
    const bad = GLYPHS[move.quality];
    fill(
      this.note,
      h(
        'p',
        {},
        h('strong', { class: move.quality }, `${move.number}${move.white ? '.' : '…'} ${move.san}${bad ?? ''}`),
        ` ${move.quality}`,
        move.score && ` · ${scoreText(move.score)}`,
        move.loss >= 0.5 && ` · −${move.loss.toFixed(0)} % winning chances`,
      ),
      bad && move.best && h('p', {}, 'Better: ', h('span', { class: 'better' }, move.line.slice(0, 8).join(' '))),
    );
    if (bad && move.best)
      this.board.arrow(squaresOf(position(move.fen), fromText(position(move.fen), move.best)), 'advice');
  }

  private get task(): Retry | undefined {
    return this.retry && this.game?.retry[this.retry.at];
  }

  /** Shows the position before a mistake. */
  private tryAgain(at: number): void {
    this.retry = { at, message: '', solved: false };
    const task = this.task;
    if (!task) return;
    this.tree.at = this.branchAt(task.ply - 1) ?? this.tree.root;
    this.drawTry(task.white ? 'white' : 'black');
    this.drawPlace();
  }

  private drawTry(orientation: Side = this.board.orientation): void {
    const { retry, task, game } = this;
    if (!retry || !task || !game) return;
    const before = this.tree.at;
    const side: Side = task.white ? 'white' : 'black';
    this.board.show({
      at: before.position,
      lastMove: before.squares,
      orientation,
      movable: retry.solved ? undefined : side,
    });
    if (retry.solved) this.board.arrow(squaresOf(before.position, fromUci(before.position, task.best_uci)), 'advice');
    fill(
      this.note,
      h(
        'p',
        {},
        h('strong', {}, `Mistake ${retry.at + 1} of ${game.retry.length}: `),
        `${task.white ? 'White' : 'Black'} played `,
        h('strong', { class: task.quality }, `${task.played}${GLYPHS[task.quality] ?? ''}`),
        '. Find a better move.',
      ),
      retry.message && h('p', { class: retry.solved ? 'right' : 'wrong' }, retry.message),
      h(
        'div',
        { class: 'actions' },
        !retry.solved && button('Show solution', () => this.answer(`Better: ${task.line.slice(0, 8).join(' ')}`, true)),
        retry.at + 1 < game.retry.length &&
          button('Next', () => this.tryAgain(retry.at + 1), retry.solved ? { class: 'primary' } : {}),
        button('Back to game', () => this.look(this.branchAt(task.ply))),
      ),
    );
  }

  private answer(message: string, solved: boolean): void {
    if (!this.retry) return;
    Object.assign(this.retry, { message, solved });
    announce(message);
    this.drawTry();
  }

  /** Checks a tried move: the best one is correct, and so is one that is hardly worse. */
  private async tryMove(uci: string): Promise<void> {
    const { task, retry } = this;
    if (!task || !retry) return;
    const at = position(task.fen);
    const tried = fromUci(at, uci);
    const best = fromUci(at, task.best_uci);
    if (!tried || !best) return;
    const line = task.line.slice(0, 8).join(' ');
    if (makeUci(tried) === makeUci(best)) return this.answer(`Correct! ${line}`, true);
    const san = makeSan(at, tried);
    if (san === task.played) return this.answer(`${san} was played in the game. Try another move.`, false);
    this.answer(`Checking ${san} …`, false);
    try {
      const expected = async (move: string): Promise<number> => {
        const next = position(task.fen);
        next.play(fromUci(next, move)!);
        if (next.isEnd()) return next.isCheckmate() ? 1 : 0.5;
        const { score, wdl } = await evaluate(this.app, task.fen, [move], TRY_DEPTH);
        const white = share(score, wdl);
        return task.white ? white : 1 - white;
      };
      const worse = (await expected(makeUci(best))) - (await expected(makeUci(tried)));
      if (this.retry !== retry) return;
      if (worse < GOOD_ENOUGH) this.answer(`${san} is good too. Best: ${line}`, true);
      else this.answer(`${san} isn't best: it costs ${Math.round(worse * 100)} % winning chances. Try again.`, false);
    } catch (error) {
      showError(error);
      if (this.retry === retry) this.answer(`${san} isn't best. Try again.`, false);
    }
  }

  private async save(): Promise<void> {
    try {
      const { id } = this.opened;
      download(await this.app.studio.ask({ review: { pgn: { id } } }, 'pgn'), `review-${id}.pgn`);
    } catch (error) {
      showError(error);
    }
  }

  private analyse(): void {
    const tree = Tree.fromPgn(this.tree.toPgn());
    for (const uci of this.tree.at.moves) tree.at = tree.play(uci) ?? tree.at;
    this.app.go('analyse', { tree });
  }
}

/** The games that were skipped and why, and warnings about others. */
function warnings(broken: PgnWarning[]): HTMLElement {
  const skipped = broken.filter((one) => one.skipped).length;
  const odd = broken.length - skipped;
  const words = [
    skipped > 0 && `${skipped} ${skipped === 1 ? 'game' : 'games'} skipped`,
    odd > 0 && `${odd} ${odd === 1 ? 'warning' : 'warnings'}`,
  ]
    .filter(Boolean)
    .join(', ');
  return h(
    'details',
    { class: 'warnings', open: broken.length <= FEW },
    h('summary', {}, words),
    h(
      'ul',
      {},
      ...broken
        .slice(0, MAX_WARNINGS)
        .map((one) => h('li', {}, `Game ${one.game}, line ${one.line}: ${one.what}${one.skipped ? ' (skipped)' : ''}`)),
      broken.length > MAX_WARNINGS &&
        h('li', {}, `And ${broken.length - MAX_WARNINGS} more: "vedette analyse" lists them all.`),
    ),
  );
}

function card(side: string, name: string, accuracy: number | null, errors: Errors): HTMLElement {
  const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;
  return h(
    'div',
    { class: 'card' },
    h(
      'div',
      { class: 'who' },
      h('span', { class: `dot ${side.toLowerCase()}`, 'aria-hidden': 'true' }),
      h('span', { class: 'name', title: name }, name === '?' ? side : name),
    ),
    h('div', {}, h('strong', { class: 'accuracy' }, percent(accuracy)), h('span', { class: 'soft' }, ' accuracy')),
    h(
      'ul',
      { class: 'errors' },
      h('li', { class: 'inaccuracy' }, count(errors.inaccuracies, 'inaccuracy', 'inaccuracies')),
      h('li', { class: 'mistake' }, count(errors.mistakes, 'mistake', 'mistakes')),
      h('li', { class: 'blunder' }, count(errors.blunders, 'blunder', 'blunders')),
    ),
  );
}

export function percent(value: number | null): string {
  return value === null ? '–' : `${value.toFixed(0)} %`;
}
