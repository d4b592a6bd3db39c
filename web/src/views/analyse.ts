// Analyse: a board for any position, with the engine's lines, variations, comments and sharing.

import type { App, Arrival, View } from '../app';
import { Board } from '../board';
import { withWords, withoutBraces, wordsOf } from '../comments';
import { announce, button, complain, copy, download, field, fill, h, notice, select, sign, textOf, toggle, type Remedy } from '../dom';
import { drawers } from '../drawers';
import { Editor } from '../editor';
import { EnginePanel } from '../engine';
import { moveEntry } from '../entry';
import { occasionOf, playersOf, splitGames, tagsOf, titleOf } from '../games';
import { History } from '../history';
import { moveList } from '../movelist';
import { openingOf } from '../openings';
import { isChess960 } from '../rules';
import { keep, kept, set, settings, type Shelf } from '../settings';
import { knock } from '../sound';
import { Tree, isFen, type Branch } from '../tree';
import { stepButtons, stepByKey, stepByWheel, type Walker } from '../walk';

const KEPT = 'vedette-analysis';
const KEPT_PLACE = 'vedette-analysis-place';
const KEPT_GAMES = 'vedette-analysis-games';
const KEPT_EDITION = 'vedette-analysis-edition';
const MOST_KEPT = 2_000_000;
/** A tab goes on with its own analysis, and one that is opened anew with the last of all. */
const SHELVES: Shelf[] = ['sessionStorage', 'localStorage'];

/** An analysis as it is kept: the game, the place in it, and the games that were loaded with it. */
interface Kept {
  pgn: string;
  /** The moves that lead to the place. */
  place: string[];
  /** Every game of the text that was loaded, if it had more than one, and which of them is shown. */
  games: string[];
  game: number;
}

/** It outlives the view, so that what another view has replaced comes back, too. */
const history = new History<Kept>();

export class AnalyseView implements View, Walker {
  readonly element = h('div', { class: 'workbench' });
  private board: Board;
  private engine: EnginePanel;
  tree: Tree;
  private games: string[] = [];
  private game = 0;
  /** Which games these are: a shelf on which another tab has put others gets these anew. */
  private edition = newEdition();
  private title = h('p', { class: 'game-title' });
  private gameList = h('div', { class: 'game-list' });
  private opening = h('p', { class: 'opening' });
  private moves = h('div', { class: 'scroll grow' });
  private fen = h('input', { type: 'text', class: 'mono', spellcheck: 'false', autocomplete: 'off' });
  private comment = h('textarea', { rows: 2, maxlength: 2000, placeholder: 'Add a comment' });
  private panel = h('section', { class: 'panel', 'aria-label': 'Analysis' });
  private editor: Editor | undefined;
  private entry = moveEntry(() => this.tree.at.position, (uci) => this.play([uci]));
  private undoButton = sign('↶', 'Undo', () => this.undo(false));
  private saveAll = button('Save all games', () => download(this.allGames().join('\n\n'), 'games.pgn'));
  private engineForm = h('div', {});
  /** Whether the comment that is shown is being changed: many letters are one change. */
  private commenting = false;
  private stopListening: () => void;
  /** Takes away what was said of the last change. */
  private forget: () => void = () => {};

  constructor(private app: App, arrival: Arrival) {
    this.tree = this.recall(lastVisit());
    const brought = arrival.tree ?? (arrival.fen ? new Tree(arrival.fen) : undefined);
    this.board = new Board((uci) => this.play([uci]), 'Analysis board');
    this.engine = new EnginePanel(app);
    this.engine.onArrows = (shapes) => this.board.arrows(shapes);
    this.engine.onPlay = (moves) => this.play(moves);
    this.engine.orientation = () => this.board.orientation;
    this.comment.addEventListener('input', () => {
      if (!this.commenting) this.record('comment edited');
      this.commenting = true;
      // What PGN cannot hold is seen to be changed while it is typed.
      const { selectionStart, selectionEnd, value } = this.comment;
      if (value !== withoutBraces(value)) {
        this.comment.value = withoutBraces(value);
        this.comment.setSelectionRange(selectionStart, selectionEnd);
      }
      this.tree.at.comment = withWords(this.tree.at.comment, this.comment.value);
      this.keep();
    });
    this.comment.addEventListener('change', () => {
      this.commenting = false;
      this.drawMoves();
    });
    this.fen.addEventListener('change', () => this.load(this.fen.value));
    if (settings.flipped) this.board.flip();
    stepByWheel(this, this.board.element);
    this.drawPanel();
    this.assemble();
    if (brought) this.change('game opened', () => this.replace(brought));
    else {
      this.drawGames();
      this.draw();
    }
    // What the engine can be set to is known when the studio has said so.
    this.stopListening = app.line.whenOpen(() => this.drawEngineForm());
  }

