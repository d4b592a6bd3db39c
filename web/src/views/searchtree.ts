// The tree of a recorded search: each node fetches its children when it is expanded.

import { button } from '../controls';
import { fill, h } from '../elements';
import { showError } from '../errors';
import { shown } from '../notation';
import type { NodePage, TraceNode } from '../protocol';
import { count, scoreText } from '../rules';
import { decimal, t } from '../strings';

type Fetch = (node: number, skip: number) => Promise<NodePage>;

interface Row {
  label: HTMLElement;
  unfold(open: boolean): Promise<void>;
}

export class SearchTree {
  readonly element = h('div', { class: 'tree scroll', role: 'tree', 'aria-label': t.searchTree.label });
  private rows = new Map<number, Row>();
  private marked: HTMLElement | undefined;

  constructor(
    private fetch: Fetch,
    private choose: (node: TraceNode) => void,
  ) {}

  /** Shows these nodes, collapsed. */
  show(nodes: TraceNode[]): void {
    this.rows.clear();
    this.marked = undefined;
    fill(this.element, ...nodes.map((node) => this.branch(node)));
  }

  /** Expands a node, if it is shown. */
  async open(id: number): Promise<void> {
    await this.rows.get(id)?.unfold(true);
  }

  /** Highlights a node, if it is shown. */
  mark(id: number): void {
    this.marked?.removeAttribute('aria-current');
    this.marked = this.rows.get(id)?.label;
    this.marked?.setAttribute('aria-current', 'true');
    this.marked?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  private async children(node: number, of: number, skip: number): Promise<HTMLElement[]> {
    const { nodes, more } = await this.fetch(node, skip);
    const rows = nodes.map((child) => this.branch(child, of));
    if (more > 0) {
      const rest = button(
        t.searchTree.more(more),
        () => {
          this.children(node, of, skip + nodes.length).then((next) => rest.replaceWith(...next), showError);
        },
        { class: 'chip' },
      );
      rows.push(rest);
    }
    return rows;
  }

  /** A node; `of` is the number of nodes of its parent. */
  private branch(node: TraceNode, of?: number): HTMLElement {
    const inside = h('div', { class: 'inside', role: 'group' });
    const fold = h(
      'button',
      {
        type: 'button',
        class: 'fold',
        'aria-label': t.searchTree.open(nameOf(node)),
        'aria-expanded': 'false',
        disabled: node.children === 0,
        click: () => unfold(!open).catch(showError),
      },
      node.children ? '▸' : '·',
    );
    const label: HTMLElement = h(
      'button',
      { type: 'button', class: `node ${node.fate} ${kindOf(node)}`, click: () => this.choose(node) },
      h('span', { class: 'order', title: t.searchTree.order }, node.san ? node.number : ''),
      h('span', { class: 'node-name' }, nameOf(node)),
      h('span', { class: 'purpose' }, node.purpose === 'root' ? windowOf(node) : t.searchTree.purposes[node.purpose]),
      h(
        'span',
        { class: 'value' },
        node.score ? `${{ exact: '=', lower: '≥', upper: '≤' }[node.bound]} ${scoreText(node.score)}` : '',
      ),
      h('span', { class: 'verdict' }, node.verdict),
      node.nodes > 1 && h('span', { class: 'soft' }, t.common.nodes(count(node.nodes))),
      of !== undefined && node.nodes > 1 && effort(node.nodes, of),
    );
    const item = h(
      'div',
      { class: 'branch', role: 'treeitem', 'aria-expanded': node.children ? 'false' : null, 'aria-selected': 'false' },
      h('div', { class: 'line' }, fold, label),
      inside,
    );
    let open = false;
    const unfold = async (wanted: boolean): Promise<void> => {
      if (open === wanted || node.children === 0) return;
      open = wanted;
      for (const element of [fold, item]) element.setAttribute('aria-expanded', String(open));
      fold.textContent = open ? '▾' : '▸';
      fill(inside, ...(open ? await this.children(node.id, node.nodes, 0) : []));
    };
    this.rows.set(node.id, { label, unfold });
    return item;
  }
}

/** What part of its parent's nodes a subtree has. */
function effort(nodes: number, of: number): HTMLElement {
  const percent = Math.min(100, (100 * nodes) / Math.max(1, of));
  const bar = h('span', {
    class: 'effort',
    title: t.searchTree.effort(percent.toFixed(0)),
    'aria-hidden': 'true',
  });
  bar.style.setProperty('--effort', `${percent}%`);
  return bar;
}

/** The name of a node: its move, or what it is. */
export function nameOf(node: TraceNode): string {
  if (node.san) return shown(node.san);
  if (node.excluded) return t.searchTree.excluding(shown(node.excluded));
  if (node.purpose === 'null-move') return t.microscope.nullMove;
  return node.purpose === 'root' ? t.microscope.root : t.searchTree.same;
}

/** The depth of a node as text. */
export function depthOf(node: TraceNode): string {
  const round = (value: number): string => (Number.isInteger(value) ? String(value) : decimal(value, 1));
  const extra = node.extension ? ` (${node.extension > 0 ? '+' : '−'}${round(Math.abs(node.extension))})` : '';
  return (node.quiescence ? t.searchTree.purposes.quiescence : t.common.depthOf(round(node.depth))) + extra;
}

/** The aspiration window of a root. */
function windowOf(node: TraceNode): string {
  return `${node.alpha ? scoreText(node.alpha) : '−∞'} … ${node.beta ? scoreText(node.beta) : '∞'}`;
}

function kindOf(node: TraceNode): string {
  if (node.purpose === 're-search') return 'again';
  if (node.pv) return 'pv';
  return node.bound;
}
