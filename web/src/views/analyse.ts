// Analyse: a board for any position, with the engine's lines, variations, comments and sharing.

import type { DrawShape } from '@lichess-org/chessground/draw';
import type { App, Arrival, View } from '../app';
import { Board } from '../board';
import { copy } from '../clipboard';
import { chanceOf, shapesOf, textOfComment, withShapes, withText, withoutBraces } from '../comments';
import { addEngines, button, field, iconButton, select, toggle } from '../controls';
import { drawers } from '../drawers';
import { Editor } from '../editor';
import { fill, h } from '../elements';
import { EnginePanel } from '../engine';
import { moveEntry } from '../entry';
import { showError } from '../errors';
import { Explorer } from '../explorer';
import { FactsPanel } from '../facts';
import { download, textOf } from '../files';
import { occasionOf, playersOf, splitGames, tagsOf, titleOf } from '../games';
import { Graph } from '../graph';
import { History } from '../history';
import { libraryTree } from '../librarylist';
import { moveList } from '../movelist';
import { shown, spoken } from '../notation';
import { announce, notice, type NoticeAction } from '../notices';
import { animationOf, gifOf, pngOf, svgOf } from '../picture';
import type { GameRef, PvLine, Side } from '../protocol';
import { isChess960, keyOf, share } from '../rules';
import { set, settings, store, stored, type StorageName } from '../settings';
import { knock } from '../sound';
import { t } from '../strings';
import { GLYPHS, Tree, isFen, uciPosition, type Branch } from '../tree';
import { stepButtons, stepByKey, stepByWheel, type Walker } from '../walk';

const PGN_KEY = 'vedette-analysis';
const PATH_KEY = 'vedette-analysis-place';
const GAMES_KEY = 'vedette-analysis-games';
const EDITION_KEY = 'vedette-analysis-edition';
const MAX_STORED = 2_000_000;
/** A tab keeps its own analysis; a new one starts with the latest of all tabs. */
const STORAGES: StorageName[] = ['sessionStorage', 'localStorage'];

/** Other engines that may analyse at once: the studio has no more for a page. */
const MAX_OTHERS = 3;

/** The least depth of a score for the graph. */
const LEAST_DEPTH = 8;

/** Glyphs from here on are for the position, smaller ones for the move. */
const FIRST_OF_POSITION = 10;

/** The glyphs that are offered, and what they mean. */
const OFFERED = Object.entries(t.analyse.meanings).map(([nag, name]): [number, string] => [Number(nag), name]);

const LIMITS: [string, string][] = [
  ['inf', t.analyse.infinite],
  ...[20, 25, 30, 40].map((depth): [string, string] => [`d${depth}`, t.common.depthOf(depth)]),
  ['t5000', t.analyse.seconds(5)],
  ['t10000', t.analyse.seconds(10)],
  ['t30000', t.analyse.seconds(30)],
  ['t60000', t.analyse.minutes(1)],
];

/** A stored analysis: the game, the current move, and the other games of its file. */
interface Saved {
  pgn: string;
  /** The moves to the current position. */
  path: string[];
  /** All games of the file, if it had more than one, and the index of the current one. */
  games: string[];
  game: number;
}

/** It survives the view, so that what another view has replaced can be restored. */
const history = new History<Saved>();

