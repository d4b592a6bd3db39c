// The rates B, C and D of a recorded search: a graph by depth left, and tables by depth and by iteration.

import { h } from '../dom';
import { Graph } from '../graph';
import type { Rates, TraceOverview } from '../protocol';
import { count } from '../rules';

/** The figures, and how to let them go. */
export function rates(trace: TraceOverview): { element: HTMLElement; close: () => void } {
  const graph = new Graph({
    label: 'Search rates by remaining depth',
    height: 11,
    curves: [
      { label: 'PV re-searches', color: '--accent', points: true },
      { label: 'zero-window fail highs', color: '--warm', points: true },
      { label: 'LMR re-searches', color: '--soft', points: true },
    ],
    xName: 'remaining depth',
    yLabel: (value) => `${value} %`,
  });
  const rows = trace.by_depth.filter((row) => row.depth > 0 && row.scouts > 0);
  graph.show([rows.map((row) => row.depth), rows.map((row) => row.b), rows.map((row) => row.c), rows.map((row) => row.d)]);
  const element: HTMLDetailsElement = h(
    'details',
    { toggle: () => element.open && element.scrollIntoView({ block: 'nearest' }) },
    h('summary', {}, 'Rates by depth and iteration'),
    h('p', { class: 'legend' },
      h('span', { class: 'key accent' }, 'PV re-searches'),
      h('span', { class: 'key warm' }, 'zero-window fail highs'),
      h('span', { class: 'key soft' }, 'LMR re-searches')),
    graph.element,
    table('Depth', trace.by_depth),
    table('Iteration', trace.by_iteration),
  );
  return { element, close: () => graph.destroy() };
}

function table(title: string, rows: Rates[]): HTMLElement {
  const heads = [title, 'nodes', 'zero-window', 're-searches', 'PV re-search %', 'fail high %', 'LMR re-search %', 'first-move cutoff %'];
  const cells = (row: Rates): string[] => [
    count(row.main_nodes + row.quiescence_nodes), count(row.scouts), count(row.re_searches),
    row.b.toFixed(1), row.c.toFixed(2), row.d.toFixed(1), row.first_move_cutoffs.toFixed(1),
  ];
  return h(
    'div',
    { class: 'table scroll', tabindex: 0, role: 'region', 'aria-label': `Rates: ${title.toLowerCase()}` },
    h('table', {},
      h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', {}, ...rows.map((row) => h('tr', {}, h('th', { scope: 'row' }, row.depth), ...cells(row).map((cell) => h('td', {}, cell)))))),
  );
}
