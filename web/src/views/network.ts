// Network: the static evaluation piece by piece, and what each move changes.

import type { App, Arrival, View } from '../app';
import { Board } from '../board';
import { button, field } from '../controls';
import { fill, h } from '../elements';
import { moveEntry } from '../entry';
import { showError } from '../errors';
import { shown } from '../notation';
import type { Explanation } from '../protocol';
import { INITIAL_FEN, fromUci, makeSan, makeSquare, scoreText, squareOf, squaresOf } from '../rules';
import { store, stored } from '../settings';
import { t } from '../strings';
import { Tree } from '../tree';
import { stepButtons, stepByKey, type Walker } from '../walk';

const FEN_KEY = 'vedette-network';

export class NetworkView implements View, Walker {
  readonly element = h('div', { class: 'workbench' });
  private board: Board;
  private overlay = h('div', { class: 'piece-values', 'aria-hidden': 'true' });
  private panel = h('section', { class: 'panel', 'aria-label': t.app.views.network });
  tree: Tree;
  private now: Explanation | undefined;
  private before: Explanation | undefined;
  private stopListening: () => void;

  constructor(
    private app: App,
    arrival: Arrival,
  ) {
    this.board = new Board((uci) => this.play(uci), t.network.board);
    this.tree = start(arrival.fen ?? stored(FEN_KEY));
    this.board.element.append(this.overlay);
    this.element.append(
      h('div', { class: 'stage' }, h('div', { class: 'framed' }, this.board.element), stepButtons(this)),
      this.panel,
    );
    this.draw();
    this.stopListening = app.studio.whenOpen(() => void this.ask());
  }

  close(): void {
    this.stopListening();
    this.board.destroy();
  }

  key(event: KeyboardEvent): boolean {
    return stepByKey(this, event.key);
  }

  text(text: string): boolean {
    try {
      this.tree = Tree.fromText(text);
      this.before = undefined;
      this.draw();
      void this.ask();
    } catch (error) {
      showError(error);
    }
    return true;
  }

  flip(): void {
    this.board.flip();
    this.draw();
  }

  private play(uci: string): void {
    const next = this.tree.play(uci);
    if (next) this.look(next);
  }

  look(branch: Tree['at'] | undefined): void {
    if (!branch || branch === this.tree.at) return;
    this.before = branch.parent === this.tree.at ? this.now : undefined;
    this.now = undefined;
    this.tree.at = branch;
    this.draw();
    void this.ask();
  }

  private async ask(): Promise<void> {
    const fen = this.tree.at.fen;
    store(FEN_KEY, fen);
    try {
      const explanation = await this.app.studio.ask({ explain: { fen } }, 'explanation');
      if (fen !== this.tree.at.fen) return;
      this.now = explanation;
      this.draw();
    } catch (error) {
      showError(error);
    }
  }

  private draw(): void {
    const at = this.tree.at.position;
    this.board.show({ at, lastMove: this.tree.at.squares, movable: 'both' });
    this.drawOverlay();
    this.drawPanel();
  }

  private drawOverlay(): void {
    const pieces = Object.entries(this.now?.pieces ?? {});
    const white = this.board.orientation === 'white';
    fill(
      this.overlay,
      ...pieces.map(([square, worth]) => {
        const file = square.charCodeAt(0) - 97;
        const rank = Number(square[1]) - 1;
        const delta = this.change(square) ?? 0;
        const label = h(
          'span',
          { class: `piece-value ${delta > 30 ? 'more' : delta < -30 ? 'less' : ''}` },
          pawns(worth),
        );
        label.style.setProperty('--x', String(white ? file : 7 - file));
        label.style.setProperty('--y', String(white ? 7 - rank : rank));
        return label;
      }),
    );
  }

