// Doctor: examines engines, and opens the reports.

import type { App, View } from '../app';
import { announce, button, choice, complain, field, fill, h, madeAt, notice, remover, select, toggle } from '../dom';
import type { DoctorCheck, DoctorProgress, DoctorSummary, Hello } from '../protocol';

type Thoroughness = 'quick' | 'full';

export class DoctorView implements View {
  readonly element = h('div', { class: 'page' });
  private form = h('div', { class: 'card' });
  private progress = h('div', { class: 'progress-card', hidden: true });
  private list = h('div', {});
  private stopListening: (() => void)[];

  constructor(private app: App) {
    fill(
      this.element,
      h('h1', {}, 'Doctor'),
      h('p', { class: 'soft' }, 'Tests a UCI engine from the outside (protocol, legality, time management, search soundness, symmetry, speed) and writes a report.'),
      this.form, this.progress, this.list,
    );
    this.stopListening = [
      app.line.whenOpen((hello) => {
        this.draw(hello);
        this.progress.hidden = !hello.doctor;
        if (hello.doctor) this.hear(hello.doctor);
        void this.refresh();
      }),
      app.line.on('doctor', (progress) => this.hear(progress)),
    ];
  }

  close(): void {
    for (const stop of this.stopListening) stop();
  }

  private draw(hello: Hello): void {
    const engines: [string, string][] = [['own', 'Vedette'], ...hello.engines.map((name, at): [string, string] => [String(at), name])];
    let engine = 'own';
    let thoroughness: Thoroughness = 'quick';
    const only = new Set<string>();
    const time = h('p', { class: 'soft', role: 'status' });
    const tellTime = (): void => {
      time.textContent = `Takes up to ${duration(planned(hello.checks, thoroughness, only))}.`;
    };
    tellTime();
    fill(
      this.form,
      h('div', { class: 'pair broad' },
        field('Engine', select(engines, engine, (value) => (engine = value))),
        choice<Thoroughness>('Checks', [['quick', 'Quick'], ['full', 'Full']], thoroughness, (value) => {
          thoroughness = value;
          tellTime();
        })),
      chooser(hello.checks, only, tellTime),
      h('div', { class: 'inline' },
        button('Run checks', () => {
          const asked = { engine: engine === 'own' ? null : Number(engine), thoroughness, only: [...only] };
          this.app.line.ask('doctor-start', asked).catch(complain);
        }, { class: 'primary' }),
        time),
      !hello.engines.length && h('p', { class: 'soft' }, 'Add engines with vedette studio --engine "Name=/path/to/engine".'),
    );
  }

  private hear(progress: DoctorProgress): void {
    if (progress.finished) {
      this.progress.hidden = true;
      if (progress.error) notice(progress.error);
      announce('Checks finished.');
      void this.refresh();
      return;
    }
    this.progress.hidden = false;
    fill(
      this.progress,
      h('div', { class: 'between' }, h('span', {}, `${progress.engine}: ${progress.title}`), h('span', { class: 'soft' }, `${progress.number} of ${progress.of} · up to ${duration(progress.left)} left`)),
      h('progress', { max: progress.of, value: progress.number - 1, 'aria-label': 'Progress of the checks' }),
      button('Stop', () => void this.app.line.ask('doctor-stop').catch(complain)),
    );
  }

  private async refresh(): Promise<void> {
    const reports = await this.app.line.ask<DoctorSummary[]>('doctor-list').catch(() => []);
    if (!reports.length) return fill(this.list, h('p', { class: 'empty' }, 'No reports yet.'));
    const remove = (id: string) => async (): Promise<void> => {
      await this.app.line.ask('doctor-remove', { id }).catch(complain);
      void this.refresh();
    };
    fill(
      this.list,
      h('h2', {}, 'Reports'),
      h('ul', { class: 'list' }, ...reports.map((report) =>
        h('li', {},
          h('a', { class: 'wide', href: `/report/${report.id}`, target: '_blank', rel: 'noopener' },
            h('span', {}, h('span', { class: `badge ${report.healthy ? 'good' : 'bad'}` }, report.healthy ? 'no alarms' : `${report.alarms} ${report.alarms === 1 ? 'alarm' : 'alarms'}`), ` ${report.engine}`),
            h('span', { class: 'soft' }, [`${report.checks} ${report.checks === 1 ? 'check' : 'checks'} in ${duration(Math.round(report.seconds))}${report.interrupted ? ', stopped' : ''}`, madeAt(report.id), ...report.causes.slice(0, 2)].join(' · '))),
          remover(`the report on ${report.engine}`, remove(report.id))))),
    );
  }
}

/** Boxes for single checks, by field; none ticked means all. */
function chooser(checks: DoctorCheck[], only: Set<string>, changed: () => void): HTMLElement {
  const groups = [...new Set(checks.map((check) => check.group))];
  const box = (check: DoctorCheck): HTMLElement => toggle(check.title, false, (on) => {
    if (on) only.add(check.name);
    else only.delete(check.name);
    changed();
  });
  return h('details', {},
    h('summary', {}, 'Select checks'),
    h('div', { class: 'checks' }, ...groups.map((group) =>
      h('fieldset', { class: 'choice' }, h('legend', {}, group), ...checks.filter((check) => check.group === group).map(box)))));
}

/** The seconds that an examination may take. A check that was asked for gets time also where the plan has none. */
function planned(checks: DoctorCheck[], thoroughness: Thoroughness, only: Set<string>): number {
  const wanted = checks.filter((check) => !only.size || only.has(check.name));
  return wanted.reduce((sum, check) => sum + (check[thoroughness] || (only.size ? check.full : 0)), 0);
}

function duration(seconds: number): string {
  return seconds >= 90 ? `${Math.round(seconds / 60)} minutes` : `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
}
