// The engine panel: evaluation bar, lines, win/draw/loss and arrows.

import type { DrawShape } from '@lichess-org/chessground/draw';
import type { App } from './app';
import type { Chess } from 'chessops/chess';
import { Bar } from './bar';
import { BRUSHES } from './brushes';
import { miniature } from './board';
import { button, toggle } from './controls';
import { fill, h, type Child } from './elements';
import { NOT_RUNNING, showError, Unreachable } from './errors';
import { shown } from './notation';
import type { Analysis, PositionSpec, PvLine, Side } from './protocol';
import { announce, notice } from './notices';
import { INITIAL_FEN, count, fenOf, fromUci, pass, position, scoreText, share, spell, squaresOf } from './rules';
import { set, settings } from './settings';
import { t } from './strings';
import type { Branch } from './tree';

/** Moves that cost more winning chances than this get no arrow. */
const MOST_COST = 0.1;

let runs = 0;

export class EnginePanel {
  readonly element = h('section', { class: 'engine', 'aria-label': t.common.engine });
  readonly bar = new Bar();
  private head = h('div', { class: 'engine-head' });
  private wdl = h('div', { class: 'wdl', role: 'img', 'aria-label': t.engine.noWdl });
  private lines = h('ol', { class: 'lines' });
  /** The lines of other engines. */
  private others = h('div', { class: 'others' });
  private preview = h('div', { class: 'preview', hidden: true });
  private branch: Branch | undefined;
  /** The position whose lines are shown. */
  private drawn: Branch | undefined;
  private run = 0;
  private last: Analysis | undefined;
  private stopListening: (() => void)[];
  /** Whether another page has taken the engine. */
  private lost = false;
  /** Whether the search goes on beyond the limit of the settings. */
  private deeper = false;
  /** Whether the lines are those of the other side, as if it were to move. */
  private threat = false;
  private timer: number | undefined;
  /** Called when there is something new to draw on the board. */
  onArrows: (shapes: DrawShape[]) => void = () => {};
  /** Called when the user plays the moves of a line. */
  onPlay: (moves: string[]) => void = () => {};
  /** Called with the best line of a position. */
  onScore: (branch: Branch, best: PvLine, threat: boolean) => void = () => {};
  orientation: () => Side = () => 'white';

  constructor(private app: App) {
    const power = toggle(t.common.engine, settings.engineOn, (on) => {
      set('engineOn', on);
      this.restart();
    });
    this.element.append(
      h('div', { class: 'engine-top' }, power, this.head),
      this.wdl,
      this.lines,
      this.others,
      this.preview,
    );
    this.stopListening = [
      app.studio.whenOpen(() => this.restart()),
      app.studio.on('analysis', (analysis) => analysis.run === this.run && this.show(analysis)),
      app.studio.on('analysis-taken', (run) => run === this.run && this.taken()),
      app.studio.on('analysis-free', () => this.retake()),
      app.studio.on(
        'engine-analysis',
        ({ engine, analysis }) => analysis.run === this.run && this.showOther(engine, analysis),
      ),
      app.studio.on('engine-failed', ({ engine, error }) =>
        this.drawOther(engine, h('span', { class: 'soft' }, error)),
      ),
      app.studio.on('closed', () => this.clear(t.common.notConnected)),
    ];
    document.addEventListener('visibilitychange', this.retake);
  }

  look(branch: Branch): void {
    if (branch === this.branch) return;
    this.branch = branch;
    this.threat = this.deeper = false;
    this.restart();
  }

  /** Shows what the other side threatens, or the lines of the side to move again. */
  toggleThreat(): void {
    if (!this.branch || !settings.engineOn) return;
    if (!this.threat && !pass(this.branch.position)) return void notice(t.engine.noThreat, 'news');
    this.threat = !this.threat;
    announce(this.threat ? t.engine.showsThreat : t.engine.showsBest);
    this.restart();
  }

