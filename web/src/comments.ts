// PGN comments: text, and embedded commands.

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

/** A score as a command in a comment. */
export function evalComment(score: Score): string {
  return `[%eval ${'mate' in score ? `#${score.mate}` : (score.cp / 100).toFixed(2)}]`;
}

/** PGN comments cannot contain braces: parentheses take their place. */
export function withoutBraces(comment: string): string {
  return comment.replaceAll('{', '(').replaceAll('}', ')');
}
