// The studio in a real browser, from end to end.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { test } from 'node:test';
import { KEYS, eventually } from './browser.mjs';
import { LOUD, useStudio } from './studio.mjs';

const { CONTROL, DOWN, ENTER, ESCAPE, LEFT, UP } = KEYS;
const SCHOLARS_MATE =
  '[White "Alice"]\n[Black "Bob"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n[White "Broken"]\n\n1. e4 e5 2. Ke3 *\n';
const MATE_IN_ONE = '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1';
const OPEN_GAME = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2';
const TWO_ROOKS = '8/8/8/4k3/8/8/R7/1R5K w - - 0 1';
const PROMOTION = '8/P6k/8/8/8/8/6K1/8 w - - 0 1';

const { studio, browser } = useStudio();

test('page is small and loads nothing from elsewhere', async () => {
  await studio.view('play');
  await browser.find('h1', 'Play Vedette');
  await browser.find('button[aria-label="Sound: off"]');
  const loaded = await browser.run(() => performance.getEntriesByType('resource').map(({ name }) => name));
  assert.ok(
    loaded.every((name) => name.startsWith(studio.url)),
    String(loaded),
  );
  const texts = await Promise.all(loaded.filter((name) => /\.(js|css)$/.test(name)).map((name) => fetch(name)));
  const bytes = (await Promise.all(texts.map((reply) => reply.text())))
    .map((text) => gzipSync(text).length)
    .reduce((sum, size) => sum + size, 0);
  assert.ok(loaded.length <= 4 && bytes > 50_000 && bytes < 150_000, `${loaded.length} files, ${bytes} bytes`);
  const timing = await browser.run(() => performance.getEntriesByType('navigation')[0].loadEventEnd);
  console.log(`# the page was loaded after ${Math.round(timing)} ms`);
  await studio.quiet();
});

test('game survives a reload and a killed studio', async () => {
  await studio.view('play');
  await browser.click('.choices label', 'White');
  await browser.set('#level', '800');
  await browser.click('button.primary', 'Start');
  await browser.find('.entry');
  await browser.drag('e2', 'e4');
  await studio.moves(2);
  await browser.until('the name of an opening', () => document.querySelector('.opening')?.textContent.trim());
  await browser.click('button', 'Take back');
  await studio.moves(0);
  await browser.drag('d2', 'd4');
  await studio.moves(2);
  await browser.click('button', 'Hint');
  await browser.until('an arrow', () => document.querySelector('.cg-shapes g line, .cg-shapes line'));
  const moves = await browser.text('.moves');
  await browser.reload();
  await browser.until(
    'the game after a reload',
    (moves) => document.querySelector('.moves')?.innerText === moves,
    moves,
  );
  await studio.stop();
  await browser.find('.offline', 'reconnecting');
  await studio.again();
  await studio.connected();
  await browser.until(
    'the game after a crash',
    (moves) => document.querySelector('.moves')?.innerText === moves,
    moves,
  );
  await studio.picture('play');
  await onlyTheLineBroke();
});

/** That the studio was gone for a moment is the only complaint. */
async function onlyTheLineBroke() {
  const complaints = await browser.complaints();
  assert.ok(
    complaints.every((text) => text.includes('/socket') || text.includes('ERR_CONNECTION_REFUSED')),
    complaints.join('\n'),
  );
}

test('game continues after visiting another view', async () => {
  await studio.playFrom(OPEN_GAME);
  await browser.type('.entry', `Nf3${ENTER}`);
  await studio.moves(2);
  await browser.type('.entry', `h3${ENTER}`);
  await studio.moves(4);
  const moves = await browser.text('.moves');
  await browser.click('nav a', 'Analyse');
  await browser.find('.engine-head');
  await browser.click('nav a', 'Play');
  await browser.until('the game of before', (moves) => document.querySelector('.moves')?.innerText === moves, moves);
  await browser.type('.entry', `a3${ENTER}`);
  await studio.moves(6);
  assert.equal(await browser.run(() => document.querySelectorAll('.notice').length), 0, 'nothing was refused');
  await studio.quiet();
});

test("typed text survives the engine's move, resigning asks first", async () => {
  await studio.view('play');
  await browser.click('button', 'New game');
  await browser.click('button.primary', 'Start');
  await browser.type('.entry', `e4${ENTER}d`);
  await studio.moves(2);
  assert.equal(
    await browser.run(
      () => document.activeElement === document.querySelector('.entry') && document.activeElement.value,
    ),
    'd',
  );
  await browser.click('button', 'Resign');
  await browser.find('button.danger', 'Resign?');
  assert.equal(await browser.run(() => document.querySelector('.result h2')?.textContent ?? ''), '');
  await browser.click('button.danger', 'Resign?');
  await browser.find('.result h2', 'Vedette won');
  await studio.quiet();
});

