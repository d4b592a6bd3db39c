// The board, the editor and the evaluation bar in a real browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEYS } from './browser.mjs';
import { useStudio } from './studio.mjs';

const { ESCAPE, LEFT, UP } = KEYS;
const PROMOTION = '8/P6k/8/8/8/8/6K1/8 w - - 0 1';

const { studio, browser } = useStudio();

test('cancelled promotion keeps the arrows, and one by mouse leaves the keys to the game', async () => {
  await studio.playFrom(PROMOTION);
  await browser.click('button', 'Hint');
  await browser.until('the hint', () => document.querySelectorAll('.cg-shapes line').length === 1);
  await browser.drag('a7', 'a8');
  await browser.click('.promotion button[aria-label=Cancel]');
  await browser.until('the board of before', () => !document.querySelector('.promotion'));
  assert.equal(await browser.run(() => document.querySelectorAll('.cg-shapes line').length), 1);
  await browser.drag('a7', 'a8');
  await browser.click('.promotion button[aria-label=queen]');
  await studio.moves(2);
  await browser.keys(LEFT);
  await browser.find('.moves .move[aria-current]', 'a8=Q');
  await studio.quiet();
});

test('keyboard of Black begins at its own side', async () => {
  await studio.playFrom('4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1', 'Black');
  await browser.run(() => document.querySelector('main .framed .board').focus());
  await browser.keys(UP);
  await browser.until('the cursor', () => document.getElementById('announcer').textContent === 'e6 empty');
  await studio.quiet();
});

test('escape leaves the editor, which has no frame', async () => {
  await studio.view('analyse');
  await studio.drawer('Position');
  await browser.click('button', 'Edit position');
  await browser.find('.palette');
  await browser.keys('x');
  assert.equal(await browser.run(() => getComputedStyle(document.activeElement).outlineStyle), 'none');
  await browser.keys(ESCAPE);
  await browser.until('the analysis', () => !document.querySelector('.palette') && document.querySelector('.moves'));
  await studio.quiet();
});

test('evaluation bar has a border in both themes', async () => {
  for (const theme of ['light', 'dark']) {
    await browser.theme(theme);
    const border = await browser.until('a border', () => {
      const { borderTopWidth, borderTopColor } = getComputedStyle(document.querySelector('.bar'), '::after');
      return borderTopWidth !== '0px' && borderTopColor;
    });
    const paper = await browser.run(() => getComputedStyle(document.body).backgroundColor);
    const light = (color) =>
      color
        .match(/\d+/g)
        .slice(0, 3)
        .reduce((sum, part) => sum + Number(part), 0) / 3;
    assert.ok(Math.abs(light(border) - light(paper)) > 60, `${border} on ${paper}`);
  }
  await browser.theme('light');
});
