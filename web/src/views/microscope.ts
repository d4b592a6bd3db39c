// Microscope: records a search and shows its tree, the reasons for its decisions, and its statistics.

import type { App, Arrival, View } from '../app';
import { Board } from '../board';
import { button, field, iconButton, select } from '../controls';
import { createdAt } from '../dates';
import { fill, h } from '../elements';
import { showError } from '../errors';
import { shown, typedLine } from '../notation';
import { announce } from '../notices';
import type { NodeFilter, NodePage, Purpose, ReasonProgress, Score, TraceNode, TraceOverview } from '../protocol';
import { rates } from './rates';
import { makeSanAndPlay } from 'chessops/san';
import { INITIAL_FEN, count, fromUci, makeSan, pass, position, scoreText, squaresOf } from '../rules';
import { SearchTree, depthOf, nameOf } from './searchtree';
import { fillSavedList } from '../savedlist';
import { store, stored } from '../settings';
import { t } from '../strings';

const FEN_KEY = 'vedette-microscope';
const MAX_DEPTH = 24;
/** The label of a filter, by its kind. */
const LABELS = {
  purpose: (purpose: string): string => t.searchTree.purposes[purpose as Purpose],
  reason: (reason: string): string => reason,
};
/** A move that looks good, and is not. */
const EXAMPLE = { fen: 'r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4', move: 'Bxf7+' };
/** Options of the filter that select no nodes by themselves. */
const WHOLE = 'whole';
const ASKED = 'asked';

export class MicroscopeView implements View {
  readonly element = h('div', { class: 'workbench microscope' });
  private board = new Board((uci) => void this.askAbout(uci), t.microscope.board);
  private fen: string;
  private depth = 8;
  private trace: TraceOverview | undefined;
  private panel = h('section', { class: 'panel', 'aria-label': t.app.views.microscope });
  private below = h('div', { class: 'node-card' });
  private tree: SearchTree;
  private result = h('div', { class: 'search-result' });
  private earlier = h('div', {});
  private filter: HTMLSelectElement | undefined;
  private closeRates: () => void = () => {};
  private chosen: TraceNode | undefined;
  private stopListening: (() => void)[];
  private recording = false;
  /** The move to ask about when the recording is finished. */
  private afterwards: string | undefined;
  /** The moves from the recorded position to the one on the board; they cannot be asked about after a null move. */
  private shown: { moves: string[] } = { moves: [] };
  /** The move whose reason is being looked for, and where the answer goes. */
  private reasoning: { mv: string; into: HTMLElement } | undefined;
  /** Whether a search was started here since the connection opened: the greeting is older. */
  private asked = false;

  constructor(
    private app: App,
    arrival: Arrival,
  ) {
    this.fen = arrival.fen ?? stored(FEN_KEY) ?? INITIAL_FEN;
    this.tree = new SearchTree(
      (node, skip) => this.children(node, skip),
      (node) => void this.choose(node),
    );
    this.element.append(
      h('div', { class: 'stage' }, h('div', { class: 'framed' }, this.board.element), this.below),
      this.panel,
    );
    this.stopListening = [
      app.studio.whenOpen((hello) => {
        void this.list();
        if (this.asked) return;
        this.recording = hello.recording;
        if (hello.trace && !this.trace && !arrival.fen) this.show(hello.trace);
        else this.draw();
      }),
      app.studio.on('closed', () => {
        this.asked = false;
        this.showReason(undefined);
      }),
      app.studio.on('reason', (progress) => progress.mv === this.reasoning?.mv && this.showReason(progress)),
      app.studio.on('trace-finished', (trace) => {
        this.show(trace);
        void this.list();
      }),
      app.studio.on('trace-failed', (error) => {
        this.recording = false;
        showError(new Error(error));
        this.draw();
        void this.list();
      }),
    ];
    this.draw();
    if (arrival.fen) void this.record();
  }

  close(): void {
    for (const stop of this.stopListening) stop();
    this.board.destroy();
    this.closeRates();
  }

  key(event: KeyboardEvent): boolean {
    const node = this.chosen;
    if (!node) return false;
    const steps: Record<string, () => void> = {
      ArrowUp: () => void this.sibling(node, -1),
      ArrowDown: () => void this.sibling(node, 1),
      ArrowLeft: () => void this.stepTo(node.parent),
      ArrowRight: () => void this.into(node),
    };
    steps[event.key]?.();
    return event.key in steps;
  }

