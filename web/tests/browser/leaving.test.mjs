// Views that are left and opened again, and a studio that goes and comes back, in a real browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOUD, useStudio } from './studio.mjs';

const LONG_GAME =
  '[White "Anna"]\n[Black "Bea"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O *\n';
/**
 * Takes more than six minutes to review at a second per position, whatever the machine does. Between the pawn moves the
 * knights go out and back three times: a fourth time would be a fivefold repetition, which ends the game.
 */
const ENDLESS_GAME = (() => {
  const knights = { w: ['Nc3', 'Nb1'], b: ['Nc6', 'Nb8'] };
  const plies = [];
  for (const file of 'abdefgh') for (const rank of [0, 1]) plies.push(`${file}${3 + rank}`, `${file}${6 - rank}`);
  const moves = plies.flatMap((pawn, n) => {
    const [first, second] = n % 2 ? [knights.w, knights.b] : [knights.b, knights.w];
    return [pawn, ...Array(3).fill([first[0], second[0], first[1], second[1]]).flat()];
  });
  return `${moves.map((move, n) => (n % 2 ? move : `${n / 2 + 1}. ${move}`)).join(' ')} *\n`;
})();
const BROKEN =
  '[White "Anna"]\n[Black "Bea"]\n[Event "Club"]\n[Result "1-0"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n\n[White "Cleo"]\n\n1. e4 {never closed\n\n[White "Dora"]\n\n1. e4 {a remark} e5 2. Ke3 *\n';

const { studio, browser } = useStudio('--engine', 'Mute=/bin/cat');

/** Goes to another view and comes back. */
async function leave(name) {
  await browser.click('nav a', 'Network');
  await browser.find('h1', 'Static evaluation');
  await browser.click('nav a', name);
  await browser.find('header nav a[aria-current]', name);
}

test('review continues while another view is open', async () => {
  await studio.view('review');
  await browser.set('select', 't1000');
  await studio.paste(ENDLESS_GAME);
  await browser.click('button.primary', 'Review');
  await browser.find('.progress-card', 'positions');
  // The page is loaded while it works: what it was told then is old when the view is opened again.
  await studio.view('review');
  await leave('Review');
  await browser.find('.progress-card', 'positions');
  await browser.click('.progress-card button', 'Stop');
  await browser.find('.list li', 'interrupted');
  await leave('Review');
  await browser.find('.list li', 'interrupted');
  await browser.until('no progress', () => document.querySelector('.progress-card').hidden);
  await browser.set('select', 'd8');
  await studio.paste(LONG_GAME);
  await browser.click('button.primary', 'Review');
  await browser.click('nav a', 'Network');
  await browser.find('h1', 'Static evaluation');
  await browser.click('nav a', 'Review');
  await browser.until(
    'the review',
    () =>
      document.querySelector('.accuracy') ||
      [...document.querySelectorAll('.list .wide')].some((item) => item.textContent.includes('accuracy')),
  );
  await studio.quiet();
});

test('review lists broken games, analysis keeps the players', async () => {
  await studio.view('review');
  await browser.set('select', 'd8');
  await studio.paste(BROKEN);
  await browser.click('button.primary', 'Review');
  await browser.find('.warnings summary', '1 game skipped, 1 warning');
  await browser.find('.warnings li', 'Game 2, line 10: unclosed comment');
  await browser.find('.warnings li', 'Game 3, line 14: move 2. Ke3');
  assert.deepEqual(
    await browser.run(() => [...document.querySelectorAll('.panel select option')].map((option) => option.textContent)),
    ['1. Anna – Bea 1-0', '2. Cleo – ? *'],
  );
  await browser.click('.moves .move', 'g4');
  await browser.click('button', 'Analyse here');
  await browser.find('.game-title', 'Anna – Bea · 1–0');
  await browser.find('.game-title', 'Club');
  await browser.run(() => (navigator.clipboard.writeText = (text) => Promise.resolve(void (window.copied = text))));
  await studio.drawer('Position');
  await browser.click('button', 'Copy PGN');
  assert.match(
    await browser.until('a copy', () => window.copied),
    /\[White "Anna"\][^]*\[Result "1-0"\][^]*2\. g4 \$4 [^]* Qh4# 1-0/,
  );
  await studio.quiet();
});

test('long list of broken games is cut off', async () => {
  await studio.view('review');
  await browser.set('select', 'd8');
  await studio.paste(`1. e4 *\n\n${'[Event "Broken"]\n\n1. e5 *\n\n'.repeat(1000)}`);
  await browser.click('button.primary', 'Review');
  await browser.click('.warnings summary', '1000 games skipped');
  await browser.find('.warnings li', 'And 800 more');
  await browser.until('201 lines', () => document.querySelectorAll('.warnings li').length === 201);
  await studio.quiet();
});

test('recording continues while another view is open', async () => {
  await studio.view('microscope');
  await browser.set('input.mono', LOUD);
  await browser.set('select', '24');
  await browser.click('button.primary', 'Record');
  await browser.find('button.primary', 'Stop');
  await leave('Microscope');
  await browser.click('button.primary', 'Stop');
  await browser.find('.tree .inside .node');
  await browser.find('button.primary', 'Record');
  const said = await browser.run(() =>
    [...document.querySelectorAll('.panel > p')].map((part) => part.textContent).join(),
  );
  await leave('Microscope');
  await browser.find('.tree .inside .node');
  await browser.until(
    `the words "${said}"`,
    (said) => [...document.querySelectorAll('.panel > p')].map((part) => part.textContent).join() === said,
    said,
  );
  await studio.quiet();
});

