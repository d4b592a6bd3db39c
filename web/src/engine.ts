// The engine's view of a position: asks for analysis, shows bar, lines, chances and arrows.

import type { DrawShape } from '@lichess-org/chessground/draw';
import type { App } from './app';
import { Bar } from './bar';
import { miniature } from './board';
import { NOT_RUNNING, Unreachable, button, complain, fill, h, toggle } from './dom';
import type { Analysis, EngineLine, Side } from './protocol';
import { count, fromUci, position, scoreText, share, spell, squaresOf } from './rules';
import { set, settings } from './settings';
import type { Branch } from './tree';

let runs = 0;

export class EnginePanel {
  readonly element = h('section', { class: 'engine', 'aria-label': 'Engine' });
  readonly bar = new Bar();
  private head = h('div', { class: 'engine-head' });
  private chances = h('div', { class: 'wdl', role: 'img', 'aria-label': 'No win/draw/loss estimate yet' });
  private lines = h('ol', { class: 'lines' });
  private preview = h('div', { class: 'preview', hidden: true });
  private branch: Branch | undefined;
  /** Whose lines the list shows. */
  private drawn: Branch | undefined;
  private run = 0;
  private last: Analysis | undefined;
  private stopListening: (() => void)[];
  /** Whether another page has taken the engine. */
  private lost = false;
  /** Called when there is something new to draw on the board. */
  onArrows: (shapes: DrawShape[]) => void = () => {};
  /** Called when the user wants to play the moves of a line. */
  onPlay: (moves: string[]) => void = () => {};
  orientation: () => Side = () => 'white';

  constructor(private app: App) {
    const power = toggle('Engine', settings.engineOn, (on) => {
      set('engineOn', on);
      this.restart();
    });
    this.element.append(h('div', { class: 'engine-top' }, power, this.head), this.chances, this.lines, this.preview);
    this.stopListening = [
      app.line.whenOpen(() => this.restart()),
      app.line.on('analysis', (analysis) => analysis.run === this.run && this.hear(analysis)),
      app.line.on('analysis-taken', ({ run }) => run === this.run && this.taken()),
      app.line.on('analysis-free', () => this.lost && this.restart()),
    ];
  }

  /** Looks at a position. */
  look(branch: Branch): void {
    if (branch === this.branch) return;
    this.branch = branch;
    this.restart();
  }

  close(): void {
    for (const stop of this.stopListening) stop();
    this.app.line.ask('analyse-stop').catch(() => {});
  }

  /** What the engine thinks of the position now. */
  get best(): EngineLine | undefined {
    return this.last?.lines[0];
  }

  restart(): void {
    const branch = this.branch;
    if (!branch || !this.app.line.isOpen) return;
    this.preview.hidden = true;
    this.lost = false;
    this.run = ++runs;
    this.last = undefined;
    this.lines.style.setProperty('--count', String(settings.lines));
    const at = branch.position;
    if (at.isEnd()) {
      this.app.line.ask('analyse-stop').catch(() => {});
      const words = at.isCheckmate() ? 'Checkmate' : at.isStalemate() ? 'Stalemate' : 'Draw: insufficient material';
      fill(this.head, h('span', { class: 'soft' }, words));
      fill(this.lines);
      fill(this.chances);
      const result = at.isCheckmate() ? (at.turn === 'white' ? 0 : 1) : 0.5;
      this.bar.show(result, at.isCheckmate() ? '#' : '0.00', this.orientation());
      this.onArrows([]);
      return;
    }
    if (!settings.engineOn) {
      this.app.line.ask('analyse-stop').catch(() => {});
      fill(this.head, h('span', { class: 'soft' }, this.app.line.hello?.judge ?? ''));
      fill(this.lines);
      fill(this.chances);
      this.bar.dim();
      this.onArrows([]);
      return;
    }
    this.app.line
      .ask('analyse', {
        ...branch.played, lines: settings.lines, threads: settings.threads,
        hash: settings.hash, run: this.run, depth: null,
      })
      .catch(complain);
  }

  private taken(): void {
    // The last words of the search that was ended come later, and are not for this page any more.
    this.run = ++runs;
    this.lost = true;
    fill(this.head, h('span', { class: 'soft' }, 'Engine in use in another tab.'), button('Use it here', () => this.restart()));
  }

  private hear(analysis: Analysis): void {
    this.last = analysis;
    const best = analysis.lines[0];
    if (!best || !this.branch) return;
    const speed = analysis.nodes && analysis.millis ? (analysis.nodes / Math.max(analysis.millis, 1)) * 1000 : 0;
    fill(
      this.head,
      h('span', { class: 'score' }, scoreText(best)),
      h('span', { class: 'soft facts' }, `depth ${best.depth}/${best.selective} · ${count(analysis.nodes ?? 0)} nodes · ${count(Math.round(speed))}/s`),
    );
    this.bar.show(share(best), scoreText(best), this.orientation());
    this.drawChances(best.wdl);
    this.drawLines(analysis.lines);
    this.drawArrows(analysis.lines);
  }

