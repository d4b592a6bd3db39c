// Doctor: tests engines, and lists the reports.

import type { App, View } from '../app';
import { addEngines, button, choice, field, progressBar, select, toggle } from '../controls';
import { createdAt } from '../dates';
import { fill, h } from '../elements';
import { showError } from '../errors';
import { announce, notice } from '../notices';
import { fillSavedList } from '../savedlist';
import { remember, remembered } from '../settings';
import type { CheckInfo, DoctorProgress, Hello, ReportSummary, Thoroughness } from '../protocol';
import { t } from '../strings';
import { comparisonView, reportView, verdictSign } from './report';

/** What the form holds; the engine by its name. */
interface DoctorForm {
  engine: string;
  thoroughness: Thoroughness;
  only: string[];
}

const FORM: DoctorForm = { engine: 'own', thoroughness: 'quick', only: [] };

export class DoctorView implements View {
  readonly element = h('div', { class: 'page' });
  private form = h('div', { class: 'card' });
  private progress = h('div', { class: 'progress-card', hidden: true });
  private list = h('div', {});
  /** The report or comparison that is shown in place of the list. */
  private opened = h('div', { hidden: true });
  private main: HTMLElement[];
  /** The report that others are compared with. */
  private base: ReportSummary | undefined;
  private stopListening: (() => void)[];

  constructor(private app: App) {
    fill(this.form, h('p', { class: 'empty' }, t.common.connecting));
    const { intro } = t.doctor;
    this.main = [
      h('h1', {}, t.app.views.doctor),
      h('p', { class: 'soft' }, intro),
      this.form,
      this.progress,
      this.list,
    ];
    fill(this.element, ...this.main, this.opened);
    this.stopListening = [
      app.studio.whenOpen((hello) => {
        this.draw(hello);
        this.progress.hidden = !hello.doctor;
        if (hello.doctor) this.show(hello.doctor);
        void this.refresh();
      }),
      app.studio.on('doctor', (progress) => this.show(progress)),
    ];
  }

  close(): void {
    for (const stop of this.stopListening) stop();
  }

  private draw(hello: Hello): void {
    const engines: [string, string][] = [
      ['own', 'Vedette'],
      ...hello.engines.map((name): [string, string] => [name, name]),
    ];
    const form = remembered('doctor', FORM);
    const only = new Set(form.only.filter((name) => hello.checks.some((check) => check.name === name)));
    const keep = (change: Partial<DoctorForm>): void => {
      Object.assign(form, change);
      remember('doctor', form);
    };
    const time = h('p', { class: 'soft', role: 'status' });
    const showTime = (): void => {
      time.textContent = t.doctor.takes(duration(planned(hello.checks, form.thoroughness, only)));
    };
    showTime();
    fill(
      this.form,
      h(
        'div',
        { class: 'pair broad' },
        field(
          t.common.engine,
          select(engines, hello.engines.includes(form.engine) ? form.engine : 'own', (value) =>
            keep({ engine: value }),
          ),
        ),
        choice<Thoroughness>(
          t.doctor.checks,
          [
            ['quick', t.doctor.quick],
            ['full', t.doctor.full],
          ],
          form.thoroughness,
          (value) => {
            keep({ thoroughness: value });
            showTime();
          },
        ),
      ),
      chooser(hello.checks, only, () => {
        keep({ only: [...only] });
        showTime();
      }),
      h(
        'div',
        { class: 'inline' },
        button(
          t.doctor.run,
          () => {
            const engine = hello.engines.includes(form.engine) ? form.engine : null;
            const start = { engine, thoroughness: form.thoroughness, only: [...only] };
            this.app.studio.ask({ doctor: { start } }, 'started').catch(showError);
          },
          { class: 'primary' },
        ),
        time,
      ),
      !hello.engines.length && addEngines(),
    );
  }

  private show(progress: DoctorProgress): void {
    if (progress.finished) {
      this.progress.hidden = true;
      if (progress.error) notice(progress.error);
      announce(t.doctor.finished);
      void this.refresh();
      return;
    }
    this.progress.hidden = false;
    fill(
      this.progress,
      ...progressBar(
        `${progress.engine}: ${progress.title}`,
        t.doctor.left(progress.number, progress.of, duration(progress.left)),
        { max: progress.of, value: progress.number - 1, 'aria-label': t.doctor.progress },
      ),
      h(
        'ul',
        { class: 'checklist' },
        ...progress.checks.map(({ title, verdict }, at) =>
          h(
            'li',
            { class: verdict ?? (at + 1 === progress.number ? 'running' : 'waiting') },
            verdict ? verdictSign(verdict) : h('span', { class: 'verdict-sign', 'aria-hidden': 'true' }, '·'),
            ` ${title}`,
          ),
        ),
      ),
      button(t.common.stop, () => void this.app.studio.ask({ doctor: 'stop' }, 'done').catch(showError)),
    );
  }

