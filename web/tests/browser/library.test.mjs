// The library in a real browser: search, import, explorer, unfinished games; what openings, tablebases and pictures say.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { KEYS } from './browser.mjs';
import { useStudio } from './studio.mjs';

const { ENTER } = KEYS;
const TABLES = process.env.VEDETTE_TABLES ?? '../target/tables';
const { studio, browser } = useStudio(
  '--engine',
  'Dead=/no/such/engine',
  ...(existsSync(TABLES) ? ['--syzygy', TABLES] : []),
);

const FILE =
  '[White "Ann"]\n[Black "Bob"]\n[Event "Open"]\n[Date "2021.??.??"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n\n' +
  '[White "Cid"]\n[Black "Ann"]\n[Result "1/2-1/2"]\n\n1. Nf3 Nc6 2. e4 e5 3. Bc4 1/2-1/2\n\n' +
  '[White "Dan"]\n[Black "Eve"]\n[Result "0-1"]\n\n1. d4 d5 0-1\n';

const rows = (...names) =>
  browser.until(
    `the games of ${names}`,
    (names) => {
      const found = [...document.querySelectorAll('.library .wide span:first-child')].map((row) => row.textContent);
      return found.length === names.length && names.every((name, at) => found[at].startsWith(name));
    },
    names,
  );

test('imported games are listed, searched and opened', async () => {
  await studio.view('library');
  await browser.find('p', 'No games found');
  await studio.paste(FILE);
  await rows('Ann – Bob', 'Cid – Ann', 'Dan – Eve');
  await browser.find('.notice', '3 games imported');
  await browser.set('input[type=search]', 'ruy lopez');
  await rows('Ann – Bob');
  await browser.set('input[type=search]', 'ann ½');
  await rows();
  await browser.set('input[type=search]', 'ann 1/2');
  await rows('Cid – Ann');
  await studio.picture('library');
  await studio.paste(FILE);
  await browser.find('.notice', 'already');
  await browser.click('.library .wide');
  await studio.shown('analyse');
  await browser.find('.game-title', 'Cid – Ann');
  await studio.quiet();
});

test('explorer counts the games of the library, through transpositions', async () => {
  await studio.paste('1. e4 e5 2. Nf3 Nc6 *');
  await browser.click('.moves .move', 'Nc6');
  await browser.find('.opening', "C44 King's Knight Opening");
  await studio.drawer('Explorer');
  await browser.find('.explored tbody tr', 'Bb5');
  await browser.find('.explored tbody tr', 'Bc4');
  await browser.find('.explorer', '2 games');
  await studio.picture('explorer');
  await browser.click('.explored .move', 'Bb5');
  await browser.find('.opening', 'C60 Ruy Lopez');
  await browser.find('.explorer', '1 game in your library');
  await browser.click('.explorer .wide', 'Ann – Bob');
  await browser.find('.game-title', 'Ann – Bob');
  await browser.find('.moves .move[aria-current]', 'Bb5');
  await browser.type('.entry', `a6${ENTER}`);
  await browser.find('.explorer', 'No game in your library');
  await studio.quiet();
});

test('tablebases give their verdict', { skip: !existsSync(TABLES) && 'skipped: no tablebases' }, async () => {
  await studio.paste('8/8/8/4k3/8/8/8/1Q2K3 w - - 0 1');
  await browser.find('.tablebase', 'Tablebases: White wins');
  await studio.picture('tablebase');
  await browser.click('.tablebase .chip.win');
  await browser.until('a move', () => document.querySelectorAll('.moves .row .move').length === 1);
  await studio.paste('8/8/8/4k3/8/8/8/R3K2r w - - 0 1');
  await browser.until('another verdict', () => /draw|wins/.test(document.querySelector('.tablebase')?.textContent));
  await studio.paste('1. e4 *');
  await browser.until('none for many pieces', () => document.querySelector('.tablebase').hidden);
  await studio.quiet();
});

