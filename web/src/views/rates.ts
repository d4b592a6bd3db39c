// Re-search and fail-high rates of a recorded search: a graph by depth, and tables by depth and iteration.

import { h } from '../elements';
import { Graph } from '../graph';
import type { Rates, TraceOverview } from '../protocol';
import { count } from '../rules';
import { decimal, t } from '../strings';

/** The graph and the tables; call `close` when they are removed. */
export function rates(trace: TraceOverview): { element: HTMLElement; close: () => void } {
  const graph = new Graph({
    label: t.rates.graph,
    height: 11,
    curves: [
      { color: '--accent', points: true },
      { color: '--warm', points: true },
      { color: '--soft', points: true },
    ],
    xName: t.rates.remaining,
    yLabel: (value) => t.common.percent(String(value)),
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
    h('summary', {}, t.rates.title),
    h(
      'p',
      { class: 'legend' },
      h('span', { class: 'key accent' }, t.rates.pv),
      h('span', { class: 'key warm' }, t.rates.failHigh),
      h('span', { class: 'key soft' }, t.rates.lmr),
    ),
    graph.element,
    table(t.common.depth, trace.by_depth),
    table(t.rates.iteration, trace.by_iteration),
  );
  return { element, close: () => graph.destroy() };
}

function table(title: string, rows: Rates[]): HTMLElement {
  const heads: [label: string, tooltip?: string][] = [
    [title],
    [t.rates.nodes],
    [t.rates.zeroWindow, t.rates.zeroWindowTip],
    [t.rates.reSearches, t.rates.reSearchesTip],
    [t.rates.pvHead, t.rates.pvTip],
    [t.rates.failHighHead, t.rates.failHighTip],
    [t.rates.lmrHead, t.rates.lmrTip],
    [t.rates.firstHead, t.rates.firstTip],
  ];
  const cells = (row: Rates): string[] => [
    count(row.nodes),
    count(row.zero_window_searches),
    count(row.re_searches),
    decimal(row.pv_re_search_rate, 1),
    decimal(row.fail_high_rate, 2),
    decimal(row.lmr_re_search_rate, 1),
    decimal(row.first_move_cutoff_rate, 1),
  ];
  return h(
    'div',
    { class: 'table scroll', tabindex: 0, role: 'region', 'aria-label': t.rates.table(title) },
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
