// A text of many games: where each begins and ends, and what it is called. The rules are those of the reader in crates/record.

/** What the text of a game is made of, as far as its end is concerned: tags, comments, brackets and results. */
const PART = /^[^\S\n]*\[\w+\s+"(?:[^"\\\n]|\\.)*"\s*\]|\{|;[^\n]*|^%[^\n]*|\(|\)|(?<![^\s})])(?:1-0|0-1|1\/2-1\/2|\*)(?![^\s{([;])|(?<!\w)(?:[KQRBN]?[a-h]?[1-8]?[-x]?[a-h][1-8]|[O0]-[O0])/gm;
const TAG_AFTER_BLANK = /\n[^\S\n]*\r?\n(?=\[\w+\s+")/g;

/** The games of a text, each as PGN; none if there is nothing in it. */
export function splitGames(from: string): string[] {
  const text = from.replace(/^\uFEFF/, '');
  const games: string[] = [];
  let begin = 0;
  let moves = 0;
  let tags = false;
  let depth = 0;
  const cut = (at: number): void => {
    if (tags || moves) games.push(text.slice(begin, at).trim());
    begin = at;
    moves = depth = 0;
    tags = false;
  };
  const part = new RegExp(PART);
  const close = seeker(text, '}');
  for (let found = part.exec(text); found; found = part.exec(text)) {
    const word = found[0].trim();
    if (word === '{') {
      const { end, closed } = commentEnd(text, part.lastIndex, close(part.lastIndex));
      part.lastIndex = end;
      if (!closed && (tags || moves)) cut(end);
    } else if (word.startsWith('[')) {
      if (moves) cut(found.index);
      tags = true;
    } else if (word === '(') depth++;
    else if (word === ')') depth = Math.max(0, depth - 1);
    else if (/^(1-0|0-1|1\/2-1\/2|\*)$/.test(word)) {
      if (depth === 0) cut(part.lastIndex);
    } else if (!/^[;%]/.test(word)) moves++;
  }
  cut(text.length);
  return games;
}

/** Says where a sign comes next from a place on; places come in their order, and the text is looked through once. */
function seeker(text: string, sign: string): (from: number) => number {
  let at = -2;
  return (from) => {
    if (at !== -1 && at < from) at = text.indexOf(sign, from);
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
  const found = [...pgn.matchAll(/^[^\S\n]*\[(\w+)\s+"((?:[^"\\\n]|\\.)*)"\s*\]/gm)];
  // What looks like a tag further down stands in a comment.
  return new Map(found.reverse().map(([, name, value]) => [name!, value!.replace(/\\(.)/g, '$1')]));
}

/** Who played and how it ended, as far as the tags say it. */
export function playersOf(tags: Map<string, string>): string {
  const player = (side: string): string | undefined => {
    const [name, elo] = [said(tags.get(side)), said(tags.get(`${side}Elo`))];
    return name && (elo ? `${name} (${elo})` : name);
  };
  const [white, black] = [player('White'), player('Black')];
  const result = tags.get('Result')?.replace('1/2-1/2', '½–½').replace('-', '–');
  if (!white && !black) return result && result !== '*' ? result : '';
  return [`${white ?? '?'} – ${black ?? '?'}`, ...(result && result !== '*' ? [result] : [])].join(' · ');
}

/** Who played against whom, where tags may say nothing of it. */
export function pairing(white: string, black: string): string {
  return said(white) || said(black) ? `${white} – ${black}` : 'Unnamed game';
}

/** Where and when it was played, as far as the tags say it. */
export function occasionOf(tags: Map<string, string>): string {
  return [said(tags.get('Event')), said(tags.get('Date'))?.replace(/\.\?.*$/, '')].filter(Boolean).join(' · ');
}

/** A game in a line. */
export function titleOf(tags: Map<string, string>): string {
  return [playersOf(tags), occasionOf(tags)].filter(Boolean).join(' · ') || 'no names';
}

/** What a tag says: question marks and dashes say nothing. */
function said(value: string | undefined): string | undefined {
  return value && !/^[?.\-\s]*$/.test(value) ? value : undefined;
}