  /** Shows a report or a comparison in place of the list. */
  private showInstead(element: HTMLElement): void {
    for (const part of this.main) part.classList.add('away');
    fill(this.opened, element);
    this.opened.hidden = false;
    window.scrollTo(0, 0);
  }

  private leave = (): void => {
    for (const part of this.main) part.classList.remove('away');
    this.opened.hidden = true;
    fill(this.opened);
  };

  private async open(id: string): Promise<void> {
    try {
      const report = await this.app.studio.ask({ doctor: { open: { id } } }, 'report');
      this.showInstead(reportView(report, this.leave));
    } catch (error) {
      showError(error);
    }
  }

  /** Chooses a report to compare with, or compares with the chosen one. */
  private compareButton(report: ReportSummary, redraw: () => void): HTMLElement {
    const { base } = this;
    const named = ({ engine, id }: ReportSummary): string => `${engine}, ${createdAt(id)}`;
    if (!base || base.id === report.id) {
      return button(
        base ? t.common.cancel : t.doctor.compare,
        () => {
          this.base = base ? undefined : report;
          redraw();
        },
        { 'aria-label': base ? t.doctor.dontCompareOf(named(report)) : t.doctor.compareOf(named(report)) },
      );
    }
    const compare = async (): Promise<void> => {
      try {
        // The older one comes first, whichever was chosen first.
        const [before, after] = base.id < report.id ? [base, report] : [report, base];
        const request = { doctor: { compare: { before: before.id, after: after.id } } };
        const changes = await this.app.studio.ask(request, 'comparison');
        this.base = undefined;
        redraw();
        this.showInstead(comparisonView(changes, named(before), named(after), this.leave));
      } catch (error) {
        showError(error);
      }
    };
    return button(t.doctor.withThis, () => void compare(), { 'aria-label': t.doctor.withThisOf(named(report)) });
  }

  private async refresh(): Promise<void> {
    const reports = await this.app.studio.ask({ doctor: 'list' }, 'reports').catch(() => []);
    if (!reports.length) return fill(this.list, h('p', { class: 'empty' }, t.doctor.none));
    const remove = (id: string) => async (): Promise<void> => {
      await this.app.studio.ask({ doctor: { remove: { id } } }, 'done').catch(showError);
      void this.refresh();
    };
    fillSavedList(
      this.list,
      t.doctor.reports,
      reports.map((report) => ({
        name: [
          h(
            'span',
            { class: `badge ${report.healthy ? 'good' : 'bad'}` },
            report.healthy ? t.doctor.passed : t.doctor.failed(report.failures),
          ),
          ` ${report.engine}`,
        ],
        details: [
          `${t.doctor.checksIn(report.checks, duration(Math.round(report.seconds)))}${report.interrupted ? `, ${t.doctor.stopped}` : ''}`,
          createdAt(report.id),
          ...report.causes.slice(0, 2),
        ].join(' · '),
        open: () => void this.open(report.id),
        buttons: [this.compareButton(report, () => void this.refresh())],
        removed: t.doctor.removed(report.engine),
        remove: remove(report.id),
      })),
    );
  }
}

/** Checkboxes by group; none checked means all. */
function chooser(checks: CheckInfo[], only: Set<string>, changed: () => void): HTMLElement {
  const groups = [...new Set(checks.map((check) => check.group))];
  const box = (check: CheckInfo): HTMLElement =>
    toggle(check.title, only.has(check.name), (on) => {
      if (on) only.add(check.name);
      else only.delete(check.name);
      changed();
    });
  return h(
    'details',
    { open: only.size > 0 },
    h('summary', {}, t.doctor.select),
    h(
      'div',
      { class: 'checks' },
      ...groups.map((group) =>
        h(
          'fieldset',
          { class: 'choice' },
          h('legend', {}, group),
          ...checks.filter((check) => check.group === group).map(box),
        ),
      ),
    ),
  );
}

/** The seconds that the checks may take. A selected check gets its full time where the quick run leaves it out. */
function planned(checks: CheckInfo[], thoroughness: Thoroughness, only: Set<string>): number {
  const wanted = checks.filter((check) => !only.size || only.has(check.name));
  return wanted.reduce((sum, check) => sum + (check[thoroughness] || (only.size ? check.full : 0)), 0);
}

function duration(seconds: number): string {
  return seconds >= 90 ? t.doctor.minutes(Math.round(seconds / 60)) : t.doctor.seconds(seconds);
}
