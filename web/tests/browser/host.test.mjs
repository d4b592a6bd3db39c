// A studio for other machines, in a real browser: only its token lets in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useStudio } from './studio.mjs';

const { studio, browser } = useStudio('--host', '0.0.0.0');

test('beyond this machine the address with the token opens the page, and the page remembers it', async () => {
  assert.doesNotMatch(studio.url, /0\.0\.0\.0/, 'nobody can go to all addresses at once');
  const entrance = new URL(studio.url);
  entrance.hostname = '127.0.0.1';
  const address = new URL('/', entrance).href;
  await browser.go(address);
  assert.match(await browser.text('body'), /token/);
  assert.match((await browser.complaints()).join(), /401/);
  await browser.go(entrance.href);
  await browser.click('button.primary', 'Start');
  await browser.find('.entry');
  await browser.drag('e2', 'e4');
  await studio.moves(2);
  assert.equal(await browser.run(() => location.href), address, 'the token is not left in the address');
  await browser.go(address);
  await studio.moves(2);
  await studio.quiet();
});
