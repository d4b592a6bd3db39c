// Microscope: the tree of a search as it was searched, to fold, filter and step through, and the reasons.

import type { App, Arrival, View } from '../app';
import { Board } from '../board';
import { announce, button, field, fill, h, notice, select, sign } from '../dom';
import { Graph } from '../graph';
import type { Rates, Score, TraceNode, TraceOverview, Why } from '../protocol';
import { INITIAL_FEN, count, fenOf, fromUci, position, scoreText, squaresOf } from '../rules';
import { keep, kept } from '../settings';

const KEPT = 'vedette-microscope';

export class MicroscopeView implements View {
  readonly element = h('div', { class: 'workbench microscope' });
  private board = new Board(() => {}, 'Position of the chosen node');
  private fen: string;
  private depth = 8;
  private trace: TraceOverview | undefined;
  private panel = h('section', { class: 'panel', 'aria-label': 'Microscope' });
  private below = h('div', { class: 'node-card' });
  private tree = h('div', { class: 'tree scroll', role: 'tree', 'aria-label': 'Search tree' });
  private result = h('div', {});
  private graph: Graph | undefined;
  private chosen: TraceNode | undefined;
  private chosenRow: HTMLElement | undefined;
  private stopListening: (() => void)[];
  private recording = false;

  constructor(private app: App, arrival: Arrival) {
    this.fen = arrival.fen ?? kept(KEPT) ?? INITIAL_FEN;
    this.element.append(h('div', { class: 'stage' }, h('div', { class: 'framed' }, this.board.element), this.below), this.panel);
    this.stopListening = [
      app.line.whenOpen((hello) => {
        if (hello.trace && !this.trace && !arrival.fen) this.show(hello.trace);
      }),
      app.line.on('trace', ({ trace, error }) => {
        this.recording = false;
        if (error) notice(error);
        if (trace) this.show(trace);
        else this.draw();
      }),
    ];
    this.draw();
    if (arrival.fen) void this.record();
  }

  close(): void {
    for (const stop of this.stopListening) stop();
    this.board.destroy();
    this.graph?.destroy();
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
      this.recording = true;
      this.draw();
      keep(KEPT, this.fen);
      await this.app.line.ask('trace-start', { start: this.fen, moves: [], depth: this.depth });
    } catch (error) {
      this.recording = false;
      this.draw();
      notice((error as Error).message);
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
    const fen = h('input', { type: 'text', class: 'mono', value: this.fen, spellcheck: 'false', autocomplete: 'off' });
    fen.addEventListener('change', () => (this.fen = fen.value.trim()));
    const depths = Array.from({ length: 16 }, (_, i): [string, string] => [String(i + 1), String(i + 1)]);
    this.graph?.destroy();
    this.graph = undefined;
    fill(
      this.panel,
      h('h1', {}, 'Microscope'),
      h('p', { class: 'soft' }, 'Records a search and shows every node: its window, its depth, and why it ended.'),
      field('Position (FEN)', fen),
      h('div', { class: 'inline' },
        field('Depth', select(depths, String(this.depth), (value) => (this.depth = Number(value)))),
        button(this.recording ? 'Recording …' : 'Record the search', () => {
          this.fen = fen.value.trim();
          void this.record();
        }, { class: 'primary', disabled: this.recording }),
        button('Start position', () => {
          fen.value = this.fen = INITIAL_FEN;
        })),
      trace && this.summary(trace),
      trace && this.filters(trace),
      trace && this.result,
      trace && this.tree,
      trace && this.rates(trace),
    );
    fill(this.result);
    this.showNode(undefined);
    if (trace) void this.roots();
  }

