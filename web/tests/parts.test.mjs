// Parts of the page that need no browser: openings, variations, notation.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load } from './load.mjs';

const page = await load(['tree', 'games', 'history', 'brushes', 'comments', 'rules', 'client', 'notation', 'gif']);
const {
  BRUSHES,
  GifWriter,
  History,
  Palette,
  StudioClient,
  Tree,
  fromText,
  fromUci,
  castlingsOf,
  isChess960,
  makeUci,
  pairing,
  enPassantSquares,
  position,
  scoreOf,
  scoreText,
  share,
  spell,
  splitGames,
  tagsOf,
  titleOf,
  withCastling,
  withText,
  textOfComment,
} = page;

function after(moves) {
  const tree = new Tree();
  for (const text of moves.split(' ')) tree.at = tree.play(makeUci(fromText(tree.at.position, text)));
  return tree;
}

test('PGN with variations and comments round-trips', () => {
  const tree = after('e4 e5 Nf3');
  const second = tree.root.children[0];
  second.comment = 'the best by test';
  const sicilian = tree.play('c7c5', second);
  sicilian.nags = [1];
  tree.play('g1f3', sicilian);
  const pgn = tree.toPgn();
  const again = Tree.fromPgn(pgn);
  assert.equal(again.toPgn(), pgn);
  assert.match(pgn, /1\. e4 \{ the best by test \} e5 \( 1\.\.\. c5 \$1 2\. Nf3 \) 2\. Nf3/);
});

