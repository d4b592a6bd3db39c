// The studio in a real browser, from end to end. VEDETTE names the program; PICTURES, if set, is a folder
// for pictures of every view.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Browser, end, start } from './browser.mjs';

const PROGRAM = process.env.VEDETTE ?? '../target/debug/vedette';
const PICTURES = process.env.PICTURES;
const AXE = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const SCHOLARS_MATE = '[White "Alice"]\n[Black "Bob"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n[White "Broken"]\n\n1. e4 e5 2. Ke3 *\n';
const MATE_IN_ONE = '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1';
const PROMOTION = '8/P6k/8/8/8/8/6K1/8 w - - 0 1';
const LOUD = 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1';

const folder = mkdtempSync(join(tmpdir(), 'vedette-studio-'));
let browser;
let studio;
let url;

async function startStudio(port = '0') {
  const args = ['studio', '--no-open', '--port', port, '--data', folder, '--engine', `Rival=${PROGRAM} uci`];
  const { child, found } = await start(PROGRAM, args, /(http:\/\/\S+)/);
  studio = child;
  url = found[1];
}

before(async () => {
  await startStudio();
  browser = await Browser.open();
  await browser.size(1280, 860);
  await browser.theme('light');
});

after(async () => {
  await browser?.close();
  if (studio) await end(studio);
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a view afresh, as the user left it. */
async function view(name) {
  await browser.go(`${url}#/${name}`);
  await browser.run(() => location.reload());
  await browser.find('header nav a[aria-current]', '');
  await browser.until('a line to the studio', () => document.querySelector('.offline')?.hidden);
}

async function quiet() {
  assert.deepEqual(await browser.complaints(), [], 'the page complained');
}

async function picture(name) {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await browser.picture(join(PICTURES, `${name}.png`));
}

const moveCount = () => document.querySelectorAll('.moves .row .move').length;

/** Begins a game from a position. */
async function playFrom(fen, side = 'White') {
  await view('analyse');
  await paste(fen);
  await browser.until('the position', (fen) => document.querySelector('.field input.mono')?.value === fen, fen);
  await browser.click('button', 'Play from here');
  await browser.find('.from', 'From this position');
  await browser.click('.choices label', side);
  await browser.click('button.primary', 'Start');
  await browser.find('.entry');
}

function paste(text) {
  return browser.run((text) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, text);
}

test('the page is small: one script, one style, nothing from elsewhere', async () => {
  await browser.go(url);
  await browser.find('h1', 'Play Vedette');
  const loaded = await browser.run(() => performance.getEntriesByType('resource').map(({ name, decodedBodySize }) => [name, decodedBodySize]));
  assert.ok(loaded.every(([name]) => name.startsWith(url)), String(loaded));
  const bytes = loaded.reduce((sum, [, size]) => sum + size, 0);
  assert.ok(loaded.length <= 4 && bytes < 320_000, `${loaded.length} files, ${bytes} bytes`);
  const timing = await browser.run(() => performance.getEntriesByType('navigation')[0].loadEventEnd);
  console.log(`# the page was loaded after ${Math.round(timing)} ms`);
  await quiet();
});

test('a move is dragged, answered, taken back, and survives a reload and a killed studio', async () => {
  await view('play');
  await browser.click('.choices label', 'White');
  await browser.set('#level', '800');
  await browser.click('button.primary', 'Start');
  await browser.find('.entry');
  await browser.drag('e2', 'e4');
  await browser.until('an answer', (count) => eval(`(${count})`)() === 2, String(moveCount));
  assert.match(await browser.text('.opening'), /\S/);
  await browser.click('button', 'Take back');
  await browser.until('the move to be taken back', (count) => eval(`(${count})`)() === 0, String(moveCount));
  await browser.drag('d2', 'd4');
  await browser.until('an answer', (count) => eval(`(${count})`)() === 2, String(moveCount));
  await browser.click('button', 'Hint');
  await browser.until('an arrow', () => document.querySelector('.cg-shapes g line, .cg-shapes line'));
  const moves = await browser.text('.moves');
  await browser.run(() => location.reload());
  await browser.until('the game after a reload', (moves) => document.querySelector('.moves')?.innerText === moves, moves);
  await end(studio, 'SIGKILL');
  await browser.find('.offline', 'reconnecting');
  await startStudio(new URL(url).port);
  await browser.until('the line to be back', () => document.querySelector('.offline')?.hidden);
  await browser.until('the game after a crash', (moves) => document.querySelector('.moves')?.innerText === moves, moves);
  await picture('play');
  // That the studio was gone for a moment is the only complaint.
  const complaints = await browser.complaints();
  assert.ok(complaints.every((text) => text.includes('/socket')), complaints.join('\n'));
});

test('a game is played to mate, and reviewed with one click', async () => {
  await playFrom(MATE_IN_ONE);
  await browser.drag('a1', 'a8');
  await browser.find('.result h2', 'You won');
  await picture('result');
  assert.equal(readdirSync(join(folder, 'games')).filter((name) => name.endsWith('.pgn')).length >= 1, true);
  await browser.click('.result button', 'Review the game');
  await browser.find('.accuracy');
  await quiet();
});

test('a pawn becomes what is chosen', async () => {
  await playFrom(PROMOTION);
  await browser.drag('a7', 'a8');
  await browser.find('.promotion');
  await picture('promotion');
  await browser.click('.promotion button[aria-label=rook]');
  await browser.find('.moves .move', 'a8=R');
  await quiet();
});

test('a whole game can be played by keyboard', async () => {
  await playFrom(MATE_IN_ONE);
  await browser.run(() => document.querySelector('main .framed .board').focus());
  const up = '\uE013', left = '\uE012', down = '\uE015', enter = '\uE007';
  // The cursor begins on e2: down and left to a1, pick up, up to a8, put down.
  await browser.keys(down, left, left, left, left, enter, up, up, up, up, up, up, up, enter);
  await browser.find('.result h2', 'You won');
  await playFrom(MATE_IN_ONE);
  await browser.type('.entry', 'Rb1\uE007');
  await browser.find('.moves .move', 'Rb1');
  await quiet();
});

test('Chess960 and clocks', async () => {
  await view('play');
  await browser.click('button', 'New game');
  await browser.click('.choices label', 'Clock');
  await browser.run(() => [...document.querySelectorAll('.choices label')].find((label) => label.textContent === 'Clock').click());
  await browser.click('.toggle', 'Chess960');
  await browser.click('button.primary', 'Start');
  await browser.until('two clocks', () => document.querySelectorAll('.clock').length === 2 && /\d:\d\d/.test(document.querySelector('.clock').textContent));
  await browser.find('.opening', 'Chess960');
  await browser.click('button', 'Resign');
  await browser.find('.result');
  await quiet();
});

test('two lines of analysis, with bar, chances, arrows and hover boards', async () => {
  await view('analyse');
  await browser.click('button', 'New');
  await browser.until('two lines', () => document.querySelectorAll('.lines li .pv .move').length > 4 && document.querySelectorAll('.lines li').length === 2);
  await browser.find('.engine-head .score');
  await browser.until('chances', () => document.querySelectorAll('.wdl span').length === 3);
  await browser.until('arrows', () => document.querySelectorAll('.cg-shapes line').length >= 2);
  await browser.run(() => document.querySelector('.lines .pv .move').dispatchEvent(new MouseEvent('mouseenter')));
  await browser.until('a small board', () => document.querySelectorAll('.preview:not([hidden]) piece').length === 32);
  await browser.drag('e2', 'e4');
  await browser.find('.opening', "King's Pawn Game");
  await browser.type('.entry', 'c5\uE007');
  await browser.find('.opening', 'Sicilian Defence');
  await browser.keys('\uE00C', '\uE012');
  await browser.type('.entry', 'e5\uE007');
  await browser.find('.moves .variation', 'e5');
  await browser.set('textarea', 'the open game');
  await browser.find('.moves .comment', 'the open game');
  await picture('analyse');
  const moves = await browser.text('.moves');
  await browser.run(() => location.reload());
  await browser.until('the variations after a reload', (moves) => document.querySelector('.moves')?.innerText === moves, moves);
  await quiet();
});

test('a position is edited', async () => {
  await view('analyse');
  await browser.click('button', 'Edit position');
  await browser.click('button', 'Clear');
  await browser.find('.fault', 'Not yet');
  for (const [man, square] of [['white king', 'e1'], ['black king', 'e8'], ['white queen', 'd1']]) {
    await browser.click(`.palette button[aria-label="${man}"]`);
    await browser.drag(square, square);
  }
  await picture('editor');
  await browser.click('button.primary', 'Use position');
  await browser.until('the position', () => document.querySelectorAll('.framed piece:not(.ghost)').length === 3);
  await quiet();
});

test('games are reviewed: accuracy, graph, mistakes to try again, broken games named', async () => {
  await view('review');
  await paste(SCHOLARS_MATE);
  await browser.set('select', 'd8');
  await browser.click('button.primary', 'Review');
  await browser.find('h1', 'Alice – Bob');
  await browser.find('.warnings', '1 game was skipped');
  await browser.until('a graph', () => document.querySelector('.graph canvas'));
  await browser.click('.moves .move', 'Nf6');
  await browser.find('.remark', 'blunder');
  await browser.find('.remark', 'Better');
  await picture('review');
  await browser.click('button.primary', 'Try the mistakes again');
  await browser.find('.remark', 'Find a better move');
  await browser.drag('a7', 'a6');
  await browser.find('.wrong', 'Not that one');
  await browser.click('button', 'Show it');
  await browser.find('.right', 'Better');
  await quiet();
});

test('the microscope finds a re-search and says why a move was not played', async () => {
  await view('microscope');
  await browser.set('input.mono', LOUD);
  await browser.set('select', '7');
  await browser.click('button.primary', 'Record');
  await browser.click('.chip', 're-search');
  await browser.click('.tree .node', 're-search');
  await browser.find('.facts', 're-search');
  await browser.click('button[aria-label="To the node above"]');
  await browser.click('.chip', 'whole tree');
  await browser.until('moves', () => document.querySelectorAll('.tree .inside .node').length > 20);
  await browser.type('input[placeholder^="a3"]', 'a3\uE007');
  await browser.find('.why', 'Why not a3?');
  await browser.click('summary', 'Rates');
  await browser.until('rates', () => document.querySelectorAll('.table tbody tr').length > 5);
  await picture('microscope');
  await quiet();
});

test('a small match is played, followed and replayed', async () => {
  await view('matches');
  await browser.find('h1', 'Matches');
  await browser.set('select', 'elo-1200');
  await browser.set('input[type=number]', '200');
  await browser.run(() => {
    const pairs = [...document.querySelectorAll('.field')].find((field) => field.textContent.includes('Pairs'));
    pairs.querySelector('input').value = '2';
  });
  await browser.click('button.primary', 'Start the match');
  await browser.find('.numbers', '4 of 4 games');
  await picture('matches');
  await browser.click('.games button', 'Replay');
  await browser.find('.moves .move');
  await browser.find('header nav a[aria-current]', 'Analyse');
  await quiet();
});

test('the network view shows the worth of each man and what a move changes', async () => {
  await view('network');
  await browser.click('button', 'Start position');
  await browser.until('worths', () => document.querySelectorAll('.worth').length === 30);
  await browser.drag('e2', 'e4');
  await browser.find('.big', 'was');
  await browser.until('changes', () => document.querySelectorAll('.changes li').length === 20);
  await picture('network');
  await quiet();
});

test('every view is accessible and fits, in both themes, on phone and desktop', async () => {
  for (const [size, width, height] of [['phone', 360, 740], ['desktop', 1280, 860], ['large', 3840, 2160]]) {
    await browser.size(width, height);
    for (const theme of ['light', 'dark']) {
      await browser.theme(theme);
      for (const name of ['play', 'analyse', 'review', 'microscope', 'network', 'matches', 'doctor']) {
        if (size === 'large' && (theme === 'dark' || name !== 'analyse')) continue;
        await browser.run((name) => (location.hash = `#/${name}`), name);
        await browser.find('header nav a[aria-current]', '');
        await new Promise((resolve) => setTimeout(resolve, 150));
        const wide = await browser.run(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(wide <= 0, `${name} is ${wide} pixels too wide on a ${size}`);
        await picture(`${name}-${size}-${theme}`);
        // Small and light, large and dark: together they see every layout and every colour.
        if (size === 'large' || (size === 'phone') !== (theme === 'light')) continue;
        await browser.run((axe) => void (window.axe ?? (0, eval)(axe)), AXE);
        const found = await browser.runAsync(() => window.axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }).then((result) => result.violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(' | ')}`)));
        assert.deepEqual(found, [], `${name}, ${size}, ${theme}`);
      }
    }
  }
  await browser.size(1280, 860);
  await quiet();
});

test('a move is made by touch on a phone', async () => {
  await browser.size(360, 740);
  await browser.theme('light');
  await playFrom(MATE_IN_ONE);
  await browser.drag('a1', 'a8', 'touch');
  await browser.find('.result h2', 'You won');
  await browser.size(1280, 860);
  await quiet();
});

test('the studio ends when asked to, with pages open', async () => {
  await end(studio);
  assert.equal(studio.exitCode, 0);
});