  text(text: string): boolean {
    try {
      position(text);
    } catch {
      return false;
    }
    this.fen = text.trim();
    void this.record();
    return true;
  }

  private async record(): Promise<void> {
    try {
      position(this.fen);
      this.recording = this.asked = true;
      this.draw();
      store(FEN_KEY, this.fen);
      await this.app.studio.ask(
        { trace: { start: { position: { start: this.fen, moves: [] }, depth: this.depth } } },
        'done',
      );
    } catch (error) {
      this.recording = false;
      this.draw();
      showError(error);
    }
  }

  /** Records the example, and asks about its move. */
  private async example(): Promise<void> {
    this.fen = EXAMPLE.fen;
    this.afterwards = EXAMPLE.move;
    await this.record();
  }

  /** Asks about a move on the board: of the recorded position, or of that of the chosen node. */
  private async askAbout(uci: string): Promise<void> {
    const at = position(this.trace?.fen ?? this.fen);
    const sans = this.shown.moves.map((mv) => makeSanAndPlay(at, fromUci(at, mv)!));
    const move = fromUci(at, uci);
    const before = this.chosen;
    if (move) await this.why([...sans, makeSan(at, move)].join(' '));
    // Without an answer the piece goes back.
    if (this.chosen !== before) return;
    if (before) await this.choose(before);
    else this.showNode(undefined);
  }

  private show(trace: TraceOverview): void {
    this.trace = trace;
    this.fen = trace.fen;
    this.recording = false;
    this.chosen = undefined;
    this.tree.show([]);
    announce(t.microscope.recorded(trace.depth));
    this.draw();
    const ask = this.afterwards;
    this.afterwards = undefined;
    if (ask) void this.why(ask);
  }

  private draw(): void {
    const { trace } = this;
    this.closeRates();
    const figures = trace && rates(trace);
    this.closeRates = figures?.close ?? (() => {});
    fill(
      this.panel,
      h('h1', {}, t.app.views.microscope),
      !trace &&
        h(
          'div',
          { class: 'soft' },
          h('p', {}, t.microscope.intro),
          h(
            'p',
            {},
            t.microscope.example,
            button(t.microscope.showExample, () => void this.example(), { disabled: this.recording }),
          ),
        ),
      this.form(),
      trace && this.summary(trace),
      trace && this.questions(trace),
      trace && this.result,
      trace && this.tree.element,
      figures?.element,
      this.earlier,
    );
    fill(this.result);
    this.showNode(undefined);
    if (trace) void this.roots();
  }

  /** Earlier recordings: they are searched again, and give the same tree. */
  private async list(): Promise<void> {
    const recordings = await this.app.studio.ask({ trace: 'list' }, 'recordings').catch(() => []);
    if (!recordings.length) return fill(this.earlier);
    const open = async (id: string): Promise<void> => {
      try {
        this.recording = this.asked = true;
        this.draw();
        await this.app.studio.ask({ trace: { open: { id } } }, 'done');
      } catch (error) {
        this.recording = false;
        this.draw();
        showError(error);
      }
    };
    const remove = (id: string) => async (): Promise<void> => {
      await this.app.studio.ask({ trace: { remove: { id } } }, 'done').catch(showError);
      void this.list();
    };
    fillSavedList(
      this.earlier,
      t.microscope.earlier,
      recordings.map((recording) => ({
        name: [`${shown(recording.best.join(' '))} (${scoreText(recording.score)})`],
        details: [
          t.common.depthOf(recording.depth),
          t.common.nodes(count(recording.searched)),
          createdAt(recording.id),
        ].join(' · '),
        open: () => void open(recording.id),
        attributes: { title: recording.fen, disabled: this.recording },
        removed: t.microscope.removed(shown(recording.best.join(' '))),
        remove: remove(recording.id),
      })),
    );
  }

