// Several reviewed games together: results and accuracy by opening and by phase.

import { h } from '../elements';
import { playerName } from '../games';
import type { ReviewTotals } from '../protocol';
import { decimal, t } from '../strings';

export function totalsView({ player, openings, phases }: ReviewTotals): HTMLElement {
  const percent = (value: number | null): string => (value === null ? '–' : t.common.percent(value.toFixed(0)));
  const table = (heads: string[], rows: (string | number)[][]): HTMLElement =>
    h(
      'table',
      { class: 'totals' },
      h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.map((cell) => h('td', {}, cell))))),
    );
  return h(
    'details',
    { class: 'card totals-card' },
    h('summary', {}, player ? t.totals.of(playerName(player)) : t.totals.all),
    table(
      t.totals.byPhase,
      phases.map(({ phase, moves, accuracy, mistakes, blunders }) => [
        t.totals.phases[phase],
        moves,
        percent(accuracy),
        mistakes,
        blunders,
      ]),
    ),
    table(
      t.totals.byOpening,
      openings.map(({ name, games, points, finished, accuracy }) => [
        name,
        games,
        finished ? t.totals.points(decimal(points, points % 1 ? 1 : 0), finished) : '–',
        percent(accuracy),
      ]),
    ),
  );
}
