// A game with variations and comments.

import type { Key } from '@lichess-org/chessground/types';
import type { Chess } from 'chessops/chess';
import type { Game, PgnNodeData } from 'chessops/pgn';
import type { Node } from 'chessops/pgn';
import { ChildNode, defaultGame, makePgn, parsePgn, startingPosition } from 'chessops/pgn';
import { makeSanAndPlay, parseSan } from 'chessops/san';
import type { NormalMove } from 'chessops/types';
import { isNormal } from 'chessops/types';
import { withoutBraces } from './comments';
import { splitGames } from './games';
import { INITIAL_FEN, NULL_MOVE, fenOf, fromUci, isChess960, makeUci, pass, position, squaresOf } from './rules';
import { t } from './strings';

/** A position of the tree, and the move that led to it. */
export class Branch {
  children: Branch[] = [];
  comment = '';
  nags: number[] = [];

  constructor(
    readonly parent: Branch | undefined,
    readonly fen: string,
    readonly ply: number,
    readonly san: string,
    readonly uci: string,
    readonly move: NormalMove | undefined,
  ) {}

  get position(): Chess {
    return position(this.fen);
  }

  /** The squares of the move that led here. */
  get squares(): Key[] | undefined {
    return this.parent && squaresOf(this.parent.position, this.move);
  }

  /** From the first position to this one. */
  get path(): Branch[] {
    return this.parent ? [...this.parent.path, this] : [this];
  }

  /** From the first position through this one to the end of its line. */
  get line(): Branch[] {
    const line = this.path;
    for (let next = this.children[0]; next; next = next.children[0]) line.push(next);
    return line;
  }

  /** The moves that led here. */
  get moves(): string[] {
    return this.path.slice(1).map((branch) => branch.uci);
  }

  /** The position after the last null move, or the first one, and the moves from there on: engines know no null moves. */
  get played(): { start: string; moves: string[] } {
    const path = this.path;
    const start = path.findLastIndex((branch) => !branch.move);
    return { start: path[start]!.fen, moves: path.slice(start + 1).map((branch) => branch.uci) };
  }

  get isMainLine(): boolean {
    return !this.parent || (this.parent.children[0] === this && this.parent.isMainLine);
  }
}

export class Tree {
  root: Branch;
  at: Branch;
  tags = new Map<string, string>();
  /** The first illegal move of the text, and its move number: it and what follows were left out. */
  cutAt: { number: string; san: string } | undefined;

  constructor(fen: string = INITIAL_FEN) {
    const start = position(fen);
    const ply = 2 * (start.fullmoves - 1) + (start.turn === 'white' ? 0 : 1);
    this.root = new Branch(undefined, fenOf(start), ply, '', '', undefined);
    this.at = this.root;
  }

  /** Adds a move, or finds it if it is there already. */
  play(uci: string, from: Branch = this.at): Branch | undefined {
    const at = from.position;
    if (uci === NULL_MOVE) return this.add(from, pass(at), '--', NULL_MOVE, undefined);
    const move = fromUci(at, uci);
    return move && this.add(from, at, makeSanAndPlay(at, move), makeUci(move), move);
  }

  private add(
    from: Branch,
    to: Chess | undefined,
    san: string,
    uci: string,
    move: NormalMove | undefined,
  ): Branch | undefined {
    const known = from.children.find((child) => child.uci === uci);
    if (known || !to) return known;
    const branch = new Branch(from, fenOf(to), from.ply + 1, san, uci, move);
    from.children.push(branch);
    return branch;
  }

  /** The last position of the main line that goes through a branch. */
  end(from: Branch = this.root): Branch {
    let branch = from;
    while (branch.children[0]) branch = branch.children[0];
    return branch;
  }

  /** Makes a branch the main line. */
  promote(branch: Branch): void {
    for (let child = branch; child.parent; child = child.parent) {
      const siblings = child.parent.children;
      siblings.splice(siblings.indexOf(child), 1);
      siblings.unshift(child);
    }
  }

