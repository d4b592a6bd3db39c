// Re-search and fail-high rates of a recorded search: a graph by depth, and tables by depth and iteration.

import { h } from '../elements';
import { Graph } from '../graph';
import type { Rates, TraceOverview } from '../protocol';
import { count } from '../rules';

/** The graph and the tables; call `close` when they are removed. */
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
  const rows = trace.by_depth.filter((row) => row.depth > 0 && row.zero_window_searches > 0);
  graph.show([
    rows.map((row) => row.depth),
    rows.map((row) => row.pv_re_search_rate),
    rows.map((row) => row.fail_high_rate),
    rows.map((row) => row.lmr_re_search_rate),
  ]);
  const element: HTMLDetailsElement = h(
    'details',
    { toggle: () => element.open && element.scrollIntoView({ block: 'nearest' }) },
    h('summary', {}, 'Rates by depth and iteration'),
    h(
      'p',
      { class: 'legend' },
      h('span', { class: 'key accent' }, 'PV re-searches'),
      h('span', { class: 'key warm' }, 'zero-window fail highs'),
      h('span', { class: 'key soft' }, 'LMR re-searches'),
    ),
    graph.element,
    table('Depth', trace.by_depth),
    table('Iteration', trace.by_iteration),
  );
  return { element, close: () => graph.destroy() };
}

function table(title: string, rows: Rates[]): HTMLElement {
  const heads: [label: string, tooltip?: string][] = [
    [title],
    ['nodes'],
    ['zero-window', 'Zero-window searches'],
    ['re-searches', 'Full-window searches after a fail high'],
    ['PV re %', 'Re-searches / zero-window searches at PV nodes'],
    ['fail high %', 'Zero-window searches that failed high'],
    ['LMR re %', 'Reduced searches repeated at full depth'],
    ['first %', 'Beta cutoffs by the first move'],
  ];
  const cells = (row: Rates): string[] => [
    count(row.nodes),
    count(row.zero_window_searches),
    count(row.re_searches),
    row.pv_re_search_rate.toFixed(1),
    row.fail_high_rate.toFixed(2),
    row.lmr_re_search_rate.toFixed(1),
    row.first_move_cutoff_rate.toFixed(1),
  ];
  return h(
    'div',
    { class: 'table scroll', tabindex: 0, role: 'region', 'aria-label': `Rates: ${title.toLowerCase()}` },
    h(
      'table',
      {},
      h('thead', {}, h('tr', {}, ...heads.map(([label, tooltip]) => h('th', { scope: 'col', title: tooltip }, label)))),
      h(
        'tbody',
        {},
        ...rows.map((row) =>
          h('tr', {}, h('th', { scope: 'row' }, row.depth), ...cells(row).map((cell) => h('td', {}, cell))),
        ),
      ),
    ),
  );
}