  private summary(trace: TraceOverview): HTMLElement {
    const input = h('input', { type: 'text', placeholder: 'a3, or a3 e5 …', autocomplete: 'off', spellcheck: 'false' });
    const ask = (): void => void this.why(input.value);
    input.addEventListener('keydown', (event) => event.key === 'Enter' && ask());
    return h(
      'div',
      {},
      h('p', {}, `Depth ${trace.depth}, ${count(trace.searched)} nodes, ${count(trace.kept)} of the last iteration kept. Best: `,
        h('strong', {}, `${trace.line.slice(0, 8).join(' ')}`), ` (${scoreText(trace.score)} for the side to move).`),
      h('div', { class: 'inline' }, field('Why was this not played?', input), button('Ask', ask)),
    );
  }

  private filters(trace: TraceOverview): HTMLElement {
    const words = [...trace.words].sort((a, b) => b[1] - a[1]);
    return h(
      'div',
      { class: 'chips', role: 'group', 'aria-label': 'Show only nodes of one kind' },
      button('whole tree', () => void this.roots(), { class: 'chip' }),
      ...words.filter(([word]) => word !== 'root').map(([word, number]) =>
        h('button', { type: 'button', class: 'chip', click: () => void this.find(word) }, `${word} `, h('span', { class: 'soft' }, count(number)))),
    );
  }

  private async roots(): Promise<void> {
    fill(this.result);
    const nodes = await this.children(null);
    fill(this.tree, ...nodes);
    const last = this.tree.querySelectorAll<HTMLElement>(':scope > .branch');
    last[last.length - 1]?.querySelector<HTMLElement>('.fold')?.click();
  }

  private async children(node: number | null, skip = 0): Promise<HTMLElement[]> {
    try {
      const answer = await this.app.line.ask<{ nodes: TraceNode[]; more: number }>('trace-children', { node, skip });
      const rows = answer.nodes.map((child) => this.branch(child));
      if (answer.more > 0) {
        const more = button(`${answer.more} more`, async () => {
          more.replaceWith(...(await this.children(node, skip + answer.nodes.length)));
        }, { class: 'chip' });
        rows.push(more);
      }
      return rows;
    } catch (error) {
      notice((error as Error).message);
      return [];
    }
  }

  /** A node with the place for what was searched for it. */
  private branch(node: TraceNode): HTMLElement {
    const inside = h('div', { class: 'inside', role: 'group' });
    let open = false;
    const fold = h('button', {
      type: 'button', class: 'fold', 'aria-label': `Open ${nameOf(node)}`, 'aria-expanded': 'false', disabled: node.children === 0,
      click: async () => {
        open = !open;
        fold.setAttribute('aria-expanded', String(open));
        fold.textContent = open ? '▾' : '▸';
        fill(inside, ...(open ? await this.children(node.id) : []));
      },
    }, node.children ? '▸' : '·');
    const label = this.row(node);
    return h('div', { class: 'branch', role: 'treeitem', 'aria-expanded': node.children ? 'false' : null, 'aria-selected': 'false' }, h('div', { class: 'line' }, fold, label), inside);
  }

  private row(node: TraceNode): HTMLElement {
    const row: HTMLElement = h(
      'button',
      { type: 'button', class: `node ${node.fate} ${kindOf(node)}`, click: () => void this.choose(node, row) },
      h('span', { class: 'what' }, nameOf(node)),
      h('span', { class: 'purpose' }, purposeOf(node)),
      node.score && h('span', { class: 'value' }, `${{ exact: '=', lower: '≥', upper: '≤' }[node.bound]} ${scoreText(node.score)}`),
      h('span', { class: 'verdict' }, node.verdict),
      node.nodes > 1 && h('span', { class: 'soft' }, count(node.nodes)),
    );
    return row;
  }

  private async find(word: string): Promise<void> {
    try {
      const found = await this.app.line.ask<{ nodes: TraceNode[]; count: number }>('trace-find', { word });
      fill(this.result, h('p', { class: 'soft' }, `${count(found.count)} × ${word}${found.count > found.nodes.length ? `, the first ${found.nodes.length}` : ''}. Choose one to see the way to it.`));
      fill(this.tree, ...found.nodes.map((node) => this.branch(node)));
      announce(`${found.count} nodes: ${word}`);
    } catch (error) {
      notice((error as Error).message);
    }
  }

