// Pictures of positions: SVG, PNG, and whole games as animated SVG. The pieces are those of the board.

import type { Key } from '@lichess-org/chessground/types';
import type { Color, Role } from 'chessops/types';
import { h } from './elements';
import type { Branch } from './tree';
import { squareOf } from './rules';
import type { Side } from './protocol';
import { t } from './strings';

const SIZE = 720;
const SQUARE = SIZE / 8;
/** How long a position of an animation is shown, and how long the last one, in seconds. */
const FRAME = 0.8;
const LAST_FRAME = 3;
const [LIGHT, DARK, MARK] = ['#ecdcc0', '#b48a64', '#9bc700'];

interface PlacedPiece {
  color: Color;
  role: Role;
  square: number;
}

/** The image of a piece, as the page's style has it. */
function imageOf(color: Color, role: Role): string {
  const piece = h('piece' as 'span', { class: `${role} ${color}` });
  const wrap = h('div', { class: 'cg-wrap', hidden: true }, piece);
  document.body.append(wrap);
  const url = /url\("?([^")]+)"?\)/.exec(getComputedStyle(piece).backgroundImage)?.[1] ?? '';
  wrap.remove();
  return url;
}

const nameOf = (color: Color, role: Role): string => `${color}-${role}`;

function placeOf(square: number, orientation: Side): { x: number; y: number } {
  const [file, rank] = [square & 7, square >> 3];
  return orientation === 'white'
    ? { x: file * SQUARE, y: (7 - rank) * SQUARE }
    : { x: (7 - file) * SQUARE, y: rank * SQUARE };
}

function squareRect(square: number, orientation: Side, color: string, more = ''): string {
  const { x, y } = placeOf(square, orientation);
  return `<rect x="${x}" y="${y}" width="${SQUARE}" height="${SQUARE}" fill="${color}"${more}`;
}

function emptyBoard(orientation: Side): string {
  return Array.from({ length: 64 }, (_, square) =>
    squareRect(square, orientation, ((square >> 3) + square) % 2 ? LIGHT : DARK, '/>'),
  ).join('');
}

function piecesOf(branch: Branch): PlacedPiece[] {
  return [...branch.position.board].map(([square, { color, role }]) => ({ color, role, square }));
}

function definitions(pieces: PlacedPiece[]): string {
  const kinds = new Map(pieces.map(({ color, role }) => [nameOf(color, role), imageOf(color, role)]));
  const images = [...kinds].map(
    ([name, url]) => `<image id="${name}" width="${SQUARE}" height="${SQUARE}" href="${url}"/>`,
  );
  return `<defs>${images.join('')}</defs>`;
}

function document_(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" width="${SIZE}" height="${SIZE}">${content}</svg>\n`;
}

function pieceUse({ color, role, square }: PlacedPiece, orientation: Side): string {
  const { x, y } = placeOf(square, orientation);
  return `<use href="#${nameOf(color, role)}" x="${x}" y="${y}"`;
}

function marked(squares: Key[] | undefined): number[] {
  return (squares ?? []).map((name) => squareOf(name)!);
}

/** A position as SVG. */
export function svgOf(branch: Branch, orientation: Side): string {
  const pieces = piecesOf(branch);
  const marks = marked(branch.squares).map((square) => squareRect(square, orientation, MARK, ' opacity="0.45"/>'));
  const placed = pieces.map((piece) => `${pieceUse(piece, orientation)}/>`);
  return document_(definitions(pieces) + emptyBoard(orientation) + marks.join('') + placed.join(''));
}

/** A position as PNG. */
export async function pngOf(branch: Branch, orientation: Side): Promise<Blob> {
  const image = new Image(SIZE, SIZE);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgOf(branch, orientation))}`;
  await image.decode();
  const canvas = h('canvas', { width: SIZE, height: SIZE });
  canvas.getContext('2d')!.drawImage(image, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(t.errors.noPng))), 'image/png'),
  );
}

/** The moves of a line as animated SVG, which every browser shows. */
export function animationOf(line: Branch[], orientation: Side): string {
  const total = (line.length - 1) * FRAME + LAST_FRAME;
  // A part is visible from one frame up to another; the same piece on the same square is one part.
  const shown = (from: number, to: number): string => {
    if (from === 0 && to === line.length) return '/>';
    const at = (frame: number): string => ((frame * FRAME) / total).toFixed(5);
    const [times, values] = [['0'], [from === 0 ? 'visible' : 'hidden']];
    if (from > 0) times.push(at(from)), values.push('visible');
    if (to < line.length) times.push(at(to)), values.push('hidden');
    const animation = `<animate attributeName="visibility" calcMode="discrete" dur="${total}s" repeatCount="indefinite" keyTimes="${times.join(';')}" values="${values.join(';')}"/>`;
    return ` visibility="hidden">${animation}`;
  };
  const part = (start: string, tag: string, from: number, to: number): string => {
    const end = shown(from, to);
    return `${start}${end}${end === '/>' ? '' : `</${tag}>`}`;
  };
  const positions = line.map(piecesOf);
  const marks = line.flatMap((branch, frame) =>
    marked(branch.squares).map((square) =>
      part(squareRect(square, orientation, MARK, ' opacity="0.45"'), 'rect', frame, frame + 1),
    ),
  );
  const open = new Map<string, { piece: PlacedPiece; from: number }>();
  const parts: string[] = [];
  const closeAll = (frame: number, still: Set<string>): void => {
    for (const [key, { piece, from }] of open) {
      if (still.has(key)) continue;
      parts.push(part(pieceUse(piece, orientation), 'use', from, frame));
      open.delete(key);
    }
  };
  for (const [frame, pieces] of positions.entries()) {
    const byKey = new Map(pieces.map((piece) => [`${nameOf(piece.color, piece.role)} ${piece.square}`, piece]));
    closeAll(frame, new Set(byKey.keys()));
    for (const [key, piece] of byKey) if (!open.has(key)) open.set(key, { piece, from: frame });
  }
  closeAll(line.length, new Set());
  return document_(definitions(positions.flat()) + emptyBoard(orientation) + marks.join('') + parts.join(''));
}
