// Microscope: records a search and shows its tree, the reasons of its decisions, and its rates.

import type { App, Arrival, View } from '../app';
import { Board } from '../board';
import { announce, button, complain, field, fill, h, madeAt, remover, select, sign } from '../dom';
import type { Recording, Score, TraceNode, TraceOverview, Why } from '../protocol';
import { INITIAL_FEN, count, fromUci, pass, position, scoreText, squaresOf } from '../rules';
import { keep, kept } from '../settings';
import { rates } from './rates';
import { SearchTree, depthOf, nameOf, purposeOf } from './searchtree';

const KEPT = 'vedette-microscope';
const DEEPEST = 24;
const WHOLE = 'whole tree';
const ASKED = 'the line in question';

export class MicroscopeView implements View {
  readonly element = h('div', { class: 'workbench microscope' });
  private board = new Board(() => {}, 'Position of the selected node');
  private fen: string;
  private depth = 8;
  private trace: TraceOverview | undefined;
  private panel = h('section', { class: 'panel', 'aria-label': 'Microscope' });
  private below = h('div', { class: 'node-card' });
  private tree: SearchTree;
  private result = h('div', { class: 'found' });
  private earlier = h('div', {});
  private filter: HTMLSelectElement | undefined;
  private closeRates: () => void = () => {};
  private chosen: TraceNode | undefined;
  private stopListening: (() => void)[];
  private recording = false;
  /** Whether a search was asked for here since the line opened: what the studio said before is older. */
  private asked = false;