export class AnalyseView implements View, Walker {
  readonly element = h('div', { class: 'workbench' });
  private board: Board;
  private engine: EnginePanel;
  tree: Tree;
  private games: string[] = [];
  private game = 0;
  /** Identifies the games: they are written again if another tab has stored others. */
  private edition = newEdition();
  private title = h('p', { class: 'game-title' });
  private gameList = h('div', { class: 'game-list' });
  private facts: FactsPanel;
  private explorer: Explorer;
  private moves = h('div', { class: 'scroll grow' });
  private fen = h('input', { type: 'text', class: 'mono', spellcheck: 'false', autocomplete: 'off' });
  private comment = h('textarea', { rows: 2, maxlength: 2000, placeholder: t.analyse.addComment });
  private panel = h('section', { class: 'panel', 'aria-label': t.analyse.panel });
  private editor: Editor | undefined;
  private entry = moveEntry(
    () => this.tree.at.position,
    (uci) => this.play([uci]),
  );
  private undoButton = iconButton('undo', t.analyse.undo, () => this.undo(false));
  private saveAll = button(t.analyse.saveAll, () => download(this.allGames().join('\n\n'), 'games.pgn'));
  private engineForm = h('div', {});
  private glyphs = h('div', { class: 'glyphs', role: 'group', 'aria-label': t.analyse.glyphs });
  /** White's winning chances by position, in percent. */
  private chances = new Map<string, number>();
  private graph = new Graph({
    label: t.analyse.graph,
    height: 9,
    range: [0, 100],
    curves: [{ color: '--accent', fill: '--graph-fill', points: true }],
    xLabel: (ply) => (ply % 2 === 0 ? String(ply / 2) : ''),
    yLabel: (value) => t.common.percent(String(value)),
    describe: (ply) => {
      const branch = this.tree.end().path[ply];
      const chance = branch && this.chances.get(branch.fen);
      return `${branch?.san ? shown(branch.san) : t.analyse.start}${chance === undefined ? '' : ` ${t.common.percent(chance.toFixed(0))}`}`;
    },
    onChoose: (ply) => this.look(this.tree.end().path[ply]),
  });
  /** Whether the comment is being edited: many keystrokes are one change. */
  private commenting = false;
  private stopListening: () => void;
  /** Dismisses the message about the last change. */
  private dismiss: () => void = () => {};

