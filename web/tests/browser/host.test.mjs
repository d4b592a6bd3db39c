// Who may use the studio, in a real browser: whoever has its link, on this machine and on others.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { useStudio } from './studio.mjs';

const { studio, browser } = useStudio('--host', '0.0.0.0');

/** The link from this machine's point of view. */
function localLink() {
  const link = new URL(studio.link);
  assert.notEqual(link.hostname, '0.0.0.0', 'the printed address can be reached');
  link.hostname = '127.0.0.1';
  return link.href;
}

test('the page asks for the link, and connects once the link was opened', async () => {
  const link = localLink();
  const page = new URL('/', link).href;
  await browser.call('DELETE', '/cookie');
  await browser.go(page);
  await browser.find('.refused', 'Open the link');
  assert.match((await browser.complaints()).join(), /\/socket.*failed/);
  // The link in another tab is enough: the page that waits connects by itself.
  const waiting = await browser.tab();
  await browser.go(link);
  await browser.find('.welcome h2', 'For players');
  assert.equal(await browser.run(() => location.href), page, 'the token is not left in the address');
  await browser.click('nav a', 'Play');
  // The form is there when the studio has answered.
  await browser.find('button.primary', 'Start');
  await browser.closeTab(waiting);
  await browser.click('nav a', 'Play');
  await browser.find('button.primary', 'Start');
  await browser.until('no complaint', () => document.querySelector('.refused').hidden);
  await browser.click('button.primary', 'Start');
  await browser.find('.entry');
  await browser.drag('e2', 'e4');
  await studio.moves(2);
  await browser.reload();
  await studio.moves(2);
});

test('a file that leads to the link opens the page', async () => {
  // As `vedette studio` opens it: a file is another site, so that a strict cookie does not go with the first request.
  await browser.call('DELETE', '/cookie');
  const file = join(studio.folder, 'link.html');
  writeFileSync(file, `<meta http-equiv="refresh" content="0; url=${localLink()}">`);
  await browser.go(pathToFileURL(file).href);
  // The game of the test before, or the form for a new one: both need a connection.
  await browser.find('.entry, button.primary');
  assert.equal(await browser.run(() => document.querySelector('.refused').hidden), true);
  await browser.complaints();
});
