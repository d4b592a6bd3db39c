// The opening explorer: what was played in a position in the games of the library.

import type { App } from './app';
import { fill, h } from './elements';
import { showError } from './errors';
import { whenSettled } from './facts';
import { gameRow } from './librarylist';
import { shown } from './notation';
import type { Explored, ExploredMove, GameRef } from './protocol';
import { t } from './strings';
import type { Branch } from './tree';

export class Explorer {
  readonly element = h('div', { class: 'explorer' });
  private branch: Branch | undefined;
  private ask = whenSettled((branch) => void this.request(branch));

  constructor(
    private app: App,
    private onPlay: (uci: string) => void,
    private onOpen: (game: GameRef) => void,
  ) {
    this.element.addEventListener('shown', () => this.branch && this.request(this.branch));
  }

  /** Shows a position, if the explorer is open. */
  show(branch: Branch): void {
    this.branch = branch;
    if (!this.element.hidden) this.ask(branch);
  }

  private async request(branch: Branch): Promise<void> {
    try {
      const explored = await this.app.studio.ask({ library: { explore: { position: branch.played } } }, 'explored');
      if (branch === this.branch) this.draw(explored);
    } catch (error) {
      showError(error);
    }
  }

  private draw({ games, moves, newest }: Explored): void {
    if (!games) {
      return fill(this.element, h('p', { class: 'soft' }, t.explorer.none));
    }
    fill(
      this.element,
      h('p', { class: 'soft' }, t.explorer.found(games)),
      moves.length > 0 &&
        h(
          'table',
          { class: 'explored' },
          h('thead', {}, h('tr', {}, ...t.explorer.columns.map((head) => h('th', { scope: 'col' }, head)))),
          h('tbody', {}, ...moves.map((move) => this.row(move, games))),
        ),
      h(
        'ul',
        { class: 'list' },
        ...newest.map((game) =>
          h(
            'li',
            {},
            gameRow(game, () => this.onOpen(game)),
          ),
        ),
      ),
    );
  }

  private row(move: ExploredMove, games: number): HTMLElement {
    const decided = move.white + move.draws + move.black;
    const part = (kind: string, count: number): HTMLElement => {
      const percent = decided ? (100 * count) / decided : 0;
      const element = h('span', { class: kind }, percent >= 15 ? t.common.percent(String(Math.round(percent))) : '');
      element.style.setProperty('--part', String(percent * 10));
      return element;
    };
    const results = t.explorer.results(move.white, move.draws, move.black);
    return h(
      'tr',
      {},
      h('td', {}, h('button', { type: 'button', class: 'move', click: () => this.onPlay(move.mv) }, shown(move.san))),
      h('td', {}, `${move.games} (${t.common.percent(String(Math.round((100 * move.games) / games)))})`),
      h(
        'td',
        {},
        decided > 0 &&
          h(
            'div',
            { class: 'wdl', role: 'img', 'aria-label': results, title: results },
            part('win', move.white),
            part('draw', move.draws),
            part('loss', move.black),
          ),
      ),
    );
  }
}