test('finished game is reviewed with one click', async () => {
  await studio.playFrom(MATE_IN_ONE);
  await browser.drag('a1', 'a8');
  await browser.find('.result h2', 'You won');
  await studio.picture('result');
  await eventually('the file of the game', () =>
    readdirSync(join(studio.folder, 'games')).some((name) => name.endsWith('.pgn')),
  );
  await browser.click('.result button', 'Review game');
  await browser.find('.accuracy');
  await studio.quiet();
});

test('promotion piece is chosen', async () => {
  await studio.playFrom(PROMOTION);
  await browser.drag('a7', 'a8');
  await browser.find('.promotion');
  await studio.picture('promotion');
  await browser.click('.promotion button[aria-label=rook]');
  await browser.find('.moves .move', 'a8=R');
  await studio.quiet();
});

test('game is played by keyboard', async () => {
  await studio.playFrom(MATE_IN_ONE);
  await browser.run(() => document.querySelector('main .framed .board').focus());
  // The cursor begins on e2: down and left to a1, pick up, up to a8, put down.
  await browser.keys(DOWN, LEFT, LEFT, LEFT, LEFT, ENTER, UP, UP, UP, UP, UP, UP, UP, ENTER);
  await browser.find('.result h2', 'You won');
  await studio.playFrom(MATE_IN_ONE);
  await browser.type('.entry', `Rb1${ENTER}`);
  await browser.find('.moves .move', 'Rb1');
  await studio.quiet();
});

test('position is entered, played and reviewed by keyboard', async () => {
  await studio.view('analyse');
  await browser.find('.engine-head .score');
  for (const name of ['Position', 'FEN']) {
    await browser.tabTo(name);
    await browser.keys(ENTER);
  }
  await browser.chord(CONTROL, 'a');
  await browser.keys(...TWO_ROOKS, ENTER);
  await browser.until('the position', (fen) => document.querySelector('.field input.mono')?.value === fen, TWO_ROOKS);
  for (const name of ['Continue in', 'Play from here', 'Start']) {
    await browser.tabTo(name);
    await browser.keys(ENTER);
  }
  await browser.find('.entry');
  for (let moves = 0; moves < 40 && !(await browser.text('.result h2')); moves += 2) {
    await browser.tabTo('Hint');
    await browser.keys(ENTER);
    const hint = await browser.until(
      'a hint',
      () => /^Hint: (.*)/.exec(document.getElementById('announcer').textContent)?.[1],
    );
    await browser.tabTo('Type a move');
    await browser.keys(...hint, ENTER);
    await browser.until(
      'an answer',
      (moves) =>
        document.querySelector('.result h2')?.textContent ||
        document.querySelectorAll('.moves .row .move').length === moves + 2,
      moves,
    );
  }
  await browser.find('.result h2', 'You won');
  await browser.tabTo('Review game');
  await browser.keys(ENTER);
  await browser.find('.accuracy');
  await studio.quiet();
});

test('Chess960 and clocks', async () => {
  await studio.view('play');
  await browser.click('button', 'New game');
  await browser.click('.choices label', 'Clock');
  await browser.click('.chip', '3+2');
  await browser.click('.toggle', 'Chess960');
  await browser.click('button.primary', 'Start');
  await browser.until(
    'two clocks',
    () =>
      document.querySelectorAll('.clock').length === 2 &&
      /^[23]:\d\d$/.test(document.querySelector('.clock').textContent),
  );
  await browser.find('.opening', 'Chess960');
  // Whatever stands behind it, this pawn can move.
  await browser.type('.entry', `a3${ENTER}`);
  await browser.until('both clocks after the moves', () => document.querySelectorAll('.comment-clock').length === 2);
  await browser.find('.comment-clock', '3:00');
  await browser.click('button', 'Resign');
  await browser.click('button', 'Resign?');
  await browser.find('.result');
  await studio.quiet();
});

