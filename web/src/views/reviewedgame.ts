// A reviewed game: board, graph of winning chances, accuracy, comments, and mistakes to learn from.

import type { DrawShape } from '@lichess-org/chessground/draw';
import type { NormalMove } from 'chessops/types';
import type { App } from '../app';
import { Bar } from '../bar';
import { Board } from '../board';
import type { BRUSHES } from '../brushes';
import { evalComment } from '../comments';
import { button, field, select } from '../controls';
import { fill, h } from '../elements';
import { evaluate } from '../engine';
import { showError } from '../errors';
import { FactsPanel } from '../facts';
import { download } from '../files';
import { pairing, playerName, YOU } from '../games';
import { Graph } from '../graph';
import { moveList, type Mark } from '../movelist';
import { shown, spoken } from '../notation';
import { announce, notice } from '../notices';
import type { Errors, GameReview, PgnWarning, Quality, Retry, ReviewDetails, ReviewedMove, Side } from '../protocol';
import { fromText, fromUci, makeSan, makeUci, position, scoreText, share, squaresOf } from '../rules';
import { settings } from '../settings';
import { t } from '../strings';
import { Tree, type Branch } from '../tree';
import { totalsView } from './totals';
import { stepButtons, stepByKey, stepByWheel, type Walker } from '../walk';

