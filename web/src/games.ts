// PGN files: splitting into games, tags and titles. The rules are those of the reader in crates/record;
// both are held to the cases in crates/record/tests/pgn-games.json.

import { settings } from './settings';
import { t } from './strings';

/** The user's name in the PGN of games against the engine. */
export const YOU = 'You';

/** A player as people read it: the user has a name, or none. */
export function playerName(name: string): string {
  return name === YOU ? settings.name || t.play.you : name;
}

/** Tokens of PGN: tags and other brackets, line comments, escaped lines, punctuation, words. There is no backtracking, so that no text takes long. */
const PART = /\[\w+[^\S\n]*"(?:[^"\\\n]|\\[^\n])*(?:"[^\]\n]*\]?)?|\[[^\]\n]*\]?|;.*|(?<!.)%.*|[{()]|[^\s{}()[\];]+/g;
const TAG = /^\[(\w+)[^\S\n]*"((?:[^"\\\n]|\\[^\n])*)/;
const TAG_AFTER_BLANK = /(?:^|\n)[^\S\n]*\n(?=\[\w+[^\S\n]*")/g;
const RESULT = /^(?:1-0|0-1|1\/2(?:-1\/2)?|\*)$/;
/** A token in the movetext; not a move number, glyph or mark. */
const PLAYED = /^(?!\d+\.*$)(?:\d+\.+)?[a-z\d-]/i;
/** A token that is a move, legal or not. */
const MOVE = /(?<!\w)(?:[KQRBN]?[a-h]?[1-8]?[-x]?[a-h][1-8]|[O0]-[O0])/;

/** A part of a text that is no comment, from one place to another; a cut is a comment that is never closed. */
interface Part {
  kind: 'tag' | 'bracket' | 'result' | 'word' | 'cut';
  text: string;
  from: number;
  to: number;
}

/** The parts of a text in their order. */
function* partsOf(text: string): Generator<Part> {
  const part = new RegExp(PART);
  const close = seeker(text, '}');
  for (let found = part.exec(text); found; found = part.exec(text)) {
    const [word, from, to] = [found[0], found.index, part.lastIndex];
    if (word === '{') {
      const { end, closed } = commentEnd(text, to, close(to));
      part.lastIndex = end;
      if (!closed) yield { kind: 'cut', text: word, from, to: end };
      continue;
    }
    const kind = kindOf(word);
    if (kind) yield { kind, text: word, from, to };
  }
}

function kindOf(word: string): Part['kind'] | undefined {
  switch (word[0]) {
    case '[':
      return TAG.test(word) ? 'tag' : undefined;
    case '(':
    case ')':
      return 'bracket';
    case ';':
    case '%':
      return undefined;
    default:
      return RESULT.test(word) ? 'result' : 'word';
  }
}

/** The games of a text, each as PGN; none if there is nothing in it. */
export function splitGames(from: string): string[] {
  const text = from.replace(/^\uFEFF/, '');
  const games: string[] = [];
  let begin = 0;
  let depth = 0;
  let [tags, played, moves] = [false, false, false];
  const cut = (at: number): void => {
    if (tags || moves) games.push(text.slice(begin, at).trim());
    begin = at;
    depth = 0;
    tags = played = moves = false;
  };
  for (const part of partsOf(text)) {
    if (part.kind === 'tag') {
      if (played) cut(part.from);
      tags = true;
    } else if (part.kind === 'bracket') depth = Math.max(0, depth + (part.text === '(' ? 1 : -1));
    else if (part.kind === 'word') {
      played ||= PLAYED.test(part.text);
      moves ||= MOVE.test(part.text);
    } else if (part.kind === 'cut' || depth === 0) cut(part.to);
  }
  cut(text.length);
  return games;
}

/** Finds the next occurrence of a character; positions come in ascending order, so that the text is scanned once. */
function seeker(text: string, character: string): (from: number) => number {
  let at = -2;
  return (from) => {
    if (at !== -1 && at < from) at = text.indexOf(character, from);
    return at;
  };
}

/** Where a comment ends whose next closing brace is known. One that runs into the tags of another game ends there, unless its brace comes before any other. */
function commentEnd(text: string, from: number, close: number): { end: number; closed: boolean } {
  const inside = text.slice(from, close < 0 ? undefined : close);
  const another = close < 0 ? Infinity : inside.lastIndexOf('{');
  for (const blank of inside.matchAll(TAG_AFTER_BLANK)) {
    const tags = blank.index + blank[0].length;
    if (tags <= another) return { end: from + tags, closed: false };
  }
  return close < 0 ? { end: text.length, closed: false } : { end: close + 1, closed: true };
}

/** The tags of a game. */
export function tagsOf(pgn: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const { kind, text } of partsOf(pgn)) {
    if (kind === 'cut') continue;
    if (kind !== 'tag') break;
    const [, name, value] = TAG.exec(text)!;
    tags.set(name!, value!.replace(/\\(.)/g, '$1'));
  }
  return tags;
}

/** Players and result, as far as the tags have them. */
export function playersOf(tags: Map<string, string>): string {
  const player = (side: string): string | undefined => {
    const [name, elo] = [known(tags.get(side)), known(tags.get(`${side}Elo`))];
    return name && (elo ? `${name} (${elo})` : name);
  };
  const [white, black] = [player('White'), player('Black')];
  const result = tags.get('Result')?.replace('1/2-1/2', '½–½').replace('-', '–');
  if (!white && !black) return result && result !== '*' ? result : '';
  return [`${white ?? '?'} – ${black ?? '?'}`, ...(result && result !== '*' ? [result] : [])].join(' · ');
}

/** The players, where tags may be empty. */
export function pairing(white: string, black: string): string {
  return known(white) || known(black) ? `${playerName(white)} – ${playerName(black)}` : t.common.untitled;
}

/** Event and date, as far as the tags have them. */
export function occasionOf(tags: Map<string, string>): string {
  return [known(tags.get('Event')), known(tags.get('Date'))?.replace(/\.\?.*$/, '')].filter(Boolean).join(' · ');
}

/** A game in one line. */
export function titleOf(tags: Map<string, string>): string {
  return [playersOf(tags), occasionOf(tags)].filter(Boolean).join(' · ') || t.common.untitled;
}

/** The value of a tag; question marks and dashes mean unknown. */
function known(value: string | undefined): string | undefined {
  return value && !/^[?.\-\s]*$/.test(value) ? value : undefined;
}
