// Chess as the page needs it: positions from FEN, moves in both notations. The rules are chessops'.

import type { Key } from '@lichess-org/chessground/types';
import type { Score } from './protocol';
import { decimal, t } from './strings';
import { Board } from 'chessops/board';
import { Chess, castlingSide, normalizeMove } from 'chessops/chess';
import { INITIAL_FEN, makeCastlingFen, makeFen, parseBoardFen, parseCastlingFen, parseFen } from 'chessops/fen';
import { makeSan, makeSanAndPlay, parseSan } from 'chessops/san';
import { SquareSet } from 'chessops/squareSet';
import type { NormalMove } from 'chessops/types';
import { isNormal } from 'chessops/types';
import { kingCastlesTo, makeSquare, makeUci, parseSquare, parseUci } from 'chessops/util';

export { INITIAL_FEN };

/** Parses a FEN; throws a message for the user. */
export function position(fen: string): Chess {
  const setup = parseFen(fen.trim());
  if (setup.isErr) throw new Error(t.errors.invalidFen(fenFault(fen, setup.error.message)));
  const found = Chess.fromSetup(setup.value);
  if (found.isErr) {
    const reasons: Record<string, string> = {
      ERR_EMPTY: t.errors.emptyBoard,
      ERR_OPPOSITE_CHECK: t.errors.oppositeCheck,
      ERR_PAWNS_ON_BACKRANK: t.errors.pawnsOnBackrank,
      ERR_KINGS: t.errors.kings,
    };
    throw new Error(reasons[found.error.message] ?? t.errors.illegal);
  }
  return found.value;
}

/** What is wrong with a FEN that cannot be parsed. */
function fenFault(fen: string, code: string): string {
  const fields: Record<string, string> = {
    ERR_TURN: t.errors.turn,
    ERR_CASTLING: t.errors.castling,
    ERR_EP_SQUARE: t.errors.enPassant,
    ERR_HALFMOVES: t.errors.halfmoves,
    ERR_FULLMOVES: t.errors.fullmoves,
  };
  if (fields[code]) return fields[code];
  const ranks = fen.trim().split(/\s+/)[0]!.split('/');
  if (ranks.length !== 8) return t.errors.ranks(ranks.length);
  for (const [at, rank] of ranks.entries()) {
    const unknown = /[^1-8pnbrqk]/i.exec(rank)?.[0];
    if (unknown) return t.errors.unknownPiece(unknown, 8 - at);
    const squares = [...rank].reduce((sum, char) => sum + (Number(char) || 1), 0);
    if (squares !== 8) return t.errors.squares(8 - at, squares);
  }
  return t.errors.unreadable;
}

export function fenOf(at: Chess): string {
  return makeFen(at.toSetup());
}

/** The squares on which the side to move could capture en passant, if the pawn had just moved. */
export function enPassantSquares(fen: string): string[] {
  const [board, turn, castling] = fen.split(' ');
  const rank = turn === 'b' ? 3 : 6;
  return [...'abcdefgh']
    .map((file) => `${file}${rank}`)
    .filter((name) => {
      try {
        const at = position(`${board} ${turn} ${castling} ${name} 0 1`);
        const square = parseSquare(name)!;
        return (
          at.epSquare === square && [...at.board.pieces(at.turn, 'pawn')].some((pawn) => at.dests(pawn).has(square))
        );
      } catch {
        return false;
      }
    });
}

/** The four ways to castle, as FEN calls them. */
export const CASTLINGS = ['K', 'Q', 'k', 'q'] as const;
export type Castling = (typeof CASTLINGS)[number];

/** The castling rights of a FEN, whether it names sides or, as in Chess960, files. */
export function castlingsOf(fen: string): Castling[] {
  const { board, rooks } = castlingRooks(fen);
  const allowed = [...rooks].map((rook) => castlingWith(board, rook));
  return CASTLINGS.filter((castling) => allowed.includes(castling));
}

/** The castling field of a FEN after one right is set or cleared. */
export function withCastling(fen: string, castling: Castling, allowed: boolean): string {
  const { board, rooks } = castlingRooks(fen);
  const others = [...rooks].filter((rook) => castlingWith(board, rook) !== castling);
  const added = allowed
    ? [
        ...parseCastlingFen(board, castling).unwrap(
          (found) => found,
          () => SquareSet.empty(),
        ),
      ]
    : [];
  return makeCastlingFen(
    board,
    [...others, ...added].reduce((set, rook) => set.with(rook), SquareSet.empty()),
  );
}

function castlingRooks(fen: string): { board: Board; rooks: SquareSet } {
  const [pieces, , castling] = fen.split(' ');
  const board = parseBoardFen(pieces ?? '').unwrap(
    (found) => found,
    () => Board.empty(),
  );
  return {
    board,
    rooks: parseCastlingFen(board, castling ?? '-').unwrap(
      (found) => found,
      () => SquareSet.empty(),
    ),
  };
}

