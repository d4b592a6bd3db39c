// A report of the doctor inside the page, and the comparison of two.

import { button, toggle } from '../controls';
import { copy } from '../clipboard';
import { createdAt } from '../dates';
import { fill, h } from '../elements';
import type { Change, Comparison, DoctorReport, ReportFinding, Verdict } from '../protocol';
import { t } from '../strings';

const SIGNS: Record<Verdict, string> = { fail: '✗', warning: '!', pass: '✓', skipped: '–' };

/** Worst first. */
const ORDER: Verdict[] = ['fail', 'warning', 'skipped', 'pass'];

/** A verdict as a coloured sign with its name for screen readers. */
export function verdictSign(verdict: Verdict): HTMLElement {
  const name = t.doctor.verdicts[verdict];
  return h('span', { class: `verdict-sign ${verdict}`, role: 'img', 'aria-label': name, title: name }, SIGNS[verdict]);
}

/** A report with contents; `leave` goes back to the list. */
export function reportView(report: DoctorReport, leave: () => void): HTMLElement {
  const { findings } = report;
  const count = (verdict: Verdict): number => findings.filter((finding) => finding.verdict === verdict).length;
  const groups = [...new Set(findings.map((finding) => finding.group))];
  const list = h('div', {});
  const draw = (onlyFaults: boolean): void => {
    const shown = findings.filter(({ verdict }) => !onlyFaults || verdict === 'fail' || verdict === 'warning');
    fill(
      list,
      ...groups.flatMap((group) => {
        const ofGroup = shown.filter((finding) => finding.group === group);
        if (!ofGroup.length) return [];
        return [h('section', { id: idOf(group) }, h('h2', {}, group), ...sorted(ofGroup).map(findingCard))];
      }),
      !shown.length && h('p', { class: 'empty' }, t.doctor.noFaults),
    );
  };
  draw(false);
  return h(
    'div',
    { class: 'report' },
    h(
      'div',
      { class: 'between' },
      h('h1', {}, report.engine),
      h(
        'div',
        { class: 'actions' },
        button(t.doctor.copyMarkdown, () => void copy(report.markdown, t.doctor.report)),
        button(t.doctor.openAlone, () => void window.open(`/report/${report.id}`, '_blank', 'noopener')),
        button(t.doctor.allReports, leave),
      ),
    ),
    h('p', {}, h('strong', {}, report.headline)),
    h(
      'p',
      { class: 'soft' },
      `${report.doctor}, ${Math.round(report.seconds)} s${report.interrupted ? `, ${t.doctor.stopped}` : ''} · ${createdAt(report.id)}`,
    ),
    h(
      'p',
      { class: 'counts' },
      ...ORDER.map((verdict) => h('span', {}, verdictSign(verdict), ` ${t.doctor.counts[verdict](count(verdict))}`)),
    ),
    report.causes.length > 0 &&
      h(
        'section',
        {},
        h('h2', {}, t.doctor.causes),
        h('ol', {}, ...report.causes.map(({ cause, advice }) => h('li', {}, h('strong', {}, cause), ` ${advice}`))),
      ),
    h(
      'nav',
      { class: 'contents', 'aria-label': t.doctor.contents },
      ...groups.map((group) => {
        const worst = sorted(findings.filter((finding) => finding.group === group))[0]!.verdict;
        return button(
          `${SIGNS[worst]} ${group}`,
          () => document.getElementById(idOf(group))?.scrollIntoView({ block: 'start' }),
          {
            class: `chip ${worst}`,
            'aria-label': `${group}: ${t.doctor.verdicts[worst]}`,
          },
        );
      }),
      toggle(t.doctor.faultsOnly, false, draw),
    ),
    list,
  );
}

function idOf(group: string): string {
  return `findings-${group.toLowerCase().replace(/\W+/g, '-')}`;
}

function sorted(findings: ReportFinding[]): ReportFinding[] {
  return [...findings].sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
}

function findingCard(finding: ReportFinding): HTMLElement {
  return h(
    'div',
    { class: `finding ${finding.verdict}` },
    h('p', {}, verdictSign(finding.verdict), ' ', h('code', {}, finding.id), ` ${finding.summary}`),
    finding.verdict !== 'pass' &&
      finding.threshold &&
      h('p', { class: 'soft small' }, t.doctor.fails(finding.threshold)),
    finding.repro.length > 0 &&
      h(
        'details',
        {},
        h('summary', {}, t.doctor.reproduce),
        h('pre', { class: 'mono' }, finding.repro.join('\n')),
        button(
          t.doctor.copy,
          () =>
            void copy(
              finding.repro.join(
                '\
',
              ),
              t.doctor.commands,
            ),
        ),
      ),
  );
}

/** What changed from one report to another. */
export function comparisonView(changes: Comparison, before: string, after: string, leave: () => void): HTMLElement {
  const part = (title: string, list: Change[]): HTMLElement | false =>
    list.length > 0 && h('section', {}, h('h2', {}, `${title} (${list.length})`), ...list.map(changeCard));
  const all = [changes.worse, changes.better, changes.moved, changes.other];
  return h(
    'div',
    { class: 'report' },
    h('div', { class: 'between' }, h('h1', {}, t.doctor.changed), button(t.doctor.allReports, leave)),
    h('p', { class: 'soft' }, t.doctor.fromTo(before, after)),
    part(t.doctor.newFailures, changes.worse),
    part(t.doctor.fixed, changes.better),
    part(t.doctor.otherNumbers, changes.moved),
    part(t.doctor.otherChanges, changes.other),
    all.every((list) => !list.length) && h('p', { class: 'empty' }, t.doctor.noChange),
  );
}

function changeCard(change: Change): HTMLElement {
  const { before, after, effect } = change;
  const round = (value: number): string => String(Number(value.toPrecision(4))).replace('-', '−');
  return h(
    'div',
    { class: `finding ${after ?? before ?? 'skipped'}` },
    h(
      'p',
      {},
      before && verdictSign(before),
      before && after && ' → ',
      after && verdictSign(after),
      ' ',
      h('code', {}, change.finding),
      effect && ` ${round(effect[0])} → ${round(effect[1])} ${effect[2]}`,
    ),
    h('p', { class: 'soft small' }, change.summary),
  );
}
