// A studio with a browser before it: what the tests in a real browser share. VEDETTE names the program; PICTURES, if
// set, is a folder for pictures.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before } from 'node:test';
import { Browser, end, start } from './browser.mjs';

const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const PROGRAM = process.env.VEDETTE ?? '../target/debug/vedette';
const PICTURES = process.env.PICTURES;

/** A position in which much can be taken: its search is large, and is looked at twice in places. */
export const LOUD = 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1';

/** A studio and its browser for the tests of a file: opened before the first of them, closed after the last. The program may be given more words. */
export function useStudio(...args) {
  const studio = new Studio(args);
  before(() => studio.open());
  // Every state in which a test ends is examined, and every one that is called a picture.
  afterEach(() => studio.accessible('at the end'));
  after(() => studio.close());
  return { studio, browser: studio.browser };
}

/** A program, its data folder, and a page that looks at it. */
class Studio {
  folder = mkdtempSync(join(tmpdir(), 'vedette-studio-'));
  browser = new Browser();
  takesPictures = !!PICTURES;

  constructor(args) {
    this.args = args;
  }

  /** Starts studio and browser. */
  async open() {
    await this.start();
    await this.browser.open();
    await this.browser.go(this.link);
    await this.browser.size(1280, 860);
    await this.browser.theme('light');
  }

  async start(port = '0') {
    const args = [
      'studio',
      '--no-open',
      '--port',
      port,
      '--data',
      this.folder,
      '--engine',
      `Rival=${PROGRAM} uci`,
      ...this.args,
    ];
    const { child, found } = await start(PROGRAM, args, /(http:\/\/\S+)/);
    this.process = child;
    // The printed link has the token; the page itself does not.
    this.link = found[1];
    this.url = new URL('/', this.link).href;
  }

  /** Ends the program; by default as a crash would. */
  stop(signal = 'SIGKILL') {
    return end(this.process, signal);
  }

  /** Starts it again where it was. Its token is another one, which the browser gets in another tab, as from `vedette studio` itself. */
  async again() {
    await this.start(new URL(this.url).port);
    const page = await this.browser.tab();
    await this.browser.go(this.link);
    await this.browser.closeTab(page);
  }

  async close() {
    await this.browser.close();
    if (this.process) await this.stop('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Opens a view afresh, as the user left it. */
  async view(name) {
    await this.browser.go(`${this.url}#/${name}`);
    await this.browser.reload();
    await this.shown(name);
    await this.connected();
  }

  /** Waits for a view. */
  shown(name) {
    return this.browser.find(`header a[aria-current][href="#/${name}"]`);
  }

  connected() {
    return this.browser.until('a line to the studio', () => document.querySelector('.offline')?.hidden);
  }

  /** Fails if the page has complained. */
  async quiet() {
    assert.deepEqual(await this.browser.complaints(), [], 'the page complained');
  }

  /** Fails if axe finds a fault in what the page shows. */
  async accessible(where) {
    // Tests may end on another page, such as a report.
    if (!(await this.browser.run(() => document.getElementById('main') !== null))) return;
    await this.browser.settled();
    await this.browser.run((axe) => void (window.axe ?? (0, eval)(axe)), AXE);
    const found = await this.browser.runAsync(() =>
      window.axe
        .run(document, {
          resultTypes: ['violations'],
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
        })
        .then((result) =>
          result.violations.map(
            ({ id, nodes }) =>
              `${id}: ${nodes
                .slice(0, 3)
                .map((node) => node.html.slice(0, 120))
                .join(' | ')}`,
          ),
        ),
    );
    assert.deepEqual(found, [], where);
  }

  /** A state worth looking at: axe does, and people do where there is a folder for pictures. */
  async picture(name) {
    await this.accessible(name);
    if (!PICTURES) return;
    mkdirSync(PICTURES, { recursive: true });
    await this.browser.picture(join(PICTURES, `${name}.png`));
  }

  /** Pastes a text into the page. */
  paste(text) {
    return this.browser.run((text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    }, text);
  }

  /** Drops a file onto the page. */
  drop(text, name) {
    return this.browser.run(
      (text, name) => {
        const data = new DataTransfer();
        data.items.add(new File([text], name, { type: 'application/x-chess-pgn' }));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      text,
      name,
    );
  }

  /** Opens a part of the analysis panel. */
  drawer(name) {
    return this.browser.click('.handle', name);
  }

  /** Begins a game from a position. */
  async playFrom(fen, side = 'White') {
    await this.view('analyse');
    await this.paste(fen);
    await this.browser.until('the position', (fen) => document.querySelector('.field input.mono')?.value === fen, fen);
    await this.drawer('Continue in');
    await this.browser.click('button', 'Play from here');
    await this.browser.find('.from', 'From this position');
    await this.browser.click('.choices label', side);
    await this.browser.click('button.primary', 'Start');
    await this.browser.find('.entry');
  }

  /** Begins a match of so many pairs of games; engines are named as the page's lists name them. */
  async startMatch(pairs, nodes, first = 'elo-1200', second = undefined) {
    await this.browser.find('button.primary', 'Start match');
    await this.browser.run(
      (pairs, nodes, engines) => {
        const change = (label, value) => {
          const field = [...document.querySelectorAll('.field')]
            .find((field) => field.textContent.startsWith(label))
            .querySelector('input, select');
          field.value = value;
          field.dispatchEvent(new Event('change', { bubbles: true }));
        };
        change('Game pairs', pairs);
        change('Nodes', nodes);
        if (engines[0]) change('First', engines[0]);
        if (engines[1]) change('Second', engines[1]);
      },
      pairs,
      nodes,
      [first, second],
    );
    await this.browser.click('button.primary', 'Start match');
  }

  /** Waits for so many moves of the main line. */
  moves(count) {
    return this.browser.until(
      `${count} moves`,
      (count) => document.querySelectorAll('.moves .row .move').length === count,
      count,
    );
  }
}
