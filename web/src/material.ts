// The material balance, as small pieces beside the players.

import type { Chess } from 'chessops/chess';
import { h } from './elements';
import type { Side } from './protocol';
import { t } from './strings';

const PIECES = [
  ['queen', '♛', 9],
  ['rook', '♜', 5],
  ['bishop', '♝', 3],
  ['knight', '♞', 3],
  ['pawn', '♟', 1],
] as const;

/** The pieces that a side has more than the other, and its lead in pawns; undefined if there are none. */
export function lead(at: Chess, side: Side): HTMLElement | undefined {
  const other = side === 'white' ? 'black' : 'white';
  const count = (color: Side, role: (typeof PIECES)[number][0]): number => at.board.pieces(color, role).size();
  const more = PIECES.map(([role, glyph, worth]) => ({
    role,
    glyph,
    worth,
    number: count(side, role) - count(other, role),
  }));
  const ahead = more.filter(({ number }) => number > 0);
  if (!ahead.length) return undefined;
  const pawns = more.reduce((sum, { worth, number }) => sum + worth * number, 0);
  const words = t.lead(ahead.map(({ role, number }) => [role, number]));
  return h(
    'span',
    { class: 'lead', role: 'img', 'aria-label': words },
    ahead.map(({ glyph, number }) => `${glyph}\uFE0E`.repeat(number)).join(''),
    pawns > 0 ? ` +${pawns}` : '',
  );
}
