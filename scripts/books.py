#!/usr/bin/env python3
"""Compares the books and the explorer of a vedette binary with python-chess, which scripts/books.sh gets.

    scripts/books.py VEDETTE DATA [GAMES.pgn ...]

DATA is the data folder of python-chess's source package, which has a book and some games.
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import chess
import chess.pgn
import chess.polyglot

BOOK_PLIES = 6
GAME_PLIES = 40
MOST_QUERIES = 100
MIN_GAMES = 1
OTHER_VARIANTS = ("antichess", "-zh-")

vedette, data, *games = sys.argv[1:]
data = pathlib.Path(data)
failures = 0


def run(*arguments):
    return subprocess.run([vedette, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def expect(same, *message):
    global failures
    if not same:
        failures += 1
        print("different:", *message)


def key(board):
    return board.shredder_fen(en_passant="legal").rsplit(" ", 2)[0]


def fen(position):
    return position + " 0 1"


def book_key(board):
    """The format counts an en passant capture by a pinned pawn; Vedette's keys do not."""
    if board.has_pseudo_legal_en_passant() and not board.has_legal_en_passant():
        board = board.copy(stack=False)
        board.ep_square = None
    return chess.polyglot.zobrist_hash(board)


def compare_book(path):
    """The lines of a book from the starting position, counted by both, and the moves of each position on them."""
    known = {}

    def probe(board):
        shown = run("book", "probe", path, "--fen", board.fen())
        rows = [row.split() for row in shown.splitlines()]
        return sorted((row[1], int(row[2])) for row in rows if row[-1] == "%")

    def lines(board, plies):
        if plies == 0:
            return 1, 1
        if (key(board), plies) in known:
            return known[key(board), plies]
        with_python = sorted((entry.move.uci(), entry.weight) for entry in reader.find_all(board))
        with_vedette = probe(board)
        expect(with_python == with_vedette, path, board.fen(), with_python, with_vedette)
        counts = [0, 0]
        for number, moves in enumerate((with_python, with_vedette)):
            for uci, _ in moves:
                board.push_uci(uci)
                counts[number] += lines(board, plies - 1)[number]
                board.pop()
        known[key(board), plies] = tuple(counts)
        return tuple(counts)

    with chess.polyglot.open_reader(path) as reader:
        for plies in range(1, BOOK_PLIES + 1):
            with_python, with_vedette = lines(chess.Board(), plies)
            expect(with_python == with_vedette, path, plies, with_python, with_vedette)
        info = run("book", "info", path).split()
        expect(int(info[0].replace(",", "")) == len(reader), path, info[:4], len(reader))
        print(f"{path}: {len(reader):,} moves; {with_python:,} lines of {BOOK_PLIES} plies, {len(known):,} positions")


def read(path):
    """The positions and moves of each game, its result and ratings."""
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            # Their castling rights are lost without the variant.
            board = game.board()
            moves = list(game.mainline_moves())
            yield game, board, moves


def rating(game, name):
    text = game.headers.get(name, "")
    return int(text) if text.isdigit() and int(text) > 0 else None


def result_of(game):
    return {"1-0": "white", "1/2-1/2": "draws", "0-1": "black"}.get(game.headers.get("Result"))


def compare_games(path, folder):
    """A book and an index of a file's games."""
    book = collections.defaultdict(lambda: [0, 0])
    explored = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
    boards, read_games, left_out = {}, 0, 0
    for game, board, moves in read(path):
        if game.errors or not moves:
            left_out += 1
            continue
        read_games += 1
        result, last = result_of(game), {}
        ratings = {chess.WHITE: rating(game, "WhiteElo"), chess.BLACK: rating(game, "BlackElo")}
        for move in moves[:GAME_PLIES]:
            position = key(board)
            boards.setdefault(position, board.copy(stack=False))
            if result:
                won = {"white": 2 * board.turn, "draws": 1, "black": 2 * (not board.turn)}[result]
                played = book[position, raw_move(board, move)]
                played[0], played[1] = played[0] + 1, played[1] + won
            last[position] = board.uci(move, chess960=board.chess960), ratings[board.turn]
            board.push(move)
        for position, (uci, elo) in last.items():
            counter = explored[position][uci]
            counter.update({"games": 1, result or "unfinished": 1})
            if elo:
                counter.update({"rated": 1, "elo": elo})
    moves = compare_built_book(path, folder, book, boards)
    positions = compare_index(path, folder, explored)
    print(f"{path}: {read_games:,} games ({left_out} left out); {moves:,} moves in the book, {positions:,} positions queried")


def raw_move(board, move):
    """As the format has it: castling is king takes rook."""
    target = move.to_square
    if board.is_castling(move) and not board.chess960:
        rank = chess.square_rank(move.from_square)
        target = chess.square(7 if board.is_kingside_castling(move) else 0, rank)
    promotion = move.promotion - 1 if move.promotion else 0
    return target | move.from_square << 6 | promotion << 12


def compare_built_book(path, folder, book, boards):
    file = folder / "book.bin"
    file.unlink(missing_ok=True)
    if not any(count >= MIN_GAMES for count, _ in book.values()):
        # Games without a result leave nothing for a book.
        build = subprocess.run([vedette, "book", "build", path, "-o", file, "--min-games", str(MIN_GAMES), "--quiet"])
        expect(build.returncode != 0 and not file.exists(), path, "empty book", build.returncode)
        return 0
    run("book", "build", path, "-o", file, "--min-games", MIN_GAMES, "--plies", GAME_PLIES, "--quiet")
    built = {}
    with chess.polyglot.open_reader(file) as reader:
        for entry in reader:
            built[entry.key, entry.raw_move] = entry.weight
    expected = {}
    for (position, move), (count, points) in book.items():
        if count >= MIN_GAMES:
            expected[book_key(boards[position]), move] = points
    expect(expected == built, path, "book", set(expected.items()) ^ set(built.items()))
    return len(expected)


def compare_index(path, folder, explored):
    file = folder / "games.idx"
    file.unlink(missing_ok=True)
    run("explorer", "build", path, "-o", file, "--plies", GAME_PLIES, "--quiet")
    most = sorted(explored, key=lambda position: -sum(c["games"] for c in explored[position].values()))
    for position in most[:MOST_QUERIES]:
        found = json.loads(run("explorer", "query", file, "--fen", fen(position), "--json"))
        rows = {}
        for row in found["moves"]:
            counts = [row["games"], row["white"], row["draws"], row["black"], row["average_rating"]]
            rows[row["uci"]] = counts
        expected = {}
        for uci, counter in explored[position].items():
            average = counter["elo"] // counter["rated"] if counter["rated"] else None
            expected[uci] = [*(counter[name] for name in ("games", "white", "draws", "black")), average]
        expect(rows == expected, path, position, rows, expected)
    return min(len(most), MOST_QUERIES)


with tempfile.TemporaryDirectory() as work:
    for book in sorted((data / "polyglot").glob("*.bin")):
        compare_book(str(book))
    for name in games or sorted((data / "pgn").glob("*.pgn")):
        if not any(variant in str(name) for variant in OTHER_VARIANTS):
            compare_games(str(name), pathlib.Path(work))
print(f"{failures} differences")
sys.exit(failures > 0)