test('position and game are saved as pictures', async () => {
  await studio.paste('1. e4 d5 2. exd5 Qxd5 *');
  await browser.click('.moves .move', 'd5');
  await browser.run(() => {
    window.saved = [];
    HTMLAnchorElement.prototype.click = function () {
      window.saved.push([this.download]);
    };
    const { createObjectURL } = URL;
    URL.createObjectURL = (blob) => {
      window.blob = blob;
      return createObjectURL.call(URL, blob);
    };
  });
  const saved = (name) =>
    browser.until(`the file ${name}`, (name) => window.saved.some(([found]) => found === name), name);
  await studio.drawer('Save');
  await browser.click('button', 'SVG image');
  await saved('position.svg');
  const still = await browser.runAsync(() => window.blob.text());
  assert.equal(still.match(/<use /g).length, 32);
  assert.match(still, /<image id="white-king"[^>]*href="data:image\/svg\+xml/);
  await browser.click('button', 'Animation (SVG)');
  await saved('game.svg');
  const frames = await browser.runAsync(() => window.blob.text());
  // Two pawns and a queen move: 28 pieces stand still, the others come and go.
  const count = await browser.run((text) => {
    const svg = new DOMParser().parseFromString(text, 'image/svg+xml');
    return [
      svg.querySelectorAll('use').length,
      svg.querySelectorAll('use animate').length,
      svg.querySelector('parsererror')?.textContent,
    ];
  }, frames);
  assert.deepEqual(count, [36, 7, null]);
  await browser.click('button', 'Animation (GIF)');
  await saved('game.gif');
  const gif = await browser.runAsync(async () => {
    const decoder = new ImageDecoder({ data: await window.blob.arrayBuffer(), type: 'image/gif' });
    await Promise.all([decoder.completed, decoder.tracks.ready]);
    const { frameCount, repetitionCount } = decoder.tracks.selectedTrack;
    const { image } = await decoder.decode({ frameIndex: 4 });
    const canvas = new OffscreenCanvas(480, 480);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const color = (x, y) => [...context.getImageData(x, y, 1, 1).data];
    // a1 and h1 beside their rooks, an empty square, and that of the last move.
    const colors = { a1: color(2, 477), h1: color(477, 477), e4: color(270, 270), d5: color(182, 182) };
    return { frameCount, endless: repetitionCount === Infinity, width: image.displayWidth, colors };
  });
  const [dark, light] = [
    [138, 161, 143, 255],
    [234, 230, 216, 255],
  ];
  assert.deepEqual(gif.colors.e4, light, 'the pawn has left');
  assert.deepEqual(gif.colors.a1, dark);
  assert.deepEqual(gif.colors.h1, light);
  assert.notDeepEqual(gif.colors.d5, light, 'the last move is marked');
  assert.deepEqual([gif.frameCount, gif.endless, gif.width], [5, true, 480]);
  await browser.click('button', 'PNG image');
  await saved('position.png');
  const size = await browser.runAsync(() =>
    createImageBitmap(window.blob).then(({ width, height }) => [width, height]),
  );
  assert.deepEqual(size, [720, 720]);
  await browser.reload();
  await studio.quiet();
});

test('unfinished game goes on from the library', async () => {
  await studio.playFrom('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
  await browser.type('.entry', `e4${ENTER}`);
  await studio.moves(2);
  await browser.type('.entry', `h4${ENTER}`);
  await studio.moves(4);
  const moves = await browser.text('.moves');
  await browser.click('button', 'New game');
  await browser.click('button.primary', 'Start');
  await studio.moves(0);
  await browser.click('nav a', 'Library');
  await browser.set('input[type=search]', 'you');
  await browser.click('button', 'Continue');
  await studio.shown('play');
  await browser.until('the moves', (moves) => document.querySelector('.moves')?.innerText === moves, moves);
  await browser.type('.entry', `a3${ENTER}`);
  await studio.moves(6);
  await studio.quiet();
});

test('other engines analyse beside Vedette', async () => {
  await browser.run(() => localStorage.setItem('vedette-settings', JSON.stringify({ limit: 'd9' })));
  await studio.view('analyse');
  await studio.paste('1. e4 *');
  await studio.drawer('Engine');
  await browser.click('fieldset .toggle', 'Rival');
  await browser.find('.other[data-engine=Rival] .other-lines .move');
  await browser.click('.moves .move', 'e4');
  await browser.until('lines of Black', () =>
    document.querySelector('.other[data-engine=Rival] .other-lines .move')?.textContent.startsWith('1… '),
  );
  await browser.click('fieldset .toggle', 'Dead');
  await browser.find('.other[data-engine=Dead]', 'cannot start /no/such/engine');
  await browser.find('.other[data-engine=Rival]', 'depth 9');
  await studio.picture('other-engines');
  const before = await browser.run(() => document.querySelectorAll('.moves .row .move').length);
  assert.equal(before, 1);
  await browser.click('.other[data-engine=Rival] .other-lines .move', '1…');
  await browser.until('its move', () => document.querySelectorAll('.moves .row .move').length === 2);
  await browser.click('fieldset .toggle', 'Rival');
  await browser.until('only the other', () => !document.querySelector('.other[data-engine=Rival]'));
  await browser.run(() => localStorage.removeItem('vedette-settings'));
  await studio.quiet();
});

test('another engine is the opponent, and one that fails is reported', async () => {
  await studio.view('play');
  await browser.click('button', 'New game');
  await browser.set('.field select', 'Rival');
  await browser.find('h1', 'Play Rival');
  await studio.picture('play-rival');
  await browser.click('button.primary', 'Start');
  await browser.find('.player .name', 'Rival');
  await browser.type('.entry', `e4${ENTER}`);
  await studio.moves(2);
  await browser.type('.entry', `h4${ENTER}`);
  await browser.click('button', 'Take back');
  await studio.moves(2);
  await browser.type('.entry', `a4${ENTER}`);
  await studio.moves(4);
  await browser.click('button', 'Resign');
  await browser.click('button.danger', 'Resign?');
  await browser.find('.result h2', 'Rival won');
  await browser.click('button', 'New game');
  await browser.set('.field select', 'Dead');
  await browser.click('button.primary', 'Start');
  await browser.find('.player .name', 'Dead');
  await browser.type('.entry', `e4${ENTER}`);
  await browser.find('.notice', 'Dead: cannot start');
  await browser.click('button', 'New game');
  await browser.set('.field select', '');
  await browser.find('h1', 'Play Vedette');
  await studio.quiet();
});