  private drawChances([win, draw, loss]: [number, number, number]): void {
    const part = (value: number, kind: string, label: string): HTMLElement => {
      const piece = h('span', { class: kind, title: `${label} ${(value / 10).toFixed(0)} %` }, value >= 90 ? `${Math.round(value / 10)} %` : '');
      piece.style.setProperty('--part', String(value));
      return piece;
    };
    fill(this.chances, part(win, 'win', 'White wins'), part(draw, 'draw', 'Draw'), part(loss, 'loss', 'Black wins'));
    const percent = (value: number): string => `${Math.round(value / 10)} percent`;
    this.chances.setAttribute('aria-label', `White wins ${percent(win)}, draw ${percent(draw)}, Black wins ${percent(loss)}`);
  }

  private drawLines(lines: EngineLine[]): void {
    const at = this.branch!.position;
    // The list of a position stays as it is while it is pointed at: else nothing could be chosen from it.
    const known = this.drawn === this.branch && this.lines.childElementCount === lines.length;
    if (known && this.lines.matches(':hover, :focus-within')) {
      lines.forEach((line, index) => {
        const value = this.lines.children[index]?.querySelector('.value');
        if (value) value.textContent = scoreText(line);
      });
      return;
    }
    this.drawn = this.branch;
    fill(
      this.lines,
      ...lines.map((line) => {
        const spelled = spell(at, line.pv.slice(0, 24));
        const ahead = share(line) >= 0.5;
        return h(
          'li',
          {},
          h('span', { class: `value ${ahead ? 'white-ahead' : 'black-ahead'}` }, scoreText(line)),
          h(
            'span',
            { class: 'pv' },
            ...spelled.flatMap((move, index) => [
              h(
                'button',
                {
                  type: 'button',
                  class: 'move',
                  click: () => this.onPlay(line.pv.slice(0, index + 1)),
                  mouseenter: (event) => this.showPreview(event.target, move.fen, line.pv[index]!, spelled[index - 1]?.fen),
                  focus: (event) => this.showPreview(event.target, move.fen, line.pv[index]!, spelled[index - 1]?.fen),
                  mouseleave: () => (this.preview.hidden = true),
                  blur: () => (this.preview.hidden = true),
                },
                `${move.number}${move.number ? ' ' : ''}${move.text}`,
              ),
              ' ',
            ]),
          ),
        );
      }),
    );
  }

  private showPreview(target: HTMLElement, fen: string, uci: string, before: string | undefined): void {
    const from = before ? position(before) : this.branch!.position;
    fill(this.preview, miniature(position(fen), squaresOf(from, fromUci(from, uci)), this.orientation()));
    this.preview.hidden = false;
    const box = target.getBoundingClientRect();
    const size = this.preview.offsetWidth;
    const left = Math.min(Math.max(8, box.left - size / 3), window.innerWidth - size - 8);
    const below = box.bottom + 8 + size < window.innerHeight;
    this.preview.style.setProperty('left', `${left}px`);
    this.preview.style.setProperty('top', `${below ? box.bottom + 6 : box.top - size - 6}px`);
  }

  private drawArrows(lines: EngineLine[]): void {
    if (!settings.arrows) return this.onArrows([]);
    const at = this.branch!.position;
    const shapes: DrawShape[] = [];
    lines.slice(0, 4).forEach((line, index) => {
      const squares = line.pv[0] && squaresOf(at, fromUci(at, line.pv[0]));
      if (squares) shapes.push({ orig: squares[0]!, dest: squares[1]!, brush: index === 0 ? 'best' : 'other' });
    });
    this.onArrows(shapes.reverse());
  }
}

/** What the engine thinks of one position at a depth; fails if somebody else wants the engine meanwhile. */
export function judgeOnce(app: App, start: string, moves: string[], depth: number): Promise<EngineLine> {
  const run = ++runs;
  return new Promise((resolve, reject) => {
    const stops = [
      app.line.on('analysis', (analysis) => {
        const best = analysis.lines[0];
        if (analysis.run === run && analysis.finished && best) finish(() => resolve(best));
      }),
      app.line.on('analysis-taken', (taken) => taken.run === run && finish(() => reject(new Error('the engine is in use in another tab')))),
      app.line.on('closed', () => finish(() => reject(new Unreachable(NOT_RUNNING)))),
    ];
    const finish = (tell: () => void): void => {
      for (const stop of stops) stop();
      tell();
    };
    app.line
      .ask('analyse', { start, moves, lines: 1, threads: settings.threads, hash: settings.hash, run, depth })
      .catch((error) => finish(() => reject(error)));
  });
}