  constructor(
    private app: App,
    arrival: Arrival,
  ) {
    this.tree = this.restore(load());
    const brought = arrival.tree ?? (arrival.fen ? new Tree(arrival.fen) : undefined);
    this.board = new Board(
      (uci) => this.play([uci]),
      t.analyse.board,
      (shapes) => this.keepShapes(shapes),
    );
    this.engine = new EnginePanel(app);
    this.engine.onArrows = (shapes) => this.board.arrows(shapes);
    this.engine.onPlay = (moves) => this.play(moves);
    this.facts = new FactsPanel(app);
    this.facts.onPlay = (uci) => this.play([uci]);
    this.explorer = new Explorer(
      app,
      (uci) => this.play([uci]),
      (game) => void this.openGame(game),
    );
    this.engine.orientation = () => this.board.orientation;
    this.engine.onScore = (branch, best, threat) => this.keepScore(branch, best, threat);
    this.comment.addEventListener('input', () => {
      if (!this.commenting) this.record(t.analyse.did.comment);
      this.commenting = true;
      // The replacement is visible while typing.
      const { selectionStart, selectionEnd, value } = this.comment;
      if (value !== withoutBraces(value)) {
        this.comment.value = withoutBraces(value);
        this.comment.setSelectionRange(selectionStart, selectionEnd);
      }
      this.tree.at.comment = withText(this.tree.at.comment, this.comment.value);
      this.save();
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
    if (brought) this.change(t.analyse.did.opened, () => this.replace(brought));
    else {
      this.drawGames();
      this.draw();
    }
    // The engine's limits are known after the greeting.
    this.stopListening = app.studio.whenOpen(() => {
      this.drawEngineForm();
      this.drawFacts();
    });
  }

  close(): void {
    this.save();
    this.dismiss();
    this.stopListening();
    this.engine.close();
    this.editor?.close();
    this.board.destroy();
    this.graph.destroy();
  }

  key(event: KeyboardEvent): boolean {
    if (this.editor) return false;
    const at = this.tree.at;
    const siblings = at.parent?.children ?? [];
    const steps: Record<string, () => void> = {
      ArrowUp: () => this.look(siblings[siblings.indexOf(at) - 1]),
      ArrowDown: () => this.look(siblings[siblings.indexOf(at) + 1]),
      ' ': () => this.playBest(),
      x: () => this.engine.toggleThreat(),
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
      const games = isFen(text) || uciPosition(text) ? [] : splitGames(text);
      const [tree, game] = games.length > 1 ? firstReadable(games) : [Tree.fromText(text), 0];
      this.change(games.length > 1 ? t.analyse.did.games(games.length) : t.analyse.did.loaded, () =>
        this.replace(tree, games, game),
      );
    } catch (error) {
      showError(error);
      this.fen.value = this.tree.at.fen;
    }
  }

  /** Shows another of the loaded games; changes to this one are kept. */
  private choose(game: number): void {
    try {
      const tree = Tree.fromPgn(this.games[game]!);
      this.replace(tree, this.allGames(), game);
      this.warn();
    } catch (error) {
      showError(error);
      this.drawGames();
    }
  }

  /** The loaded games with the changes to the current one. An unchanged game keeps its text. */
  private allGames(): string[] {
    const now = this.tree.toPgn();
    return Tree.fromPgn(this.games[this.game]!).toPgn() === now ? this.games : this.games.with(this.game, now);
  }

  /** Replaces the analysis. */
  private replace(tree: Tree, games: string[] = [], game = 0): void {
    this.tree = tree;
    this.games = games.length > 1 ? games : [];
    this.game = game;
    this.edition = newEdition();
    this.closeEditor();
    this.drawGames();
    this.draw();
  }

  /** Makes a change that can be undone, and shows it. */
  private change(what: string, act: () => void): void {
    this.record(what);
    act();
    this.report(what, { label: t.analyse.undo, act: () => this.undo(false) });
  }

  /** Records the state before a change. */
  private record(what: string): void {
    history.record(what, this.state());
    this.drawUndo();
  }

  undo(again: boolean): boolean {
    if (this.editor) return false;
    const now = this.state();
    const step = again ? history.redo(now) : history.undo(now);
    if (!step) {
      notice(again ? t.analyse.nothingToRedo : t.analyse.nothingToUndo, 'news');
      return true;
    }
    const tree = this.restore(step.state);
    this.replace(tree, step.state.games, step.state.game);
    this.report(again ? step.what : t.analyse.undone(step.what), {
      label: again ? t.analyse.undo : t.analyse.redo,
      act: () => this.undo(!again),
    });
    return true;
  }

  /** Shows what was done, or the illegal move of the game. */
  private report(what: string, remedy: NoticeAction): void {
    if (!this.warn(remedy)) this.dismiss = notice(what, 'news', remedy);
  }

  /** Shows the illegal move of the game, if there is one. */
  private warn(remedy?: NoticeAction): boolean {
    const { cutAt } = this.tree;
    this.dismiss();
    if (cutAt) this.dismiss = notice(t.analyse.cutAt(`${cutAt.number} ${cutAt.san}`), 'error', remedy);
    return cutAt !== undefined;
  }

  private state(): Saved {
    return { pgn: this.tree.toPgn(), path: this.tree.at.moves, games: this.games, game: this.game };
  }

  /** Restores the games; returns the current one. */
  private restore(saved: Saved): Tree {
    [this.games, this.game] = [saved.games, saved.game];
    try {
      const tree = Tree.fromPgn(saved.pgn);
      for (const uci of saved.path) tree.at = tree.play(uci) ?? tree.at;
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
      announce(spoken(branch.san));
    }
    this.draw();
  }

  private play(moves: string[]): void {
    for (const uci of moves) {
      const [before, known] = [this.state(), this.tree.at.children.length];
      const next = this.tree.play(uci);
      if (!next) break;
      if (this.tree.at.children.length > known) history.record(t.analyse.did.played(shown(next.san)), before);
      this.look(next);
    }
  }

  private playBest(): void {
    const best = this.engine.best?.pv[0];
    if (best) this.play([best]);
  }

  private remove(): void {
    if (!this.tree.at.parent) return;
    this.change(t.analyse.did.deleted(shown(this.tree.at.san)), () => {
      this.tree.remove(this.tree.at);
      this.draw();
    });
  }

  /** Keeps White's winning chances in a position for the graph. */
  private keepScore(branch: Branch, best: PvLine, threat: boolean): void {
    if (threat || best.depth < LEAST_DEPTH) return;
    this.chances.set(branch.fen, 100 * share(best.score, best.wdl));
    this.drawGraph();
  }

  /** The main line's winning chances, as far as the engine or the PGN's comments know them. */
  private drawGraph(): void {
    if (!this.graph.element.isConnected) return;
    const line = this.tree.end().path;
    const known = line.map(
      (branch) => this.chances.get(branch.fen) ?? chanceOf(branch.comment, branch.ply % 2 === 1) ?? null,
    );
    const place = this.tree.at.path.findLastIndex((branch) => branch.isMainLine);
    this.graph.show([line.map((_, at) => at), known], place);
  }

  /** Sets or clears a glyph; a move has one of its own, and one for the position. */
  private annotate(nag: number): void {
    const { at } = this.tree;
    if (!at.parent) return;
    this.record(t.analyse.did.glyph(GLYPHS[nag]!));
    const sameKind = (other: number): boolean => other < FIRST_OF_POSITION === nag < FIRST_OF_POSITION;
    const others = at.nags.filter((other) => !sameKind(other));
    at.nags = at.nags.includes(nag) ? others : [...others, nag].sort((a, b) => a - b);
    this.draw();
  }

  private drawGlyphs(): void {
    const { at } = this.tree;
    const focused = [...this.glyphs.children].indexOf(document.activeElement!);
    fill(
      this.glyphs,
      ...OFFERED.map(([nag, name]) =>
        button(GLYPHS[nag]!, () => this.annotate(nag), {
          title: name,
          'aria-label': name,
          'aria-pressed': String(at.nags.includes(nag)),
          disabled: !at.parent,
        }),
      ),
    );
    if (focused >= 0) (this.glyphs.children[focused] as HTMLElement).focus();
  }

  /** Keeps the arrows and circles that the user has drawn. */
  private keepShapes(shapes: DrawShape[]): void {
    this.record(t.analyse.did.drawing);
    this.tree.at.comment = withShapes(this.tree.at.comment, shapes);
    this.save();
  }

  flip(): void {
    this.board.flip();
    set('flipped', this.board.orientation === 'black');
    this.engine.bar.turn(this.board.orientation);
  }

  private save(): void {
    const [pgn, path] = [this.tree.toPgn(), JSON.stringify(this.tree.at.moves)];
    for (const storage of STORAGES) {
      // There may be many games, so they are written only if others are stored.
      if (stored(EDITION_KEY, storage) !== this.edition) {
        store(GAMES_KEY, this.gamesText(), storage);
        store(EDITION_KEY, this.edition, storage);
      }
      store(PGN_KEY, pgn, storage);
      store(PATH_KEY, path, storage);
    }
  }

  private gamesText(): string {
    const text = JSON.stringify({ games: this.games, game: this.game });
    // The browser stores a few million characters in all: the current game comes first.
    return text.length <= MAX_STORED ? text : '';
  }

  private draw(): void {
    const at = this.tree.at;
    this.entry.reset();
    this.drawTitle();
    this.drawUndo();
    this.board.show({ at: at.position, lastMove: at.squares, movable: 'both', drawn: shapesOf(at.comment) });
    this.fen.value = at.fen;
    this.comment.value = textOfComment(at.comment);
    this.commenting = false;
    this.drawGlyphs();
    this.drawGraph();
    this.drawFacts();
    this.drawMoves();
    this.engine.look(at);
    this.save();
  }

  /** Draws what the studio knows about the position without a search. */
  private drawFacts(): void {
    this.facts.show(this.tree.at, isChess960(this.tree.root.position) ? 'Chess960' : ' ');
    this.explorer.show(this.tree.at);
  }

  /** Opens a game of the library in the current position, if it has it. */
  private async openGame(game: GameRef): Promise<void> {
    try {
      const tree = await libraryTree(this.app, game);
      const { fen } = this.tree.at;
      const reached = tree.end().path.find((branch) => keyOf(branch.fen) === keyOf(fen));
      tree.at = reached ?? tree.root;
      this.change(t.analyse.did.opened, () => this.replace(tree));
    } catch (error) {
      showError(error);
    }
  }

  private async addToLibrary(): Promise<void> {
    const pgn = this.games.length ? this.allGames().join('\n\n') : this.tree.toPgn();
    try {
      const games = await this.app.studio.ask({ library: { import: { pgn } } }, 'imported');
      notice(t.analyse.added(games), 'news');
    } catch (error) {
      showError(error);
    }
  }

  private async savePng(): Promise<void> {
    try {
      download(await pngOf(this.tree.at, this.board.orientation), 'position.png', 'image/png');
    } catch (error) {
      showError(error);
    }
  }

  private async saveGif(): Promise<void> {
    try {
      download(await gifOf(this.tree.at.line, this.board.orientation), 'game.gif', 'image/gif');
    } catch (error) {
      showError(error);
    }
  }

  private drawTitle(): void {
    const { tags } = this.tree;
    const [players, occasion] = [playersOf(tags), occasionOf(tags)];
    // The game list shows it already.
    this.title.hidden = this.games.length > 0;
    fill(
      this.title,
      players && h('strong', {}, players),
      players && occasion && ' ',
      occasion && h('span', { class: 'soft' }, occasion),
    );
  }

  private drawGames(): void {
    this.saveAll.hidden = !this.games.length;
    if (!this.games.length) return fill(this.gameList);
    const titles = this.games.map((pgn, at): [string, string] => [String(at), `${at + 1}. ${titleOf(tagsOf(pgn))}`]);
    fill(
      this.gameList,
      field(
        t.common.gameOf(this.game + 1, this.games.length),
        select(titles, String(this.game), (value) => this.choose(Number(value))),
      ),
    );
  }

  private drawUndo(): void {
    this.undoButton.disabled = history.last === undefined;
    this.undoButton.title = history.last === undefined ? t.analyse.nothingToUndo : t.analyse.undoOf(history.last);
  }

  private drawMoves(): void {
    fill(
      this.moves,
      moveList(this.tree, (branch) => this.look(branch)),
    );
  }

  private assemble(): void {
    const framed = h('div', { class: 'framed' }, this.engine.bar.element, this.board.element);
    this.element.replaceChildren(h('div', { class: 'stage' }, framed, stepButtons(this, this.undoButton)), this.panel);
  }

  private drawPanel(): void {
    this.drawEngineForm();
    fill(
      this.panel,
      h('h1', { class: 'unseen' }, t.analyse.panel),
      this.engine.element,
      this.gameList,
      this.title,
      this.facts.element,
      this.moves,
      this.entry.element,
      drawers([
        [t.analyse.notes, this.notes()],
        [t.explorer.title, this.explorer.element],
        [t.analyse.graphTab, this.graph.element],
        [t.analyse.position, this.sharing()],
        [t.analyse.save, this.saving()],
        [t.common.engine, this.engineForm],
        [t.analyse.continueIn, this.elsewhere()],
      ]),
    );
  }

  private notes(): HTMLElement {
    return h(
      'div',
      {},
      this.glyphs,
      field(t.analyse.comment, this.comment),
      h(
        'div',
        { class: 'actions' },
        button(t.analyse.makeMain, () =>
          this.change(t.analyse.did.mainLine, () => {
            this.tree.promote(this.tree.at);
            this.draw();
          }),
        ),
        button(t.analyse.deleteFrom, () => this.remove()),
      ),
    );
  }

  private sharing(): HTMLElement {
    const file = h('input', { type: 'file', accept: '.pgn,.fen,.txt', hidden: true, 'aria-label': t.common.pgnFile });
    file.addEventListener('change', async () => {
      const text = await textOf(file.files?.[0]);
      if (text) this.load(text);
      file.value = '';
    });
    return h(
      'div',
      {},
      h(
        'div',
        { class: 'actions' },
        button(t.analyse.new, () => this.change(t.analyse.did.reset, () => this.replace(new Tree()))),
        button(t.analyse.edit, () => this.openEditor()),
        button(t.common.openFile, () => file.click()),
        file,
      ),
      field('FEN', this.fen),
      h(
        'div',
        { class: 'actions' },
        button(t.analyse.copyLink, () => void copy(linkTo(this.tree.at.fen), t.analyse.link)),
        button(t.analyse.copyFen, () => void copy(this.tree.at.fen, 'FEN')),
        button(t.common.copyPgn, () => void copy(this.tree.toPgn(), 'PGN')),
      ),
      h('p', { class: 'soft small' }, t.analyse.pasteHint),
    );
  }

  private saving(): HTMLElement {
    const side = (): Side => this.board.orientation;
    const animate = (): void => download(animationOf(this.tree.at.line, side()), 'game.svg', 'image/svg+xml');
    return h(
      'div',
      {},
      h(
        'div',
        { class: 'actions' },
        button(t.common.savePgn, () => download(this.tree.toPgn(), 'analysis.pgn')),
        this.saveAll,
        button(t.analyse.addToLibrary, () => void this.addToLibrary()),
      ),
      h(
        'div',
        { class: 'actions' },
        button(t.analyse.png, () => void this.savePng()),
        button(t.analyse.svg, () => download(svgOf(this.tree.at, side()), 'position.svg', 'image/svg+xml')),
        button(t.analyse.animation, animate, { title: t.analyse.animationTip }),
        button(t.analyse.gif, () => void this.saveGif(), { title: t.analyse.animationTip }),
      ),
    );
  }

  private drawEngineForm(): void {
    const hello = this.app.studio.hello;
    const numbers = (most: number): [string, string][] =>
      Array.from({ length: most }, (_, i) => [String(i + 1), String(i + 1)]);
    const sizes = [16, 64, 256, 1024, 4096].filter((mb) => mb <= (hello?.max_hash ?? 1024));
    const change =
      (name: 'lines' | 'threads' | 'hash') =>
      (value: string): void => {
        set(name, Number(value));
        this.engine.restart();
      };
    fill(
      this.engineForm,
      h(
        'div',
        { class: 'pair' },
        field(
          t.analyse.limit,
          select(LIMITS, settings.limit, (value) => {
            set('limit', value);
            this.engine.restart();
          }),
        ),
        field(
          t.analyse.lines,
          select(numbers(hello?.max_lines ?? settings.lines), String(settings.lines), change('lines')),
        ),
        field(
          t.analyse.threads,
          select(numbers(hello?.threads ?? settings.threads), String(settings.threads), change('threads')),
        ),
        field(
          t.analyse.memory,
          select(
            sizes.map((mb) => [String(mb), `${mb} MiB`]),
            String(settings.hash),
            change('hash'),
          ),
        ),
      ),
      ...this.otherEngines(hello?.engines ?? []),
      toggle(t.analyse.arrows, settings.arrows, (on) => {
        set('arrows', on);
        this.engine.restart();
      }),
      hello && h('p', { class: 'soft small' }, `Vedette ${hello.version}, ${hello.evaluation}`),
    );
  }

  /** Which other engines analyse too. */
  private otherEngines(names: string[]): HTMLElement[] {
    if (!names.length) return [addEngines()];
    const box = (name: string): HTMLElement =>
      toggle(name, settings.others.includes(name), (on) => {
        const others = settings.others.filter((other) => other !== name);
        // The newest choice counts where there are too many.
        set('others', on ? [...others, name].slice(-MAX_OTHERS) : others);
        this.drawEngineForm();
        this.engine.restart();
      });
    return [h('fieldset', { class: 'choice' }, h('legend', {}, t.analyse.otherEngines), ...names.map(box))];
  }

  private elsewhere(): HTMLElement {
    return h(
      'div',
      { class: 'actions' },
      button(t.analyse.playFrom, () => this.app.go('play', { fen: this.tree.at.fen })),
      button(t.analyse.reviewThis, () => this.app.go('review', { pgn: this.tree.toPgn() })),
      button(t.app.views.microscope, () => this.app.go('microscope', { fen: this.tree.at.fen })),
      button(t.app.views.network, () => this.app.go('network', { fen: this.tree.at.fen })),
    );
  }

  private openEditor(): void {
    this.board.arrows([]);
    this.dismiss();
    this.editor = new Editor(this.tree.at.fen, (fen) => {
      this.closeEditor();
      if (fen && fen !== this.tree.at.fen) this.change(t.analyse.did.edited, () => this.replace(new Tree(fen)));
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

/** A link to a position. */
function linkTo(fen: string): string {
  return `${location.origin}/#/analyse/${fen.replaceAll(' ', '_')}`;
}

function newEdition(): string {
  return `${Date.now()}-${Math.random()}`;
}

/** The stored analysis. */
function load(): Saved {
  // All parts come from the same storage.
  const storage = STORAGES.find((storage) => stored(PGN_KEY, storage) !== null);
  const read = <T>(key: string, none: T): T => {
    try {
      return JSON.parse(stored(key, storage) || 'null') ?? none;
    } catch {
      return none;
    }
  };
  return { pgn: stored(PGN_KEY, storage) ?? '', path: read(PATH_KEY, []), ...read(GAMES_KEY, { games: [], game: 0 }) };
}

/** The first readable game and its index; throws the error of the first if there is none. */
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
