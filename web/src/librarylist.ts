// Games of the library in lists, and their PGN.

import type { App } from './app';
import { dateOf } from './dates';
import { h } from './elements';
import { pairing } from './games';
import type { GameRef, LibraryGame } from './protocol';
import { t } from './strings';
import { Tree } from './tree';

/** A button with a game in two lines. */
export function gameRow(game: LibraryGame, open: () => void): HTMLElement {
  const { white, black, result, moves, date, event, opening, source, unfinished } = game;
  const facts = [
    t.library.sources[source],
    unfinished ? t.library.unfinished : '',
    t.setup.moves(moves),
    opening,
    event === 'Vedette studio' ? '' : event,
    /\d/.test(date) ? dateOf(date.replace(/\.\?.*$/, '')) : '',
  ];
  return h(
    'button',
    { type: 'button', class: 'wide', click: open },
    h(
      'span',
      {},
      `${pairing(white, black)}${result === '*' ? '' : ` · ${result.replace('1/2-1/2', '½–½').replace('-', '–')}`}`,
    ),
    h('span', { class: 'soft' }, facts.filter(Boolean).join(' · ')),
  );
}

/** A game of the library. */
export async function libraryTree(app: App, { source, id, index }: GameRef): Promise<Tree> {
  return Tree.fromPgn(await app.studio.ask({ library: { pgn: { source, id, index } } }, 'pgn'));
}