  constructor(private app: App, arrival: Arrival) {
    this.fen = arrival.fen ?? kept(KEPT) ?? INITIAL_FEN;
    this.tree = new SearchTree((node, skip) => this.children(node, skip), (node) => void this.choose(node));
    this.element.append(h('div', { class: 'stage' }, h('div', { class: 'framed' }, this.board.element), this.below), this.panel);
    this.stopListening = [
      app.line.whenOpen((hello) => {
        void this.list();
        if (this.asked) return;
        this.recording = hello.recording;
        if (hello.trace && !this.trace && !arrival.fen) this.show(hello.trace);
        else this.draw();
      }),
      app.line.on('closed', () => (this.asked = false)),
      app.line.on('trace', ({ trace, error }) => {
        this.recording = false;
        if (error) complain(new Error(error));
        if (trace) this.show(trace);
        else this.draw();
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
      keep(KEPT, this.fen);
      await this.app.line.ask('trace-start', { start: this.fen, moves: [], depth: this.depth });
    } catch (error) {
      this.recording = false;
      this.draw();
      complain(error);
    }
  }

  private show(trace: TraceOverview): void {
    this.trace = trace;
    this.fen = trace.fen;
    this.recording = false;
    this.chosen = undefined;
    announce(`Recorded to depth ${trace.depth}.`);
    this.draw();
  }

  private draw(): void {
    const { trace } = this;
    this.closeRates();
    const figures = trace && rates(trace);
    this.closeRates = figures?.close ?? (() => {});
    fill(
      this.panel,
      h('h1', {}, 'Microscope'),
      !trace && h('p', { class: 'soft' }, 'Record a search and inspect every node: its window, its depth, and why it was cut off or pruned.'),
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

  /** The searches that were recorded before: they are searched again, and give the same tree. */
  private async list(): Promise<void> {
    const recordings = await this.app.line.ask<Recording[]>('trace-list').catch(() => []);
    if (!recordings.length) return fill(this.earlier);
    const open = async (id: string): Promise<void> => {
      try {
        this.recording = this.asked = true;
        this.draw();
        await this.app.line.ask('trace-open', { id });
      } catch (error) {
        this.recording = false;
        this.draw();
        complain(error);
      }
    };
    const remove = (id: string) => async (): Promise<void> => {
      await this.app.line.ask('trace-remove', { id }).catch(complain);
      void this.list();
    };
    fill(
      this.earlier,
      h('h2', {}, 'Earlier recordings'),
      h('ul', { class: 'list' }, ...recordings.map((recording) =>
        h('li', {},
          h('button', { type: 'button', class: 'wide', title: recording.fen, disabled: this.recording, click: () => void open(recording.id) },
            h('span', {}, `${recording.best.join(' ')} (${scoreText(recording.score)})`),
            h('span', { class: 'soft' }, `depth ${recording.depth} · ${count(recording.searched)} nodes · ${madeAt(recording.id)}`)),
          remover(`the recording of ${recording.best.join(' ')}`, remove(recording.id))))),
    );
  }

  private form(): HTMLElement {
    const fen = h('input', { type: 'text', class: 'mono', value: this.fen, spellcheck: 'false', autocomplete: 'off' });
    fen.addEventListener('change', () => (this.fen = fen.value.trim()));
    const depths = Array.from({ length: DEEPEST }, (_, i): [string, string] => [String(i + 1), String(i + 1)]);
    const record = (): void => {
      this.fen = fen.value.trim();
      void this.record();
    };
    return h('div', { class: 'recorder' },
      field('Position (FEN)', fen),
      h('div', { class: 'inline' },
        field('Depth', select(depths, String(this.depth), (value) => (this.depth = Number(value)))),
        this.recording
          ? button('Stop', () => void this.app.line.ask('trace-stop').catch(complain), { class: 'primary' })
          : button('Record search', record, { class: 'primary' }),
        this.recording
          ? h('span', { class: 'thinking soft', role: 'status' }, 'recording')
          : button('Start position', () => {
            fen.value = this.fen = INITIAL_FEN;
          })));
  }

  private summary(trace: TraceOverview): HTMLElement {
    return h('p', {},
      `Depth ${trace.depth}, ${count(trace.searched)} nodes. The tree of the last iteration has ${count(trace.kept)} nodes, including pruned moves. PV: `,
      h('strong', {}, trace.line.slice(0, 8).join(' ')),
      ` (${scoreText(trace.score)} for the side to move).`);
  }

  private questions(trace: TraceOverview): HTMLElement {
    const input = h('input', { id: 'why-not', type: 'text', placeholder: 'a3, or a3 e5 …', autocomplete: 'off', spellcheck: 'false' });
    const ask = (): void => void this.why(input.value);
    input.addEventListener('keydown', (event) => event.key === 'Enter' && ask());
    const options = (words: [string, number][], before = ''): HTMLElement[] =>
      words.map(([word, number]) => h('option', { value: before + word }, `${word} (${count(number)})`));
    const list = h('select', { class: 'filter', change: () => void (list.value === WHOLE ? this.roots() : this.find(list.value)) },
      h('option', { value: WHOLE }, WHOLE),
      h('option', { value: ASKED, hidden: true }, ASKED),
      h('optgroup', { label: 'Node type' }, ...options(trace.purposes)),
      h('optgroup', { label: 'Cut off or pruned by' }, ...options(trace.reasons, 'ended by ')));
    this.filter = list;
    return h('div', { class: 'questions' },
      field('Show', list),
      h('div', { class: 'field' }, h('label', { for: 'why-not' }, 'Why not this move?'), h('div', { class: 'joined' }, input, button('Ask', ask))));
  }

  private async children(node: number | null, skip: number): Promise<{ nodes: TraceNode[]; more: number }> {
    return this.app.line.ask('trace-children', { node, skip });
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
      complain(error);
    }
  }

  private async find(word: string): Promise<void> {
    try {
      const found = await this.app.line.ask<{ nodes: TraceNode[]; count: number }>('trace-find', { word });
      fill(this.result, h('p', { class: 'soft' }, `${count(found.count)} × ${word}${found.count > found.nodes.length ? ` (first ${found.nodes.length} shown)` : ''}. Select one to see the path to it.`));
      this.tree.show(found.nodes);
      announce(`${found.count} nodes: ${word}`);
    } catch (error) {
      complain(error);
    }
  }

  private async why(line: string): Promise<void> {
    try {
      const why = await this.app.line.ask<Why>('trace-why', { line });
      const minus = (text: string): string => text.replace(/(^|[\s(])-(?=\d)/g, '$1−');
      fill(
        this.result,
        h('div', { class: 'why' },
          h('h2', {}, `Why not ${why.asked.join(' ')}?`),
          h('p', {}, minus(why.decision)),
          h('ul', { class: 'way' }, ...why.nodes.map((node) => h('li', {}, this.step(node)))),
          why.refutation.length > 0 && h('p', { class: 'soft' }, `Continuation: ${why.refutation.join(' ')}`)),
      );
      this.tree.show(why.nodes);
      if (this.filter) this.filter.value = ASKED;
      const first = why.nodes[0];
      if (first) await this.choose(first);
    } catch (error) {
      complain(error);
    }
  }

  /** A node of the way as a button: its number says whose move it is. */
  private step(node: TraceNode): HTMLElement {
    const start = position(this.trace?.fen ?? this.fen);
    const half = 2 * (start.fullmoves - 1) + (start.turn === 'white' ? 0 : 1) + node.ply - 1;
    const number = `${Math.floor(half / 2) + 1}${half % 2 === 0 ? '.' : '…'}`;
    const score = node.score ? `, ${{ exact: '', lower: 'at least ', upper: 'at most ' }[node.bound]}${scoreText(node.score)}` : '';
    return h('button', { type: 'button', class: 'move', click: () => void this.choose(node) },
      h('strong', {}, `${number} ${nameOf(node)}`), ` ${purposeOf(node)}, ${depthOf(node)}${score}: ${node.verdict}`);
  }

  private async choose(node: TraceNode): Promise<void> {
    this.chosen = node;
    this.tree.mark(node.id);
    try {
      const path = await this.app.line.ask<TraceNode[]>('trace-path', { node: node.id });
      if (this.chosen === node) this.showNode(path);
    } catch (error) {
      complain(error);
    }
  }

  /** Shows the position of the chosen node, and all that is known of it. */
  private showNode(path: TraceNode[] | undefined): void {
    const node = this.chosen;
    const { at, lastMove } = walk(this.trace?.fen ?? this.fen, path ?? []);
    this.board.show({ at, lastMove });
    if (node?.best) this.board.arrow(squaresOf(at, fromUci(at, node.best)), 'best');
    if (!node || !path) return fill(this.below, h('p', { class: 'soft' }, this.trace ? 'Select a node in the tree.' : 'Record a search to see its tree.'));
    const end = (score: Score | null, open: string): string => (score ? scoreText(score) : open);
    const facts: [string, string][] = [
      ['type', `${purposeOf(node)}, ${depthOf(node)}`],
      ['window', `${end(node.alpha, '−∞')} … ${end(node.beta, '∞')}${node.pv ? ', PV node' : ''}`],
      ['score', node.score ? `${{ exact: '', lower: 'at least ', upper: 'at most ' }[node.bound]}${scoreText(node.score)}` : '–'],
      ['evaluation', node.evaluation ? scoreText(node.evaluation) : '–'],
      ['outcome', node.verdict],
      ['hash table', node.hash_hit ? 'hit' : 'miss'],
      ['nodes', `${count(node.nodes)}${node.hidden ? `, ${count(node.hidden)} not stored` : ''}`],
      ['PV', node.line.slice(0, 8).join(' ') || '–'],
    ];
    fill(
      this.below,
      h('div', { class: 'steps' },
        sign('←', 'Parent node', () => void this.stepTo(node.parent)),
        sign('↑', 'Previous sibling', () => void this.sibling(node, -1)),
        sign('↓', 'Next sibling', () => void this.sibling(node, 1)),
        sign('→', 'First child', () => void this.into(node))),
      h('p', { class: 'path' }, path.slice(1).map((step) => step.san ?? (step.purpose === 'null-move' ? 'null move' : `(${purposeOf(step)})`)).join(' ') || 'root'),
      h('dl', { class: 'facts' }, ...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
    );
  }

  /** Goes to a node and shows where it is in the tree. */
  private async jump(node: TraceNode | undefined): Promise<void> {
    if (!node) return;
    await this.choose(node);
    announce(`${nameOf(node)}, ${purposeOf(node)}, ${node.verdict}`);
  }

  private async stepTo(id: number | null): Promise<void> {
    if (id === null) return;
    try {
      const path = await this.app.line.ask<TraceNode[]>('trace-path', { node: id });
      await this.jump(path[path.length - 1]);
    } catch (error) {
      complain(error);
    }
  }

  private async sibling(node: TraceNode, step: number): Promise<void> {
    try {
      for (let skip = 0; ; ) {
        const { nodes, more } = await this.children(node.parent, skip);
        const place = nodes.findIndex((other) => other.id === node.id);
        if (place >= 0 && nodes[place + step]) return await this.jump(nodes[place + step]);
        // The neighbour may be in the next portion, and so may the node itself.
        if (!more || (place >= 0 && step < 0)) return;
        skip += place >= 0 ? place : nodes.length;
      }
    } catch (error) {
      complain(error);
    }
  }

  private async into(node: TraceNode): Promise<void> {
    try {
      await this.tree.open(node.id);
      const { nodes } = await this.children(node.id, 0);
      await this.jump(nodes[0]);
    } catch (error) {
      complain(error);
    }
  }
}

/** The position at the end of a path, and the move that led there; a null move turns the board over to the other side. */
function walk(fen: string, path: TraceNode[]) {
  let at;
  try {
    at = position(fen);
  } catch {
    at = position(INITIAL_FEN);
  }
  let lastMove;
  for (const step of path) {
    if (step.move) {
      const move = fromUci(at, step.move);
      if (!move) break;
      lastMove = squaresOf(at, move);
      at.play(move);
    } else if (step.purpose === 'null-move') {
      lastMove = undefined;
      at = pass(at) ?? at;
    }
  }
  return { at, lastMove };
}
