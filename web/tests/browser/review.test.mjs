// A reviewed game in a real browser: marks, better moves, both sides' mistakes, the graph.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEYS } from './browser.mjs';
import { useStudio } from './studio.mjs';

const { LEFT, RIGHT } = KEYS;
/** White lets a pawn go, and Black a mate. */
const SCHOLARS_MATE = '[White "Alice"]\n[Black "Bob"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n';
const AS_BLACK = '[White "Vedette (1200)"]\n[Black "You"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 d6 3. h3 Qh4# 0-1\n';

const { studio, browser } = useStudio();

async function review(pgn) {
  await studio.view('review');
  await browser.set('select', 'd8');
  await studio.paste(pgn);
  await browser.click('button.primary', 'Review');
  await browser.find('.accuracy');
}

/** The colours and squares of the arrows on the board. */
const arrows = () =>
  browser.run(() =>
    [...document.querySelectorAll('.framed .cg-shapes g[cgHash]')].map((arrow) => arrow.getAttribute('cgHash')),
  );
const arrowsOnBoard = (words, ...parts) =>
  browser.until(
    words,
    (parts) => {
      const found = [...document.querySelectorAll('.framed .cg-shapes g[cgHash]')].map((arrow) =>
        arrow.getAttribute('cgHash'),
      );
      return (
        found.length === parts.length &&
        parts.every((part) => found.some((arrow) => part.every((word) => arrow.includes(word))))
      );
    },
    parts,
  );

test('better move is drawn before the mistake, and its line can be played', async () => {
  await review(SCHOLARS_MATE);
  await browser.click('.moves .move', 'Qh5');
  await arrowsOnBoard('the mistake in red, the better move in green', ['g8', 'f6', 'red'], ['advice']);
  await browser.click('.moves .move', 'Nf6??');
  await browser.find('.note', 'Better');
  await browser.find('.note .explanation', 'mate');
  await arrowsOnBoard('the best move of this position', ['h5', 'f7', 'best']);
  // The better line is a variation: each of its moves leads to its position.
  const better = await browser.run(() =>
    [...document.querySelectorAll('.better .move')].map((move) => move.textContent),
  );
  assert.match(better[0], /^3… \S+$/);
  await browser.click('.better .move');
  await browser.find('.better .move[aria-current]', better[0]);
  await browser.find('.moves .variation .move[aria-current]', better[0].replace('3… ', ''));
  await browser.keys(RIGHT);
  await browser.find('.better .move[aria-current]', better[1]);
  await studio.picture('review-better');
  await browser.keys(LEFT, LEFT);
  await browser.find('.moves .row .move[aria-current]', 'Qh5');
  await studio.quiet();
});

test('best moves cost nothing', async () => {
  const notes = [];
  for (let left = 7; left > 0; left--) {
    await browser.keys(RIGHT);
    notes.push(await browser.text('.note'));
  }
  const best = notes.filter((note) => note.includes('best'));
  assert.ok(best.length > 0 && best.every((note) => !note.includes('%')), best.join('\n'));
});

test('counts and keys lead to the next mistake', async () => {
  await browser.click('.errors .blunder button:not([disabled])', 'blunder');
  await browser.find('.moves .row .move[aria-current]', 'Nf6??');
  await browser.keys('m');
  const first = await browser.text('.moves .row .move[aria-current]');
  assert.match(first, /\?/);
  await browser.keys('M');
  await browser.find('.moves .row .move[aria-current]', 'Nf6??');
});

test('graph shows the move under the pointer', async () => {
  await browser.hover('.graph .u-over');
  await browser.until('a move', () =>
    /^2[.…] \S+ [+−]/.test(document.querySelector('.read-out:not([hidden])')?.textContent),
  );
});

test('analysis keeps marks and better lines', async () => {
  await browser.click('.moves .row .move', 'Nf6??');
  await browser.click('button', 'Analyse here');
  await browser.find('.moves .row .move[aria-current]', 'Nf6??');
  await browser.find('.moves .variation', '3…');
  await browser.find('.moves .comment-score');
  await studio.quiet();
});

test("game as Black is reviewed from Black's side, labels are large enough on a dense screen", async () => {
  await browser.size(1280, 860, 2);
  await review(AS_BLACK);
  await browser.find('.framed .orientation-black');
  assert.equal(await browser.text('.cards .card .name'), 'You');
  const lessons = await browser.run(() =>
    [...document.querySelectorAll('.panel .actions .primary')].map((button) => button.textContent),
  );
  assert.ok(
    lessons.every((text) => text.startsWith('Learn from your mistakes')),
    String(lessons),
  );
  await browser.click('button.primary', 'Learn from your mistakes');
  await browser.find('.note', 'Black played d6');
  await browser.find('.framed .orientation-black');
  assert.deepEqual(await arrows(), []);
  await browser.find('.note', 'Mistake 1 of 1');
  const shown = await browser.run(() => document.querySelector('.moves').getClientRects().length);
  assert.equal(shown, 0, 'the better line is not shown before the answer');
  await studio.picture('review-learn');
  const font = await browser.run(() => document.querySelector('.graph canvas').getContext('2d').font);
  assert.ok(parseFloat(font) >= 20, font);
  await browser.size(1280, 860);
  await studio.quiet();
});

test('several games are summed up by opening and phase', async () => {
  await review(
    '[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Qh5 Nf6 0-1\n\n[White "Cid"]\n[Black "Ann"]\n\n1. d4 d5 1/2-1/2\n',
  );
  await browser.click('.totals-card summary', 'All games of Ann');
  await browser.find('.totals td', 'Opening');
  await browser.find('.totals tr', '0.5 of 1');
  await studio.picture('review-totals');
  await studio.quiet();
});
