// Doctor: examines engines, and opens the reports.

import type { App, View } from '../app';
import { announce, button, field, fill, h, notice, select, sign } from '../dom';
import type { DoctorProgress, DoctorSummary } from '../protocol';

export class DoctorView implements View {
  readonly element = h('div', { class: 'page' });
  private progress = h('div', { class: 'progress-card', hidden: true });
  private list = h('div', {});
  private stopListening: (() => void)[];

  constructor(private app: App) {
    if (!app.line.isOpen) this.draw();
    this.stopListening = [
      app.line.whenOpen((hello) => {
        this.draw();
        if (hello.doctor) this.hear(hello.doctor);
        void this.refresh();
      }),
      app.line.on('doctor', (progress) => this.hear(progress)),
    ];
  }

  close(): void {
    for (const stop of this.stopListening) stop();
  }

  private draw(): void {
    const hello = this.app.line.hello;
    const engines: [string, string][] = [['own', 'Vedette itself'], ...(hello?.engines ?? []).map((name, at): [string, string] => [String(at), name])];
    let chosen = 'own';
    fill(
      this.element,
      h('h1', {}, 'Doctor'),
      h('p', { class: 'soft' }, 'Examines a UCI engine from outside: protocol, legality, clocks, soundness of the search, symmetry, speed. It takes about two minutes and ends with a report.'),
      h('div', { class: 'inline' },
        field('Engine', select(engines, chosen, (value) => (chosen = value))),
        button('Examine', async () => {
          try {
            await this.app.line.ask('doctor-start', { engine: chosen === 'own' ? null : Number(chosen) });
          } catch (error) {
            notice((error as Error).message);
          }
        }, { class: 'primary' })),
      !hello?.engines.length && h('p', { class: 'soft' }, 'Other engines can be named when the studio starts: vedette studio --engine "Name=/path/to/engine".'),
      this.progress,
      this.list,
    );
  }

  private hear(progress: DoctorProgress): void {
    if (progress.finished) {
      this.progress.hidden = true;
      if (progress.error) notice(progress.error);
      announce('The examination is done.');
      void this.refresh();
      return;
    }
    this.progress.hidden = false;
    const minutes = progress.left >= 90 ? `about ${Math.round(progress.left / 60)} minutes left` : `about ${Math.round(progress.left)} seconds left`;
    fill(
      this.progress,
      h('div', { class: 'between' }, h('span', {}, `${progress.engine}: ${progress.title}`), h('span', { class: 'soft' }, `${progress.number} of ${progress.of} · ${minutes}`)),
      h('progress', { max: progress.of, value: progress.number - 1, 'aria-label': 'Progress of the examination' }),
      button('Stop', () => void this.app.line.ask('doctor-stop').catch(() => {})),
    );
  }

  private async refresh(): Promise<void> {
    const reports = await this.app.line.ask<DoctorSummary[]>('doctor-list').catch(() => []);
    if (!reports.length) return fill(this.list, h('p', { class: 'empty' }, 'No reports yet.'));
    fill(
      this.list,
      h('h2', {}, 'Reports'),
      h('ul', { class: 'list' }, ...reports.map((report) =>
        h('li', {},
          h('a', { class: 'wide', href: `/report/${report.id}`, target: '_blank', rel: 'noopener' },
            h('span', {}, h('span', { class: `badge ${report.healthy ? 'good' : 'bad'}` }, report.healthy ? 'healthy' : `${report.alarms} ${report.alarms === 1 ? 'alarm' : 'alarms'}`), ` ${report.engine}`),
            h('span', { class: 'soft' }, [`${report.findings} findings in ${Math.round(report.seconds)} s`, ...report.causes.slice(0, 2)].join(' · '))),
          sign('×', `Remove the report on ${report.engine}`, async () => {
            await this.app.line.ask('doctor-remove', { id: report.id }).catch(() => {});
            void this.refresh();
          })))),
    );
  }
}
