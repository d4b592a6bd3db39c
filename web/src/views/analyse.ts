// Analyse: a board for any position, with the engine's lines, variations, comments and sharing.

import type { App, Arrival, View } from '../app';
import { Board } from '../board';
import { announce, button, copy, download, field, fill, h, notice, select, sign, toggle } from '../dom';
import { Editor } from '../editor';
import { EnginePanel } from '../engine';
import { moveEntry } from '../entry';
import { moveList } from '../movelist';
import { openingOf } from '../openings';
import { isChess960, squaresOf } from '../rules';
import { keep, kept, set, settings } from '../settings';
import { knock } from '../sound';
import { Tree, type Branch } from '../tree';

const KEPT = 'vedette-analysis';
const KEPT_PLACE = 'vedette-analysis-place';

export class AnalyseView implements View {
  readonly element = h('div', { class: 'workbench' });
  private board: Board;
  private engine: EnginePanel;
  private tree: Tree;
  private opening = h('p', { class: 'opening' });
  private moves = h('div', { class: 'scroll grow' });
  private fen = h('input', { type: 'text', class: 'mono', spellcheck: 'false', autocomplete: 'off' });
  private comment: HTMLTextAreaElement;
  private commentBox: HTMLDetailsElement;
  private body = h('div', { class: 'panel-body' });
  private editor: Editor | undefined;

  constructor(private app: App, arrival: Arrival) {
    this.tree = arrival.tree ?? (arrival.fen ? new Tree(arrival.fen) : restore());
    this.board = new Board((uci) => this.play([uci]), 'Analysis board');
    this.engine = new EnginePanel(app);
    this.engine.onArrows = (shapes) => this.board.arrows(shapes);
    this.engine.onPlay = (moves) => this.play(moves);
    this.engine.orientation = () => this.board.orientation;
    this.comment = h('textarea', { rows: 2, maxlength: 2000, placeholder: 'A thought on this move' });
    this.comment.addEventListener('input', () => {
      this.tree.at.comment = this.comment.value.replace(/[{}]/g, '');
      this.keep();
    });
    this.comment.addEventListener('change', () => this.drawMoves());
    this.commentBox = h('details', {}, h('summary', {}, 'Comment'), field('On this move', this.comment));
    this.fen.addEventListener('change', () => this.load(this.fen.value));
    if (settings.flipped) this.board.flip();
    this.element.append(
      h('div', { class: 'stage' }, h('div', { class: 'framed' }, this.engine.bar, this.board.element), this.steps()),
      h('section', { class: 'panel', 'aria-label': 'Analysis' }, this.body),
    );
    this.drawBody();
    this.draw();
  }

  close(): void {
    this.keep();
    this.engine.close();
    this.editor?.close();
    this.board.destroy();
  }

