// What a comment of a game holds: words for people, and commands that programs have written between them.

import { scoreText } from './rules';

/** `[%eval 0.31]`, `[%clk 0:05:00]`, `[%cal Ge2e4]` … */
const COMMAND = /\[%\w+\s[^\]]*\]/g;

/** What engines write behind their moves in a match: score, depth, time. */
const ENGINE_REMARK = /^([+-]?(?:\d+\.\d+|M\d+))\/\d+\s[\d.]+s/;

/** A comment without what is not for people. */
export function wordsOf(comment: string): string {
  return ENGINE_REMARK.test(comment) ? '' : comment.replace(COMMAND, ' ').replace(/\s+/g, ' ').trim();
}

/** A comment with other words and the same commands. */
export function withWords(comment: string, words: string): string {
  return [...(comment.match(COMMAND) ?? []), words].filter(Boolean).join(' ');
}

/** The score that a comment tells, as White sees it; engines in a match tell that of the side that moved. */
export function scoreOf(comment: string, white: boolean): string | undefined {
  const told = /\[%eval\s+(#?)(-?[\d.]+)/.exec(comment);
  if (told) return scoreText(told[1] ? { mate: Number(told[2]) } : { cp: Math.round(Number(told[2]) * 100) });
  const score = ENGINE_REMARK.exec(comment)?.[1];
  if (score === undefined || /^[+-]?0\.0+$/.test(score)) return score && '0.00';
  return `${score.startsWith('-') === white ? '−' : '+'}${score.replace(/^[+-]/, '')}`;
}

/** A comment as PGN can hold it: a brace would end it, so round brackets take their place. */
export function withoutBraces(comment: string): string {
  return comment.replaceAll('{', '(').replaceAll('}', ')');
}
