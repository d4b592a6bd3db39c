// Analyse: a board for any position, with the engine's lines, variations, comments and sharing.

import type { App, Arrival, View } from '../app';
import { Board } from '../board';
import { announce, button, complain, copy, download, field, fill, h, notice, select, toggle } from '../dom';
import { drawers } from '../drawers';
import { Editor } from '../editor';
import { EnginePanel } from '../engine';
import { moveEntry } from '../entry';
import { moveList } from '../movelist';
import { openingOf } from '../openings';
import { isChess960, squaresOf } from '../rules';
import { keep, kept, set, settings } from '../settings';
import { knock } from '../sound';
import { Tree, type Branch } from '../tree';
import { stepButtons, stepByKey, type Walker } from '../walk';

const KEPT = 'vedette-analysis';
const KEPT_PLACE = 'vedette-analysis-place';

export class AnalyseView implements View, Walker {
  readonly element = h('div', { class: 'workbench' });
  private board: Board;
  private engine: EnginePanel;
  tree: Tree;
  private opening = h('p', { class: 'opening' });
  private moves = h('div', { class: 'scroll grow' });
  private fen = h('input', { type: 'text', class: 'mono', spellcheck: 'false', autocomplete: 'off' });
  private comment = h('textarea', { rows: 2, maxlength: 2000, placeholder: 'A thought on this move' });
  private panel = h('section', { class: 'panel', 'aria-label': 'Analysis' });
  private editor: Editor | undefined;
  private stopListening: () => void;

  constructor(private app: App, arrival: Arrival) {
    this.tree = arrival.tree ?? (arrival.fen ? new Tree(arrival.fen) : restore());
    this.board = new Board((uci) => this.play([uci]), 'Analysis board');
    this.engine = new EnginePanel(app);
    this.engine.onArrows = (shapes) => this.board.arrows(shapes);
    this.engine.onPlay = (moves) => this.play(moves);
    this.engine.orientation = () => this.board.orientation;
    this.comment.addEventListener('input', () => {
      this.tree.at.comment = this.comment.value.replace(/[{}]/g, '');
      this.keep();
    });
    this.comment.addEventListener('change', () => this.drawMoves());
    this.fen.addEventListener('change', () => this.load(this.fen.value));
    if (settings.flipped) this.board.flip();
    this.drawPanel();
    this.assemble();
    this.draw();
    // What the engine can be set to is known when the studio has said so.
    this.stopListening = app.line.whenOpen(() => this.drawPanel());
  }

  close(): void {
    this.keep();
    this.stopListening();
    this.engine.close();
    this.editor?.close();
    this.board.destroy();
  }

  key(event: KeyboardEvent): boolean {
    if (this.editor) return false;
    const at = this.tree.at;
    const siblings = at.parent?.children ?? [];
    const steps: Record<string, () => void> = {
      ArrowUp: () => this.look(siblings[siblings.indexOf(at) - 1]),
      ArrowDown: () => this.look(siblings[siblings.indexOf(at) + 1]),
      ' ': () => this.playBest(),
      Delete: () => this.remove(),
    };
    steps[event.key]?.();
    return event.key in steps || stepByKey(this, event.key);
  }

  text(text: string): boolean {
    this.load(text);
    return true;
  }

  private load(text: string): void {
    try {
      this.tree = Tree.fromText(text);
      this.closeEditor();
      this.draw();
      announce('Loaded.');
      if (this.tree.cutAt) notice(`${this.tree.cutAt} cannot be played: the game is shown as far as it goes`);
    } catch (error) {
      complain(error);
      this.fen.value = this.tree.at.fen;
    }
  }

  look(branch: Branch | undefined): void {
    if (!branch || branch === this.tree.at) return;
    const onwards = branch.parent === this.tree.at;
    this.tree.at = branch;
    if (onwards) {
      knock(branch.san.includes('+') ? 'check' : branch.san.includes('x') ? 'capture' : 'move');
      announce(branch.san);
    }
    this.draw();
  }

  private play(moves: string[]): void {
    for (const uci of moves) {
      const next = this.tree.play(uci);
      if (!next) break;
      this.look(next);
    }
  }

  private playBest(): void {
    const best = this.engine.best?.pv[0];
    if (best) this.play([best]);
  }

  private remove(): void {
    this.tree.remove(this.tree.at);
    this.draw();
  }

  flip(): void {
    this.board.flip();
    set('flipped', this.board.orientation === 'black');
    this.engine.bar.turn(this.board.orientation);
  }

  private keep(): void {
    keep(KEPT, this.tree.toPgn());
    keep(KEPT_PLACE, JSON.stringify(this.tree.at.moves));
  }