  private async why(line: string): Promise<void> {
    try {
      const why = await this.app.line.ask<Why>('trace-why', { line });
      fill(
        this.result,
        h('div', { class: 'why' },
          h('h2', {}, `Why not ${why.asked.join(' ')}?`),
          h('p', {}, why.decision),
          h('ol', {}, ...why.steps.map((step) => h('li', {}, step))),
          why.refutation.length > 0 && h('p', { class: 'soft' }, `What follows: ${why.refutation.join(' ')}`)),
      );
      fill(this.tree, ...why.nodes.map((node) => this.branch(node)));
      const first = this.tree.querySelector<HTMLElement>('.node');
      first?.click();
    } catch (error) {
      notice((error as Error).message);
    }
  }

  private async choose(node: TraceNode, row: HTMLElement): Promise<void> {
    this.chosenRow?.removeAttribute('aria-current');
    row.setAttribute('aria-current', 'true');
    this.chosenRow = row;
    this.chosen = node;
    try {
      this.showNode(await this.app.line.ask<TraceNode[]>('trace-path', { node: node.id }));
    } catch (error) {
      notice((error as Error).message);
    }
  }

  /** Shows the position of the chosen node, and all that is known of it. */
  private showNode(path: TraceNode[] | undefined): void {
    let at;
    try {
      at = position(this.trace?.fen ?? this.fen);
    } catch {
      at = position(INITIAL_FEN);
    }
    let last;
    for (const step of path ?? []) {
      if (step.move) {
        const move = fromUci(at, step.move);
        if (!move) break;
        last = move;
        at.play(move);
      } else if (step.purpose === 'null-move') {
        last = undefined;
        const parts = fenOf(at).split(' ');
        parts[1] = parts[1] === 'w' ? 'b' : 'w';
        parts[3] = '-';
        at = position(parts.join(' '));
      }
    }
    const node = this.chosen;
    const reply = node?.best ? squaresOf(fromUci(at, node.best)) : undefined;
    this.board.show({ at, lastMove: squaresOf(last), arrows: reply ? [{ orig: reply[0]!, dest: reply[1]!, brush: 'paleBlue' }] : [] });
    if (!node || !path) return fill(this.below, h('p', { class: 'soft' }, this.trace ? 'Choose a node of the tree.' : 'Record a search to look inside it.'));
    const end = (score: Score | null, open: string): string => (score ? scoreText(score) : open);
    const facts: [string, string][] = [
      ['searched as', `${purposeOf(node)}, depth ${node.quiescence ? 'quiescence' : round(node.depth)}${node.extension ? ` (${node.extension > 0 ? '+' : ''}${round(node.extension)})` : ''}`],
      ['window', `${end(node.alpha, '−∞')} … ${end(node.beta, '∞')}${node.pv ? ', open' : ''}`],
      ['score', node.score ? `${{ exact: '', lower: 'at least ', upper: 'at most ' }[node.bound]}${scoreText(node.score)}` : '–'],
      ['evaluation', node.evaluation ? scoreText(node.evaluation) : '–'],
      ['verdict', node.verdict],
      ['hash table', node.hash_hit ? 'knew the position' : 'did not know the position'],
      ['nodes', `${count(node.nodes)}${node.hidden ? `, ${count(node.hidden)} not kept` : ''}`],
      ['expected', node.line.slice(0, 8).join(' ') || '–'],
    ];
    fill(
      this.below,
      h('div', { class: 'steps' },
        sign('↑', 'To the node above', () => void this.stepTo(node.parent)),
        sign('◀', 'The search before, at the same node', () => void this.sibling(node, -1)),
        sign('▶', 'The next search at the same node', () => void this.sibling(node, 1)),
        sign('↓', 'Into this node', () => void this.into(node))),
      h('p', { class: 'path' }, path.slice(1).map((step) => step.san ?? (step.purpose === 'null-move' ? 'pass' : `(${purposeOf(step)})`)).join(' ') || 'root'),
      h('dl', { class: 'facts' }, ...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
    );
  }

  private async jump(node: TraceNode | undefined): Promise<void> {
    if (!node) return;
    this.chosenRow?.removeAttribute('aria-current');
    this.chosenRow = undefined;
    this.chosen = node;
    this.showNode(await this.app.line.ask<TraceNode[]>('trace-path', { node: node.id }));
    announce(`${nameOf(node)}, ${purposeOf(node)}, ${node.verdict}`);
  }

  private async stepTo(id: number | null): Promise<void> {
    if (id === null) return;
    const path = await this.app.line.ask<TraceNode[]>('trace-path', { node: id });
    await this.jump(path[path.length - 1]);
  }

  private async sibling(node: TraceNode, step: number): Promise<void> {
    const { nodes } = await this.app.line.ask<{ nodes: TraceNode[] }>('trace-children', { node: node.parent });
    await this.jump(nodes[nodes.findIndex((other) => other.id === node.id) + step]);
  }

  private async into(node: TraceNode): Promise<void> {
    const { nodes } = await this.app.line.ask<{ nodes: TraceNode[] }>('trace-children', { node: node.id });
    await this.jump(nodes[0]);
  }

  private rates(trace: TraceOverview): HTMLElement {
    this.graph = new Graph({
      label: 'Rates B, C and D by depth left',
      height: 170,
      curves: [
        { label: 'B', color: '--accent', points: true },
        { label: 'C', color: '--warm', points: true },
        { label: 'D', color: '--soft', points: true },
      ],
      yLabel: (value) => `${value} %`,
    });
    const rows = trace.by_depth.filter((row) => row.depth > 0 && row.scouts > 0);
    const graph = this.graph;
    requestAnimationFrame(() => graph.show([rows.map((row) => row.depth), rows.map((row) => row.b), rows.map((row) => row.c), rows.map((row) => row.d)]));
    return h(
      'details',
      {},
      h('summary', {}, 'Rates by depth and by iteration'),
      h('p', { class: 'legend' }, h('span', { class: 'key accent' }, 'B re-searches of scouts in open windows'), h('span', { class: 'key warm' }, 'C scouts that failed high'), h('span', { class: 'key soft' }, 'D reduced scouts searched again')),
      this.graph.element,
      table('Depth left', trace.by_depth),
      table('Iteration', trace.by_iteration),
    );
  }
}

function table(title: string, rows: Rates[]): HTMLElement {
  const heads = [title, 'nodes', 'scouts', 're-search', 'B %', 'C %', 'D %', 'first %'];
  return h(
    'div',
    { class: 'table scroll', tabindex: 0, role: 'region', 'aria-label': `Rates: ${title.toLowerCase()}` },
    h('table', {},
      h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', {}, ...rows.map((row) =>
        h('tr', {}, h('th', { scope: 'row' }, row.depth),
          ...[count(row.main_nodes + row.quiescence_nodes), count(row.scouts), count(row.re_searches), row.b.toFixed(1), row.c.toFixed(2), row.d.toFixed(1), row.first_move_cutoffs.toFixed(1)].map((cell) => h('td', {}, cell)))))),
  );
}

function nameOf(node: TraceNode): string {
  if (node.san) return `${node.number}. ${node.san}`;
  if (node.excluded) return `without ${node.excluded}`;
  if (node.purpose === 'null-move') return 'pass';
  return node.purpose === 'root' ? 'root' : 'same position';
}

function purposeOf(node: TraceNode): string {
  return node.purpose === 're-search' ? node.purpose : node.purpose.replaceAll('-', ' ');
}

function kindOf(node: TraceNode): string {
  if (node.purpose === 're-search') return 'again';
  if (node.pv) return 'pv';
  return node.bound;
}

function round(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

