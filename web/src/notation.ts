// Moves as people read and type them: with the letters of their language, or with figurines. Files and the studio use SAN.

import type { Chess } from 'chessops/chess';
import { makeSan } from 'chessops/san';
import type { NormalMove } from 'chessops/types';
import { fromText } from './rules';
import { settings } from './settings';
import { t } from './strings';

const LETTERS = 'KQRBN';
/** Without the variation selector some systems draw emoji. */
const FIGURINES = [...'♔♕♖♗♘'].map((figurine) => `${figurine}\uFE0E`);

/** Moves in SAN as they are shown. */
export function shown(san: string): string {
  if (settings.notation === 'letters') return spoken(san);
  return san.replace(/[KQRBN]/g, (letter) => FIGURINES[LETTERS.indexOf(letter)]!);
}

/** Moves in SAN with the language's letters: figurines have no names for screen readers. */
export function spoken(san: string): string {
  return san.replace(/[KQRBN]/g, (letter) => t.letters[LETTERS.indexOf(letter)]!);
}

/** A move that was typed with the language's letters or the English ones, or in UCI notation. */
export function typed(at: Chess, text: string): NormalMove | undefined {
  const tidy = text.trim();
  // In UCI notation a promotion has an English letter.
  const english = /^[a-h][1-8][a-h][1-8]/.test(tidy) ? tidy : inEnglish(tidy);
  return fromText(at, english) ?? fromText(at, tidy);
}

/** Typed moves from a position on in SAN; a move that is not legal, and what follows, stays as it is. */
export function typedLine(from: Chess, text: string): string {
  const at = from.clone();
  let legal = true;
  const moves = text
    .replace(/\d+\.+/g, ' ')
    .trim()
    .split(/\s+/)
    .map((word) => {
      const move = legal ? typed(at, word) : undefined;
      legal = move !== undefined;
      if (!move) return word;
      const san = makeSan(at, move);
      at.play(move);
      return san;
    });
  return moves.join(' ');
}

function inEnglish(text: string): string {
  return text.replace(/\p{Lu}/gu, (letter) => LETTERS[t.letters.indexOf(letter)] ?? letter);
}