const GLYPHS: Record<string, string> = { inaccuracy: '?!', mistake: '?', blunder: '??' };
/** The same as numeric annotation glyphs. */
const NAGS: Record<string, number> = { inaccuracy: 6, mistake: 2, blunder: 4 };
/** Plies shown of a better line. */
const LINE_LENGTH = 8;

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
  private board = new Board((uci) => void this.tryMove(uci), t.reviewed.board);
  private bar = new Bar();
  private graph: Graph;
  private game: GameReview | undefined;
  private panel = h('section', { class: 'panel', 'aria-label': t.reviewed.panel });
  private moves = h('div', { class: 'scroll grow' });
  private note = h('div', { class: 'note', 'aria-live': 'polite' });
  private facts: FactsPanel;
  /** All games together, if there are several. */
  private totals = h('div', { class: 'totals-place' });
  /** The better lines of bad moves, by the ply of the move. */
  private better = new Map<number, Branch[]>();
  private index = 0;
  private retry: { tasks: Retry[]; at: number; message: string; solved: boolean } | undefined;

  constructor(
    private app: App,
    private opened: ReviewDetails,
    private leave: () => void,
  ) {
    this.facts = new FactsPanel(app);
    if (opened.games.length > 1) void this.showTotals();
    this.graph = new Graph({
      label: t.reviewed.graph,
      height: 10,
      range: [0, 100],
      curves: [
        { color: '--accent', fill: '--graph-fill' },
        ...Object.keys(GLYPHS).map((kind) => ({ color: `--${kind}`, dots: true })),
      ],
      xLabel: (ply) => (ply % 2 === 0 ? String(ply / 2) : ''),
      yLabel: (value) => t.common.percent(String(value)),
      describe: (ply) => this.describe(ply),
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
    if (key === 'm' || key === 'M') this.nextMistake(key === 'm' ? 1 : -1);
    else return stepByKey(this, key);
    return true;
  }

  flip(): void {
    this.board.flip();
    this.bar.turn(this.board.orientation);
  }

  /** Shows a game of the review. */
  async show(index: number): Promise<void> {
    const game = await this.app.studio.ask({ review: { game: { id: this.opened.id, index } } }, 'reviewed-game');
    this.game = game;
    this.index = index;
    this.retry = undefined;
    this.plant(game);
    if (this.yourSide === 'black') this.board.turn('black');
    this.drawPanel(game);
    this.draw();
    const plies = [0, ...game.moves.map((move) => move.ply)];
    const errors = Object.keys(GLYPHS).map((kind) => [
      null,
      ...game.moves.map((move) => (move.quality === kind ? move.chance : null)),
    ]);
    this.graph.show([plies, [game.chance, ...game.moves.map((move) => move.chance)], ...errors], 0);
  }

  /** Makes the tree of the game, with its marks, scores and better lines. */
  private plant(game: GameReview): void {
    this.better.clear();
    this.tree = new Tree(game.start);
    this.tree.tags = new Map([...game.tags, ['Result', game.result]]);
    let at = this.tree.root;
    for (const move of game.moves) {
      const before = at;
      at = this.tree.play(move.uci, before) ?? before;
      if (move.score) at.comment = evalComment(move.score);
      const nag = NAGS[move.quality];
      if (nag === undefined) continue;
      at.nags = [nag];
      let line = before;
      const better: Branch[] = [];
      for (const san of move.line.slice(0, LINE_LENGTH)) {
        const next = fromText(line.position, san);
        const branch = next && this.tree.play(makeUci(next), line);
        if (!branch) break;
        better.push((line = branch));
      }
      this.better.set(move.ply, better);
    }
  }

  private async showTotals(): Promise<void> {
    try {
      const totals = await this.app.studio.ask({ review: { totals: { id: this.opened.id } } }, 'totals');
      fill(this.totals, totalsView(totals));
    } catch (error) {
      showError(error);
    }
  }

  private nameOf(side: Side): string {
    const tag = side === 'white' ? 'White' : 'Black';
    return this.game?.tags.find(([key]) => key === tag)?.[1] ?? '?';
  }

  /** The user's side, if the game was played here. */
  private get yourSide(): Side | undefined {
    return (['white', 'black'] as const).find((side) => [YOU, settings.name || YOU].includes(this.nameOf(side)));
  }

  private drawPanel(game: GameReview): void {
    const { games, broken, engine, limits } = this.opened;
    const [white, black] = [this.nameOf('white'), this.nameOf('black')];
    const first = this.yourSide === 'black' ? 'black' : 'white';
    const sides: Side[] = [first, first === 'white' ? 'black' : 'white'];
    fill(
      this.panel,
      h(
        'div',
        { class: 'between' },
        h('h1', {}, pairing(white, black)),
        h('span', { class: 'soft fixed' }, game.result),
      ),
      games.length > 1 &&
        field(
          t.reviewed.game,
          select(
            games.map((one, at) => [String(at), `${at + 1}. ${pairing(one.white, one.black)} ${one.result}`]),
            String(this.index),
            (value) => void this.show(Number(value)).catch(showError),
          ),
        ),
      this.totals,
      broken.length > 0 && warnings(broken),
      h('div', { class: 'cards' }, ...sides.map((side) => this.card(side, game.accuracy[side], game.errors[side]))),
      this.facts.element,
      this.note,
      this.moves,
      h(
        'div',
        { class: 'actions' },
        ...this.lessons(game, sides),
        button(t.reviewed.analyseHere, () => this.analyse()),
        button(t.reviewed.save, () => void this.save()),
        button(t.reviewed.all, this.leave),
      ),
      h('p', { class: 'soft small', title: engine }, t.reviewed.by(engine.split(',')[0]!, limits)),
    );
  }

  /** Buttons to learn from mistakes: yours, or those of either side. */
  private lessons(game: GameReview, sides: Side[]): HTMLElement[] {
    const { yourSide } = this;
    return (yourSide ? [yourSide] : sides).flatMap((side) => {
      const tasks = game.retry.filter((task) => task.white === (side === 'white'));
      if (!tasks.length) return [];
      const whose = yourSide ? 'your' : side;
      const learn = (): void => {
        this.retry = { tasks, at: 0, message: '', solved: false };
        this.tryAgain(0);
      };
      return [button(t.reviewed.learn(whose, tasks.length), learn, { class: 'primary' })];
    });
  }

  /** A player: accuracy, and the errors by kind, each a button that leads to the next one. */
  private card(side: Side, accuracy: number | null, errors: Errors): HTMLElement {
    const name = this.nameOf(side);
    const kind = (quality: keyof typeof t.reviewed.errors, number: number): HTMLElement =>
      h(
        'li',
        { class: quality },
        button(t.reviewed.errors[quality](number), () => this.nextMistake(1, side, quality), {
          disabled: number === 0,
          title: t.reviewed.nextOf(quality, side),
        }),
      );
    return h(
      'div',
      { class: 'card' },
      h(
        'div',
        { class: 'who' },
        h('span', { class: `dot ${side}`, 'aria-hidden': 'true' }),
        h('span', { class: 'name', title: name }, name === '?' ? t.sides[side] : playerName(name)),
      ),
      h(
        'div',
        {},
        h('strong', { class: 'accuracy' }, percent(accuracy)),
        h('span', { class: 'soft' }, ` ${t.reviewed.accuracy}`),
      ),
      h(
        'ul',
        { class: 'errors' },
        kind('inaccuracy', errors.inaccuracies),
        kind('mistake', errors.mistakes),
        kind('blunder', errors.blunders),
      ),
    );
  }

  /** Goes to the next bad move, or the previous one; after the last comes the first. */
  private nextMistake(step: 1 | -1, side?: Side, quality?: Quality): void {
    const fits = (move: ReviewedMove): boolean =>
      move.quality in GLYPHS && (!side || move.white === (side === 'white')) && (!quality || move.quality === quality);
    const plies = (this.game?.moves ?? []).filter(fits).map((move) => move.ply);
    if (!plies.length) return void notice(t.reviewed.noMistakes, 'news');
    const here = this.place;
    const next = step > 0 ? plies.find((ply) => ply > here) : plies.findLast((ply) => ply < here);
    this.look(this.branchAt(next ?? plies.at(step > 0 ? 0 : -1)!));
    announce(this.describe(this.place));
  }

  /** The move that led to a position of the game, in a few words. */
  private describe(ply: number): string {
    const move = this.game?.moves[ply - 1];
    if (!move) return t.reviewed.start;
    const score = move.score ? ` ${scoreText(move.score)}` : '';
    const loss = move.loss >= 0.5 ? ` −${t.common.percent(move.loss.toFixed(0))}` : '';
    return `${numberOf(move)} ${spoken(move.san)}${GLYPHS[move.quality] ?? ''}${score}${loss}`;
  }

  /** The last position of the game on the way to the current one, as its ply. */
  private get place(): number {
    return this.tree.at.path.findLastIndex((branch) => branch.isMainLine);
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

  /** What is drawn on the board: the best move here, and beside it the move of the game if that was bad. */
  private get arrows(): DrawShape[] {
    const at = this.tree.at;
    const next = at.isMainLine ? this.game?.moves[this.place] : undefined;
    const best = next?.best && fromText(at.position, next.best);
    if (!next || !best) return [];
    const arrow = (move: NormalMove | undefined, brush: keyof typeof BRUSHES): DrawShape[] => {
      const squares = squaresOf(at.position, move);
      return squares ? [{ orig: squares[0]!, dest: squares[1]!, brush }] : [];
    };
    if (!GLYPHS[next.quality]) return arrow(best, 'best');
    return [...arrow(fromUci(at.position, next.uci), 'red'), ...arrow(best, 'advice')];
  }

  private markOf(branch: Branch): Mark | undefined {
    const move = branch.isMainLine ? this.game?.moves[branch.path.length - 2] : undefined;
    const glyph = move && GLYPHS[move.quality];
    return glyph ? { glyph, kind: move.quality } : undefined;
  }

  private draw(): void {
    if (!this.game) return;
    const at = this.tree.at;
    this.moves.hidden = false;
    this.board.show({ at: at.position, lastMove: at.squares, arrows: this.arrows });
    this.drawPlace();
    this.drawNote(at.isMainLine ? this.place : this.place + 1);
  }

  /** Draws what depends on the current move only. */
  private drawPlace(): void {
    const game = this.game!;
    const at = this.tree.at;
    const { place } = this;
    const move = game.moves[place - 1];
    const score = move ? move.score : game.score;
    this.facts.show(at);
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
    if (!move) return fill(this.note, h('p', { class: 'soft' }, t.reviewed.hint));
    const bad = GLYPHS[move.quality];
    fill(
      this.note,
      h(
        'p',
        {},
        h('strong', { class: move.quality }, `${numberOf(move)} ${shown(move.san)}${bad ?? ''}`),
        ` ${t.reviewed.qualities[move.quality]}`,
        move.score && ` · ${scoreText(move.score)}`,
        move.loss >= 0.5 && ` · ${t.reviewed.costs(move.loss.toFixed(0))}`,
      ),
      bad && move.explanation && h('p', { class: 'explanation' }, move.explanation),
      bad && this.betterLine(move),
    );
  }

  /** The better line: each move leads to its position. */
  private betterLine(move: ReviewedMove): HTMLElement | undefined {
    const line = this.better.get(move.ply);
    if (!line?.length) return undefined;
    return h(
      'p',
      {},
      t.reviewed.better,
      h(
        'span',
        { class: 'better' },
        ...line.flatMap((branch, at) => [
          h(
            'button',
            {
              type: 'button',
              class: 'move',
              'aria-current': branch === this.tree.at ? 'true' : null,
              click: () => this.look(branch),
            },
            `${prefixOf(branch.ply, at === 0)}${shown(branch.san)}`,
          ),
          ' ',
        ]),
      ),
    );
  }

  private get task(): Retry | undefined {
    return this.retry?.tasks[this.retry.at];
  }

  /** Shows the position before a mistake. */
  private tryAgain(at: number): void {
    if (!this.retry) return;
    this.retry = { ...this.retry, at, message: '', solved: false };
    const task = this.task;
    if (!task) return;
    this.tree.at = this.branchAt(task.ply - 1) ?? this.tree.root;
    this.drawPlace();
    this.drawTry(task.white ? 'white' : 'black');
  }

  private drawTry(orientation: Side = this.board.orientation): void {
    const { retry, task } = this;
    if (!retry || !task) return;
    // The moves and the score would tell the solution.
    this.moves.hidden = !retry.solved;
    if (!retry.solved) this.bar.dim();
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
        h('strong', {}, t.reviewed.mistakeOf(retry.at + 1, retry.tasks.length)),
        t.reviewed.played(side),
        h('strong', { class: task.quality }, `${shown(task.played)}${GLYPHS[task.quality] ?? ''}`),
        t.reviewed.findBetter,
      ),
      retry.message && h('p', { class: retry.solved ? 'right' : 'wrong' }, retry.message),
      h(
        'div',
        { class: 'actions' },
        !retry.solved &&
          button(t.reviewed.solution, () =>
            this.answer(t.reviewed.betterIs(shown(task.line.slice(0, 8).join(' '))), true),
          ),
        retry.at + 1 < retry.tasks.length &&
          button(t.reviewed.next, () => this.tryAgain(retry.at + 1), retry.solved ? { class: 'primary' } : {}),
        button(t.reviewed.back, () => this.look(this.branchAt(task.ply))),
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
    const line = shown(task.line.slice(0, 8).join(' '));
    if (makeUci(tried) === makeUci(best)) return this.answer(t.reviewed.correct(line), true);
    const san = makeSan(at, tried);
    if (san === task.played) return this.answer(t.reviewed.playedInGame(shown(san)), false);
    this.answer(t.reviewed.checking(shown(san)), false);
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
      if (worse < GOOD_ENOUGH) this.answer(t.reviewed.goodToo(shown(san), line), true);
      else this.answer(t.reviewed.notBest(shown(san), String(Math.round(worse * 100))), false);
    } catch (error) {
      showError(error);
      if (this.retry === retry) this.answer(t.reviewed.notBestAtAll(shown(san)), false);
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
  const words = [skipped > 0 && t.reviewed.skipped(skipped), odd > 0 && t.reviewed.warnings(odd)]
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
        .map((one) => h('li', {}, t.reviewed.warning(one.game, one.line, one.what, one.skipped))),
      broken.length > MAX_WARNINGS && h('li', {}, t.reviewed.moreWarnings(broken.length - MAX_WARNINGS)),
    ),
  );
}

/** A move number and what follows it, for White or Black. */
function numberOf(move: ReviewedMove): string {
  return `${move.number}${move.white ? '.' : '…'}`;
}

/** What stands before a move: a number before White's, and before the first. */
function prefixOf(ply: number, first: boolean): string {
  const number = Math.floor((ply + 1) / 2);
  if (ply % 2 === 1) return `${number}. `;
  return first ? `${number}… ` : '';
}

export function percent(value: number | null): string {
  return value === null ? '–' : t.common.percent(value.toFixed(0));
}