  key(event: KeyboardEvent): boolean {
    if (this.editor) return false;
    const at = this.tree.at;
    const siblings = at.parent?.children ?? [];
    const steps: Record<string, () => void> = {
      ArrowLeft: () => this.look(at.parent),
      ArrowRight: () => this.look(at.children[0]),
      ArrowUp: () => this.look(siblings[siblings.indexOf(at) - 1]),
      ArrowDown: () => this.look(siblings[siblings.indexOf(at) + 1]),
      Home: () => this.look(this.tree.root),
      End: () => this.look(this.tree.end(at)),
      f: () => this.flip(),
      ' ': () => this.playBest(),
      Delete: () => this.remove(),
    };
    const step = steps[event.key];
    step?.();
    return step !== undefined;
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
    } catch (error) {
      notice((error as Error).message);
      this.fen.value = this.tree.at.fen;
    }
  }

  private look(branch: Branch | undefined): void {
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

  private flip(): void {
    this.board.flip();
    set('flipped', this.board.orientation === 'black');
    this.draw();
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
    if (at.comment) this.commentBox.open = true;
    this.opening.textContent = openingOf(at) ?? (isChess960(this.tree.root.position) ? 'Chess960' : ' ');
    this.drawMoves();
    this.engine.look(at);
    this.keep();
  }

  private drawMoves(): void {
    fill(this.moves, moveList(this.tree, (branch) => this.look(branch)));
  }

  private steps(): HTMLElement {
    return h(
      'div',
      { class: 'steps' },
      sign('|◀', 'First position', () => this.look(this.tree.root)),
      sign('◀', 'One move back', () => this.look(this.tree.at.parent)),
      sign('▶', 'One move on', () => this.look(this.tree.at.children[0])),
      sign('▶|', 'Last position', () => this.look(this.tree.end(this.tree.at))),
      sign('⇅', 'Turn the board', () => this.flip()),
    );
  }

  private drawBody(): void {
    const hello = this.app.line.hello;
    const numbers = (most: number): [string, string][] => Array.from({ length: most }, (_, i) => [String(i + 1), String(i + 1)]);
    const restart = (): void => this.engine.restart();
    const file = h('input', { type: 'file', accept: '.pgn,.fen,.txt', hidden: true, 'aria-label': 'PGN file' });
    file.addEventListener('change', async () => {
      const text = await file.files?.[0]?.text();
      if (text) this.load(text);
      file.value = '';
    });
    fill(
      this.body,
      h('h1', { class: 'unseen' }, 'Analysis'),
      this.engine.element,
      this.opening,
      this.moves,
      moveEntry(() => this.tree.at.position, (uci) => this.play([uci])),
      this.commentBox,
      h(
        'div',
        { class: 'actions' },
        button('Promote line', () => {
          this.tree.promote(this.tree.at);
          this.draw();
        }),
        button('Delete from here', () => this.remove()),
        button('New', () => {
          this.tree = new Tree();
          this.draw();
        }),
        button('Edit position', () => this.openEditor()),
      ),
      h(
        'details',
        {},
        h('summary', {}, 'Share and open'),
        field('FEN', this.fen),
        h(
          'div',
          { class: 'actions' },
          button('Copy FEN', () => void copy(this.tree.at.fen, 'FEN')),
          button('Copy PGN', () => void copy(this.tree.toPgn(), 'PGN')),
          button('Save PGN', () => download(this.tree.toPgn(), 'analysis.pgn')),
          button('Open a file', () => file.click()),
          file,
        ),
        h('p', { class: 'soft' }, 'A PGN or FEN can also be pasted or dropped anywhere.'),
      ),
      h(
        'details',
        {},
        h('summary', {}, 'Engine settings'),
        h(
          'div',
          { class: 'pair' },
          field('Lines', select(numbers(hello?.lines ?? 5), String(settings.lines), (value) => {
            set('lines', Number(value));
            restart();
          })),
          field('Threads', select(numbers(hello?.threads ?? 1), String(settings.threads), (value) => {
            set('threads', Number(value));
            restart();
          })),
          field('Memory', select(['16', '64', '256', '1024'].map((mb) => [mb, `${mb} MiB`]), String(settings.hash), (value) => {
            set('hash', Number(value));
            restart();
          })),
        ),
        toggle('Arrows', settings.arrows, (on) => {
          set('arrows', on);
          restart();
        }),
      ),
      h(
        'div',
        { class: 'actions' },
        button('Play from here', () => this.app.go('play', { fen: this.tree.at.fen })),
        button('Review this game', () => this.app.go('review', { pgn: this.tree.toPgn() })),
        button('Under the microscope', () => this.app.go('microscope', { fen: this.tree.at.fen })),
        button('Network view', () => this.app.go('network', { fen: this.tree.at.fen })),
      ),
    );
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
    this.element.replaceChildren(
      h('div', { class: 'stage' }, h('div', { class: 'framed' }, this.engine.bar, this.board.element), this.steps()),
      h('section', { class: 'panel', 'aria-label': 'Analysis' }, this.body),
    );
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