test('analysis shows lines, bar, WDL, arrows and preview boards', async () => {
  await studio.view('analyse');
  await studio.drawer('Position');
  await browser.click('button', 'New');
  await browser.until(
    'two lines',
    () =>
      document.querySelectorAll('.lines li .pv .move').length > 4 &&
      document.querySelectorAll('.lines li').length === 2,
  );
  await browser.find('.engine-head .score');
  await browser.until('chances', () => document.querySelectorAll('.wdl span').length === 3);
  await browser.until('arrows', () => document.querySelectorAll('.cg-shapes line').length >= 2);
  await browser.run(() => document.querySelector('.lines .pv .move').dispatchEvent(new MouseEvent('mouseenter')));
  await browser.until('a small board', () => document.querySelectorAll('.preview:not([hidden]) piece').length === 32);
  await browser.drag('e2', 'e4');
  await browser.find('.opening', "B00 King's Pawn Game");
  await browser.type('.entry', `c5${ENTER}`);
  await browser.find('.opening', 'B20 Sicilian Defense');
  await browser.keys(ESCAPE, LEFT);
  await browser.type('.entry', `e5${ENTER}`);
  await browser.find('.moves .variation', 'e5');
  await browser.set('textarea', 'the open game');
  await browser.find('.moves .comment', 'the open game');
  await studio.picture('analyse');
  const moves = await browser.text('.moves');
  await browser.reload();
  await browser.until(
    'the variations after a reload',
    (moves) => document.querySelector('.moves')?.innerText === moves,
    moves,
  );
  await studio.quiet();
});

