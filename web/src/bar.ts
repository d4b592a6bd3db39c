// The evaluation bar beside a board: White's winning chances, from below or from above.

import { h } from './elements';
import type { Side } from './protocol';
import { t } from './strings';

export class Bar {
  readonly element = h(
    'div',
    { class: 'bar', role: 'img', 'aria-label': t.board.noEvaluation },
    h('div', { class: 'white' }),
    h('span', { class: 'value' }),
  );

  /** Shows White's winning chances, from 0 to 1, and the score. */
  show(share: number, score: string, orientation: Side): void {
    const [white, value] = [...this.element.children] as [HTMLElement, HTMLElement];
    white.style.setProperty('--share', String(share));
    value.textContent = short(score);
    this.element.classList.remove('off');
    this.element.classList.toggle('white-ahead', share >= 0.5);
    this.element.setAttribute('aria-label', t.board.evaluation(score));
    this.turn(orientation);
  }

  turn(orientation: Side): void {
    this.element.classList.toggle('turned', orientation === 'black');
  }

  /** There is nothing to show. */
  dim(): void {
    this.element.classList.add('off');
    this.element.setAttribute('aria-label', t.board.noEvaluation);
  }
}

/** A score that fits into the bar: no sign, one decimal. */
function short(score: string): string {
  const pawns = Number(score.replace(/^[+−]/, ''));
  if (Number.isNaN(pawns)) return score.replace('−', '');
  return pawns.toFixed(pawns >= 10 ? 0 : 1);
}
