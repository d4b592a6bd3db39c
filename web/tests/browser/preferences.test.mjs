// First visit, settings, languages, shortcuts, premoves and rematch, in a real browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEYS } from './browser.mjs';
import { useStudio } from './studio.mjs';

const { ENTER, ESCAPE } = KEYS;
const MATE_IN_ONE = '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1';

/** In this page events about the game can be held back, so that the engine's move comes when the test wants it. */
const HOLD = `(() => {
  const held = [];
  let holding = false;
  const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage');
  Object.defineProperty(WebSocket.prototype, 'onmessage', {
    set(act) {
      set.call(this, (message) => {
        if (holding && message.data.includes('"event":"game"')) held.push(() => act(message));
        else act(message);
      });
    },
  });
  window.holdGame = (on) => {
    holding = on;
    if (!on) for (const act of held.splice(0)) act();
  };
})()`;

const { studio, browser } = useStudio();

function choosePieces(name) {
  return browser.run((name) => {
    const set = [...document.querySelectorAll('dialog fieldset')].find((set) => set.textContent.startsWith('Pieces'));
    set.querySelector(`input[value=${name}]`).click();
  }, name);
}

/** Opens the settings; the view stays behind them. */
async function settings(label) {
  await browser.click(`.switches button[aria-label=${label}]`);
  await browser.find('dialog h2', label);
}

/** Whether so many squares of premoves are marked; the board keeps hidden ones. */
const premoves = (count) =>
  [...document.querySelectorAll('square.current-premove')].filter((square) => square.getClientRects().length > 0)
    .length === count;

async function close() {
  await browser.keys(ESCAPE);
  await browser.until('no dialog', () => !document.querySelector('dialog'));
}

test('first visit says what the studio is for', async () => {
  await browser.find('h1', 'A chess board and an engine laboratory');
  await browser.find('.welcome h2', 'For players');
  await browser.find('.welcome h2', 'For engine authors');
  await studio.picture('welcome');
  await browser.click('.tile', 'Play');
  await browser.find('h1', 'Play Vedette');
  await browser.go(studio.url);
  await browser.find('h1', 'Play Vedette');
  await browser.click('.logo');
  await browser.find('.welcome');
  await studio.quiet();
});