  /** Removes a branch. */
  remove(branch: Branch): void {
    const parent = branch.parent;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child !== branch);
    if (this.at.path.includes(branch)) this.at = parent;
  }

  toPgn(): string {
    const game: Game<PgnNodeData> = defaultGame();
    for (const [name, value] of this.tags) game.headers.set(name, value);
    if (this.root.fen === INITIAL_FEN) {
      game.headers.delete('FEN');
      game.headers.delete('SetUp');
    } else {
      game.headers.set('SetUp', '1');
      game.headers.set('FEN', this.root.fen);
    }
    if (isChess960(this.root.position)) game.headers.set('Variant', 'Chess960');
    if (this.root.comment) game.comments = [withoutBraces(this.root.comment)];
    const copy = (from: Branch, to: Node<PgnNodeData>): void => {
      for (const child of from.children) {
        const data: PgnNodeData = { san: child.san };
        if (child.nags.length) data.nags = child.nags;
        if (child.comment) data.comments = [withoutBraces(child.comment)];
        const node = new ChildNode(data);
        to.children.push(node);
        copy(child, node);
      }
    };
    copy(this.root, game.moves);
    return makePgn(game);
  }

  /** Reads the first game of a PGN; throws a message for the user. */
  static fromPgn(text: string): Tree {
    const [known, foreign] = withoutForeignMoves(splitGames(text)[0] ?? '');
    // To the parser an empty line between moves ends the game.
    const game = parsePgn(known.replace(/\n\s*(?=\n)/g, ''))[0];
    if (!game) throw new Error(t.errors.noGame);
    const start = startingPosition(game.headers);
    if (start.isErr) throw new Error(t.errors.illegalFenTag);
    const tree = new Tree(fenOf(start.value as Chess));
    tree.tags = game.headers;
    tree.root.comment = (game.comments ?? []).join(' ');
    const copy = (from: Node<PgnNodeData>, to: Branch): void => {
      for (const child of from.children) {
        const branch = tree.play(uciOf(to.position, child.data.san), to);
        if (!branch) {
          tree.cutAt ??= {
            number: numberAfter(to),
            san: child.data.san === NO_MOVE ? (foreign ?? '') : child.data.san,
          };
          continue;
        }
        branch.comment = [...(child.data.startingComments ?? []), ...(child.data.comments ?? [])].join(' ');
        branch.nags = child.data.nags ?? [];
        copy(child, branch);
      }
    };
    copy(game.moves, tree.root);
    if (!tree.root.children.length && !text.includes('[')) {
      throw new Error(tree.cutAt ? t.errors.illegalMove(`${tree.cutAt.number} ${tree.cutAt.san}`) : t.errors.noGame);
    }
    return tree;
  }

  /** The moves of a `position` command, up to the first illegal one; the last position is the current one. */
  private static fromUci(fen: string, moves: string[]): Tree {
    const tree = new Tree(completed(fen));
    for (const uci of moves) {
      const next = tree.play(uci);
      if (!next) {
        tree.cutAt = { number: numberAfter(tree.at), san: uci };
        break;
      }
      tree.at = next;
    }
    return tree;
  }

  /** Reads a PGN, a FEN, or a `position` command of UCI. */
  static fromText(text: string): Tree {
    const tidy = text.trim();
    const uci = uciPosition(tidy);
    if (uci) return Tree.fromUci(uci.fen, uci.moves);
    return isFen(tidy) ? new Tree(completed(tidy)) : Tree.fromPgn(tidy);
  }
}

/** The number of the move after a position. */
function numberAfter(branch: Branch): string {
  return `${Math.floor(branch.ply / 2) + 1}${branch.ply % 2 ? '…' : '.'}`;
}

/** A drop: the parser accepts it, and it is never legal. */
const NO_MOVE = '@a1';

/** A move as the parser finds it inside a token. */
const MOVE = /[NBKRQP]?[a-h]?[1-8]?[-x]?[a-h][1-8](?:=?[nbrqkNBRQK])?/g;

/** Replaces tokens that the parser would misread (it reads the German Sf3 as f3) by illegal moves; also returns the first one. */
function withoutForeignMoves(text: string): [known: string, foreign: string | undefined] {
  let foreign: string | undefined;
  const known = text.replace(/\{[^}]*\}|;[^\n]*|^\[.*$|[^\s(){};]+/gm, (token) => {
    if (/^[{;[]/.test(token) || !/[\p{L}♔-♟:]\./u.test(token.replace(MOVE, '.'))) return token;
    foreign ??= token.replace(/^\d+[.…]*/, '');
    return NO_MOVE;
  });
  return [known, foreign];
}

/** A move in SAN as UCI notation; empty if it is illegal. */
function uciOf(at: Chess, san: string): string {
  // The parser writes null moves in the first way, and takes zeros for letters.
  if (san === '--' || san === 'OOOO') return NULL_MOVE;
  const move = parseSan(at, san);
  return move && isNormal(move) ? makeUci(move) : '';
}

/** A `position` command of UCI; also with what a log writes before it. */
const POSITION = /(?:^|[\s:<>])position\s+(?:startpos|fen\s+(.+?))(?:\s+moves\s+(.*))?$/;

/** The last position of a text that UCI engines get, or a FEN with moves; none in a PGN. */
export function uciPosition(text: string): { fen: string; moves: string[] } | undefined {
  if (/^\s*\[\w+\s+"/m.test(text)) return undefined;
  const lines = text.split('\n').map((line) => line.trim());
  if (lines.length === 1 && isFen(lines[0]!) && /\smoves\s/.test(lines[0]!)) lines[0] = `position fen ${lines[0]}`;
  const found = lines.map((line) => POSITION.exec(line)).findLast((match) => match);
  return found ? { fen: found[1] ?? INITIAL_FEN, moves: found[2]?.trim().split(/\s+/) ?? [] } : undefined;
}

/** A FEN whose last fields may be missing. */
function completed(fen: string): string {
  const parts = fen.trim().split(/\s+/);
  return [parts[0], parts[1] ?? 'w', parts[2] ?? '-', parts[3] ?? '-', parts[4] ?? '0', parts[5] ?? '1'].join(' ');
}

/** Whether a text is a FEN rather than a PGN. */
export function isFen(text: string): boolean {
  return /^\s*[1-8pnbrqkPNBRQK]+(\/[1-8pnbrqkPNBRQK]+){7}(\s|$)/.test(text);
}

/** Numeric annotation glyphs: of the move, then of the position. */
export const GLYPHS: Record<number, string> = {
  1: '!',
  2: '?',
  3: '!!',
  4: '??',
  5: '!?',
  6: '?!',
  7: '□',
  10: '=',
  13: '∞',
  14: '+=',
  15: '=+',
  16: '±',
  17: '∓',
  18: '+−',
  19: '−+',
  22: '⨀',
  23: '⨀',
  32: '⟳',
  33: '⟳',
  36: '↑',
  37: '↑',
  40: '→',
  41: '→',
  44: '=∞',
  45: '=∞',
  132: '⇆',
  133: '⇆',
  138: '⊕',
  139: '⊕',
  140: '∆',
  146: 'N',
};