function castlingWith(board: Board, rook: number): Castling {
  const white = rook < 8;
  const king = board.kingOf(white ? 'white' : 'black') ?? (white ? 4 : 60);
  const side = rook > king ? 'k' : 'q';
  return (white ? side.toUpperCase() : side) as Castling;
}

/** The position without its clocks. */
export function keyOf(fen: string): string {
  return fen.split(' ').slice(0, 4).join(' ');
}

/** Whether castling needs Chess960 rules: a king or rook with castling rights is not on its usual square. */
export function isChess960(at: Chess): boolean {
  return (
    [...at.castles.castlingRights].some((rook) => ![0, 7, 56, 63].includes(rook)) ||
    (['white', 'black'] as const).some((color) => {
      const back = color === 'white' ? 0 : 56;
      const rights = at.castles.castlingRights.has(back) || at.castles.castlingRights.has(back + 7);
      return rights && at.board.kingOf(color) !== back + 4;
    })
  );
}

/** A legal move from UCI notation, castling as king takes rook. */
export function fromUci(at: Chess, uci: string): NormalMove | undefined {
  const move = parseUci(uci);
  if (!move) return undefined;
  const normal = normalizeMove(at, move);
  return isNormal(normal) && at.isLegal(normal) ? normal : undefined;
}

/** A null move in UCI notation. */
export const NULL_MOVE = '0000';

/** The position after a null move; undefined in check. */
export function pass(at: Chess): Chess | undefined {
  if (at.isCheck()) return undefined;
  const after = at.clone();
  after.turn = at.turn === 'white' ? 'black' : 'white';
  after.epSquare = undefined;
  after.halfmoves++;
  if (at.turn === 'black') after.fullmoves++;
  return after;
}

export { makeUci, makeSan, makeSquare, parseSquare as squareOf };

/** A legal move as typed: SAN in any case, or UCI notation. */
export function fromText(at: Chess, text: string): NormalMove | undefined {
  const tidy = text
    .trim()
    .replace(/0/g, 'O')
    .replace(/[+#!?]+$/, '');
  const tries = [
    text.trim(),
    tidy,
    tidy.toUpperCase().startsWith('O-O') ? tidy.toUpperCase() : '',
    tidy.charAt(0).toUpperCase() + tidy.slice(1),
  ];
  for (const san of tries) {
    const move = san && parseSan(at, san);
    if (move && isNormal(move)) return move;
  }
  return fromUci(at, text.trim().toLowerCase());
}

/** Origin and target of a move. Castling is shown as the king moves; in Chess960 as king takes rook, since the king may stay where it is. */
export function squaresOf(before: Chess, move: NormalMove | undefined): Key[] | undefined {
  if (!move) return undefined;
  const side = isChess960(before) ? undefined : castlingSide(before, move);
  const to = side ? kingCastlesTo(before.turn, side) : move.to;
  return [makeSquare(move.from) as Key, makeSquare(to) as Key];
}

/** Moves in SAN with move numbers, as far as they are legal, each with the position after it. */
export function spell(from: Chess, moves: string[]): { text: string; number: string; fen: string; uci: string }[] {
  const at = from.clone();
  const spelled: { text: string; number: string; fen: string; uci: string }[] = [];
  for (const uci of moves) {
    const move = fromUci(at, uci);
    if (!move) break;
    const white = at.turn === 'white';
    const number = white ? `${at.fullmoves}.` : spelled.length === 0 ? `${at.fullmoves}…` : '';
    const text = makeSanAndPlay(at, move);
    spelled.push({ text, number, fen: fenOf(at), uci });
  }
  return spelled;
}

/** A score as text, such as +0.31, #−3, or +TB for a win by the tablebases. */
export function scoreText(score: Score): string {
  if ('mate' in score) return score.mate === 0 ? '#' : `#${score.mate < 0 ? '−' : ''}${Math.abs(score.mate)}`;
  // A win by the tablebases is 20000 centipawns, less its plies.
  if (Math.abs(score.cp) > 19743) return score.cp > 0 ? '+TB' : '−TB';
  const pawns = score.cp / 100;
  return `${pawns > 0 ? '+' : pawns < 0 ? '−' : ''}${Math.abs(pawns).toFixed(2)}`;
}

/** White's expected score, from 0 to 1. */
export function share(score: Score, wdl: [number, number, number]): number {
  if ('mate' in score) return score.mate > 0 ? 1 : 0;
  return (wdl[0] + wdl[1] / 2) / 1000;
}

/** A number of nodes as text. */
export function count(value: number): string {
  if (value >= 1e9) return `${decimal(value / 1e9, 2)} G`;
  if (value >= 1e6) return `${decimal(value / 1e6, 1)} M`;
  if (value >= 1e4) return `${(value / 1e3).toFixed(0)} k`;
  return String(value);
}