  private form(): HTMLElement {
    const fen = h('input', { type: 'text', class: 'mono', value: this.fen, spellcheck: 'false', autocomplete: 'off' });
    fen.addEventListener('change', () => (this.fen = fen.value.trim()));
    const depths = Array.from({ length: MAX_DEPTH }, (_, i): [string, string] => [String(i + 1), String(i + 1)]);
    const record = (): void => {
      this.fen = fen.value.trim();
      void this.record();
    };
    return h(
      'div',
      { class: 'recorder' },
      field(t.common.fen, fen),
      h(
        'div',
        { class: 'inline' },
        field(
          t.common.depth,
          select(depths, String(this.depth), (value) => (this.depth = Number(value))),
        ),
        this.recording
          ? button(t.common.stop, () => void this.app.studio.ask({ trace: 'stop' }, 'done').catch(showError), {
              class: 'primary',
            })
          : button(t.microscope.record, record, { class: 'primary' }),
        this.recording
          ? h('span', { class: 'thinking soft', role: 'status' }, t.microscope.recording)
          : button(t.common.startPosition, () => {
              fen.value = this.fen = INITIAL_FEN;
            }),
      ),
    );
  }

  private summary(trace: TraceOverview): HTMLElement {
    return h(
      'p',
      {},
      t.microscope.summary(trace.depth, count(trace.searched), count(trace.kept)),
      h('strong', {}, shown(trace.line.slice(0, 8).join(' '))),
      t.microscope.score(scoreText(trace.score)),
    );
  }

  private questions(trace: TraceOverview): HTMLElement {
    const input = h('input', {
      id: 'why-not',
      type: 'text',
      placeholder: t.microscope.examples,
      autocomplete: 'off',
      spellcheck: 'false',
    });
    const ask = (): void => void this.why(typedLine(position(this.trace?.fen ?? this.fen), input.value));
    input.addEventListener('keydown', (event) => event.key === 'Enter' && ask());
    const option = (kind: keyof typeof LABELS, value: string, number: number): HTMLElement =>
      h('option', { value: `${kind}:${value}` }, `${LABELS[kind](value)} (${count(number)})`);
    const list = h(
      'select',
      { class: 'filter', change: () => void (list.value === WHOLE ? this.roots() : this.find(list.value)) },
      h('option', { value: WHOLE }, t.microscope.whole),
      h('option', { value: ASKED, hidden: true }, t.microscope.asked),
      h(
        'optgroup',
        { label: t.microscope.nodeType },
        ...trace.purposes.map(([purpose, number]) => option('purpose', purpose, number)),
      ),
      h(
        'optgroup',
        { label: t.microscope.prunedBy },
        ...trace.reasons.map(([reason, number]) => option('reason', reason, number)),
      ),
    );
    this.filter = list;
    return h(
      'div',
      { class: 'questions' },
      field(t.microscope.show, list),
      h(
        'div',
        { class: 'field' },
        h('label', { for: 'why-not' }, t.microscope.whyNot),
        h('div', { class: 'joined' }, input, button(t.microscope.ask, ask)),
      ),
    );
  }

  private children(node: number | null, skip: number): Promise<NodePage> {
    return this.app.studio.ask({ trace: { children: { node, skip } } }, 'nodes');
  }

  private async roots(): Promise<void> {
    try {
      fill(this.result);
      const { nodes } = await this.children(null, 0);
      this.tree.show(nodes);
      // The last window decided: that is the tree to look at.
      const last = nodes[nodes.length - 1];
      if (last) await this.tree.open(last.id);
    } catch (error) {
      showError(error);
    }
  }

  /** Shows the nodes that an option of the filter selects. */
  private async find(option: string): Promise<void> {
    try {
      const [kind, value] = option.split(/:(.*)/s) as [keyof typeof LABELS, string];
      const filter: NodeFilter = kind === 'purpose' ? { purpose: value as Purpose } : { reason: value };
      const found = await this.app.studio.ask({ trace: { find: filter } }, 'found');
      const label = LABELS[kind](value);
      fill(
        this.result,
        h(
          'p',
          { class: 'soft' },
          t.microscope.found(count(found.count), label),
          found.count > found.nodes.length && t.microscope.firstShown(found.nodes.length),
          t.microscope.select,
        ),
      );
      this.tree.show(found.nodes);
      announce(t.microscope.foundNodes(found.count, label));
    } catch (error) {
      showError(error);
    }
  }

