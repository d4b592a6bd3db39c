// The pieces that style sheets cannot have by themselves: silhouettes, and letters of the language.

import {
  faChessBishop,
  faChessKing,
  faChessKnight,
  faChessPawn,
  faChessQueen,
  faChessRook,
} from '@fortawesome/free-solid-svg-icons';
import type { Role } from 'chessops/types';
import { t } from './strings';

const ICONS = {
  king: faChessKing,
  queen: faChessQueen,
  rook: faChessRook,
  bishop: faChessBishop,
  knight: faChessKnight,
  pawn: faChessPawn,
};

/** Fill and outline. */
const COLORS = { white: ['#fffefb', '#23262a'], black: ['#2b2e33', '#f1ede2'] } as const;

/** The box of all silhouettes, in which they stand on one line. */
const BOX = 720;
/** The icons reach from here to here, and a little above. */
const [TOP, BOTTOM] = [-32, 512];

function svgOf(role: Role, [fill, line]: readonly [string, string]): string {
  const [width, , , , path] = ICONS[role].icon;
  const x = (width - BOX) / 2;
  const y = (TOP + BOTTOM - BOX) / 2;
  const outline = `<path d="${path}" fill="${fill}" stroke="${line}" stroke-width="26" stroke-linejoin="round" paint-order="stroke"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="45" height="45" viewBox="${x} ${y} ${BOX} ${BOX}">${outline}</svg>`;
}

/** Gives silhouettes and letters to the style sheet. */
export function definePieces(): void {
  const { style } = document.documentElement;
  for (const [at, role] of (['king', 'queen', 'rook', 'bishop', 'knight'] as const).entries())
    style.setProperty(`--${role}`, `'${t.letters[at]}'`);
  for (const [color, look] of Object.entries(COLORS))
    for (const role of Object.keys(ICONS) as Role[])
      style.setProperty(`--${color}-${role}`, `url("data:image/svg+xml,${encodeURIComponent(svgOf(role, look))}")`);
}
