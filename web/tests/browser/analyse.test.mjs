// The analysis board in a real browser: games that come and go, what can be undone, the position editor.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { KEYS } from './browser.mjs';
import { useStudio } from './studio.mjs';

const { CONTROL, DELETE, END, ENTER, RIGHT, SHIFT } = KEYS;
const THREE_GAMES = [
  '[Event "Match"]\n[Date "1972.07.11"]\n[White "Spassky"]\n[Black "Fischer"]\n[WhiteElo "2660"]\n[Result "1-0"]\n\n1. d4 Nf6 {never closed',
  '[White "Anna"]\n[Black "Bea"]\n[Result "0-1"]\n\n1. e4 e5 2. Nf3 {fine} Nc6 0-1',
  '[White "Cleo"]\n[Black "Dora"]\n[Result "*"]\n\n1. c4 *',
].join('\n\n');
const SHUFFLED = 'bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w KQkq - 7 23';

const { studio, browser } = useStudio();

beforeEach(async () => {
  await browser.go(studio.url);
  await browser.run(() => [localStorage, sessionStorage].forEach((shelf) => shelf.clear()));
  await studio.view('analyse');
});

const moves = () =>
  browser.run(() => [...document.querySelectorAll('.moves .row .move')].map((move) => move.textContent).join(' '));
const played = (words) =>
  browser.until(
    `the moves "${words}"`,
    (words) => [...document.querySelectorAll('.moves .row .move')].map((move) => move.textContent).join(' ') === words,
    words,
  );
const press = (...keys) => browser.chord(...keys);
/** Waits until the editor's FEN is this. */
const edited = (fen) =>
  browser.until(
    `the FEN ${fen}`,
    (fen) =>
      [...document.querySelectorAll('.editing .field')]
        .find((field) => field.textContent.startsWith('FEN'))
        ?.querySelector('input')?.value === fen,
    fen,
  );
/** Waits until the editor's four castling boxes are these. */
const castling = (...boxes) =>
  browser.until(
    `castling ${boxes}`,
    (boxes) => [...document.querySelectorAll('.castling input')].map((box) => box.checked).join() === boxes.join(),
    boxes,
  );

test('game list keeps edits and survives a reload', async () => {
  await studio.paste(THREE_GAMES);
  await browser.find('.notice', '3 games loaded');
  await browser.find('.game-list', 'Game 1 of 3');
  await played('d4 Nf6');
  assert.deepEqual(
    await browser.run(() => [...document.querySelectorAll('.game-list option')].map((option) => option.textContent)),
    ['1. Spassky (2660) – Fischer · 1–0 · Match · 1972.07.11', '2. Anna – Bea · 0–1', '3. Cleo – Dora'],
  );
  await browser.set('.game-list select', '1');
  await browser.find('.game-list', 'Game 2 of 3');
  await played('e4 e5 Nf3 Nc6');
  await browser.keys(END);
  await browser.type('.entry', `Bb5${ENTER}`);
  await browser.set('.game-list select', '2');
  await played('c4');
  await browser.reload();
  await browser.find('.game-list', 'Game 3 of 3');
  await browser.set('.game-list select', '1');
  await played('e4 e5 Nf3 Nc6 Bb5');
  await studio.quiet();
});

test('undo restores deleted and replaced games', async () => {
  await studio.paste('[White "Anna"]\n[Black "Bea"]\n\n1. e4 e5 2. Nf3 {dear} Nc6 (2... d6) *');
  await played('e4 e5 Nf3 Nc6');
  await browser.click('.moves .move', 'Nf3');
  await press(DELETE);
  await played('e4 e5');
  await browser.click('.notice button', 'Undo');
  await played('e4 e5 Nf3 Nc6');
  await browser.find('.moves .comment', 'dear');
  await browser.find('.moves .variation', 'd6');
  await studio.drawer('Position');
  await browser.click('button', 'New');
  await played('');
  await studio.paste('1. d4 *');
  await played('d4');
  await press(CONTROL, 'z');
  await played('');
  await press(CONTROL, 'z');
  await played('e4 e5 Nf3 Nc6');
  await browser.find('.game-title', 'Anna – Bea');
  await press(CONTROL, SHIFT, 'z');
  await played('');
  await press(CONTROL, 'y');
  await played('d4');
  await browser.click('.steps button[aria-label="Undo"]');
  await browser.click('.steps button[aria-label="Undo"]');
  await played('e4 e5 Nf3 Nc6');
  // Another view brings its own game: what was here is not lost.
  await browser.click('nav a', 'Network');
  await browser.click('button', 'Start position');
  await browser.click('button', 'Analyse');
  await studio.shown('analyse');
  await played('');
  await press(CONTROL, 'z');
  await played('e4 e5 Nf3 Nc6');
  await studio.drawer('Position');
  await browser.click('button', 'Edit position');
  await browser.click('button', 'Start position');
  await browser.click('button.primary', 'Use position');
  await played('');
  await press(CONTROL, 'z');
  await played('e4 e5 Nf3 Nc6');
  await studio.quiet();
});

