// Parts of the page that need no browser: openings, variations, notation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { build } from 'esbuild';

const { outputFiles } = await build({
  stdin: { contents: "export * from './src/tree'; export * from './src/openings'; export * from './src/rules'; export * from './src/socket';", resolveDir: '.', loader: 'ts' },
  bundle: true, write: false, format: 'esm', target: 'es2022', loader: { '.txt': 'text' },
});
const page = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
const { Line, Tree, fromText, fromUci, isChess960, makeUci, openingOf, passingSquares, position, scoreText, share, spell } = page;

function after(moves) {
  const tree = new Tree();
  for (const text of moves.split(' ')) tree.at = tree.play(makeUci(fromText(tree.at.position, text)));
  return tree;
}

test('every line of the opening book is legal, and transpositions are known', () => {
  assert.equal(openingOf(new Tree().at), undefined);
  assert.equal(openingOf(after('e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6').at), 'Sicilian Defence, Najdorf Variation');
  assert.equal(openingOf(after('Nf3 Nf6 c4 g6 Nc3 Bg7 d4').at), "King's Indian Defence");
  assert.equal(openingOf(after('e4 e5 h4').at), 'Open Game', 'the last named position counts');
});

test('a game with variations and comments is written and read again', () => {
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

test('a game from elsewhere says where it begins, and that it is Chess960', () => {
  const shuffled = new Tree('bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w HFhf - 0 1');
  shuffled.tags.set('White', 'You');
  const pgn = shuffled.toPgn();
  assert.match(pgn, /\[White "You"\][^]*\[SetUp "1"\]\n\[FEN "bqnb1rkr[^"]*"\]\n\[Variant "Chess960"\]/);
  assert.equal(Tree.fromPgn(pgn).root.fen, shuffled.root.fen);
  const plain = new Tree().toPgn();
  assert.ok(!plain.includes('FEN') && !plain.includes('SetUp') && !plain.includes('Variant'), plain);
});

test('lines are promoted and removed', () => {
  const tree = after('e4 e5');
  const other = tree.play('c7c5', tree.root.children[0]);
  tree.promote(other);
  assert.equal(tree.end().san, 'c5');
  tree.at = other;
  tree.remove(other);
  assert.equal(tree.at.san, 'e4');
  assert.equal(tree.end().san, 'e5');
});

test('positions and games are told apart, and nonsense is refused in words', () => {
  assert.equal(Tree.fromText('8/8/8/8/8/8/4k3/7K w').root.position.turn, 'white');
  assert.equal(Tree.fromText('1. d4 d5').end().san, 'd5');
  assert.throws(() => Tree.fromText('8/8/8/8/8/8/8/8 w - - 0 1'), /empty|king/);
  assert.throws(() => position('nonsense'), /no FEN/);
  assert.throws(() => Tree.fromText('no game at all'), /no game/);
  assert.throws(() => Tree.fromText('1. Ke2 e5'), /Ke2 cannot be played/);
  const broken = Tree.fromText('1. e4 e5 2. Ke3 Nc6');
  assert.deepEqual([broken.end().san, broken.cutAt], ['e5', 'Ke3']);
  assert.equal(Tree.fromText('1. e4 *').cutAt, undefined);
});

test('moves are understood as people type them', () => {
  const at = new Tree('r3k2r/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQK2R w KQkq - 0 1').at.position;
  for (const text of ['O-O', '0-0', 'o-o', 'e1g1', 'e1h1']) assert.equal(makeUci(fromText(at, text)), 'e1h1', text);
  assert.equal(makeUci(fromText(at, 'nc3')), 'b1c3');
  assert.equal(fromText(at, 'Ke3'), undefined);
  assert.equal(fromUci(at, 'e2e5'), undefined);
});

test('Chess960 is seen by where kings and rooks stand', () => {
  assert.equal(isChess960(new Tree().at.position), false);
  assert.equal(isChess960(position('bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w HFhf - 0 1')), true);
  assert.equal(isChess960(position('rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1')), true);
  assert.equal(isChess960(position('4k3/8/8/8/8/8/8/4K3 w - - 0 1')), false);
});

test('scores are read from White, and lines are spelt as far as they are legal', () => {
  assert.deepEqual([{ cp: 31 }, { cp: -120 }, { cp: 0 }, { mate: -3 }].map(scoreText), ['+0.31', '−1.20', '0.00', '#-3']);
  assert.equal(share({ mate: 2 }), 1);
  assert.equal(share({ cp: 10, wdl: [300, 500, 200] }), 0.55);
  const line = spell(new Tree().at.position, ['e2e4', 'e7e5', 'e1e5']);
  assert.deepEqual(line.map(({ number, text }) => `${number}${text}`), ['1.e4', 'e5']);
});

test('a pawn is taken in passing only where it may have moved two squares, and where that is legal', () => {
  assert.deepEqual(passingSquares('4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1'), ['d6']);
  assert.deepEqual(passingSquares('4k3/8/8/8/3pPp2/8/8/4K3 b - - 0 1'), ['e3']);
  assert.deepEqual(passingSquares('4k3/8/8/3pPp2/8/8/8/4K3 w - - 0 1'), ['d6', 'f6']);
  assert.deepEqual(passingSquares('4k3/3n4/8/3pP3/8/8/8/4K3 w - - 0 1'), [], 'the pawn cannot have come from d7');
  assert.deepEqual(passingSquares('8/8/8/K2pP2r/8/8/8/4k3 w - - 0 1'), [], 'both pawns would leave the rank of king and rook');
  assert.deepEqual(passingSquares('4k3/8/8/4P3/8/8/8/4K3 w - - 0 1'), []);
  assert.deepEqual(passingSquares('8/8/8/8/8/8/8/8 w - - 0 1'), []);
});

/** A line to a studio that answers as it is told. */
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
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const line = new Line();
  const socket = sockets[0];
  socket.readyState = Socket.OPEN;
  return { line, sockets, socket, wake: () => wakes.forEach((wake) => wake()) };
}

test('what is asked is answered, refused, or ends when the line breaks', async (t) => {
  const { line: asked, sockets, socket, wake } = line(t);
  const [good, bad, lost] = ['game-list', 'nonsense', 'game-hint'].map((what) => asked.ask(what));
  const refused = assert.rejects(bad, /not understood/);
  const broken = assert.rejects(lost, /not there/);
  socket.say({ reply: 1, ok: 7 });
  socket.say({ reply: 2, error: 'not understood' });
  assert.equal(await good, 7);
  await refused;
  // The page wakes up between the end of the line and the news of it, and opens another.
  socket.readyState = 3;
  wake();
  assert.equal(sockets.length, 2);
  socket.onclose();
  await broken;
  await assert.rejects(asked.ask('hello'), /not there/);
});

test('whoever begins to listen is told how things stand now, unless gone before the answer', async (t) => {
  const { line: asked, socket } = line(t);
  const heard = [];
  asked.whenOpen((hello) => heard.push(['first', hello.game]));
  socket.onopen();
  socket.say({ reply: 1, ok: { game: 'old' } });
  await Promise.resolve();
  assert.deepEqual(heard, [['first', 'old']]);
  asked.whenOpen((hello) => heard.push(['second', hello.game]));
  asked.whenOpen(() => heard.push(['gone']))();
  assert.equal(heard.length, 1, 'the old news is not told');
  socket.say({ reply: 2, ok: { game: 'new' } });
  socket.say({ reply: 3, ok: { game: 'new' } });
  await Promise.resolve();
  assert.deepEqual(heard.slice(1), [['second', 'new']]);
  assert.equal(asked.hello.game, 'new');
});

test('a studio that does not answer is not waited for without end', async (t) => {
  const { line: asked } = line(t);
  const waits = assert.rejects(asked.ask('game-hint'), /does not answer/);
  t.mock.timers.tick(60_000);
  await waits;
});