  private async why(line: string): Promise<void> {
    try {
      const why = await this.app.studio.ask({ trace: { 'why-not': { line } } }, 'why-not');
      const reason = h('div', { class: 'reason-line', role: 'status' });
      this.reasoning = undefined;
      if (why.asked.length === 1) void this.reason(why.asked[0]!, reason);
      const minus = (text: string): string => text.replace(/(^|[\s(])-(?=\d)/g, '$1−');
      fill(
        this.result,
        h(
          'div',
          { class: 'why' },
          h('h2', {}, t.microscope.whyNotOf(shown(why.asked.join(' ')))),
          reason,
          h('p', {}, minus(why.decision)),
          h('ul', { class: 'why-line' }, ...why.nodes.map((node) => h('li', {}, this.step(node)))),
          why.refutation.length > 0 &&
            h('p', { class: 'soft' }, t.microscope.continuation(shown(why.refutation.join(' ')))),
        ),
      );
      this.tree.show(why.nodes);
      if (this.filter) this.filter.value = ASKED;
      const first = why.nodes[0];
      if (first) await this.choose(first);
    } catch (error) {
      showError(error);
    }
  }

  /** Explains a move by searches of its own: a line and a reason. */
  private async reason(mv: string, into: HTMLElement): Promise<void> {
    this.reasoning = { mv, into };
    this.showReason({ mv, searches: 0, outcome: null });
    try {
      await this.app.studio.ask({ trace: { reason: { mv } } }, 'done');
    } catch (error) {
      this.showReason(undefined);
      showError(error);
    }
  }

  /** Shows how far the search for a reason is, or what it has found; nothing if it has ended otherwise. */
  private showReason(progress: ReasonProgress | undefined): void {
    const { into } = this.reasoning ?? {};
    if (!into) return;
    if (progress && !progress.outcome) {
      const known = into.querySelector('.searches');
      const words = progress.searches ? t.microscope.searches(progress.searches) : '';
      // The button stays, so that it can be pressed.
      if (known) return void (known.textContent = words);
      const stop = (): void => void this.app.studio.ask({ trace: 'stop-reason' }, 'done').catch(showError);
      return fill(
        into,
        h('p', { class: 'thinking soft' }, t.microscope.reasoning),
        h('span', { class: 'searches soft', 'aria-live': 'off' }, words),
        button(t.common.stop, stop, { 'aria-label': t.microscope.stopReason }),
      );
    }
    this.reasoning = undefined;
    fill(into);
    if (!progress?.outcome) return;
    if (progress.outcome === 'stopped') return;
    if ('failed' in progress.outcome) return showError(new Error(progress.outcome.failed));
    const { sentences, line, score } = progress.outcome.found;
    fill(
      into,
      h('p', {}, h('strong', {}, sentences.join(' '))),
      h('p', {}, `${shown(line.join(' '))} ${t.microscope.forWhite(scoreText(score))}`),
    );
    announce(sentences.join(' '));
  }

  /** A node of the line as a button. */
  private step(node: TraceNode): HTMLElement {
    const start = position(this.trace?.fen ?? this.fen);
    const ply = 2 * (start.fullmoves - 1) + (start.turn === 'white' ? 0 : 1) + node.ply - 1;
    const number = `${Math.floor(ply / 2) + 1}${ply % 2 === 0 ? '.' : '…'}`;
    const score = node.score ? `, ${t.microscope.bounds[node.bound]}${scoreText(node.score)}` : '';
    return h(
      'button',
      { type: 'button', class: 'move', click: () => void this.choose(node) },
      h('strong', {}, `${number} ${nameOf(node)}`),
      ` ${t.searchTree.purposes[node.purpose]}, ${depthOf(node)}${score}: ${node.verdict}`,
    );
  }

  private async choose(node: TraceNode): Promise<void> {
    this.chosen = node;
    this.tree.mark(node.id);
    try {
      const path = await this.app.studio.ask({ trace: { path: { node: node.id } } }, 'path');
      if (this.chosen === node) this.showNode(path);
    } catch (error) {
      showError(error);
    }
  }

  /** Shows the position of the chosen node, and all that is known of it. */
  private showNode(path: TraceNode[] | undefined): void {
    const node = this.chosen;
    const { at, lastMove, moves } = walk(this.trace?.fen ?? this.fen, path ?? []);
    this.shown = { moves: moves ?? [] };
    this.board.show({ at, lastMove, movable: this.trace && moves ? 'both' : undefined });
    if (node?.best) this.board.arrow(squaresOf(at, fromUci(at, node.best)), 'best');
    if (!node || !path)
      return fill(
        this.below,
        h('p', { class: 'soft' }, this.trace ? t.microscope.selectNode : t.microscope.recordFirst),
      );
    const end = (score: Score | null, open: string): string => (score ? scoreText(score) : open);
    const { facts } = t.microscope;
    const rows: [string, string][] = [
      [facts.type, `${t.searchTree.purposes[node.purpose]}, ${depthOf(node)}`],
      [facts.window, `${end(node.alpha, '−∞')} … ${end(node.beta, '∞')}${node.pv ? `, ${t.microscope.pvNode}` : ''}`],
      [facts.score, node.score ? `${t.microscope.bounds[node.bound]}${scoreText(node.score)}` : '–'],
      [facts.evaluation, node.evaluation ? scoreText(node.evaluation) : '–'],
      [facts.outcome, node.verdict],
      [facts.hash, node.hash_hit ? t.microscope.hit : t.microscope.miss],
      [facts.nodes, `${count(node.nodes)}${node.hidden ? `, ${t.microscope.notStored(count(node.hidden))}` : ''}`],
      [facts.pv, shown(node.line.slice(0, 8).join(' ')) || '–'],
    ];
    fill(
      this.below,
      h(
        'div',
        { class: 'steps' },
        iconButton('left', t.microscope.parent, () => void this.stepTo(node.parent)),
        iconButton('up', t.microscope.previous, () => void this.sibling(node, -1)),
        iconButton('down', t.microscope.next, () => void this.sibling(node, 1)),
        iconButton('right', t.microscope.child, () => void this.into(node)),
      ),
      h(
        'p',
        { class: 'path' },
        path
          .slice(1)
          .map((step) => (step.san ? shown(step.san) : noMove(step)))
          .join(' ') || t.microscope.root,
      ),
      h('dl', { class: 'facts' }, ...rows.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
    );
  }

  /** Goes to a node and shows where it is in the tree. */
  private async jump(node: TraceNode | undefined): Promise<void> {
    if (!node) return;
    await this.choose(node);
    announce(`${nameOf(node)}, ${t.searchTree.purposes[node.purpose]}, ${node.verdict}`);
  }

  private async stepTo(id: number | null): Promise<void> {
    if (id === null) return;
    try {
      const path = await this.app.studio.ask({ trace: { path: { node: id } } }, 'path');
      await this.jump(path[path.length - 1]);
    } catch (error) {
      showError(error);
    }
  }

  private async sibling(node: TraceNode, step: number): Promise<void> {
    try {
      for (let skip = 0; ; ) {
        const { nodes, more } = await this.children(node.parent, skip);
        const place = nodes.findIndex((other) => other.id === node.id);
        if (place >= 0 && nodes[place + step]) return await this.jump(nodes[place + step]);
        // The sibling may be on the next page, and so may the node itself.
        if (!more || (place >= 0 && step < 0)) return;
        skip += place >= 0 ? place : nodes.length;
      }
    } catch (error) {
      showError(error);
    }
  }

  private async into(node: TraceNode): Promise<void> {
    try {
      await this.tree.open(node.id);
      const { nodes } = await this.children(node.id, 0);
      await this.jump(nodes[0]);
    } catch (error) {
      showError(error);
    }
  }
}

/** What stands in a path for a node without a move. */
function noMove({ purpose }: TraceNode): string {
  return purpose === 'null-move' ? t.microscope.nullMove : `(${t.searchTree.purposes[purpose]})`;
}

/** The position at the end of a path, the last move, and the moves unless one of them is a null move. */
function walk(fen: string, path: TraceNode[]) {
  let at: ReturnType<typeof position>;
  try {
    at = position(fen);
  } catch {
    at = position(INITIAL_FEN);
  }
  let lastMove: ReturnType<typeof squaresOf> | undefined;
  let moves: string[] | undefined = [];
  for (const step of path) {
    if (step.mv) {
      const move = fromUci(at, step.mv);
      if (!move) break;
      lastMove = squaresOf(at, move);
      at.play(move);
      moves?.push(step.mv);
    } else if (step.purpose === 'null-move') {
      lastMove = moves = undefined;
      at = pass(at) ?? at;
    }
  }
  return { at, lastMove, moves };
}