test('undo is last in, first out', async () => {
  await studio.paste('1. e4 e5 *');
  await browser.click('.moves .move', 'e5');
  await press(DELETE);
  await played('e4');
  for (const move of ['c5', 'Nf3']) await browser.type('.entry', `${move}${ENTER}`);
  await played('e4 c5 Nf3');
  await browser.run(() => document.activeElement?.blur());
  await press(CONTROL, 'z');
  await played('e4 c5');
  await press(CONTROL, 'z');
  await played('e4');
  await press(CONTROL, 'z');
  await played('e4 e5');
  for (const _ of [1, 2, 3]) await press(CONTROL, 'y');
  await played('e4 c5 Nf3');
  // The editor has its own work, which undoing leaves alone.
  await studio.drawer('Position');
  await browser.click('button', 'Edit position');
  await press(CONTROL, 'z');
  await browser.click('button', 'Cancel');
  await played('e4 c5 Nf3');
  await studio.quiet();
});

test('engine lines do not shift the layout', async () => {
  await studio.paste('1. f3 e5 2. g4 Qh4# *');
  await played('f3 e5 g4 Qh4#');
  await browser.keys(END);
  await browser.find('.engine-head', 'Checkmate');
  const places = await browser.runAsync(async () => {
    // From mate, where there are no lines, to a position whose lines have come and grown ten times.
    const seen = new Set();
    let last = '';
    for (let changes = 0; changes < 10; ) {
      seen.add(Math.round(document.querySelector('.moves').getBoundingClientRect().top));
      if (seen.size === 1 && !last)
        [...document.querySelectorAll('.moves .move')].find((move) => move.textContent === 'e5').click();
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const lines = document.querySelector('.lines').textContent || 'none';
      changes += lines !== last;
      last = lines;
    }
    return [...seen];
  });
  assert.ok(Math.max(...places) - Math.min(...places) < 5, `the moves were at ${places}`);
  await studio.quiet();
});

test('engine lines follow the position under the pointer', async () => {
  await studio.paste('1. e4 *');
  await browser.click('.moves .move', 'e4');
  await browser.find('.lines .move', '1…');
  // Lines that the mouse is over stay as they are.
  await browser.hover('.lines');
  await browser.click('.lines .move', '1…');
  await browser.until('the lines of the next position', () =>
    document.querySelector('.lines .move')?.textContent.startsWith('2.'),
  );
  await studio.quiet();
});

test('unedited games keep their text', async () => {
  const broken = '[Event "Second"]\n\n1. e4 e5 2. Qh8 Nc6 *';
  await studio.paste(`[Event "First"]\n\n1. d4 *\n\n${broken}\n\n[Event "Third"]\n\n1. c4 *`);
  await browser.set('.game-list select', '1');
  await played('e4 e5');
  await browser.set('.game-list select', '2');
  await played('c4');
  const games = await browser.until(
    'the games as they are kept',
    () => JSON.parse(localStorage.getItem('vedette-analysis-games'))?.games,
  );
  assert.equal(games[1].trim(), broken);
  await studio.quiet();
});

test('each tab keeps its game, a new tab starts with the latest', async () => {
  await studio.paste('1. e4 *');
  await played('e4');
  const first = await browser.tab();
  await studio.view('analyse');
  await played('e4');
  await studio.paste('1. d4 d5 *');
  await played('d4 d5');
  const second = await browser.tab();
  await studio.view('analyse');
  await played('d4 d5');
  await browser.closeTab(second);
  await browser.closeTab(first);
  await browser.reload();
  await played('e4');
  await studio.quiet();
});

