// What opening names and tablebases know about a position: asked from the studio, once it has stayed on the board.

import type { App } from './app';
import { button } from './controls';
import { fill, h } from './elements';
import { shown } from './notation';
import type { PositionFacts, TablebaseResult } from './protocol';
import { t } from './strings';
import type { Branch } from './tree';

/** How long a position stays on the board before anything is asked about it, in milliseconds. */
const STAYS = 120;
/** Moves that are listed with their result. */
const MAX_MOVES = 8;

const known = new WeakMap<Branch, PositionFacts>();

/** Calls a function with the latest position only, when others no longer follow. */
export function whenSettled(act: (branch: Branch) => void): (branch: Branch) => void {
  let timer: number | undefined;
  return (branch) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => act(branch), STAYS);
  };
}

/** The name of the opening, and below it the verdict of the tablebases. */
export class FactsPanel {
  readonly element: HTMLElement;
  private opening = h('p', { class: 'opening' }, ' ');
  private tablebase = h('div', { class: 'tablebase', hidden: true });
  private branch: Branch | undefined;
  private otherwise = ' ';
  private ask = whenSettled((branch) => void this.request(branch));
  /** Called when a move of the tablebases is chosen. */
  onPlay: ((uci: string) => void) | undefined;

  constructor(private app: App) {
    this.element = h('div', { class: 'facts-panel' }, this.opening, this.tablebase);
  }

  /** Shows a position; `otherwise` if its opening has no name. */
  show(branch: Branch, otherwise = ' '): void {
    this.branch = branch;
    this.otherwise = otherwise;
    const facts = known.get(branch);
    if (facts) this.draw(facts);
    else this.ask(branch);
  }

  private async request(branch: Branch): Promise<void> {
    try {
      const facts = await this.app.studio.ask({ facts: { position: branch.played } }, 'facts');
      known.set(branch, facts);
      if (branch === this.branch) this.draw(facts);
    } catch {
      // Without a connection nothing is known; the position is asked about again when it is shown again.
    }
  }

  private draw({ opening, tablebase }: PositionFacts): void {
    this.opening.textContent = opening ? `${opening.eco} ${opening.name}` : this.otherwise;
    this.tablebase.hidden = !tablebase;
    if (!tablebase || !this.branch) return;
    const white = this.branch.position.turn === 'white';
    const side = { win: white, loss: !white } as Partial<Record<TablebaseResult, boolean>>;
    const winner = side[tablebase.result];
    const { results, wins } = t.tablebase;
    const verdict = winner === undefined ? results[tablebase.result] : wins(winner ? 'white' : 'black');
    fill(
      this.tablebase,
      h('p', {}, h('strong', {}, t.tablebase.verdict(verdict))),
      h(
        'div',
        { class: 'chips' },
        ...tablebase.moves.slice(0, MAX_MOVES).map(({ mv, san, result, dtz }) =>
          button(
            `${shown(san)} ${results[result]}${dtz && (result === 'win' || result === 'loss') ? t.tablebase.in(dtz) : ''}`,
            () => this.onPlay?.(mv),
            {
              class: `chip ${result}`,
              disabled: !this.onPlay,
              title: dtz ? t.tablebase.plies(dtz) : null,
            },
          ),
        ),
      ),
    );
  }
}
