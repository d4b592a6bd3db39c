// PGN comments: text, and embedded commands.

import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import type { Score } from './protocol';
import { scoreText } from './rules';

/** `[%eval 0.31]`, `[%clk 0:05:00]`, `[%cal Ge2e4]` … */
const COMMAND = /\[%\w+\s[^\]]*\]/g;

/** An engine's comment in a match: score, depth, time. */
const ENGINE_COMMENT = /^([+-]?(?:\d+\.\d+|M\d+))\/\d+\s[\d.]+s/;

/** The text of a comment, without commands. */
export function textOfComment(comment: string): string {
  return ENGINE_COMMENT.test(comment) ? '' : comment.replace(COMMAND, ' ').replace(/\s+/g, ' ').trim();
}

/** A comment with another text and the same commands. */
export function withText(comment: string, text: string): string {
  return [...(comment.match(COMMAND) ?? []), text].filter(Boolean).join(' ');
}

/** The score in a comment, from White's point of view; engines in a match write that of the side that moved. */
export function scoreOf(comment: string, white: boolean): string | undefined {
  const evaluation = /\[%eval\s+(#?)(-?[\d.]+)/.exec(comment);
  if (evaluation)
    return scoreText(evaluation[1] ? { mate: Number(evaluation[2]) } : { cp: Math.round(Number(evaluation[2]) * 100) });
  const score = ENGINE_COMMENT.exec(comment)?.[1];
  if (score === undefined || /^[+-]?0\.0+$/.test(score)) return score && '0.00';
  return `${score.startsWith('-') === white ? '−' : '+'}${score.replace(/^[+-]/, '')}`;
}

/** Arrows and circles: `[%cal Ge2e4,Rd5d4]`, `[%csl Gd5]`. */
const SHAPES = /\[%c[as]l\s+([^\]]*)\]/g;
const SHAPE = /^([GRYB])([a-h][1-8])([a-h][1-8])?$/;
const BRUSH_NAMES: Record<string, string> = { G: 'green', R: 'red', Y: 'yellow', B: 'blue' };

/** The arrows and circles in a comment. */
export function shapesOf(comment: string): DrawShape[] {
  return [...comment.matchAll(SHAPES)].flatMap(([, list]) =>
    list!.split(',').flatMap((text): DrawShape[] => {
      const [, color, orig, dest] = SHAPE.exec(text.trim()) ?? [];
      if (!color) return [];
      const shape = { orig: orig as Key, brush: BRUSH_NAMES[color]! };
      return [dest ? { ...shape, dest: dest as Key } : shape];
    }),
  );
}

/** A comment with other arrows and circles. */
export function withShapes(comment: string, shapes: DrawShape[]): string {
  const write = ({ orig, dest, brush }: DrawShape): string =>
    `${brush?.charAt(0).toUpperCase() ?? 'G'}${orig}${dest && dest !== orig ? dest : ''}`;
  const command = (name: string, which: DrawShape[]): string =>
    which.length ? `[%${name} ${which.map(write).join(',')}]` : '';
  const isArrow = ({ orig, dest }: DrawShape): boolean => dest !== undefined && dest !== orig;
  const parts = [
    command(
      'csl',
      shapes.filter((shape) => !isArrow(shape)),
    ),
    command('cal', shapes.filter(isArrow)),
    comment.replace(SHAPES, ' ').replace(/\s+/g, ' ').trim(),
  ];
  return parts.filter(Boolean).join(' ');
}

/** The player's clock after a move: `[%clk 0:05:00]` as 5:00. */
export function clockOf(comment: string): string | undefined {
  return /\[%clk\s+(\d+:\d\d:\d\d(?:\.\d+)?)\]/.exec(comment)?.[1]?.replace(/^0:0?(?=\d)/, '');
}

/** A score as a command in a comment. */
export function evalComment(score: Score): string {
  return `[%eval ${'mate' in score ? `#${score.mate}` : (score.cp / 100).toFixed(2)}]`;
}

/** White's winning chances in percent by the score in a comment: a logistic curve, as of lichess. */
export function chanceOf(comment: string, white: boolean): number | undefined {
  const text = scoreOf(comment, white);
  if (text === undefined) return undefined;
  const minus = text.includes('−');
  if (!/\d\.\d/.test(text)) return minus ? 0 : 100;
  const pawns = Number(text.replace('−', '-').replace('+', ''));
  return 100 / (1 + Math.exp(-0.368208 * pawns));
}

/** PGN comments cannot contain braces: parentheses take their place. */
export function withoutBraces(comment: string): string {
  return comment.replaceAll('{', '(').replaceAll('}', ')');
}