test('tabs do not mix their game lists', async () => {
  const listed = (...names) =>
    browser.until(
      names.join(),
      (names) => {
        const options = [...document.querySelectorAll('.game-list option')].map((option) => option.textContent);
        return options.length === names.length && names.every((name, at) => options[at].includes(name));
      },
      names,
    );
  await studio.paste('[White "Ann"]\n\n1. e4 e5 *\n\n[White "Bob"]\n\n1. d4 d5 *\n\n[White "Cid"]\n\n1. c4 *');
  await listed('Ann', 'Bob', 'Cid');
  const first = await browser.tab();
  await studio.view('analyse');
  await listed('Ann', 'Bob', 'Cid');
  await browser.reload();
  await listed('Ann', 'Bob', 'Cid');
  await studio.paste('[White "Dan"]\n\n1. Nf3 Nf6 *\n\n[White "Eve"]\n\n1. g3 g6 *');
  await listed('Dan', 'Eve');
  await browser.closeTab(first);
  await browser.keys(RIGHT);
  await browser.tab();
  await studio.view('analyse');
  await listed('Ann', 'Bob', 'Cid');
  await browser.closeTab(first);
  await studio.quiet();
});

test('undo in a text field stays in the field', async () => {
  await studio.paste('1. e4 *');
  await studio.drawer('Position');
  await browser.click('button', 'New');
  await browser.type('.entry', 'd');
  await press(CONTROL, 'z');
  assert.equal(await moves(), '');
  await studio.quiet();
});

test('editor keeps move counters and Chess960 castling', async () => {
  await studio.paste(SHUFFLED);
  await browser.until('the position', (fen) => document.querySelector('.field input.mono')?.value === fen, SHUFFLED);
  await studio.drawer('Position');
  await browser.click('button', 'Edit position');
  await edited(SHUFFLED);
  await castling(true, true, true, true);
  await browser.set('.editing input.mono', SHUFFLED.replace('KQkq', 'HFhf'));
  await castling(true, true, true, true);
  await browser.click('.castling .toggle', 'White O-O-O');
  await edited(SHUFFLED.replace('KQkq', 'Kkq'));
  await browser.click('button.primary', 'Use position');
  await browser.until(
    'the position',
    (fen) => document.querySelector('.field input.mono')?.value === fen,
    SHUFFLED.replace('KQkq', 'Kkq'),
  );
  await browser.find('.opening', 'Chess960');
  await studio.quiet();
});

test('editor fits a narrow page', async () => {
  await studio.drawer('Position');
  await browser.click('button', 'Edit position');
  await browser.find('.palette');
  await browser.size(360, 740);
  await browser.until(
    'a page that fits',
    () =>
      document.documentElement.scrollWidth <= 360 &&
      document.querySelector('cg-board').getBoundingClientRect().right <= 360,
  );
  await browser.size(1280, 860);
  await studio.quiet();
});

