// Network: what the evaluation says of every man, and what changes when one moves.

import type { App, Arrival, View } from '../app';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import { Board } from '../board';
import { button, field, fill, h, notice, sign } from '../dom';
import { moveEntry } from '../entry';
import type { Explanation } from '../protocol';
import { INITIAL_FEN, fromUci, makeSan, scoreText, squaresOf } from '../rules';
import { keep, kept } from '../settings';
import { Tree } from '../tree';

const KEPT = 'vedette-network';

export class NetworkView implements View {
  readonly element = h('div', { class: 'workbench' });
  private board: Board;
  private overlay = h('div', { class: 'worths', 'aria-hidden': 'true' });
  private panel = h('section', { class: 'panel', 'aria-label': 'Network' });
  private tree: Tree;
  private now: Explanation | undefined;
  private before: Explanation | undefined;
  private stopListening: () => void;

  constructor(private app: App, arrival: Arrival) {
    this.board = new Board((uci) => this.play(uci), 'Position');
    this.tree = start(arrival.fen ?? kept(KEPT));
    this.board.element.append(this.overlay);
    this.element.append(h('div', { class: 'stage' }, h('div', { class: 'framed' }, this.board.element), this.steps()), this.panel);
    this.draw();
    this.stopListening = app.line.whenOpen(() => void this.ask());
  }

  close(): void {
    this.stopListening();
    this.board.destroy();
  }

  key(event: KeyboardEvent): boolean {
    const steps: Record<string, () => void> = {
      ArrowLeft: () => this.look(this.tree.at.parent),
      ArrowRight: () => this.look(this.tree.at.children[0]),
      f: () => this.flip(),
    };
    const step = steps[event.key];
    step?.();
    return step !== undefined;
  }

  text(text: string): boolean {
    try {
      this.tree = Tree.fromText(text);
      this.before = undefined;
      void this.ask();
      return true;
    } catch (error) {
      notice((error as Error).message);
      return true;
    }
  }

  private steps(): HTMLElement {
    return h('div', { class: 'steps' },
      sign('◀', 'One move back', () => this.look(this.tree.at.parent)),
      sign('▶', 'One move on', () => this.look(this.tree.at.children[0])),
      sign('⇅', 'Turn the board', () => this.flip()));
  }

  private flip(): void {
    this.board.flip();
    this.draw();
  }

  private play(uci: string): void {
    const next = this.tree.play(uci);
    if (next) this.look(next);
  }

  private look(branch: Tree['at'] | undefined): void {
    if (!branch) return;
    this.before = branch.parent === this.tree.at ? this.now : undefined;
    this.tree.at = branch;
    this.draw();
    void this.ask();
  }

  private async ask(): Promise<void> {
    const fen = this.tree.at.fen;
    keep(KEPT, fen);
    try {
      const told = await this.app.line.ask<Explanation>('explain', { fen });
      if (fen !== this.tree.at.fen) return;
      this.now = told;
      this.draw();
    } catch (error) {
      notice((error as Error).message);
    }
  }

  private draw(): void {
    const at = this.tree.at.position;
    this.board.show({ at, lastMove: squaresOf(this.tree.at.move), movable: 'both' });
    this.drawOverlay();
    this.drawPanel();
  }

  private drawOverlay(): void {
    const men = Object.entries(this.now?.men ?? {});
    const white = this.board.orientation === 'white';
    fill(
      this.overlay,
      ...men.map(([square, worth]) => {
        const file = square.charCodeAt(0) - 97;
        const rank = Number(square[1]) - 1;
        const change = this.before?.men[square];
        const delta = change === undefined ? 0 : worth - change;
        const label = h('span', { class: `worth ${delta > 30 ? 'up' : delta < -30 ? 'down' : ''}` }, pawns(worth));
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
    const moves = Object.entries(now?.moves ?? {}).map(([uci, change]) => ({ uci, change, good: change * sign })).sort((a, b) => b.good - a.good);
    const fen = h('input', { type: 'text', class: 'mono', value: this.tree.at.fen, spellcheck: 'false', autocomplete: 'off' });
    fen.addEventListener('change', () => this.text(fen.value));
    fill(
      this.panel,
      h('h1', {}, 'What the evaluation sees'),
      h('p', { class: 'soft' }, `Judged by the ${this.app.line.hello?.judge ?? 'engine'}, without any search. The number on a man is the evaluation less the evaluation without it, in pawns for White.`),
      now && h('p', { class: 'big' }, h('strong', {}, scoreText({ cp: now.value })), this.before && h('span', { class: 'soft' }, ` was ${scoreText({ cp: this.before.value })}`)),
      this.before && this.changes(),
      now && h('h2', {}, 'The evaluation after each move'),
      now && h('ol', { class: 'scroll grow changes' }, ...moves.map(({ uci, change }) => {
        const move = fromUci(at, uci);
        return h('li', {}, h('button', {
          type: 'button', class: 'wide', click: () => this.play(uci),
          mouseenter: () => this.arrow(uci), mouseleave: () => this.board.arrows([]), focus: () => this.arrow(uci),
        }, h('span', {}, move ? makeSan(at, move) : uci), h('span', {}, scoreText({ cp: now.value + change }), h('span', { class: 'soft' }, ` (${scoreText({ cp: change })})`))));
      })),
      now?.terms && h('details', {}, h('summary', {}, 'The rules, term by term'), h('pre', { class: 'scroll', tabindex: 0 }, now.terms)),
      moveEntry(() => this.tree.at.position, (uci) => this.play(uci)),
      field('Position (FEN)', fen),
      h('div', { class: 'actions' }, button('Start position', () => this.text(INITIAL_FEN)), button('Analyse', () => this.app.go('analyse', { fen: this.tree.at.fen }))),
    );
  }

  /** The men whose worth the last move changed most. */
  private changes(): HTMLElement {
    const men = Object.entries(this.now?.men ?? {})
      .map(([square, worth]) => ({ square, delta: worth - (this.before?.men[square] ?? worth) }))
      .filter(({ delta }) => Math.abs(delta) >= 10)
      .sort((a, b) => Math.abs(b.delta) - Math.abs(a.delta))
      .slice(0, 6);
    if (!men.length) return h('p', { class: 'soft' }, 'The move changed no other man by more than a tenth of a pawn.');
    return h('p', {}, 'The move changed most: ', men.map(({ square, delta }) => `${square} ${pawns(delta)}`).join(', '), '.');
  }

  private arrow(uci: string): void {
    const squares = squaresOf(fromUci(this.tree.at.position, uci));
    const shapes: DrawShape[] = squares ? [{ orig: squares[0] as Key, dest: squares[1] as Key, brush: 'paleBlue' }] : [];
    this.board.arrows(shapes);
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