  private drawPanel(): void {
    const { now } = this;
    const at = this.tree.at.position;
    const sign = at.turn === 'white' ? 1 : -1;
    const moves = Object.entries(now?.moves ?? {})
      .map(([uci, change]) => ({ uci, change, good: change * sign }))
      .sort((a, b) => b.good - a.good);
    const fen = h('input', {
      type: 'text',
      class: 'mono',
      value: this.tree.at.fen,
      spellcheck: 'false',
      autocomplete: 'off',
    });
    fen.addEventListener('change', () => this.text(fen.value));
    fill(
      this.panel,
      h('h1', {}, t.network.title),
      h('p', { class: 'soft' }, t.network.intro(this.app.studio.hello?.evaluation ?? t.network.engine)),
      now &&
        h(
          'p',
          { class: 'big' },
          h('strong', {}, scoreText({ cp: now.value })),
          this.before && h('span', { class: 'soft' }, t.network.was(scoreText({ cp: this.before.value }))),
        ),
      now && this.before && this.changes(),
      now && h('h2', {}, t.network.afterMoves),
      now && !moves.length && h('p', { class: 'empty' }, t.network.noMoves),
      now &&
        h(
          'ol',
          { class: 'scroll grow changes' },
          ...moves.map(({ uci, change }) => {
            const move = fromUci(at, uci);
            return h(
              'li',
              {},
              h(
                'button',
                {
                  type: 'button',
                  class: 'wide',
                  click: () => this.play(uci),
                  mouseenter: () => this.arrow(uci),
                  mouseleave: () => this.board.arrows([]),
                  focus: () => this.arrow(uci),
                },
                h('span', {}, move ? shown(makeSan(at, move)) : uci),
                h(
                  'span',
                  {},
                  scoreText({ cp: now.value + change }),
                  h('span', { class: 'soft' }, ` (${scoreText({ cp: change })})`),
                ),
              ),
            );
          }),
        ),
      now?.terms &&
        h('details', {}, h('summary', {}, t.network.terms), h('pre', { class: 'scroll', tabindex: 0 }, now.terms)),
      moveEntry(
        () => this.tree.at.position,
        (uci) => this.play(uci),
      ).element,
      field(t.common.fen, fen),
      h(
        'div',
        { class: 'actions' },
        button(t.common.startPosition, () => this.text(INITIAL_FEN)),
        button(t.common.analyse, () => this.app.go('analyse', { fen: this.tree.at.fen })),
      ),
    );
  }

  /** By how much the last move changed the value of a piece, wherever it stood before. */
  private change(square: string): number | undefined {
    const { move } = this.tree.at;
    const from = move && makeSquare(move.to) === square ? makeSquare(move.from) : square;
    const [now, before] = [this.now?.pieces[square], this.before?.pieces[from]];
    return now === undefined || before === undefined ? undefined : now - before;
  }

  /** The pieces whose value the last move changed most. */
  private changes(): HTMLElement {
    const board = this.tree.at.position.board;
    const pieces = Object.keys(this.now?.pieces ?? {})
      .map((square) => ({ square, delta: this.change(square) ?? 0, piece: board.get(squareOf(square)!) }))
      .filter(({ delta }) => Math.abs(delta) >= 10)
      .sort((a, b) => Math.abs(b.delta) - Math.abs(a.delta))
      .slice(0, 6);
    if (!pieces.length) return h('p', { class: 'soft' }, t.network.noChange);
    return h(
      'div',
      {},
      h('h2', {}, t.network.changedBy(shown(this.tree.at.san))),
      h(
        'ul',
        { class: 'deltas' },
        ...pieces.map(({ square, delta, piece }) =>
          h(
            'li',
            {},
            h('span', {}, `${piece ? t.piece(piece.color, piece.role) : ''} ${square}`),
            h('span', { class: delta > 0 ? 'up' : 'down' }, pawns(delta)),
          ),
        ),
      ),
    );
  }

  private arrow(uci: string): void {
    this.board.arrow(squaresOf(this.tree.at.position, fromUci(this.tree.at.position, uci)), 'best');
  }
}

function start(fen: string | null): Tree {
  try {
    return new Tree(fen ?? INITIAL_FEN);
  } catch {
    return new Tree();
  }
}

function pawns(centipawns: number): string {
  const value = centipawns / 100;
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(Math.abs(value) >= 10 ? 0 : 1)}`;
}