test('doctor run continues while another view is open', async () => {
  await studio.view('doctor');
  await browser.click('button.primary', 'Run checks');
  await browser.find('.progress-card', 'left');
  await studio.view('doctor');
  await leave('Doctor');
  await browser.find('.progress-card', 'left');
  await browser.find('.checklist .running');
  await browser.find('.checklist .pass, .checklist .warning, .checklist .fail, .checklist .skipped');
  await studio.picture('doctor-checklist');
  await browser.click('.progress-card button', 'Stop');
  await browser.find('.list li', 'stopped');
  await leave('Doctor');
  await browser.find('.list li', 'stopped');
  await browser.until('no progress', () => document.querySelector('.progress-card').hidden);
  await studio.quiet();
});

test('doctor shows that it waits for a mute engine, and can be stopped', async () => {
  await studio.view('doctor');
  await browser.set('.card select', 'Mute');
  await browser.click('button.primary', 'Run checks');
  await browser.find('.progress-card', 'Mute: Starting the engine');
  await browser.click('.progress-card button', 'Stop');
  await browser.find('.list li', 'stopped');
  await browser.set('.card select', 'own');
  await studio.quiet();
});

test('running match is linked from earlier matches', async () => {
  await studio.view('matches');
  await studio.startMatch(1, 100);
  await browser.find('.numbers', '2 of 2 games');
  await browser.find('.list li');
  await browser.click('summary', 'New match');
  await studio.startMatch(20000, 100);
  await browser.find('.match-head button', 'Stop');
  await leave('Matches');
  await browser.find('.match-head button', 'Stop');
  await browser.until('one earlier match', () => document.querySelectorAll('.list li').length === 1);
  await browser.click('.list .wide');
  await browser.find('.numbers', '2 of 2 games');
  await browser.find('p', 'Now playing');
  await browser.click('button', 'Follow');
  await browser.find('.numbers', 'of 40000 games');
  await browser.click('.match-head button', 'Stop');
  await browser.until('two earlier matches', () => document.querySelectorAll('.list li').length === 2);
  await studio.quiet();
});

test('page says that the studio has stopped, and shows nothing old', async () => {
  await studio.view('analyse');
  await browser.until('arrows', () => document.querySelectorAll('.cg-shapes line').length > 0);
  await studio.stop();
  await browser.find('.ended', 'The studio has stopped');
  await browser.find('.engine-head', 'Not connected');
  assert.equal(await browser.run(() => document.querySelectorAll('.cg-shapes line, .lines li').length), 0);
  for (const name of ['Matches', 'Doctor']) {
    await browser.click('nav a', name);
    await browser.find('.card', 'Connecting to the studio');
  }
  await studio.picture('ended');
  await studio.again();
  await browser.find('button.primary', 'Run checks');
  await browser.until('no old news', () => document.querySelector('.ended').hidden);
  await browser.complaints();
});

test('form of a new game shows its position, and the game that goes on', async () => {
  await studio.view('play');
  await browser.click('.choices label', 'Clock');
  await browser.click('button.primary', 'Start');
  await browser.find('.entry');
  await browser.drag('e2', 'e4');
  await studio.moves(2);
  await studio.view('analyse');
  await studio.paste('4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1');
  await studio.drawer('Continue in');
  await browser.click('button', 'Play from here');
  await browser.find('.in-progress', 'Game in progress · your turn');
  await browser.until('the running clock', () =>
    /^\d+:\d\d/.test(document.querySelector('.in-progress .clock').textContent),
  );
  const pieces = () => browser.run(() => document.querySelectorAll('.framed piece:not(.ghost)').length);
  assert.equal(await pieces(), 4);
  await browser.click('.choices label', 'Black');
  await browser.find('.framed .orientation-black');
  await studio.picture('play-from');
  await browser.click('.choices label', 'White');
  await browser.click('button', 'Back to game');
  await studio.moves(2);
  assert.equal(await pieces(), 32);
  await browser.click('button', 'Resign');
  await browser.click('button', 'Resign?');
  await browser.find('.result');
  await browser.click('button', 'New game');
  await browser.click('.choices label', 'Unlimited');
});

test('connection error disappears after reconnecting', async () => {
  await studio.view('matches');
  await browser.find('button.primary', 'Start match');
  await studio.stop();
  await browser.find('.offline', 'reconnecting');
  await browser.click('button.primary', 'Start match');
  await browser.find('.notice', 'The studio is not running');
  await studio.again();
  await studio.connected();
  await browser.until('no old news', () => document.querySelectorAll('.notice').length === 0);
});

test('phone shows the game buttons without scrolling', async () => {
  await browser.size(360, 740);
  await studio.view('play');
  // A game that another test has finished is shown instead of the form.
  await browser.until('the form or a game', () => document.querySelector('.panel .result, .panel button.primary'));
  if (await browser.run(() => document.querySelector('.panel .result') !== null))
    await browser.click('button', 'New game');
  await browser.click('button.primary', 'Start');
  await browser.find('.entry');
  for (const label of ['Take back', 'Hint', 'Resign']) {
    await browser.still(await browser.find('.panel button', label));
    const bottom = await browser.run(
      (label) =>
        [...document.querySelectorAll('.panel button')]
          .find((button) => button.textContent === label)
          .getBoundingClientRect().bottom,
      label,
    );
    assert.ok(bottom > 0 && bottom <= 740, `${label} ends at ${bottom}`);
  }
  assert.equal(await browser.run(() => window.scrollY), 0);
  await browser.size(1280, 860);
});
