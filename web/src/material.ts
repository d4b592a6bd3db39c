// Who is ahead in material, as small men beside the players.

import type { Chess } from 'chessops/chess';
import { h } from './dom';
import type { Side } from './protocol';

const MEN = [['queen', '♛', 9], ['rook', '♜', 5], ['bishop', '♝', 3], ['knight', '♞', 3], ['pawn', '♟', 1]] as const;

/** What a side has more than the other, and by how many pawns it is ahead; nothing if it has nothing more. */
export function lead(at: Chess, side: Side): HTMLElement | undefined {
  const other = side === 'white' ? 'black' : 'white';
  const count = (color: Side, role: (typeof MEN)[number][0]): number => at.board.pieces(color, role).size();
  const more = MEN.map(([role, glyph, worth]) => ({ role, glyph, worth, number: count(side, role) - count(other, role) }));
  const men = more.filter(({ number }) => number > 0);
  if (!men.length) return undefined;
  const pawns = more.reduce((sum, { worth, number }) => sum + worth * number, 0);
  const words = men.map(({ role, number }) => `${number} ${role}${number > 1 ? 's' : ''}`).join(', ');
  return h('span', { class: 'lead', role: 'img', 'aria-label': `Up ${words}` },
    men.map(({ glyph, number }) => `${glyph}\uFE0E`.repeat(number)).join(''), pawns > 0 ? ` +${pawns}` : '');
}
