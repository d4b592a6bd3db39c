// Opening names, including transpositions.

import { Chess } from 'chessops/chess';
import { parseSan } from 'chessops/san';
import text from './openings.txt';
import { fenOf, keyOf } from './rules';
import type { Branch } from './tree';

let names: Map<string, string> | undefined;

function read(): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [name, moves] = line.split(':').map((part) => part.trim());
    if (!name || !moves || name.startsWith('#')) continue;
    const at = Chess.default();
    for (const san of moves.split(' ')) {
      const move = parseSan(at, san);
      if (!move) throw new Error(`openings.txt: ${san} in ${name}`);
      at.play(move);
    }
    found.set(keyOf(fenOf(at)), name);
  }
  return found;
}

/** The name of the last named position of the line. */
export function openingOf(branch: Branch): string | undefined {
  names ??= read();
  for (let at: Branch | undefined = branch; at; at = at.parent) {
    if (at.ply > 40) continue;
    const name = names.get(keyOf(at.fen));
    if (name) return name;
  }
  return undefined;
}