  /** The position that is searched. */
  private get subject(): Chess {
    const at = this.branch!.position;
    return this.threat ? (pass(at) ?? at) : at;
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.retake);
    for (const stop of this.stopListening) stop();
    this.stop();
  }

  /** Tries again to get the engine that another page had; a page that nobody sees leaves it to others. */
  private retake = (): void => {
    if (this.lost && document.visibilityState === 'visible') this.restart();
  };

  /** Shows no lines, and why. */
  private clear(...words: Child[]): void {
    // The last updates of the stopped search arrive later, and are ignored.
    this.run = ++runs;
    this.last = undefined;
    fill(this.head, ...words.map((part) => (typeof part === 'string' ? h('span', { class: 'soft' }, part) : part)));
    fill(this.lines);
    fill(this.wdl);
    fill(this.others);
    this.preview.hidden = true;
    this.bar.dim();
    this.onArrows([]);
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.app.studio.ask({ analysis: 'stop' }, 'done').catch(() => {});
  }

  /** Lets the chosen other engines search a position too, or none. */
  private startOthers(searched: PositionSpec | undefined, depth: number | null, millis: number | null): void {
    const names = searched ? this.otherEngines : [];
    if (!names.length && !this.others.childElementCount) return;
    for (const row of [...this.others.children])
      if (!names.includes((row as HTMLElement).dataset.engine ?? '')) row.remove();
    for (const name of names) this.drawOther(name, h('span', { class: 'soft' }, '…'));
    const { lines, threads, hash } = settings;
    const position = searched ?? { start: INITIAL_FEN, moves: [] };
    const engines = { names, setup: { position, lines, threads, hash, run: this.run, depth }, millis };
    this.app.studio.ask({ analysis: { engines } }, 'done').catch(showError);
  }

  /** The chosen other engines that are there. */
  private get otherEngines(): string[] {
    const offered = this.app.studio.hello?.engines ?? [];
    return settings.others.filter((name) => offered.includes(name));
  }

  private showOther(engine: string, { lines }: Analysis): void {
    const best = lines[0];
    if (!best) return;
    const list = h('ol', { class: 'other-lines' }, ...lines.map((line) => this.lineItem(line)));
    this.drawOther(engine, h('span', { class: 'soft' }, t.common.depthOf(best.depth)), list);
  }

  /** Draws what is known of another engine. */
  private drawOther(engine: string, ...parts: HTMLElement[]): void {
    const known = [...this.others.children].find((row) => (row as HTMLElement).dataset.engine === engine);
    // What is under the pointer stays as it is, so that it can be clicked.
    if (known?.matches(':hover, :focus-within') && this.drawn === this.branch) return;
    const row = h(
      'div',
      { class: 'other', 'data-engine': engine },
      h('div', { class: 'between' }, h('strong', {}, engine), parts[0]),
      ...parts.slice(1),
    );
    if (known) known.replaceWith(row);
    else this.others.append(row);
  }

  /** The best line at present. */
  get best(): PvLine | undefined {
    return this.threat ? undefined : this.last?.lines[0];
  }

  /** Searches the position; `take` takes the engine from another page that uses it. */
  restart(take = false): void {
    const branch = this.branch;
    if (!branch || !this.app.studio.isOpen) return;
    this.preview.hidden = true;
    this.lost = false;
    this.run = ++runs;
    this.last = undefined;
    this.lines.style.setProperty('--count', String(settings.lines));
    const at = branch.position;
    if (at.isEnd()) {
      this.stop();
      this.startOthers(undefined, null, null);
      const words = at.isCheckmate()
        ? t.engine.checkmate
        : at.isStalemate()
          ? t.engine.stalemate
          : t.engine.insufficient;
      fill(this.head, h('span', { class: 'soft' }, words));
      fill(this.lines);
      fill(this.wdl);
      const result = at.isCheckmate() ? (at.turn === 'white' ? 0 : 1) : 0.5;
      this.bar.show(result, at.isCheckmate() ? '#' : '0.00', this.orientation());
      this.onArrows([]);
      return;
    }
    if (!settings.engineOn) {
      this.stop();
      this.startOthers(undefined, null, null);
      return this.clear(this.app.studio.hello?.evaluation ?? '');
    }
    const { lines, threads, hash, limit } = settings;
    const amount = Number(limit.slice(1));
    const depth = limit.startsWith('d') && !this.deeper ? amount : null;
    const searched = this.threat ? { start: fenOf(this.subject), moves: [] } : branch.played;
    const start = { setup: { position: searched, lines, threads, hash, run: this.run, depth }, take };
    this.app.studio.ask({ analysis: { start } }, 'done').catch(showError);
    clearTimeout(this.timer);
    this.startOthers(searched, depth, limit.startsWith('t') && !this.deeper ? amount : null);
    if (limit.startsWith('t') && !this.deeper) this.timer = window.setTimeout(() => this.stop(), amount);
  }

  /** Another page uses the engine. */
  private taken(): void {
    this.lost = true;
    this.clear(
      t.engine.inUse,
      button(t.engine.useHere, () => this.restart(true)),
    );
  }

  private show(analysis: Analysis): void {
    this.last = analysis;
    const best = analysis.lines[0];
    if (!best || !this.branch) return;
    const speed = analysis.millis ? (analysis.nodes / analysis.millis) * 1000 : 0;
    fill(
      this.head,
      h('span', { class: 'score' }, scoreText(best.score)),
      h(
        'span',
        { class: 'soft facts' },
        [
          t.common.depthOf(`${best.depth}/${best.selective_depth}`),
          t.common.nodes(count(analysis.nodes)),
          t.common.perSecond(count(Math.round(speed))),
        ].join(' · '),
      ),
      this.threat && h('span', { class: 'threat' }, t.engine.threat),
      analysis.finished &&
        !this.deeper &&
        settings.limit !== 'inf' &&
        button(t.engine.deeper, () => {
          this.deeper = true;
          this.restart();
        }),
    );
    this.onScore(this.branch, best, this.threat);
    this.bar.show(share(best.score, best.wdl), scoreText(best.score), this.orientation());
    this.drawWdl(best.wdl);
    this.drawLines(analysis.lines);
    this.drawArrows(analysis.lines);
  }

  private drawWdl([win, draw, loss]: [number, number, number]): void {
    const part = (value: number, kind: string, label: string): HTMLElement => {
      const piece = h(
        'span',
        { class: kind, title: `${label} ${t.common.percent((value / 10).toFixed(0))}` },
        value >= 90 ? t.common.percent(String(Math.round(value / 10))) : '',
      );
      piece.style.setProperty('--part', String(value));
      return piece;
    };
    fill(
      this.wdl,
      part(win, 'win', t.engine.wins.white),
      part(draw, 'draw', t.engine.wins.draw),
      part(loss, 'loss', t.engine.wins.black),
    );
    const percent = (value: number): string => t.common.percent(String(Math.round(value / 10)));
    this.wdl.setAttribute('aria-label', t.engine.wdl(percent(win), percent(draw), percent(loss)));
  }

  private drawLines(lines: PvLine[]): void {
    // The list stays as it is while the pointer is on it: otherwise nothing could be clicked.
    const known = this.drawn === this.branch && this.lines.childElementCount === lines.length;
    if (known && this.lines.matches(':hover, :focus-within')) {
      lines.forEach((line, index) => {
        const value = this.lines.children[index]?.querySelector('.value');
        if (value) value.textContent = scoreText(line.score);
      });
      return;
    }
    this.drawn = this.branch;
    fill(this.lines, ...lines.map((line) => this.lineItem(line)));
  }

  /** A line of an engine: its score, and its moves. */
  private lineItem(line: PvLine): HTMLElement {
    const spelled = spell(this.subject, line.pv.slice(0, 24));
    const ahead = share(line.score, line.wdl) >= 0.5;
    const move = ({ number, text, fen }: (typeof spelled)[number], index: number): HTMLElement => {
      const preview = (event: Event): void =>
        this.showPreview(event.target as HTMLElement, fen, line.pv[index]!, spelled[index - 1]?.fen);
      const hide = (): void => void (this.preview.hidden = true);
      return h(
        'button',
        {
          type: 'button',
          class: 'move',
          click: () => !this.threat && this.onPlay(line.pv.slice(0, index + 1)),
          mouseenter: preview,
          focus: preview,
          mouseleave: hide,
          blur: hide,
        },
        `${number}${number ? ' ' : ''}${shown(text)}`,
      );
    };
    return h(
      'li',
      {},
      h('span', { class: `value ${ahead ? 'white-ahead' : 'black-ahead'}` }, scoreText(line.score)),
      h('span', { class: 'pv' }, ...spelled.flatMap((one, index) => [move(one, index), ' '])),
    );
  }

  private showPreview(target: HTMLElement, fen: string, uci: string, before: string | undefined): void {
    const from = before ? position(before) : this.subject;
    fill(this.preview, miniature(position(fen), squaresOf(from, fromUci(from, uci)), this.orientation()));
    this.preview.hidden = false;
    const box = target.getBoundingClientRect();
    const size = this.preview.offsetWidth;
    const left = Math.min(Math.max(8, box.left - size / 3), window.innerWidth - size - 8);
    const below = box.bottom + 8 + size < window.innerHeight;
    this.preview.style.setProperty('left', `${left}px`);
    this.preview.style.setProperty('top', `${below ? box.bottom + 6 : box.top - size - 6}px`);
  }

  private drawArrows(lines: PvLine[]): void {
    if (!settings.arrows) return this.onArrows([]);
    const at = this.subject;
    const best = lines[0] && share(lines[0].score, lines[0].wdl);
    const shapes: DrawShape[] = [];
    for (const [index, line] of lines.entries()) {
      const squares = line.pv[0] && squaresOf(at, fromUci(at, line.pv[0]));
      // An arrow is the thinner the more winning chances its move costs.
      const cost = Math.abs(share(line.score, line.wdl) - best!);
      if (!squares || cost > MOST_COST) continue;
      const brush = this.threat ? 'red' : index === 0 ? 'best' : 'other';
      const lineWidth = Math.round(BRUSHES[brush].lineWidth * (1 - 0.65 * (cost / MOST_COST)));
      shapes.push({ orig: squares[0]!, dest: squares[1]!, brush, ...(index ? { modifiers: { lineWidth } } : {}) });
    }
    this.onArrows(shapes.reverse());
  }
}

/** Searches a position to a depth; fails if another page takes the engine. */
export function evaluate(app: App, start: string, moves: string[], depth: number): Promise<PvLine> {
  const run = ++runs;
  return new Promise((resolve, reject) => {
    const stops = [
      app.studio.on('analysis', (analysis) => {
        const best = analysis.lines[0];
        if (analysis.run === run && analysis.finished && best) finish(() => resolve(best));
      }),
      app.studio.on(
        'analysis-taken',
        (taken) => taken === run && finish(() => reject(new Error(t.errors.engineTaken))),
      ),
      app.studio.on('closed', () => finish(() => reject(new Unreachable(NOT_RUNNING)))),
    ];
    const finish = (settle: () => void): void => {
      for (const stop of stops) stop();
      settle();
    };
    const { threads, hash } = settings;
    app.studio
      .ask(
        {
          analysis: {
            start: { setup: { position: { start, moves }, lines: 1, threads, hash, run, depth }, take: true },
          },
        },
        'done',
      )
      .catch((error) => finish(() => reject(error)));
  });
}
