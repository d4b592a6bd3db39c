// A small WebDriver client: Debian's chromedriver and Chromium, nothing from npm.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** How long a state is waited for before the test fails: long, because a machine may have other things to do. */
const PATIENCE = 180_000;

/**
 * Runs in every page before its own scripts: messages that go away by themselves (after 8 seconds) and questions that
 * are taken back (after 4) stay, because on a busy machine the test may come later than that.
 */
const UNHURRIED = `(() => {
  const { setTimeout } = window;
  window.setTimeout = (act, wait, ...rest) => (wait === 4000 || wait === 8000 ? 0 : setTimeout(act, wait, ...rest));
})()`;

/** Waits until a function returns something true; the answer is what it returned. */
export async function eventually(words, what) {
  const limit = Date.now() + PATIENCE;
  for (;;) {
    const value = await what();
    if (value) return value;
    if (Date.now() > limit) throw new Error(`waited in vain: ${words}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Keys that are no letters, as WebDriver calls them. */
export const KEYS = {
  TAB: '\uE004',
  ENTER: '\uE007',
  SHIFT: '\uE008',
  CONTROL: '\uE009',
  ESCAPE: '\uE00C',
  END: '\uE010',
  LEFT: '\uE012',
  UP: '\uE013',
  RIGHT: '\uE014',
  DOWN: '\uE015',
  DELETE: '\uE017',
};

/** Starts a program and waits for a line that matches; resolves to the match and the process. */
export function start(program, args, pattern, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let text = '';
    const hear = (chunk) => {
      text += chunk;
      const found = text.match(pattern);
      if (found) resolve({ child, found });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('error', (error) => reject(new Error(`${program}: ${error.message}`)));
    child.on('exit', (code) => reject(new Error(`${program} ended with ${code}:\n${text}`)));
  });
}

/** Ends a program and waits until it has gone. */
export function end(child, signal = 'SIGTERM') {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', resolve);
    child.kill(signal);
  });
}

export class Browser {
  /** Starts driver and browser. */
  async open() {
    this.profile = mkdtempSync(join(tmpdir(), 'vedette-chromium-'));
    const found = await this.startDriver();
    this.base = `http://127.0.0.1:${found[1]}`;
    const args = [
      '--headless=new',
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--mute-audio',
      '--hide-scrollbars',
      '--lang=en-US',
      '--accept-lang=en-US',
      `--user-data-dir=${this.profile}`,
    ];
    const { sessionId } = await this.call('POST', '/session', {
      capabilities: {
        alwaysMatch: { browserName: 'chrome', 'goog:chromeOptions': { args }, 'goog:loggingPrefs': { browser: 'ALL' } },
      },
    });
    this.base += `/session/${sessionId}`;
    await this.call('POST', '/timeouts', { script: PATIENCE, pageLoad: PATIENCE });
    await this.unhurried();
  }

  /** In this tab nothing goes away by itself. */
  unhurried() {
    return this.cdp('Page.addScriptToEvaluateOnNewDocument', { source: UNHURRIED });
  }

  /** Starts the driver on a free port; the answer has its number. */
  async startDriver(tries = 10) {
    try {
      const { child, found } = await start('chromedriver', ['--port=0'], /started successfully on port (\d+)/);
      this.driver = child;
      return found;
    } catch (error) {
      // It chooses a port for IPv6, which another program may have for IPv4.
      if (tries === 0 || !String(error).includes('Address already in use')) throw error;
      return this.startDriver(tries - 1);
    }
  }

  async close() {
    if (!this.driver) return;
    await this.call('DELETE', '').catch(() => {});
    await end(this.driver);
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  async call(method, path, body) {
    const answer = await fetch(this.base + path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
    });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${value.error}: ${value.message?.split('\n')[0]}`);
    return value;
  }

  /** Chromium's own commands. */
  cdp(cmd, params = {}) {
    return this.call('POST', '/goog/cdp/execute', { cmd, params });
  }

  /** Sets the size of the page; narrow ones are phones with a finger instead of a mouse. */
  async size(width, height, deviceScaleFactor = 1) {
    const mobile = width < 500;
    await this.cdp('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile });
    await this.cdp('Emulation.setTouchEmulationEnabled', { enabled: mobile });
    await this.settled();
  }

  /** Sets what the system's theme is. */
  theme(name) {
    return this.cdp('Emulation.setEmulatedMedia', {
      features: [
        { name: 'prefers-color-scheme', value: name },
        { name: 'prefers-reduced-motion', value: 'reduce' },
      ],
    });
  }

  /** Opens another tab and goes to it; the answer is the one that was left. */
  async tab() {
    const before = await this.call('GET', '/window');
    const { handle } = await this.call('POST', '/window/new', { type: 'tab' });
    await this.call('POST', '/window', { handle });
    await this.unhurried();
    return before;
  }

  /** Closes this tab and goes to another. */
  async closeTab(other) {
    await this.call('DELETE', '/window');
    await this.call('POST', '/window', { handle: other });
  }

  go(url) {
    return this.call('POST', '/url', { url });
  }

  /** Loads the page anew, and waits until the old one has gone. */
  async reload() {
    await this.run(() => void (window.old = true));
    await this.call('POST', '/refresh');
    await this.until('a page that was loaded anew', () => !window.old && document.readyState === 'complete');
  }

  /** Runs a function in the page. */
  run(what, ...args) {
    return this.call('POST', '/execute/sync', { script: `return (${what})(...arguments)`, args });
  }

  /** Runs a function in the page that returns a promise. */
  runAsync(what, ...args) {
    const script = `const done = arguments[arguments.length - 1]; (${what})(...Array.prototype.slice.call(arguments, 0, -1)).then(done, (error) => done({ failed: String(error) }))`;
    return this.call('POST', '/execute/async', { script, args });
  }

  /** Waits until something is true in the page, or says what was waited for. */
  async until(words, what, ...args) {
    try {
      return await eventually(words, () => this.run(what, ...args).catch(() => undefined));
    } catch (error) {
      throw new Error(`${error.message}; the page says: ${(await this.text('body')).slice(0, 3000)}`);
    }
  }

  /** Waits for an element whose text contains some words. */
  async find(css, words = '') {
    await this.until(
      `${css} "${words}"`,
      (css, words) =>
        [...document.querySelectorAll(css)].some(
          (found) => found.textContent.includes(words) && found.getClientRects().length > 0,
        ),
      css,
      words,
    );
    return this.run(
      (css, words) =>
        [...document.querySelectorAll(css)].find(
          (found) => found.textContent.includes(words) && found.getClientRects().length > 0,
        ),
      css,
      words,
    );
  }

  async click(css, words = '') {
    // What was found may be drawn anew, or covered for a moment, before it is pressed: then it is looked for again.
    const again = /stale element|click intercepted|not interactable/;
    const limit = Date.now() + PATIENCE;
    for (;;) {
      try {
        const element = await this.find(css, words);
        await this.still(element);
        await this.call('POST', `/element/${element[ELEMENT]}/click`);
        return;
      } catch (error) {
        if (Date.now() > limit || !again.test(String(error))) throw error;
      }
    }
  }

  /** Moves the mouse over an element, and leaves it there. */
  async hover(css) {
    const element = await this.find(css);
    await this.still(element);
    await this.call('POST', '/actions', {
      actions: [
        {
          type: 'pointer',
          id: 'mouse',
          parameters: { pointerType: 'mouse' },
          actions: [{ type: 'pointerMove', duration: 0, origin: element, x: 0, y: 0 }],
        },
      ],
    });
  }

  /** Waits until an element has stayed in its place for three frames: the driver looks where it is, and clicks there later. */
  still(element) {
    return this.runAsync(async (element) => {
      const place = () => JSON.stringify(element.getBoundingClientRect());
      let last = place();
      for (let left = 60, same = 0; left > 0 && same < 3; left--) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        same = place() === last ? same + 1 : 0;
        last = place();
      }
    }, element);
  }

  /** Waits until the page has been drawn and nothing on it moves. */
  async settled() {
    await this.until('a page at rest', () =>
      document.getAnimations().every((animation) => animation.playState !== 'running'),
    );
    await this.still(await this.find('body'));
  }

  async type(css, text) {
    const element = await this.find(css);
    await this.call('POST', `/element/${element[ELEMENT]}/value`, { text });
  }

  /** Sets a field's value as typing it would. */
  set(css, value) {
    return this.run(
      (css, value) => {
        const field = document.querySelector(css);
        field.value = value;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        field.dispatchEvent(new Event('change', { bubbles: true }));
      },
      css,
      value,
    );
  }

  text(css) {
    return this.run((css) => document.querySelector(css)?.innerText ?? '', css);
  }

  /** Presses keys one after the other, wherever the focus is. */
  async keys(...keys) {
    const actions = keys.flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.call('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  /** Goes from one control to the next until one is reached that is called so. */
  async tabTo(name) {
    const reached = (name) => {
      const here = document.activeElement;
      return [
        here.labels?.[0]?.textContent,
        here.getAttribute('aria-label'),
        here.matches('button, a, summary') ? here.textContent : null,
      ].some((text) => text?.startsWith(name));
    };
    for (let left = 100; left > 0; left--) {
      await this.keys(KEYS.TAB);
      if (await this.run(reached, name)) return;
    }
    throw new Error(`the Tab key does not lead to ${name}`);
  }

  /** Presses keys together. */
  async chord(...keys) {
    const down = keys.map((value) => ({ type: 'keyDown', value }));
    const up = [...keys].reverse().map((value) => ({ type: 'keyUp', value }));
    await this.call('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions: [...down, ...up] }] });
  }

  /** Drags from one square of the visible board to another; from a square to itself is a click. */
  async drag(from, to, pointer = this.mouse()) {
    const board = await this.find('main .framed cg-board');
    await this.run((board) => board.scrollIntoView({ block: 'nearest' }), board);
    const limit = Date.now() + PATIENCE;
    for (;;) {
      await this.still(board);
      const [start, stop] = await this.places(from, to);
      await pointer.down(start);
      if (from === to) return pointer.up(start);
      // The board draws a piece where the pointer is with the next frame; one that is released before was only clicked.
      const middle = { x: Math.round((start.x + stop.x) / 2), y: Math.round((start.y + stop.y) / 2) };
      await pointer.move(middle);
      if (await this.dragged(middle)) {
        await pointer.move(stop);
        if (!(await this.dragged(stop))) throw new Error(`the piece from ${from} does not come to ${to}`);
        return pointer.up(stop);
      }
      // Whose turn it is may not be known yet: the piece is put back where it was, and taken up again.
      await pointer.move(start);
      await pointer.up(start);
      if (Date.now() > limit) {
        const there = await this.run(({ x, y }) => document.elementFromPoint(x, y)?.outerHTML.slice(0, 200), start);
        const page = (await this.text('body')).slice(0, 3000);
        throw new Error(`the piece on ${from} cannot be dragged: ${there} is there; the page says: ${page}`);
      }
    }
  }

  /** A mouse to drag with. */
  mouse() {
    const act = (...actions) =>
      this.call('POST', '/actions', {
        actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }],
      });
    const to = (point) => ({ type: 'pointerMove', duration: 0, ...point });
    return {
      down: (point) => act(to(point), { type: 'pointerDown', button: 0 }),
      move: (point) => act(to(point)),
      up: (point) => act(to(point), { type: 'pointerUp', button: 0 }),
    };
  }

  /** A finger to drag with. The driver's own lifts between two commands. */
  finger() {
    const touch = (type, ...touchPoints) => this.cdp('Input.dispatchTouchEvent', { type, touchPoints });
    return {
      down: (point) => touch('touchStart', point),
      move: (point) => touch('touchMove', point),
      up: () => touch('touchEnd'),
    };
  }

  /** Whether a piece is dragged and comes to a point within twenty frames. */
  dragged(point) {
    return this.runAsync(async ({ x, y }) => {
      for (let left = 20; left > 0; left--) {
        const piece = document.querySelector('main .framed piece.dragging')?.getBoundingClientRect();
        if (piece && Math.abs(piece.x + piece.width / 2 - x) < 3 && Math.abs(piece.y + piece.height / 2 - y) < 3)
          return true;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return false;
    }, point);
  }

  /** Where the middles of squares of the visible board are. */
  places(...squares) {
    return this.run(
      (...squares) => {
        const board = document.querySelector('main .framed cg-board').getBoundingClientRect();
        const black = document.querySelector('main .framed .cg-wrap').classList.contains('orientation-black');
        return squares.map((square) => {
          const file = square.charCodeAt(0) - 97;
          const rank = Number(square[1]) - 1;
          const x = (black ? 7 - file : file) + 0.5;
          const y = (black ? rank : 7 - rank) + 0.5;
          return {
            x: Math.round(board.left + (x * board.width) / 8),
            y: Math.round(board.top + (y * board.height) / 8),
          };
        });
      },
      ...squares,
    );
  }

  /** Saves a picture of the page. */
  async picture(path) {
    writeFileSync(path, Buffer.from(await this.call('GET', '/screenshot'), 'base64'));
  }

  /** What the page has complained about since the last time. */
  async complaints() {
    const log = await this.call('POST', '/se/log', { type: 'browser' });
    const bad = log.filter((entry) => entry.level === 'SEVERE' || entry.level === 'WARNING');
    return [...new Set(bad.map((entry) => entry.message.slice(0, 300)))];
  }
}
