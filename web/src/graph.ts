// Graphs: uPlot in the page's colours, redrawn when theme or size changes.

import uPlot from 'uplot';
import { h } from './elements';

export interface Curve {
  color: string;
  fill?: string;
  width?: number;
  dash?: number[];
  points?: boolean;
  /** Points without a line. */
  dots?: boolean;
}

export interface GraphOptions {
  label: string;
  curves: Curve[];
  /** In rem, so that graphs scale with the page. */
  height: number;
  range?: [number, number];
  /** The smallest range of the y axis. */
  least?: number;
  /** Titles of the axes. */
  xName?: string;
  yName?: string;
  xLabel?: (value: number) => string;
  yLabel?: (value: number) => string;
  /** What is shown of the point under the pointer. */
  describe?: (index: number) => string;
  /** Called when the user clicks a point. */
  onChoose?: (index: number) => void;
}

/** A colour of the theme. */
function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || name;
}

/** One rem in pixels. */
function rem(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) || 15;
}

export class Graph {
  readonly element: HTMLElement;
  private plot: uPlot | undefined;
  private readOut = h('div', { class: 'read-out', hidden: true });
  private data: uPlot.AlignedData = [[]];
  private mark: number | undefined;
  /** The size of a rem when the graph was drawn. */
  private drawnFor = 0;
  private watcher: ResizeObserver;
  private themes: MutationObserver;

  constructor(private options: GraphOptions) {
    this.element = h('div', { class: 'graph', role: 'img', 'aria-label': options.label }, this.readOut);
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(this.element);
    this.themes = new MutationObserver(() => this.draw());
    this.themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  }

  show(data: uPlot.AlignedData, mark?: number): void {
    this.data = data;
    this.mark = mark;
    if (this.plot) this.plot.setData(data);
    else this.draw();
  }

  /** Moves the vertical line of the current move. */
  point(mark: number | undefined): void {
    this.mark = mark;
    this.plot?.redraw(false);
  }

  destroy(): void {
    this.watcher.disconnect();
    this.themes.disconnect();
    this.plot?.destroy();
  }

  private resize(): void {
    const width = this.element.clientWidth;
    if (!width) return;
    if (this.plot && this.drawnFor === rem()) this.plot.setSize({ width, height: this.options.height * rem() });
    else this.draw();
  }

  /** The range of the y axis. */
  private range(low: number | null, high: number | null): [number, number] {
    const { range, least = 0 } = this.options;
    if (range) return range;
    const [from, to] = [low ?? 0, high ?? 1];
    if (to - from >= least) return uPlot.rangeNum(from, to, 0.1, true) as [number, number];
    const middle = (from + to) / 2;
    return [middle - least / 2, middle + least / 2];
  }

  /** Shows what is known of the point under the pointer, beside it. */
  private describe(plot: uPlot): void {
    const { idx, left } = plot.cursor;
    const text = typeof idx === 'number' && left !== undefined && left >= 0 ? this.options.describe?.(idx) : '';
    this.readOut.hidden = !text;
    if (!text) return;
    this.readOut.textContent = text;
    const start = plot.over.offsetLeft;
    const place = start + plot.valToPos(plot.data[0][idx!]!, 'x') - this.readOut.offsetWidth / 2;
    const most = start + plot.over.offsetWidth - this.readOut.offsetWidth;
    this.readOut.style.setProperty('left', `${Math.max(start, Math.min(most, place))}px`);
  }

  private draw(): void {
    const { curves, height, xName, yName, xLabel, yLabel, onChoose } = this.options;
    const width = this.element.clientWidth;
    if (!width) return;
    this.plot?.destroy();
    const unit = (this.drawnFor = rem());
    // uPlot scales whole numbers of pixels only.
    const font = `${Math.round(0.78 * unit)}px system-ui`;
    const axis = {
      stroke: color('--soft'),
      grid: { stroke: color('--line'), width: 1 },
      ticks: { show: false },
      font,
      labelFont: font,
      labelSize: 1.2 * unit,
      labelGap: 0,
    };
    const options: uPlot.Options = {
      width,
      height: height * unit,
      legend: { show: false },
      cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
      scales: { x: { time: false }, y: { range: (_, low, high) => this.range(low, high) } },
      axes: [
        {
          ...axis,
          size: 1.7 * unit,
          ...(xName ? { label: xName } : {}),
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000],
          ...(xLabel ? { values: (_: uPlot, all: number[]) => all.map(xLabel) } : {}),
        },
        {
          ...axis,
          size: 3.1 * unit,
          ...(yName ? { label: yName } : {}),
          ...(yLabel ? { values: (_: uPlot, all: number[]) => all.map(yLabel) } : {}),
        },
      ],
      series: [
        {},
        ...curves.map((curve) => ({
          stroke: color(curve.color),
          width: (curve.width ?? 2) * (unit / 15),
          ...(curve.dots ? { paths: () => null } : {}),
          points: {
            show: curve.points ?? curve.dots ?? false,
            size: (curve.dots ? 0.6 : 0.35) * unit,
            ...(curve.dots ? { fill: color(curve.color) } : {}),
          },
          ...(curve.fill ? { fill: color(curve.fill) } : {}),
          ...(curve.dash ? { dash: curve.dash } : {}),
        })),
      ],
      hooks: {
        setCursor: [(plot) => this.describe(plot)],
        draw: [
          (plot) => {
            if (this.mark === undefined) return;
            const x = plot.valToPos(this.mark, 'x', true);
            plot.ctx.save();
            plot.ctx.strokeStyle = color('--accent');
            plot.ctx.lineWidth = 2;
            plot.ctx.beginPath();
            plot.ctx.moveTo(x, plot.bbox.top);
            plot.ctx.lineTo(x, plot.bbox.top + plot.bbox.height);
            plot.ctx.stroke();
            plot.ctx.restore();
          },
        ],
      },
    };
    this.plot = new uPlot(options, this.data, this.element);
    if (onChoose) {
      this.plot.over.addEventListener('click', () => {
        const index = this.plot?.cursor.idx;
        if (typeof index === 'number') onChoose(index);
      });
    }
  }
}