test('editor finds its squares after scrolling', async () => {
  await studio.paste('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
  await studio.drawer('Position');
  await browser.click('button', 'Edit position');
  await browser.find('.palette');
  await browser.drag('e2', 'e4');
  await edited('4k3/8/8/8/4P3/8/8/4K3 w - - 0 1');
  await browser.run(() => (document.querySelector('main').style.paddingTop = '70px'));
  await browser.drag('e4', 'c4');
  await edited('4k3/8/8/8/2P5/8/8/4K3 w - - 0 1');
  await browser.run(() => (document.querySelector('main').style.paddingTop = ''));
  await studio.quiet();
});

test('mouse wheel steps through the game', async () => {
  await studio.paste('1. e4 e5 2. Nf3 *');
  await played('e4 e5 Nf3');
  const turn = (...amounts) =>
    browser.run((amounts) => {
      for (const deltaY of amounts)
        document
          .querySelector('.framed .board')
          .dispatchEvent(new WheelEvent('wheel', { deltaY, bubbles: true, cancelable: true }));
      return document.querySelector('.moves [aria-current]')?.textContent ?? '';
    }, amounts);
  assert.equal(await turn(100), 'e4');
  assert.equal(await turn(10, 10, 10), 'e4');
  assert.equal(await turn(10), 'e5');
  assert.equal(await turn(100, 100), 'Nf3');
  assert.equal(await turn(-100, -20), 'e5');
  await studio.quiet();
});

test('braces in a comment become parentheses while typing', async () => {
  await studio.paste('1. e4 *');
  await played('e4');
  await browser.keys(RIGHT);
  await studio.drawer('Notes');
  await browser.type('textarea', 'a {b} c');
  await browser.until('brackets', () => document.querySelector('textarea').value === 'a (b) c');
  // What programs have written between the words is not shown, but stays.
  await studio.paste('1. e4 {[%eval 0.31] fine [%clk 0:05:00]} *');
  await browser.find('.moves .comment', 'fine');
  await browser.click('.moves .move', 'e4');
  await browser.until(
    'words and score',
    () =>
      document.querySelector('.moves .comment')?.innerText === 'fine' &&
      document.querySelector('.moves .comment-score')?.innerText === '+0.31',
  );
  await browser.until('the words alone', () => document.querySelector('textarea').value === 'fine');
  await browser.set('textarea', 'finer');
  await browser.reload();
  await browser.find('.moves .comment', 'finer');
  await browser.until('the comment as it is kept', () =>
    localStorage.getItem('vedette-analysis')?.includes('{ [%eval 0.31] [%clk 0:05:00] finer }'),
  );
  await studio.quiet();
});

test('position commands of UCI are read', async () => {
  await studio.paste('position startpos moves e2e4 e7e5 g1f3');
  await played('e4 e5 Nf3');
  await browser.find('.moves .move[aria-current]', 'Nf3');
  await studio.paste(
    '> ucinewgame\n> position startpos moves d2d4\n< readyok\n> position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4 e8e7 e4e6\n> go',
  );
  await played('e4 Ke7');
  await browser.find('.notice', 'Illegal move 2. e4e6');
  await studio.quiet();
});

test('arrows, circles, glyphs and clocks of a PGN are shown, and own arrows are kept', async () => {
  const drawn = (count) =>
    browser.until(
      `${count} drawings`,
      (count) =>
        [...document.querySelectorAll('.framed .cg-shapes g[cgHash]')].filter((shape) =>
          /green|red|blue|yellow/.test(shape.getAttribute('cgHash')),
        ).length === count,
      count,
    );
  await studio.paste('1. e4 $14 {[%csl Gd5][%cal Re4d5] [%clk 0:05:03]} e5 *');
  await browser.click('.moves .move', 'e4\u202f+=');
  await browser.find('.moves .comment-clock', '5:03');
  await drawn(2);
  await browser.click('.moves .move', 'e5');
  await drawn(0);
  const [from, to] = await browser.places('g1', 'f3');
  await browser.call('POST', '/actions', {
    actions: [
      {
        type: 'pointer',
        id: 'mouse',
        parameters: { pointerType: 'mouse' },
        actions: [
          { type: 'pointerMove', duration: 0, ...from },
          { type: 'pointerDown', button: 2 },
          { type: 'pointerMove', duration: 0, ...to },
          { type: 'pause', duration: 50 },
          { type: 'pointerUp', button: 2 },
        ],
      },
    ],
  });
  await drawn(1);
  await browser.until('the arrow as it is kept', () =>
    localStorage.getItem('vedette-analysis')?.includes('e5 { [%cal Gg1f3] }'),
  );
  await browser.click('.moves .move', 'e4');
  await drawn(2);
  await browser.click('.moves .move', 'e5');
  await drawn(1);
  await studio.picture('analyse-drawn');
  await press(CONTROL, 'z');
  await drawn(0);
  await studio.quiet();
});

test('variations and scores are written as in books', async () => {
  await studio.view('analyse');
  await studio.paste('1. e4 {[%eval #-2]} e5 (1... c5 2. Nf3 {[%eval -0.31]} (2. c3 d5)) 2. Nf3 *');
  await browser.find('.moves .move', 'Nf3');
  // The parentheses of variations come from the style sheet.
  const text = await browser.run(() => {
    const list = document.querySelector('.moves').cloneNode(true);
    for (const line of list.querySelectorAll('.variation')) line.prepend('('), line.append(')');
    return list.innerText.replaceAll(/\s+/g, ' ');
  });
  const marks = await browser.run(() => {
    const line = document.querySelector('.moves .variation');
    return ['::before', '::after'].map((part) => getComputedStyle(line, part).content);
  });
  assert.deepEqual(marks, ['"("', '")"']);
  assert.match(text, /#−2/);
  assert.match(text, /\(1… c5 2\. Nf3 \(2\. c3 d5\)\)/);
  assert.doesNotMatch(text, /-\d/, 'one kind of minus sign');
  await studio.quiet();
});

test('glyphs are set and cleared', async () => {
  await studio.paste('1. e4 e5 *');
  await browser.click('.moves .move', 'e4');
  await studio.drawer('Notes');
  await browser.click('.glyphs button[aria-label="Good move"]');
  await browser.click('.glyphs button[aria-label="White is better"]');
  await browser.find('.moves .move', 'e4!\u202f±');
  await studio.picture('analyse-glyphs');
  await browser.click('.glyphs button[aria-label="Dubious move"]');
  await browser.find('.glyphs button[aria-pressed=true]', '?!');
  await played('e4?!\u202f± e5');
  await browser.until('the glyphs as they are kept', () =>
    localStorage.getItem('vedette-analysis')?.includes('1. e4 $6 $16 1... e5'),
  );
  await browser.click('.glyphs button[aria-label="White is better"]');
  await played('e4?! e5');
  await press(CONTROL, 'z');
  await played('e4?!\u202f± e5');
  await studio.quiet();
});

test('analysis stops at its limit, goes deeper, and shows threats', async () => {
  await browser.run(() => localStorage.setItem('vedette-settings', JSON.stringify({ limit: 'd8', lines: 4 })));
  await browser.go(`${studio.url}#/analyse/4k3/8/8/8/8/8/4q3/K7_w_-_-_0_1`);
  await browser.reload();
  await browser.until(
    'the position of the link',
    () => document.querySelectorAll('.framed piece:not(.ghost)').length === 3,
  );
  assert.equal(await browser.run(() => location.hash), '#/analyse');
  await browser.find('.engine-head button', 'Go deeper');
  // Every move of White loses: one arrow for each line, and all of them White's.
  await browser.keys('x');
  await browser.find('.engine-head .threat');
  await browser.until('a red arrow', () =>
    [...document.querySelectorAll('.cg-shapes g[cgHash]')].some((arrow) =>
      arrow.getAttribute('cgHash').includes('red'),
    ),
  );
  await browser.keys('x');
  await browser.until('the lines of White', () => !document.querySelector('.threat'));
  await browser.click('.engine-head button', 'Go deeper');
  await browser.until(
    'more than the limit',
    () => Number(/depth (\d+)/.exec(document.querySelector('.facts')?.textContent)?.[1]) > 8,
  );
  await studio.drawer('Graph');
  await browser.until('a graph', () => document.querySelector('.graph.drawer canvas'));
  await browser.run(() => localStorage.removeItem('vedette-settings'));
  await studio.quiet();
});

test('errors belong to one position, notices cover no controls', async () => {
  await browser.type('.entry', `Ke3${ENTER}`);
  await browser.find('.form-error', 'Illegal move: Ke3');
  await browser.drag('e2', 'e4');
  await browser.until('no complaint', () => document.querySelector('.entry-row .form-error').textContent === '');
  await studio.paste('1. e4 e5 2. Ke3 *');
  await browser.find('.notice', 'Illegal move 2. Ke3: loaded up to this move');
  for (const [width, height] of [
    [360, 740],
    [1000, 700],
    [1280, 800],
  ]) {
    await browser.size(width, height);
    await browser.run(() => window.scrollTo(0, 0));
    const covered = await browser.run(() => {
      const box = (css) => document.querySelector(css).getBoundingClientRect();
      const [notice, way] = [box('#notices'), box('#top nav')];
      const ways = [...document.querySelectorAll('#top nav a')].map((link) =>
        Math.min(link.getBoundingClientRect().right, way.right),
      );
      return {
        view: notice.bottom - Math.max(box('#main').top, 0),
        way: notice.top < way.bottom ? Math.max(...ways) - notice.left : 0,
      };
    });
    assert.ok(covered.view <= 0, `${covered.view} pixels of the view are covered at ${width} pixels`);
    assert.ok(covered.way <= 0, `${covered.way} pixels of the way between views are covered at ${width} pixels`);
  }
  await browser.find('.notice button', 'Undo');
  await studio.paste('1. d4 *');
  await browser.until(
    'no old news',
    () => ![...document.querySelectorAll('.notice')].some((notice) => notice.textContent.includes('Ke3')),
  );
  await studio.quiet();
});