test('settings are applied and kept', async () => {
  await studio.view('analyse');
  await studio.paste('1. e4 e5 2. Nf3 Nc6');
  await browser.find('.moves .move', 'Nf3');
  await browser.click('.notice button[aria-label=Dismiss]');
  await settings('Settings');
  await studio.picture('settings');
  await browser.type('dialog input[type=text]', 'Greta');
  await browser.click('dialog .choices label', 'Figurines');
  await browser.click('dialog .choices label', 'Brown');
  await browser.click('dialog .choices label', 'Dark');
  await choosePieces('letters');
  await close();
  await browser.find('.moves .move', '♘\uFE0Ef3');
  const look = () => {
    const { board, pieces, theme } = document.documentElement.dataset;
    const knight = document.querySelector('main .framed piece.knight');
    return [
      board,
      pieces,
      theme,
      getComputedStyle(knight, '::before').content,
      getComputedStyle(knight).backgroundImage,
    ];
  };
  const expected = ['brown', 'letters', 'dark', '"N"', 'none'];
  await browser.until(
    'the pieces',
    (wanted) => {
      const knight = document.querySelector('main .framed piece.knight');
      return knight && getComputedStyle(knight, '::before').content === wanted;
    },
    '"N"',
  );
  assert.deepEqual(await browser.run(look), expected);
  await studio.picture('brown-letters-figurines');
  await settings('Settings');
  await choosePieces('silhouettes');
  await close();
  const silhouette = await browser.run(() => {
    const knight = document.querySelector('main .framed piece.knight.white');
    return [getComputedStyle(knight).backgroundImage, getComputedStyle(knight, '::before').content];
  });
  assert.match(silhouette[0], /^url\("data:image\/svg/);
  assert.doesNotMatch(silhouette[0], /base64/, 'not the classic one');
  assert.equal(silhouette[1], 'none');
  await studio.picture('silhouettes');
  await settings('Settings');
  await choosePieces('letters');
  await close();
  await studio.view('play');
  await browser.find('.player .name', 'Greta');
  await browser.click('button.primary', 'Start');
  await browser.find('.entry');
  assert.deepEqual(await browser.run(look), expected);
  await settings('Settings');
  await browser.run(() => {
    for (const legend of ['Moves', 'Board', 'Pieces', 'Theme']) {
      const set = [...document.querySelectorAll('dialog fieldset')].find((set) => set.textContent.startsWith(legend));
      set.querySelector('input').click();
    }
  });
  await close();
  await studio.quiet();
});

for (const [code, words] of Object.entries({
  fr: {
    settings: 'Réglages',
    name: 'Français',
    play: 'Jouer contre Vedette',
    knight: 'Cf3',
    typed: 'Cc6',
    analyse: 'Analyser',
    number: '1,',
  },
  es: {
    settings: 'Ajustes',
    name: 'Español',
    play: 'Jugar contra Vedette',
    knight: 'Cf3',
    typed: 'Cc6',
    analyse: 'Analizar',
    number: '1,',
  },
})) {
  test(`page speaks ${words.name}`, async () => {
    await studio.view('play');
    const before = await browser.run(() =>
      document.querySelector('.switches button:last-child').getAttribute('aria-label'),
    );
    await settings(before);
    await browser.set('dialog select', code);
    await browser.keys(ESCAPE);
    await browser.find(`header nav a`, words.analyse);
    assert.equal(await browser.run(() => document.documentElement.lang), code);
    await studio.view('analyse');
    await studio.paste('1. e4 e5 2. Nf3');
    await browser.find('.moves .move', words.knight);
    await browser.click('.moves .move', words.knight);
    await browser.type('.entry', `${words.typed}${ENTER}`);
    await browser.find('.moves .move', words.typed);
    for (const size of ['desktop', 'phone']) {
      if (size === 'phone') await browser.size(360, 740);
      for (const view of ['welcome', 'play', 'analyse', 'review', 'microscope', 'network', 'matches', 'doctor']) {
        await browser.run((view) => (location.hash = `#/${view}`), view);
        await browser.find('main h1, main .engine, main .welcome');
        const wide = await browser.run(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(wide <= 0, `${view} in ${words.name} is ${wide} pixels too wide on a ${size}`);
        if (studio.takesPictures) await studio.picture(`${view}-${code}-${size}`);
      }
    }
    await browser.size(1280, 860);
    await studio.quiet();
  });
}

test('language goes back to that of the browser', async () => {
  await settings('Ajustes');
  await browser.set('dialog select', '');
  await browser.keys(ESCAPE);
  await browser.find('header nav a', 'Analyse');
  assert.equal(await browser.run(() => document.documentElement.lang), 'en');
});

test('question mark shows the shortcuts, and keys stay in the sheet', async () => {
  await studio.view('analyse');
  await browser.find('.engine-head');
  await browser.keys('?');
  await browser.find('dialog h2', 'Keyboard shortcuts');
  await studio.picture('shortcuts');
  const side = () => document.querySelector('main .framed .cg-wrap').classList.contains('orientation-black');
  const before = await browser.run(side);
  await browser.keys('f');
  assert.equal(await browser.run(side), before, 'the board behind it is not flipped');
  await close();
  await browser.keys('f');
  await browser.until(
    'a flipped board',
    (before) => document.querySelector('main .framed .cg-wrap').classList.contains('orientation-black') !== before,
    before,
  );
  await browser.keys('f');
  await studio.quiet();
});

test('premove is played as soon as the engine has moved', async () => {
  await browser.cdp('Page.addScriptToEvaluateOnNewDocument', { source: HOLD });
  await studio.playFrom('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
  await browser.run(() => window.holdGame(true));
  await browser.drag('e2', 'e4');
  await browser.find('.thinking');
  await studio.moves(1);
  await browser.drag('d2', 'd3');
  await browser.until('a premove', premoves, 2);
  await studio.moves(1);
  await studio.picture('premove');
  await browser.run(() => window.holdGame(false));
  await browser.find('.moves .move', 'd3');
  await browser.until('no premove', premoves, 0);
  await studio.moves(4);
  await studio.quiet();
});

test('draw is offered, accepted and declined', async () => {
  // The engine has lost: nothing is better for it than a draw.
  await studio.playFrom('7k/8/8/8/8/8/5QPP/6K1 w - - 0 1');
  await browser.click('button', 'Offer draw');
  await browser.find('.result h2', 'Draw');
  await browser.find('.result p', 'draw by agreement');
  // Now it is the player who has.
  await studio.playFrom('7k/5qpp/8/8/8/8/8/K7 w - - 0 1');
  await browser.click('button', 'Offer draw');
  await browser.find('.notice.news', 'Vedette declines the draw');
  await browser.until('an offer again', () =>
    [...document.querySelectorAll('button')].some((button) => button.textContent === 'Offer draw' && !button.disabled),
  );
  assert.equal(await browser.run(() => document.querySelector('.result')), null);
  await studio.quiet();
});

test('rematch changes sides', async () => {
  await studio.playFrom(MATE_IN_ONE);
  await browser.drag('a1', 'a8');
  await browser.find('.result h2', 'You won');
  await browser.click('.result button', 'Rematch');
  await browser.until('a board from the side of Black', () =>
    document.querySelector('main .framed .cg-wrap').classList.contains('orientation-black'),
  );
  await browser.find('.moves .move');
  await studio.quiet();
});