test('engine in use in another tab can be taken back', async () => {
  await studio.view('analyse');
  await browser.find('.engine-head .score');
  await browser.run(() => {
    const other = new WebSocket(`ws://${location.host}/socket`);
    window.other = other;
    other.heard = 0;
    other.onmessage = () => other.heard++;
    other.onclose = ({ code, reason }) => document.body.append(`the other page lost its line: ${code} ${reason}`);
    // Every search of a page has a number of its own.
    other.take = (run, take = true) =>
      other.send(
        JSON.stringify({
          number: run,
          request: {
            analysis: {
              start: {
                setup: {
                  position: { start: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' },
                  lines: 1,
                  threads: 1,
                  hash: 16,
                  run,
                  depth: null,
                },
                take,
              },
            },
          },
        }),
      );
    other.onopen = () => other.take(1, false);
  });
  await browser.until('a line for the other page', () => window.other.readyState === WebSocket.OPEN);
  // Unasked, the engine stays where it is.
  await browser.until('an answer to the other page', () => window.other.heard > 1);
  assert.doesNotMatch(await browser.text('.engine-head'), /in use/);
  await browser.run(() => window.other.take(3));
  await browser.find('.engine-head', 'in use in another tab');
  await browser.until(
    'no lines and arrows of before',
    () => !document.querySelector('.cg-shapes line, .lines li') && document.querySelector('.bar.off'),
  );
  // The last words of the search that was ended do not hide it: they have come when the other page hears of its own.
  await browser.until('news of the other search', () => window.other.heard > 7);
  await browser.click('.engine-head button', 'Use it here');
  await browser.find('.engine-head .score');
  // Taken once more, it comes back by itself when the other page goes.
  await browser.run(() => window.other.take(4));
  await browser.find('.engine-head', 'in use in another tab');
  await browser.run(() => {
    window.other.onclose = null;
    window.other.close();
  });
  await browser.find('.engine-head .score');
  await studio.quiet();
});

test('dropped PGN is loaded, invalid text is refused once', async () => {
  await studio.view('analyse');
  await studio.drop(SCHOLARS_MATE, 'games.pgn');
  await studio.moves(7);
  await studio.paste('no game at all');
  await studio.paste('no game at all');
  await browser.find('.notice', 'No PGN or FEN found');
  await browser.until('one message', () => document.querySelectorAll('.notice.error').length === 1);
  await studio.moves(7);
  await browser.click('.moves .move', 'Qxf7#');
  await browser.find('.engine-head', 'Checkmate');
  await studio.quiet();
});

test('position is edited', async () => {
  await studio.view('analyse');
  await studio.drawer('Position');
  await browser.click('button', 'Edit position');
  await browser.click('button', 'Clear');
  await browser.find('.form-error', 'Invalid position');
  for (const [man, square] of [
    ['white king', 'e1'],
    ['black king', 'e8'],
    ['white queen', 'd1'],
  ]) {
    await browser.click(`.palette button[aria-label="${man}"]`);
    await browser.drag(square, square);
  }
  await browser.set('.panel input.mono', '4k3/8/8/3pPp2/8/8/8/4K3 w - - 0 1');
  await browser.find('.field', 'En passant');
  await browser.set('.panel .field select', 'f6');
  await browser.until(
    'the square in the FEN',
    () => document.querySelector('.panel input.mono').value === '4k3/8/8/3pPp2/8/8/8/4K3 w - f6 0 1',
  );
  await studio.picture('editor');
  await browser.click('button.primary', 'Use position');
  await browser.until('the position', () => document.querySelectorAll('.framed piece:not(.ghost)').length === 5);
  await browser.type('.entry', `exf6${ENTER}`);
  await browser.find('.moves .move', 'exf6');
  await studio.quiet();
});

test('large PGN is reviewed, too large a file is refused', async () => {
  const paste = (games) =>
    browser.run((games) => {
      const data = new DataTransfer();
      data.setData('text/plain', '[Event "Many"]\n\n1. e4 *\n\n'.repeat(games));
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    }, games);
  await studio.view('review');
  await paste(20_000);
  await browser.find('.review', '0.5 MB of games');
  await browser.click('button', 'Clear');
  await browser.find('.review textarea');
  await paste(400_000);
  await browser.find('.review', '10.0 MB of games');
  await browser.click('button.primary', 'Review');
  await browser.find('.notice', 'Too large for the page');
  await browser.click('button', 'Clear');
  await studio.quiet();
});

test('review shows accuracy, graph, mistakes and broken games', async () => {
  await studio.view('review');
  await studio.paste(SCHOLARS_MATE);
  await browser.set('select', 'd8');
  await browser.click('button.primary', 'Review');
  await browser.find('h1', 'Alice – Bob');
  await browser.find('.warnings', '1 game skipped');
  await browser.until('a graph', () => document.querySelector('.graph canvas'));
  // The better line of another move may have Nf6 as well.
  await browser.click('.moves .move', 'Nf6??');
  await browser.find('.note', 'blunder');
  await browser.find('.note', 'Better');
  await studio.picture('review');
  await browser.click('button.primary', "Learn from Black's mistakes");
  await browser.find('.note', 'Find a better move');
  await browser.drag('a7', 'a6');
  await browser.find('.wrong', "a6 isn't best");
  await browser.click('button', 'Show solution');
  await browser.find('.right', 'Better');
  const reviews = join(studio.folder, 'reviews');
  await eventually('the annotated game', () =>
    readdirSync(reviews)
      .filter((name) => name.endsWith('.pgn'))
      .some((name) => /Nf6\s+\$4\s+\{.*Blunder.*\}\s+\(3\.\.\. /s.test(readFileSync(join(reviews, name), 'utf8'))),
  );
  await eventually(
    'nothing half done',
    () => !readdirSync(reviews).some((name) => /\.(part|order|journal)$/.test(name)),
  );
  await studio.quiet();
});

test('microscope finds a re-search and answers why not', async () => {
  await studio.view('microscope');
  await browser.set('input.mono', LOUD);
  await browser.set('select', '7');
  await browser.click('button.primary', 'Record');
  await browser.find('.tree .inside .node');
  await browser.set('.filter', 'purpose:re-search');
  await browser.click('.tree .node', 're-search');
  await browser.find('.facts', 're-search');
  await browser.click('button[aria-label="Parent node"]');
  await browser.set('.filter', 'whole');
  await browser.until('moves', () => document.querySelectorAll('.tree .inside .node').length > 20);
  await browser.until('effort', () => document.querySelectorAll('.tree .inside .node .effort').length > 1);
  await browser.type('#why-not', `gxh3${ENTER}`);
  await browser.find('.why', 'Why not gxh3?');
  // Of a line that was searched to its end every move is told: its number says whose it is, and it leads to its node.
  const [first, second] = (await browser.text('.panel > p strong')).split(' ');
  await browser.set('#why-not', `${first} ${second}`);
  await browser.type('#why-not', ENTER);
  await browser.find('.why', `Why not ${first} ${second}?`);
  const way = await browser.run(() =>
    [...document.querySelectorAll('.why .why-line strong')].map((move) => move.textContent),
  );
  assert.deepEqual(way.slice(0, 2), [`1. ${first}`, `1… ${second}`]);
  await browser.click('.why .why-line .move', '1…');
  await browser.find('.path', `${first} ${second}`);
  await browser.click('summary', 'Rates');
  await browser.until('rates', () => document.querySelectorAll('.table tbody tr').length > 5);
  await studio.picture('microscope');
  await studio.quiet();
  // A restart forgets the tree, but not what was recorded.
  await studio.stop();
  await browser.find('.offline', 'reconnecting');
  await studio.again();
  await studio.connected();
  await browser.reload();
  await browser.click('.list button.wide', 'depth 7');
  await browser.find('.tree .inside .node');
  await onlyTheLineBroke();
});

test('moves on the board ask why they were not played, and get a reason', async () => {
  await studio.view('microscope');
  await browser.set('input.mono', '4k3/8/8/3p4/8/8/4P3/3QK3 w - - 0 1');
  await browser.set('select', '5');
  await browser.click('button.primary', 'Record');
  await browser.find('.panel > p', 'Depth 5');
  const nodes = await browser.text('.tree');
  assert.ok(!nodes.includes('gxh3'), 'no node of the recording before');
  await browser.find('.tree .inside .node');
  await browser.until('the queen on the board', () => document.querySelector('.framed piece.white.queen:not(.ghost)'));
  await browser.drag('d1', 'd5');
  await browser.find('.why', 'Why not Qxd5?');
  await browser.find('.reason-line strong');
  await browser.find('.reason-line', 'Qxd5');
  await studio.picture('microscope-reason');
  // The next move on the board continues the line.
  await browser.drag('e8', 'e7');
  await browser.find('.why', 'Why not Qxd5 Ke7?');
  await studio.quiet();
});

test('search for a reason can be stopped', async () => {
  await studio.view('microscope');
  await browser.set('input.mono', LOUD);
  await browser.set('select', '4');
  await browser.click('button.primary', 'Record');
  // The tree of the recording before is shown until then.
  await browser.find('.panel > p', 'Depth 4');
  await browser.find('.tree .inside .node');
  // The answer is held back, so that the button is there however fast it comes.
  await browser.run(() => {
    const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage');
    window.sent = [];
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (text) {
      window.sent.push(text);
      const take = this.onmessage;
      if (text.includes('"reason"'))
        set.call(this, (message) => !/"found"/.test(message.data) && take.call(this, message));
      if (text.includes('stop-reason')) set.call(this, take);
      return send.call(this, text);
    };
  });
  await browser.set('#why-not', 'd5e6');
  await browser.click('button', 'Ask');
  await browser.find('.why', 'Why not dxe6?');
  await browser.find('.reason-line .searches', 'search');
  await studio.accessible('looking for a reason');
  await browser.click('.reason-line button', 'Stop');
  await browser.until('the request', () => window.sent.some((text) => text.includes('stop-reason')));
  await browser.reload();
  await studio.quiet();
});

test('stopped recording shows its tree', async () => {
  await studio.view('microscope');
  await browser.set('input.mono', LOUD);
  await browser.set('select', '24');
  await browser.click('button.primary', 'Record');
  await browser.click('button.primary', 'Stop');
  await browser.find('button.primary', 'Record');
  await browser.find('.tree .inside .node');
  const depth = Number(/Depth (\d+),/.exec(await browser.text('.panel'))?.[1]);
  assert.ok(depth >= 1 && depth < 24, String(depth));
  await studio.quiet();
});

test('match resumes after the studio was killed', async () => {
  await studio.view('matches');
  // More games than can be played before the studio is killed, however slow the test is.
  await studio.startMatch(20000, 100);
  await browser.until('some games', () => document.querySelectorAll('.games tbody tr').length >= 3);
  await studio.stop();
  await browser.find('.offline', 'reconnecting');
  await studio.again();
  await studio.connected();
  await browser.find('.list li', 'interrupted');
  await browser.click('.list button', 'Resume');
  await browser.find('.match-head button', 'Stop');
  await browser.until('more games', () => document.querySelectorAll('.games tbody tr').length >= 5);
  await browser.click('.match-head button', 'Stop');
  await browser.find('.match-head', 'stopped');
  await onlyTheLineBroke();
});

test('stopped match is not shown as running', async () => {
  await studio.view('matches');
  await studio.startMatch(20000, 100);
  await browser.find('.match-head button', 'Stop');
  // The page is loaded while the match is played: what it was told then is old when the view is opened again.
  await studio.view('matches');
  await browser.find('button.primary', 'Start match');
  await browser.click('.match-head button', 'Stop');
  await browser.find('.match-head', 'stopped');
  await browser.click('nav a', 'Analyse');
  await browser.find('.engine-head');
  await browser.click('nav a', 'Matches');
  await browser.find('.list li', 'stopped');
  assert.equal(
    await browser.run(() =>
      [...document.querySelectorAll('.match-head button')].some((button) => button.textContent === 'Stop'),
    ),
    false,
  );
  await studio.quiet();
});

test('invalid time control says what is expected', async () => {
  await studio.view('matches');
  await browser.click('.choices label', 'Time');
  await browser.find('.field', 'Time control (s+inc)');
  await browser.run(() => {
    const field = [...document.querySelectorAll('.field')].find((field) =>
      field.textContent.startsWith('Time control'),
    );
    field.querySelector('input').value = '5 minutes';
    field.querySelector('input').dispatchEvent(new Event('change', { bubbles: true }));
  });
  await browser.click('button.primary', 'Start match');
  await browser.find('.notice', "Invalid time control '5 minutes': expected seconds+increment, such as 5+0.05");
  // A match that did not start is not among the earlier ones.
  assert.doesNotMatch(await browser.text('main'), /5 minutes/);
  await browser.run(() => localStorage.removeItem('vedette-form-match'));
  await studio.quiet();
});

test('form of a match is remembered', async () => {
  await studio.view('matches');
  await browser.find('button.primary', 'Start match');
  await browser.set('.card select', 'elo-1200');
  await browser.click('.choices label', 'Time');
  await browser.click('.choices label', 'SPRT');
  await browser.reload();
  await browser.find('.field', 'Time control');
  await browser.find('.field', 'H0');
  assert.deepEqual(await browser.run(() => [...document.querySelectorAll('.card select')].map((list) => list.value)), [
    'elo-1200',
    'classical',
    'built-in',
  ]);
  await browser.click('.choices label', 'Nodes');
  await browser.click('.choices label', 'Fixed games');
  await studio.quiet();
});

test('match is played, followed and replayed', async () => {
  await studio.view('matches');
  await studio.startMatch(6, 200);
  // The row of a game stays when others come: a click on its button would be lost with it.
  await browser.until('a game', () => document.querySelector('.games tbody tr'));
  await browser.run(() => {
    document.querySelector('.games tbody tr:last-child').id = 'first-game';
  });
  await browser.find('.numbers', '12 of 12 games');
  assert.equal(await browser.run(() => document.querySelectorAll('.games tbody tr').length), 12);
  assert.ok(await browser.run(() => document.querySelector('.games tbody tr:last-child').id === 'first-game'));
  assert.equal((await browser.text('.match-head')).match(/200 nodes/g)?.length, 1, 'the limit is told once');
  await studio.picture('matches');
  await browser.click('.games button', 'Replay');
  await browser.find('.moves .move');
  await browser.find('header nav a[aria-current]', 'Analyse');
  await studio.quiet();
});

test('running match shows boards, and is copied and saved', async () => {
  await studio.view('matches');
  await browser.run(() => {
    navigator.clipboard.writeText = async (text) => void (window.copied = text);
    HTMLAnchorElement.prototype.click = function () {
      window.saved = this.download;
    };
    const { createObjectURL } = URL;
    URL.createObjectURL = (blob) => createObjectURL.call(URL, (window.blob = blob));
  });
  await browser.click('details summary', 'Options, openings and adjudication');
  await browser.set('input[placeholder^=Hash]', 'Hash=/etc/passwd');
  await browser.click('button', 'Copy as command line');
  await browser.find('.notice', "Invalid value '/etc/passwd' of Hash");
  await browser.set('input[placeholder^=Hash]', 'Hash=8; Threads=1');
  await browser.click('button', 'Copy as command line');
  const command = await browser.until('a command line', () => window.copied);
  assert.match(command, /^vedette match -engine proto=inprocess .*option\.Hash=8 option\.Threads=1/);
  await studio.startMatch(20000, 2000, 'own', 'elo-1200');
  await browser.find('.live .board piece');
  await browser.find('.live-side', 'Vedette 1200');
  await browser.until('depths', () => /d\d/.test(document.querySelector('.live')?.innerText));
  await browser.find('.pairs');
  await browser.find('.numbers', 'left');
  // The button stays when the numbers change: a click on it would be lost with it.
  const before = await browser.run(() => {
    [...document.querySelectorAll('.match-head button')].find(({ textContent }) => textContent === 'Stop').id = 'stop';
    return document.querySelector('.numbers').textContent;
  });
  await browser.until('other numbers', (before) => document.querySelector('.numbers').textContent !== before, before);
  assert.ok(await browser.run(() => document.getElementById('stop') !== null));
  await studio.picture('matches-live');
  await browser.click('.match-head button', 'Stop');
  await browser.find('.match-head', 'stopped');
  await browser.until('no board', () => !document.querySelector('.live'));
  await browser.click('.match-head button', 'Save PGN');
  await browser.until('a file', () => /^match-.*\.pgn$/.test(window.saved));
  assert.match(await browser.runAsync(() => window.blob.text()), /\[White "Vedette/);
  await browser.set('input[placeholder^=Hash]', '');
  await browser.reload();
  await studio.quiet();
});

test('several engines play from the openings of an imported file', async () => {
  await studio.view('library');
  await studio.paste('[White "Ann"]\n[Black "Bob"]\n\n1. a4 h5 2. Ra3 Rh6 *\n\n[White "Cid"]\n\n1. b4 g5 2. Bb2 f6 *');
  await browser.find('.notice.news', '2 games imported');
  await studio.view('matches');
  await browser.click('button', 'Add engine');
  await browser.find('.field', 'Engine 3');
  await browser.find('fieldset', 'Round robin');
  await browser.click('details summary', 'Options, openings and adjudication');
  await browser.run(() => {
    const openings = [...document.querySelectorAll('.field')].find((field) => field.textContent.startsWith('Openings'));
    const list = openings.querySelector('select');
    list.value = [...list.options].find((option) => option.textContent.startsWith('Ann – Bob and 1 more')).value;
    list.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await browser.find('.field', 'Plies of each game');
  await browser.click('.toggle', 'Adjudicate draws by scores');
  await studio.picture('match-form');
  await studio.startMatch(1, 100, 'elo-800', 'elo-1000');
  await browser.find('.numbers', '6 of 6 games');
  await browser.until('standings', () => document.querySelectorAll('.standings tbody tr').length === 3);
  const standings = await browser.text('.standings');
  for (const name of ['Vedette 800', 'Vedette 1000', 'Vedette classical'])
    assert.ok(standings.includes(name), standings);
  assert.match(standings, /±/);
  await browser.find('.list li', 'leads');
  await studio.picture('match-standings');
  // Games run side by side, so that the first of the list may have either opening.
  await browser.click('.games button', 'Replay');
  await browser.until('one of the openings', () =>
    [...document.querySelectorAll('.moves .move')].some((move) => /Ra3|Bb2/.test(move.textContent)),
  );
  // The form has kept it all.
  await studio.view('matches');
  await browser.find('.field', 'Engine 3');
  await browser.click('button[aria-label="Remove Engine 3"]');
  await browser.until('two engines', () => !document.body.textContent.includes('Engine 3'));
  await browser.find('fieldset', 'Stop after');
  await browser.run(() => localStorage.removeItem('vedette-form-match'));
  await studio.quiet();
});

test('repeated games are pointed out', async () => {
  await studio.view('matches');
  await browser.click('details summary', 'Options, openings and adjudication');
  await browser.run(() => {
    const openings = [...document.querySelectorAll('.field')].find((field) => field.textContent.startsWith('Openings'));
    const list = openings.querySelector('select');
    list.value = 'standard';
    list.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await studio.startMatch(4, 20, 'classical', 'classical');
  await browser.find('.numbers', '8 of 8 games');
  await browser.find('.warning', 'Many games are identical');
  await browser.run(() => localStorage.removeItem('vedette-form-match'));
  await studio.quiet();
});

test('drawn match shows Elo without an error', async () => {
  await studio.view('matches');
  // An engine that always does the same loses with one colour what it wins with the other.
  await studio.startMatch(3, 200, 'own', 'own');
  await browser.find('.numbers', '6 of 6 games');
  await browser.find('.numbers', 'Elo 0.0 ± n/a (all pairs identical)');
  await browser.until('a graph', () => document.querySelector('.graph:not([hidden]) canvas'));
  await studio.picture('matches-even');
  await studio.quiet();
});

test('network view shows piece values and changes by a move', async () => {
  await studio.view('network');
  await browser.click('button', 'Start position');
  await browser.until('worths', () => document.querySelectorAll('.piece-value').length === 30);
  await browser.drag('e2', 'e4');
  await browser.find('.big', 'was');
  await browser.until('changes', () => document.querySelectorAll('.changes li').length === 20);
  const colours = await browser.run(() =>
    [...document.querySelectorAll('.piece-value')].map((worth) => getComputedStyle(worth).color),
  );
  assert.deepEqual([...new Set(colours)], ['rgb(245, 243, 236)'], 'every worth can be read');
  await studio.picture('network');
  await studio.quiet();
});

test('doctor runs the selected checks', async () => {
  await studio.view('doctor');
  await browser.click('summary', 'Select checks');
  await browser.click('.checks .toggle', 'UCI handshake');
  await browser.click('button.primary', 'Run checks');
  await browser.find('.list .badge');
  await studio.picture('doctor');
  await browser.click('.list .wide');
  await browser.find('.report .finding', 'handshake.');
  await browser.find('.report .contents .chip');
  await studio.picture('doctor-report');
  await browser.click('button', '← All reports');
  // The same checks again: nothing has changed.
  await browser.click('button.primary', 'Run checks');
  await browser.until('two reports', () => document.querySelectorAll('.list .badge').length === 2);
  await browser.click('.list button', 'Compare');
  await browser.click('.list button', 'With this');
  await browser.find('.report h1', 'What changed');
  assert.equal(await browser.run(() => document.querySelectorAll('.report .finding.fail').length), 0);
  await browser.click('button', '← All reports');
  await browser.click('.list button[aria-label^="Remove the report"]');
  await browser.click('.list button.danger', 'Remove?');
  await browser.until('one report', () => document.querySelectorAll('.list .badge').length === 1);
  await studio.quiet();
});

/** Every look of the page: the view, and what is done in it first. */
const LOOKS = {
  welcome: ['welcome'],
  settings: ['play', () => browser.click('button[aria-label=Settings]')],
  shortcuts: ['play', () => browser.click('button[aria-label="Keyboard shortcuts"]')],
  play: ['play'],
  'play-setup': ['play', () => browser.click('button', 'New game')],
  analyse: ['analyse'],
  'analyse-notes': ['analyse', () => studio.drawer('Notes')],
  'analyse-position': ['analyse', () => studio.drawer('Position')],
  'analyse-engine': ['analyse', () => studio.drawer('Engine')],
  'analyse-explorer': [
    'analyse',
    async () => {
      await browser.run(() => document.querySelector('.moves .move')?.click());
      await studio.drawer('Explorer');
      await browser.find('.explorer p');
    },
  ],
  'analyse-save': ['analyse', () => studio.drawer('Save')],
  library: ['library', () => browser.find('.library .wide')],
  editor: [
    'analyse',
    async () => {
      await studio.drawer('Position');
      await browser.click('button', 'Edit position');
    },
  ],
  review: ['review'],
  'reviewed-game': [
    'review',
    async () => {
      await browser.click('.list .wide');
      await browser.find('.accuracy');
    },
  ],
  microscope: [
    'microscope',
    async () => {
      await browser.click('button.primary', 'Record');
      await browser.find('.tree .inside .node');
    },
  ],
  network: ['network', () => browser.find('.piece-value')],
  matches: ['matches', () => browser.find('.list li')],
  'matches-details': [
    'matches',
    async () => {
      await browser.click('details summary', 'Options, openings and adjudication');
      await browser.run(() => (document.querySelector('.card').scrollIntoView(), undefined));
    },
  ],
  'doctor-report': [
    'doctor',
    async () => {
      await browser.click('.list .wide');
      await browser.find('.report .finding');
    },
  ],
  doctor: [
    'doctor',
    async () => {
      await browser.find('.card summary', 'Select checks');
      await browser.run(() => void (document.querySelector('.card details').open = true));
    },
  ],
};

test('views are accessible and fit, in both themes, on phone and desktop', async () => {
  for (const [size, width, height] of [
    ['phone', 360, 740],
    ['tablet', 1024, 768],
    ['desktop', 1280, 860],
    ['large', 3840, 2160],
  ]) {
    await browser.size(width, height);
    for (const theme of ['light', 'dark']) {
      await browser.theme(theme);
      for (const [look, [name, prepare]] of Object.entries(LOOKS)) {
        // Small and light, large and dark: together they see every layout and every colour. The others are for pictures.
        const examined = (size === 'phone' && theme === 'light') || (size === 'desktop' && theme === 'dark');
        const shown = size !== 'large' || (theme === 'light' && look === 'analyse');
        if (!shown || !(examined || size === 'large' || studio.takesPictures)) continue;
        // Another view first, so that this one is opened anew.
        for (const view of [name === 'doctor' ? 'network' : 'doctor', name]) {
          await browser.run((view) => (location.hash = `#/${view}`), view);
          await studio.shown(view);
        }
        await prepare?.();
        await browser.settled();
        const wide = await browser.run(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(wide <= 0, `${look} is ${wide} pixels too wide on a ${size}`);
        await studio.picture(`${look}-${size}-${theme}`);
      }
    }
  }
  await browser.size(1280, 860);
  await studio.quiet();
});

test('phone in landscape has the panel beside the board', async () => {
  await browser.size(740, 360);
  for (const name of ['play', 'analyse', 'microscope']) {
    await studio.view(name);
    await browser.settled();
    const [board, panel] = await browser.run(() =>
      ['.framed .board', '.panel'].map((part) =>
        document.querySelector(`main ${part}`).getBoundingClientRect().toJSON(),
      ),
    );
    assert.ok(
      board.width >= 250 && panel.left >= board.right && panel.width >= 250,
      `${name}: ${JSON.stringify([board, panel])}`,
    );
  }
  await browser.size(1280, 860);
  await studio.quiet();
});

test('move by touch', async () => {
  await browser.size(360, 740);
  await browser.theme('light');
  await studio.playFrom(MATE_IN_ONE);
  await browser.drag('a1', 'a8', browser.finger());
  await browser.find('.result h2', 'You won');
  await browser.size(1280, 860);
  await studio.quiet();
});

test('studio stops with pages open', async () => {
  await studio.stop('SIGTERM');
  assert.equal(studio.process.exitCode, 0);
});