  close(): void {
    this.keep();
    this.forget();
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
      const games = isFen(text) ? [] : splitGames(text);
      const [tree, game] = games.length > 1 ? firstReadable(games) : [Tree.fromText(text), 0];
      this.change(games.length > 1 ? `${games.length} games loaded. Choose one from the list` : 'loaded', () => this.replace(tree, games, game));
    } catch (error) {
      complain(error);
      this.fen.value = this.tree.at.fen;
    }
  }

  /** Shows another of the games that were loaded; what was done to this one is kept. */
  private choose(game: number): void {
    try {
      const tree = Tree.fromPgn(this.games[game]!);
      this.replace(tree, this.allGames(), game);
      this.warn();
    } catch (error) {
      complain(error);
      this.drawGames();
    }
  }

  /** The games that were loaded, the one that is shown as it is now. One that was not changed stays as it was to the letter. */
  private allGames(): string[] {
    const now = this.tree.toPgn();
    return Tree.fromPgn(this.games[this.game]!).toPgn() === now ? this.games : this.games.with(this.game, now);
  }

  /** Puts a game in the place of all that is here. */
  private replace(tree: Tree, games: string[] = [], game = 0): void {
    this.tree = tree;
    this.games = games.length > 1 ? games : [];
    this.game = game;
    this.edition = newEdition();
    this.closeEditor();
    this.drawGames();
    this.draw();
  }

  /** Does something that can be undone, and says so. */
  private change(what: string, act: () => void): void {
    this.record(what);
    act();
    this.tell(what, { label: 'Undo', act: () => this.undo(false) });
  }

  /** Remembers what is here before it changes. */
  private record(what: string): void {
    history.record(what, this.state());
    this.drawUndo();
  }

  undo(again: boolean): boolean {
    if (this.editor) return false;
    const now = this.state();
    const step = again ? history.redo(now) : history.undo(now);
    if (!step) {
      notice(again ? 'Nothing to redo' : 'Nothing to undo', 'news');
      return true;
    }
    const tree = this.recall(step.state);
    this.replace(tree, step.state.games, step.state.game);
    this.tell(again ? step.what : `undone: ${step.what}`, { label: again ? 'Undo' : 'Redo', act: () => this.undo(!again) });
    return true;
  }

  /** Says what was done, or rather where the game breaks off that is shown now. */
  private tell(what: string, remedy: Remedy): void {
    if (!this.warn(remedy)) this.forget = notice(what, 'news', remedy);
  }

  /** Says where the game breaks off, if it does. */
  private warn(remedy?: Remedy): boolean {
    const { cutAt } = this.tree;
    this.forget();
    if (cutAt) this.forget = notice(`Illegal move ${cutAt.number} ${cutAt.san}: loaded up to this move`, 'error', remedy);
    return cutAt !== undefined;
  }

  private state(): Kept {
    return { pgn: this.tree.toPgn(), place: this.tree.at.moves, games: this.games, game: this.game };
  }

  /** Takes games as they were kept; the answer is the one that was shown. */
  private recall(kept: Kept): Tree {
    [this.games, this.game] = [kept.games, kept.game];
    try {
      const tree = Tree.fromPgn(kept.pgn);
      for (const uci of kept.place) tree.at = tree.play(uci) ?? tree.at;
      return tree;
    } catch {
      return new Tree();
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
      const [before, known] = [this.state(), this.tree.at.children.length];
      const next = this.tree.play(uci);
      if (!next) break;
      if (this.tree.at.children.length > known) history.record(`${next.san} played`, before);
      this.look(next);
    }
  }

  private playBest(): void {
    const best = this.engine.best?.pv[0];
    if (best) this.play([best]);
  }

  private remove(): void {
    if (!this.tree.at.parent) return;
    this.change(`${this.tree.at.san} deleted`, () => {
      this.tree.remove(this.tree.at);
      this.draw();
    });
  }

  flip(): void {
    this.board.flip();
    set('flipped', this.board.orientation === 'black');
    this.engine.bar.turn(this.board.orientation);
  }

  private keep(): void {
    const [pgn, place] = [this.tree.toPgn(), JSON.stringify(this.tree.at.moves)];
    for (const shelf of SHELVES) {
      // The games may be many, so they are written only where others lie.
      if (kept(KEPT_EDITION, shelf) !== this.edition) {
        keep(KEPT_GAMES, this.gamesText(), shelf);
        keep(KEPT_EDITION, this.edition, shelf);
      }
      keep(KEPT, pgn, shelf);
      keep(KEPT_PLACE, place, shelf);
    }
  }

  private gamesText(): string {
    const text = JSON.stringify({ games: this.games, game: this.game });
    // The browser has room for a few million characters in all: the game that is shown comes before the others.
    return text.length <= MOST_KEPT ? text : '';
  }

  private draw(): void {
    const at = this.tree.at;
    this.entry.calm();
    this.drawTitle();
    this.drawUndo();
    this.board.show({ at: at.position, lastMove: at.squares, movable: 'both' });
    this.fen.value = at.fen;
    this.comment.value = wordsOf(at.comment);
    this.commenting = false;
    this.opening.textContent = openingOf(at) ?? (isChess960(this.tree.root.position) ? 'Chess960' : ' ');
    this.drawMoves();
    this.engine.look(at);
    this.keep();
  }

  /** Who played, where and when. */
  private drawTitle(): void {
    const { tags } = this.tree;
    const [players, occasion] = [playersOf(tags), occasionOf(tags)];
    // The list of games says it already.
    this.title.hidden = this.games.length > 0;
    fill(this.title, players && h('strong', {}, players), players && occasion && ' ', occasion && h('span', { class: 'soft' }, occasion));
  }

  private drawGames(): void {
    this.saveAll.hidden = !this.games.length;
    if (!this.games.length) return fill(this.gameList);
    const titles = this.games.map((pgn, at): [string, string] => [String(at), `${at + 1}. ${titleOf(tagsOf(pgn))}`]);
    fill(this.gameList, field(`Game ${this.game + 1} of ${this.games.length}`, select(titles, String(this.game), (value) => this.choose(Number(value)))));
  }

  private drawUndo(): void {
    this.undoButton.disabled = history.last === undefined;
    this.undoButton.title = history.last === undefined ? 'Nothing to undo' : `Undo: ${history.last}`;
  }

  private drawMoves(): void {
    fill(this.moves, moveList(this.tree, (branch) => this.look(branch)));
  }

  private assemble(): void {
    const framed = h('div', { class: 'framed' }, this.engine.bar.element, this.board.element);
    this.element.replaceChildren(h('div', { class: 'stage' }, framed, stepButtons(this, this.undoButton)), this.panel);
  }

  private drawPanel(): void {
    this.drawEngineForm();
    fill(
      this.panel,
      h('h1', { class: 'unseen' }, 'Analysis'),
      this.engine.element,
      this.gameList,
      this.title,
      this.opening,
      this.moves,
      this.entry.element,
      drawers([
        ['Notes', this.notes()],
        ['Position', this.sharing()],
        ['Engine', this.engineForm],
        ['Continue in', this.elsewhere()],
      ]),
    );
  }

  private notes(): HTMLElement {
    return h('div', {},
      field('Comment', this.comment),
      h('div', { class: 'actions' },
        button('Make main line', () => this.change('made main line', () => {
          this.tree.promote(this.tree.at);
          this.draw();
        })),
        button('Delete from here', () => this.remove())));
  }

  private sharing(): HTMLElement {
    const file = h('input', { type: 'file', accept: '.pgn,.fen,.txt', hidden: true, 'aria-label': 'PGN file' });
    file.addEventListener('change', async () => {
      const text = await textOf(file.files?.[0]);
      if (text) this.load(text);
      file.value = '';
    });
    return h('div', {},
      h('div', { class: 'actions' },
        button('New', () => this.change('board reset', () => this.replace(new Tree()))),
        button('Edit position', () => this.openEditor()),
        button('Open file', () => file.click()),
        file),
      field('FEN', this.fen),
      h('div', { class: 'actions' },
        button('Copy FEN', () => void copy(this.tree.at.fen, 'FEN')),
        button('Copy PGN', () => void copy(this.tree.toPgn(), 'PGN')),
        button('Save PGN', () => download(this.tree.toPgn(), 'analysis.pgn')),
        this.saveAll),
      h('p', { class: 'soft small' }, 'You can also paste or drop a PGN or FEN anywhere.'));
  }

  private drawEngineForm(): void {
    const hello = this.app.line.hello;
    const numbers = (most: number): [string, string][] => Array.from({ length: most }, (_, i) => [String(i + 1), String(i + 1)]);
    const sizes = [16, 64, 256, 1024, 4096].filter((mb) => mb <= (hello?.hash ?? 1024));
    const change = (name: 'lines' | 'threads' | 'hash') => (value: string): void => {
      set(name, Number(value));
      this.engine.restart();
    };
    fill(this.engineForm,
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
    this.forget();
    this.editor = new Editor(this.tree.at.fen, (fen) => {
      this.closeEditor();
      if (fen && fen !== this.tree.at.fen) this.change('position edited', () => this.replace(new Tree(fen)));
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

function newEdition(): string {
  return `${Date.now()}-${Math.random()}`;
}

/** The analysis of the last visit. */
function lastVisit(): Kept {
  // All of it comes from one shelf, on which it belongs together.
  const shelf = SHELVES.find((shelf) => kept(KEPT, shelf) !== null);
  const read = <T>(key: string, none: T): T => {
    try {
      return JSON.parse(kept(key, shelf) || 'null') ?? none;
    } catch {
      return none;
    }
  };
  return { pgn: kept(KEPT, shelf) ?? '', place: read(KEPT_PLACE, []), ...read(KEPT_GAMES, { games: [], game: 0 }) };
}

/** The first of many games that can be read, and which it is; throws what is wrong with the first if there is none. */
function firstReadable(games: string[]): [Tree, number] {
  let fault: unknown;
  for (const [at, pgn] of games.entries()) {
    try {
      return [Tree.fromPgn(pgn), at];
    } catch (error) {
      fault ??= error;
    }
  }
  throw fault;
}