test('PGN of a set-up position has FEN and Variant tags', () => {
  const shuffled = new Tree('bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w HFhf - 0 1');
  shuffled.tags.set('White', 'You');
  const pgn = shuffled.toPgn();
  assert.match(pgn, /\[White "You"\][^]*\[SetUp "1"\]\n\[FEN "bqnb1rkr[^"]*"\]\n\[Variant "Chess960"\]/);
  assert.equal(Tree.fromPgn(pgn).root.fen, shuffled.root.fen);
  const plain = new Tree().toPgn();
  assert.ok(!plain.includes('FEN') && !plain.includes('SetUp') && !plain.includes('Variant'), plain);
});

test('PGN file is split into games despite an unclosed comment', () => {
  const first =
    '[Event "a"]\n[White "Ann \\"A\\""]\n[Black "Bob"]\n[Result "1/2-1/2"]\n[Date "1972.??.??"]\n\n1. e4 (1. d4 d5 1-0) e5 ; 0-1\n\n2. Nf3 1/2-1/2';
  const open = '[White "?"]\n\n1. c4 {oh\n1... c5 *';
  const last = '[Event "c"]\n\n1. d4 {see\n\n[Event "x"]\n\nthere} d5 {fine} *';
  for (const end of ['\n', '\r\n']) {
    const games = splitGames([`\uFEFF${first}`, open, last, '1. g3 * 1. b3 *', ''].join('\n\n').replaceAll('\n', end));
    assert.deepEqual(
      games.map((game) => Tree.fromPgn(game).end().san),
      ['Nf3', 'c4', 'd5', 'g3', 'b3'],
    );
    assert.deepEqual(
      games.map((game) => titleOf(tagsOf(game))),
      ['Ann "A" – Bob · ½–½ · a · 1972', 'Untitled game', 'c', 'Untitled game', 'Untitled game'],
    );
  }
  assert.deepEqual(splitGames('nothing here\n'), []);
  assert.deepEqual([pairing('Ann', '?'), pairing('?', '?')], ['Ann – ?', 'Untitled game']);
});

/** Texts and the games in them, to which the reader in crates/record is held as well. */
const CASES = JSON.parse(readFileSync(new URL('../../crates/record/tests/pgn-games.json', import.meta.url), 'utf8'));

test('PGN text is split into games', async (t) => {
  for (const { case: name, text, games } of CASES) await t.test(name, () => gamesOf(text, games));
});

function gamesOf(text, games) {
  for (const end of ['\n', '\r\n']) {
    const found = splitGames(text.join(end)).map((pgn) => {
      const sans = Tree.fromPgn(`[From "the table"]\n${pgn}`)
        .end()
        .path.slice(1)
        .map(({ san }) => san)
        .join(' ');
      return { tags: Object.fromEntries(tagsOf(pgn)), moves: sans };
    });
    assert.deepEqual(
      found,
      games.map(({ tags = {}, moves }) => ({ tags, moves })),
      `lines end with ${JSON.stringify(end)}`,
    );
  }
}

test('null moves stay in variations, the engine gets the moves after them', () => {
  const tree = Tree.fromPgn('1. e4 (1. -- d5 2. Z0 d4 (2... @@@@ 3. e4 0000)) e5 *');
  assert.equal(tree.cutAt, undefined);
  assert.match(tree.toPgn(), /1\. e4 \( 1\. -- d5 2\. -- d4 \( 2\.\.\. -- 3\. e4 -- \) \) 1\.\.\. e5/);
  assert.equal(Tree.fromPgn(tree.toPgn()).toPgn(), tree.toPgn());
  const [passed] = tree.root.children.slice(1);
  const d5 = passed.children[0];
  assert.deepEqual(d5.played, { start: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1', moves: ['d7d5'] });
  assert.deepEqual(tree.end().played, { start: tree.root.fen, moves: ['e2e4', 'e7e5'] });
  assert.equal(tree.play('0000', d5).fen, 'rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 2');
  const checked = new Tree('4k3/8/8/8/8/8/4r3/4K3 w - - 0 1');
  assert.equal(checked.play('0000'), undefined);
});

test('foreign piece letters are not misread', () => {
  for (const [pgn, read, cutAt] of [
    ['1. e4 e5 2. Sf3 Sc6', 'e4 e5', 'Sf3'],
    ['1.e4 e5 2.♘f3 ♞c6', 'e4 e5', '♘f3'],
    ['1. e4 e5 2. nf3', 'e4 e5', 'nf3'],
    ['1. e4 d5 2. e:d5', 'e4 d5', 'e:d5'],
    ['1. e4 (1. d4 Sf6) e5', 'e4 e5', 'Sf6'],
    [
      '1. e4! {Sf3 is a thought} e5 2. Nf3, Nc6?! $3 3. Bb5ch a6 4. O-O ; 4. Sc3\n d6 5. Re1 =',
      'e4 e5 Nf3 Nc6 Bb5 a6 O-O d6 Re1',
      undefined,
    ],
  ]) {
    const tree = Tree.fromPgn(pgn);
    assert.deepEqual(
      [
        tree
          .end()
          .path.slice(1)
          .map(({ san }) => san)
          .join(' '),
        tree.cutAt?.san,
      ],
      [read, cutAt],
      pgn,
    );
  }
});

test('braces in a comment become parentheses', () => {
  const tree = after('e4');
  tree.at.comment = 'a set {1, 2} of } moves';
  tree.root.comment = '{';
  const again = Tree.fromPgn(tree.toPgn());
  assert.deepEqual([again.end().comment, again.root.comment], ['a set (1, 2) of ) moves', '(']);
});

test('comment is split into text, commands and score', () => {
  const comment = '[%eval -1.5] a  [mere]\nthought [%cal Ge2e4,Rd2d4]';
  assert.equal(textOfComment(comment), 'a [mere] thought');
  assert.equal(withText(comment, 'another'), '[%eval -1.5] [%cal Ge2e4,Rd2d4] another');
  assert.equal(withText('[%clk 0:01:00]', ''), '[%clk 0:01:00]');
  assert.deepEqual(
    [scoreOf(comment, true), scoreOf('[%eval #-3]', true), scoreOf('no', true)],
    ['−1.50', '#−3', undefined],
  );
  // In a match the score is that of the side that moved, and there are no words.
  assert.deepEqual(
    [
      scoreOf('+0.31/12 0.5s', true),
      scoreOf('+0.31/12 0.5s', false),
      scoreOf('0.00/9 0.1s', false),
      scoreOf('-M3/9 0.1s', false),
    ],
    ['+0.31', '−0.31', '0.00', '+M3'],
  );
  assert.equal(textOfComment('+0.31/12 0.5s'), '');
});

test('variations are promoted and removed', () => {
  const tree = after('e4 e5');
  const other = tree.play('c7c5', tree.root.children[0]);
  tree.promote(other);
  assert.equal(tree.end().san, 'c5');
  tree.at = other;
  tree.remove(other);
  assert.equal(tree.at.san, 'e4');
  assert.equal(tree.end().san, 'e5');
});

test('FEN and PGN are recognised, other text is refused', () => {
  assert.equal(Tree.fromText('8/8/8/8/8/8/4k3/7K w').root.position.turn, 'white');
  assert.equal(Tree.fromText('1. d4 d5').end().san, 'd5');
  assert.throws(() => Tree.fromText('8/8/8/8/8/8/8/8 w - - 0 1'), /empty|king/);
  assert.throws(() => position('nonsense'), /not a valid FEN: expected 8 ranks, found 1/);
  assert.throws(() => position('8/8/8/8/8/8/4k3/6K w - - 0 1'), /rank 1 has 7 squares/);
  assert.throws(() => Tree.fromText('no game at all'), /no PGN or FEN/);
  assert.throws(() => Tree.fromText('1. Ke2 e5'), /illegal move 1\. Ke2/);
  const broken = Tree.fromText('1. e4 e5 2. Ke3 Nc6');
  assert.deepEqual([broken.end().san, broken.cutAt], ['e5', { number: '2.', san: 'Ke3' }]);
  assert.equal(Tree.fromText('1. e4 *').cutAt, undefined);
});

test('castling squares in standard chess and Chess960', () => {
  const squares = (fen, text) => played(fen, text).at.squares.join(' ');
  const played = (fen, text) => {
    const tree = new Tree(fen);
    tree.at = tree.play(makeUci(fromText(tree.at.position, text)));
    return tree;
  };
  const plain = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
  assert.deepEqual(
    ['O-O', 'O-O-O', 'Rg1'].map((text) => squares(plain, text)),
    ['e1 g1', 'e1 c1', 'h1 g1'],
  );
  assert.equal(squares(plain.replace(' w ', ' b '), 'O-O'), 'e8 g8');
  assert.equal(squares('4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1', 'O-O'), 'f1 g1');
  assert.equal(squares('4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1', 'O-O-O'), 'f1 b1');
  assert.equal(new Tree().at.squares, undefined);
});

test('typed moves in SAN and UCI notation', () => {
  const at = new Tree('r3k2r/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQK2R w KQkq - 0 1').at.position;
  for (const text of ['O-O', '0-0', 'o-o', 'e1g1', 'e1h1']) assert.equal(makeUci(fromText(at, text)), 'e1h1', text);
  assert.equal(makeUci(fromText(at, 'nc3')), 'b1c3');
  assert.equal(fromText(at, 'Ke3'), undefined);
  assert.equal(fromUci(at, 'e2e5'), undefined);
});

test('Chess960 is recognised by castling rights', () => {
  assert.equal(isChess960(new Tree().at.position), false);
  assert.equal(isChess960(position('bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w HFhf - 0 1')), true);
  assert.equal(isChess960(position('rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1')), true);
  assert.equal(isChess960(position('4k3/8/8/8/8/8/8/4K3 w - - 0 1')), false);
});

test('castling rights by side and by file', () => {
  const shuffled = 'bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w HFhf - 3 9';
  assert.deepEqual(castlingsOf(shuffled), ['K', 'Q', 'k', 'q']);
  assert.equal(withCastling(shuffled, 'Q', false), 'Kkq');
  assert.deepEqual(castlingsOf(shuffled.replace('HFhf', 'Hf')), ['K', 'q']);
  // Of two rooks on a side the inner one castles, and stays the one that does.
  const inner = '4k3/8/8/8/8/8/8/RR2K2R w BH - 0 1';
  assert.deepEqual(castlingsOf(inner), ['K', 'Q']);
  assert.equal(withCastling(inner, 'K', false), 'B');
  assert.equal(withCastling(inner.replace('BH', '-'), 'Q', true), 'Q');
  assert.deepEqual(castlingsOf('nonsense'), []);
});

test('splitting PGN takes linear time', () => {
  const count = 60_000;
  assert.equal(splitGames('[Event "a"]\n\n1. e4 {open\n\n'.repeat(count)).length, count);
  assert.equal(splitGames(`1. e4 {${'\n\n[Event "a"]'.repeat(count)}} *`).length, 1);
  for (const part of ['{ [Event \n', '{}', '[]', '[A ', '(', ';{\n', '%', '\r']) {
    assert.deepEqual(
      splitGames(`1. e4 ${part.repeat(1_000_000 / part.length)}`).map((game) => game.slice(0, 5)),
      ['1. e4'],
      part,
    );
    tagsOf(part.repeat(1_000_000 / part.length));
  }
});

test('redo until the next change', () => {
  const history = new History();
  assert.equal(history.undo('now'), undefined);
  history.record('first', 'a');
  history.record('second', 'b');
  assert.deepEqual(history.undo('c'), { what: 'second', state: 'b' });
  assert.equal(history.last, 'first');
  assert.deepEqual(history.redo('b'), { what: 'second', state: 'c' });
  history.undo('c');
  history.record('third', 'b');
  assert.equal(history.redo('d'), undefined);
  for (let step = 0; step < 500; step++) history.record(String(step), step);
  let steps = 0;
  while (history.undo('x')) steps++;
  assert.equal(steps, 200);
});

/** A colour in CIE Lab. */
function lab(rgb) {
  const [r, g, b] = rgb.map((value) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  const f = (t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const [x, y, z] = [
    (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
    0.2126 * r + 0.7152 * g + 0.0722 * b,
    (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
  ].map(f);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

test('arrows contrast with every square of all boards in both themes', () => {
  const theme = readFileSync(new URL('../src/style/theme.css', import.meta.url), 'utf8');
  const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const squares = [...theme.matchAll(/--square-(?:light|dark): (#\w{6})/g)].map(([, hex]) => rgb(hex));
  assert.equal(squares.length, 2 * 2 * 4);
  for (const { key, color, opacity } of Object.values(BRUSHES)) {
    for (const square of squares) {
      const seen = rgb(color).map((value, at) => value * opacity + square[at] * (1 - opacity));
      const [one, other] = [lab(seen), lab(square)];
      const distance = Math.hypot(...one.map((value, at) => value - other[at]));
      assert.ok(distance > 20, `${key} on ${square}: ${distance.toFixed(1)}`);
    }
  }
});

test("scores are White's, lines end at the first illegal move", () => {
  assert.deepEqual([{ cp: 31 }, { cp: -120 }, { cp: 0 }, { mate: -3 }, { cp: 19993 }, { cp: -20000 }].map(scoreText), [
    '+0.31',
    '−1.20',
    '0.00',
    '#−3',
    '+TB',
    '−TB',
  ]);
  assert.equal(share({ mate: 2 }, [0, 0, 0]), 1);
  assert.equal(share({ cp: 10 }, [300, 500, 200]), 0.55);
  const line = spell(new Tree().at.position, ['e2e4', 'e7e5', 'e1e5']);
  assert.deepEqual(
    line.map(({ number, text }) => `${number}${text}`),
    ['1.e4', 'e5'],
  );
});

test('en passant squares are legal ones only', () => {
  assert.deepEqual(enPassantSquares('4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1'), ['d6']);
  assert.deepEqual(enPassantSquares('4k3/8/8/8/3pPp2/8/8/4K3 b - - 0 1'), ['e3']);
  assert.deepEqual(enPassantSquares('4k3/8/8/3pPp2/8/8/8/4K3 w - - 0 1'), ['d6', 'f6']);
  assert.deepEqual(enPassantSquares('4k3/3n4/8/3pP3/8/8/8/4K3 w - - 0 1'), [], 'the pawn cannot have come from d7');
  assert.deepEqual(
    enPassantSquares('8/8/8/K2pP2r/8/8/8/4k3 w - - 0 1'),
    [],
    'both pawns would leave the rank of king and rook',
  );
  assert.deepEqual(enPassantSquares('4k3/8/8/4P3/8/8/8/4K3 w - - 0 1'), []);
  assert.deepEqual(enPassantSquares('8/8/8/8/8/8/8/8 w - - 0 1'), []);
});

/** Lets promises that are settled already run their callbacks. */
const settled = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

/** A connection to a studio that replies as it is told. */
function line(t) {
  const sockets = [];
  class Socket {
    static OPEN = 1;
    static CLOSED = 3;
    readyState = 0;
    sent = [];
    constructor() {
      sockets.push(this);
    }
    send(text) {
      this.sent.push(JSON.parse(text));
    }
    say(message) {
      this.onmessage({ data: JSON.stringify(message) });
    }
  }
  const wakes = [];
  Object.assign(globalThis, {
    WebSocket: Socket,
    location: { host: 'here' },
    window: { addEventListener: (_, wake) => wakes.push(wake) },
    document: { addEventListener: () => {}, visibilityState: 'visible' },
  });
  // All timers: how to name some has changed between versions of Node.
  t.mock.timers.enable();
  const line = new StudioClient();
  const socket = sockets[0];
  socket.readyState = Socket.OPEN;
  return { line, sockets, socket, wake: () => wakes.forEach((wake) => wake()) };
}

test('requests are answered, refused, or fail with the connection', async (t) => {
  const { line: asked, sockets, socket, wake } = line(t);
  const [good, wrong, bad, lost] = [
    ['library', { library: { search: { text: '', source: null, skip: 0 } } }],
    ['done', { library: { search: { text: '', source: null, skip: 0 } } }],
    ['done', 'nonsense'],
    ['hint', { game: 'hint' }],
  ].map(([kind, request]) => asked.ask(request, kind));
  const unexpected = assert.rejects(wrong, /unexpected reply/);
  const refused = assert.rejects(bad, /not understood/);
  const broken = assert.rejects(lost, /not running/);
  socket.say({ number: 1, ok: { kind: 'library', value: [7] } });
  socket.say({ number: 2, ok: { kind: 'library', value: [7] } });
  socket.say({ number: 3, error: 'not understood' });
  assert.deepEqual(await good, [7]);
  await unexpected;
  await refused;
  // The page wakes up between the end of the line and the news of it, and opens another.
  socket.readyState = 3;
  wake();
  assert.equal(sockets.length, 2);
  socket.onclose();
  await broken;
  await assert.rejects(asked.ask('hello', 'hello'), /not running/);
});

test('new listeners get the current state', async (t) => {
  const { line: asked, socket } = line(t);
  const heard = [];
  asked.whenOpen((hello) => heard.push(['first', hello.game]));
  socket.onopen();
  socket.say({ number: 1, ok: { kind: 'hello', value: { game: 'old' } } });
  await settled();
  assert.deepEqual(heard, [['first', 'old']]);
  asked.whenOpen((hello) => heard.push(['second', hello.game]));
  asked.whenOpen(() => heard.push(['gone']))();
  assert.equal(heard.length, 1, 'the old news is not told');
  for (const number of [2, 3]) socket.say({ number, ok: { kind: 'hello', value: { game: 'new' } } });
  await settled();
  assert.deepEqual(heard.slice(1), [['second', 'new']]);
  assert.equal(asked.hello.game, 'new');
});

for (const [allowed, words] of [
  [false, /open the link/],
  [true, /not running/],
]) {
  test(`a connection that fails ${allowed ? 'with' : 'without'} the token says what to do`, async (t) => {
    const { line: asked, socket } = line(t);
    const asks = [];
    t.mock.method(globalThis, 'fetch', async (path) => {
      asks.push(path);
      return { json: async () => allowed };
    });
    let refused = 0;
    asked.on('refused', () => refused++);
    socket.readyState = 3;
    socket.onclose();
    await settled();
    assert.deepEqual([asks, refused], [['/access'], allowed ? 0 : 1]);
    await assert.rejects(asked.ask('hello', 'hello'), words);
  });
}

test('requests time out', async (t) => {
  const { line: asked } = line(t);
  const waits = assert.rejects(asked.ask({ game: 'hint' }, 'hint'), /did not respond/);
  t.mock.timers.tick(60_000);
  await waits;
});

/** What a GIF's compressed data contains. */
function unpack(bytes, bits) {
  let at = 0;
  const read = (size) => {
    let code = 0;
    for (let bit = 0; bit < size; bit++, at++) code |= ((bytes[at >> 3] >> (at & 7)) & 1) << bit;
    return code;
  };
  const [clear, end] = [2 ** bits, 2 ** bits + 1];
  const found = [];
  for (let [table, size, last] = [[], bits + 1, undefined]; ; ) {
    const code = read(size);
    if (code === end) return found;
    if (code === clear) {
      table = Array.from({ length: end + 1 }, (_, index) => [index]);
      [size, last] = [bits + 1, undefined];
      continue;
    }
    assert.ok(code <= table.length, 'a code that is known');
    const entry = table[code] ?? [...last, last[0]];
    found.push(...entry);
    if (last && table.length < 4096) table.push([...last, entry[0]]);
    if (table.length === 2 ** size && size < 12) size++;
    last = entry;
  }
}

test('GIF has the pixels of its frames', async () => {
  // Pseudo-random pixels need codes of every length, and several tables.
  let state = 1;
  const random = (below) => (state = (state * 48_271) % 2_147_483_647) % below;
  for (const [colors, side] of [
    [3, 2],
    [4, 60],
    [200, 150],
  ]) {
    const shade = (index) => [8 * (index % 32), 8 * Math.floor(index / 32), 128, 255];
    const sample = Uint8ClampedArray.from(Array.from({ length: colors }, (_, index) => shade(index)).flat());
    const palette = new Palette(sample);
    const indexes = Array.from({ length: side * side }, () => random(colors));
    const pixels = Uint8ClampedArray.from(indexes.flatMap(shade));
    const gif = new GifWriter(side + 1, side, palette);
    gif.frame({ x: 1, y: 0, width: side, height: side, pixels, seconds: 0.5 });
    const bytes = new Uint8Array(await gif.end().arrayBuffer());
    const bits = (bytes[10] & 7) + 1;
    const start = 13 + 3 * 2 ** bits + 19 + 8 + 10;
    assert.equal(bytes[start], bits);
    const packed = [];
    let at = start + 1;
    for (; bytes[at] > 0; at += bytes[at] + 1) packed.push(...bytes.subarray(at + 1, at + 1 + bytes[at]));
    assert.deepEqual([bytes[at + 1], at + 2], [0x3b, bytes.length]);
    const found = unpack(packed, bits).map((index) => palette.colors[index]);
    assert.deepEqual(
      found,
      indexes.map((index) => shade(index).slice(0, 3)),
    );
  }
});
