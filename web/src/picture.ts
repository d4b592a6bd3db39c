// Pictures of positions: SVG, PNG, and whole games as animated SVG or GIF, with the board and the pieces of the page.

import type { Key } from '@lichess-org/chessground/types';
import type { Color, Role } from 'chessops/types';
import { h } from './elements';
import { GifWriter, Palette } from './gif';
import type { Branch } from './tree';
import { squareOf } from './rules';
import type { Side } from './protocol';
import { t } from './strings';

const SIZE = 720;
const SQUARE = SIZE / 8;
/** How long a position of an animation is shown, and how long the last one, in seconds. */
const FRAME = 0.8;
const LAST_FRAME = 3;
/** The size of a GIF in pixels. */
const GIF_SIZE = 480;
const GIF_SQUARE = GIF_SIZE / 8;
/** Behind the name of a piece on a square of the last move. */
const MARKED = '+';
const ROLES: Role[] = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'];
const COLORS: Color[] = ['white', 'black'];

/** The colours of the board. */
function boardColors(): { light: string; dark: string; mark: string; markOpacity: number } {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  // Programs other than browsers know no colours that are transparent.
  const [red, green, blue, percent = 100] = color('--last-move')
    .match(/[\d.]+/g)
    ?.map(Number) ?? [0, 0, 0, 0];
  const mark = `rgb(${red}, ${green}, ${blue})`;
  return { light: color('--square-light'), dark: color('--square-dark'), mark, markOpacity: percent / 100 };
}

/** The rectangle of a square of the last move, up to its end. */
function markRect(square: number, orientation: Side): string {
  const { mark, markOpacity } = boardColors();
  return squareRect(square, orientation, mark, ` opacity="${markOpacity}"`);
}

interface PlacedPiece {
  color: Color;
  role: Role;
  square: number;
}

/** The image of a piece, as the page's style has it. The letters are no images: the classic pieces take their place. */
function imageOf(color: Color, role: Role): string {
  const { dataset } = document.documentElement;
  const { pieces } = dataset;
  if (pieces === 'letters') dataset.pieces = 'classic';
  const piece = h('piece' as 'span', { class: `${role} ${color}` });
  const wrap = h('div', { class: 'cg-wrap', hidden: true }, piece);
  document.body.append(wrap);
  const url = /url\("?([^")]+)"?\)/.exec(getComputedStyle(piece).backgroundImage)?.[1] ?? '';
  wrap.remove();
  dataset.pieces = pieces;
  return url;
}

const nameOf = (color: Color, role: Role): string => `${color}-${role}`;

function placeOf(square: number, orientation: Side): { x: number; y: number } {
  const [file, rank] = [square & 7, square >> 3];
  return orientation === 'white'
    ? { x: file * SQUARE, y: (7 - rank) * SQUARE }
    : { x: (7 - file) * SQUARE, y: rank * SQUARE };
}

function squareRect(square: number, orientation: Side, color: string, more: string): string {
  const { x, y } = placeOf(square, orientation);
  return `<rect x="${x}" y="${y}" width="${SQUARE}" height="${SQUARE}" fill="${color}"${more}`;
}

function isLight(square: number): boolean {
  return ((square >> 3) + square) % 2 === 1;
}

function emptyBoard(orientation: Side): string {
  const { light, dark } = boardColors();
  return Array.from({ length: 64 }, (_, square) =>
    squareRect(square, orientation, isLight(square) ? light : dark, '/>'),
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
  const marks = marked(branch.squares).map((square) => `${markRect(square, orientation)}/>`);
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
    marked(branch.squares).map((square) => part(markRect(square, orientation), 'rect', frame, frame + 1)),
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

/** The moves of a line as GIF. */
export async function gifOf(line: Branch[], orientation: Side): Promise<Blob> {
  const images = await loadPieces();
  const canvas = h('canvas', { width: GIF_SIZE, height: GIF_SIZE });
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  const drawSquare = squarePainter(context, images);
  const gif = new GifWriter(GIF_SIZE, GIF_SIZE, paletteOf(context, drawSquare));
  let before: string[] = [];
  for (const [index, branch] of line.entries()) {
    const seconds = index === line.length - 1 ? LAST_FRAME : FRAME;
    const contents = contentsOf(branch);
    const changed = [...contents.keys()].filter((square) => contents[square] !== before[square]);
    const places = (changed.length ? changed : [0]).map((square) => {
      const { x, y } = placeOf(square, orientation);
      return { square, column: x / SQUARE, row: y / SQUARE };
    });
    for (const { square, column, row } of places)
      drawSquare(contents[square]!, isLight(square), column * GIF_SQUARE, row * GIF_SQUARE);
    const [columns, rows] = [places.map(({ column }) => column), places.map(({ row }) => row)];
    const [x, y] = [Math.min(...columns) * GIF_SQUARE, Math.min(...rows) * GIF_SQUARE];
    const [width, height] = [(Math.max(...columns) + 1) * GIF_SQUARE - x, (Math.max(...rows) + 1) * GIF_SQUARE - y];
    const { data } = context.getImageData(x, y, width, height);
    gif.frame({ x, y, width, height, pixels: data, seconds });
    before = contents;
    // The page stays usable while a long game is drawn.
    await new Promise((resolve) => setTimeout(resolve));
  }
  return gif.end();
}

/** What each square shows: the name of a piece, and whether it belongs to the last move. */
function contentsOf(branch: Branch): string[] {
  const contents: string[] = Array.from({ length: 64 }, () => '');
  for (const { color, role, square } of piecesOf(branch)) contents[square] = nameOf(color, role);
  for (const square of marked(branch.squares)) contents[square] += MARKED;
  return contents;
}

async function loadPieces(): Promise<Map<string, HTMLImageElement>> {
  const pieces = COLORS.flatMap((color) => ROLES.map((role) => ({ color, role })));
  const loaded = pieces.map(async ({ color, role }): Promise<[string, HTMLImageElement]> => {
    const image = new Image(GIF_SQUARE, GIF_SQUARE);
    image.src = imageOf(color, role);
    await image.decode();
    return [nameOf(color, role), image];
  });
  return new Map(await Promise.all(loaded));
}

type SquarePainter = (content: string, light: boolean, x: number, y: number) => void;

function squarePainter(context: CanvasRenderingContext2D, images: Map<string, HTMLImageElement>): SquarePainter {
  const colors = boardColors();
  return (content, light, x, y) => {
    const square = [x, y, GIF_SQUARE, GIF_SQUARE] as const;
    context.fillStyle = light ? colors.light : colors.dark;
    context.fillRect(...square);
    if (content.endsWith(MARKED)) {
      context.globalAlpha = colors.markOpacity;
      context.fillStyle = colors.mark;
      context.fillRect(...square);
      context.globalAlpha = 1;
    }
    const image = images.get(content.replace(MARKED, ''));
    if (image) context.drawImage(image, ...square);
  };
}

/** The colours of all pieces on all squares. */
function paletteOf(context: CanvasRenderingContext2D, drawSquare: SquarePainter): Palette {
  const names = COLORS.flatMap((color) => ROLES.map((role) => nameOf(color, role)));
  const contents = names.flatMap((name) => [name, name + MARKED]);
  const squares = contents.flatMap((content) => [true, false].map((light) => ({ content, light })));
  for (const [at, { content, light }] of squares.entries())
    drawSquare(content, light, (at % 8) * GIF_SQUARE, Math.floor(at / 8) * GIF_SQUARE);
  return new Palette(context.getImageData(0, 0, GIF_SIZE, (squares.length / 8) * GIF_SQUARE).data);
}