  private draw(): void {
    const at = this.tree.at;
    this.board.show({ at: at.position, lastMove: squaresOf(at.move), movable: 'both' });
    this.fen.value = at.fen;
    this.comment.value = at.comment;
    this.opening.textContent = openingOf(at) ?? (isChess960(this.tree.root.position) ? 'Chess960' : ' ');
    this.drawMoves();
    this.engine.look(at);
    this.keep();
  }

  private drawMoves(): void {
    fill(this.moves, moveList(this.tree, (branch) => this.look(branch)));
  }

  private assemble(): void {
    const framed = h('div', { class: 'framed' }, this.engine.bar.element, this.board.element);
    this.element.replaceChildren(h('div', { class: 'stage' }, framed, stepButtons(this)), this.panel);
  }

  private drawPanel(): void {
    fill(
      this.panel,
      h('h1', { class: 'unseen' }, 'Analysis'),
      this.engine.element,
      this.opening,
      this.moves,
      moveEntry(() => this.tree.at.position, (uci) => this.play([uci])),
      drawers([
        ['Notes', this.notes()],
        ['Position', this.sharing()],
        ['Engine', this.engineSettings()],
        ['Continue in', this.elsewhere()],
      ]),
    );
  }

  private notes(): HTMLElement {
    return h('div', {},
      field('Comment on this move', this.comment),
      h('div', { class: 'actions' },
        button('Promote line', () => {
          this.tree.promote(this.tree.at);
          this.draw();
        }),
        button('Delete from here', () => this.remove())));
  }

  private sharing(): HTMLElement {
    const file = h('input', { type: 'file', accept: '.pgn,.fen,.txt', hidden: true, 'aria-label': 'PGN file' });
    file.addEventListener('change', async () => {
      const text = await file.files?.[0]?.text();
      if (text) this.load(text);
      file.value = '';
    });
    return h('div', {},
      h('div', { class: 'actions' },
        button('New', () => {
          this.tree = new Tree();
          this.draw();
        }),
        button('Edit position', () => this.openEditor()),
        button('Open a file', () => file.click()),
        file),
      field('FEN', this.fen),
      h('div', { class: 'actions' },
        button('Copy FEN', () => void copy(this.tree.at.fen, 'FEN')),
        button('Copy PGN', () => void copy(this.tree.toPgn(), 'PGN')),
        button('Save PGN', () => download(this.tree.toPgn(), 'analysis.pgn'))),
      h('p', { class: 'soft small' }, 'A PGN or FEN can also be pasted or dropped anywhere.'));
  }

  private engineSettings(): HTMLElement {
    const hello = this.app.line.hello;
    const numbers = (most: number): [string, string][] => Array.from({ length: most }, (_, i) => [String(i + 1), String(i + 1)]);
    const sizes = [16, 64, 256, 1024, 4096].filter((mb) => mb <= (hello?.hash ?? 1024));
    const change = (name: 'lines' | 'threads' | 'hash') => (value: string): void => {
      set(name, Number(value));
      this.engine.restart();
    };
    return h('div', {},
      h('div', { class: 'triple' },
        field('Lines', select(numbers(hello?.lines ?? settings.lines), String(settings.lines), change('lines'))),
        field('Threads', select(numbers(hello?.threads ?? settings.threads), String(settings.threads), change('threads'))),
        field('Memory', select(sizes.map((mb) => [String(mb), `${mb} MiB`]), String(settings.hash), change('hash')))),
      toggle('Arrows on the board', settings.arrows, (on) => {
        set('arrows', on);
        this.engine.restart();
      }),
      hello && h('p', { class: 'soft small' }, `Vedette ${hello.version}, ${hello.judge}`));
  }

  private elsewhere(): HTMLElement {
    return h('div', { class: 'actions' },
      button('Play from here', () => this.app.go('play', { fen: this.tree.at.fen })),
      button('Review this game', () => this.app.go('review', { pgn: this.tree.toPgn() })),
      button('Microscope', () => this.app.go('microscope', { fen: this.tree.at.fen })),
      button('Network', () => this.app.go('network', { fen: this.tree.at.fen })));
  }

  private openEditor(): void {
    this.board.arrows([]);
    this.editor = new Editor(this.tree.at.fen, (fen) => {
      this.closeEditor();
      if (fen) {
        this.tree = new Tree(fen);
        this.draw();
      }
    });
    this.element.replaceChildren(this.editor.element);
    this.editor.element.focus();
  }

  private closeEditor(): void {
    if (!this.editor) return;
    this.editor.close();
    this.editor = undefined;
    this.assemble();
  }
}

/** The analysis of the last visit. */
function restore(): Tree {
  const pgn = kept(KEPT);
  if (!pgn) return new Tree();
  try {
    const tree = Tree.fromPgn(pgn);
    for (const uci of JSON.parse(kept(KEPT_PLACE) ?? '[]') as string[]) tree.at = tree.play(uci) ?? tree.at;
    return tree;
  } catch {
    return new Tree();
  }
}
