// Languages: everything that the page shows is in the table of strings, in every language.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { transform } from 'esbuild';
import { calls, literals } from './literals.mjs';
import { load } from './load.mjs';

/** Generated, or with errors for developers alone. */
const UNREAD = ['protocol.ts', 'openings.ts'];
const SOURCES = readdirSync('src', { recursive: true })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('strings') && !UNREAD.includes(path))
  .sort();

/** Functions of the page that show their arguments, and which of them. */
const SHOWING = {
  h: (at) => at >= 2,
  button: (at) => at === 0,
  iconButton: (at) => at === 1,
  confirmButton: (at) => at <= 1,
  removeButton: (at) => at === 0,
  field: (at) => at === 0,
  toggle: (at) => at === 0,
  choice: (at, element) => at === 0 || (at === 1 && element === 1),
  select: (at, element) => at === 0 && element === 1,
  notice: (at) => at === 0,
  announce: (at) => at === 0,
  copy: (at) => at === 1,
  Error: (at) => at === 0,
};
/** Functions that take selectors, classes or media queries. */
const SELECTING = /(^|\.)(querySelector(All)?|matches|closest|matchMedia|classList\.\w+|getPropertyValue|matchAll)$/;
/** Properties that are shown. */
const SHOWN = ['title', 'label', 'placeholder', 'aria-label', 'aria-valuetext', 'textContent', 'xName', 'yName'];
/** Properties that are not, though they may hold words. */
const HIDDEN = ['class', 'd', 'key', 'accept'];
/** Names and notation that are the same in every language. */
const NAMES =
  /^(Vedette|vedette|studio|engine|add|NAME|COMMAND|Chess960|Elo|LLR|PGN|FEN|SPRT|Hash|Threads|MiB|[GMk]|[KQRBN]?[a-h][1-8]|O-O|TB|H[01])$/;
/** What is written into files, or compared with what a browser calls things. */
const CODES =
  /^(White|Black|WhiteElo|BlackElo|Event|Site|Date|Round|Result|Variant|SetUp|Arrow(Up|Down|Left|Right)|Home|End|Delete|Backspace|Tab|Space|Ctrl\+[VYZ]|Enter|Escape|Files|Vedette studio|You|position fen |px system-ui)$/;

/** The language's texts by their path. */
function leaves(strings, path = 't') {
  return Object.entries(strings).flatMap(([key, value]) => {
    const here = /^[\w$]+$/.test(key) && !/^\d/.test(key) ? `${path}.${key}` : `${path}[${key}]`;
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? leaves(value, here) : [[here, value]];
  });
}

const { LANGUAGES } = await load(['strings']);

/** Whether a literal has words of a language, rather than notation, a selector or a number. */
const hasWords = (text) => text.split(/[^\p{L}\d-]+/u).some((word) => /\p{L}{2}/u.test(word) && !NAMES.test(word));

/** Literals of a source that people read. */
async function readByPeople(source) {
  const { code } = await transform(source, { loader: 'ts', format: 'esm', target: 'es2022', charset: 'utf8' });
  return literals(code)
    .filter(({ text, call, element, property, imported }) => {
      if (imported || !hasWords(text)) return false;
      if (HIDDEN.includes(property) || text.startsWith('<')) return false;
      if (property ? SHOWN.includes(property) : call && SHOWING[call.name]?.(call.at, element)) return true;
      if (SELECTING.test(call?.name ?? '')) return false;
      // Elsewhere: sentences, and words with a capital letter.
      return !CODES.test(text) && (/\p{L}{2,}[,.:]? \p{L}/u.test(text) || /^\p{Lu}\p{Ll}+/u.test(text)) && !property;
    })
    .map(({ text }) => text);
}

test('texts that people read are in the table of strings', async () => {
  const found = [];
  for (const path of SOURCES) {
    const texts = await readByPeople(readFileSync(`src/${path}`, 'utf8'));
    found.push(...texts.map((text) => `src/${path}: ${JSON.stringify(text)}`));
  }
  assert.deepEqual(found, [], 'put these texts into src/strings/en.ts and the other languages');
});

test('texts that are not in the table are found', async () => {
  const show = [
    "h('p', {}, 'Hello there')",
    "h('p', {}, busy ? 'thinking' : 'idle')",
    "h('p', {}, h('b', { class: 'soft' }, `took ${seconds} seconds`))",
    "h('p', { title: 'tooltip' })",
    "button('save', act)",
    "iconButton('x', 'close', act)",
    'notice(`${name} lost`)',
    "throw new Error('bad move')",
    "const WORDS = ['Good move']",
    "const words = won ? 'White won' : other",
    "element.textContent = 'ready'",
  ];
  for (const source of show) assert.ok((await readByPeople(source)).length > 0, source);
  const hide = [
    "h('p', { class: 'soft small' }, t.play.title)",
    "h('p', {}, `${white} – ${black}`)",
    "import { Board } from './Board Stuff'",
    "tags.get('White')",
    "element.matches('select, [type=checkbox]')",
    "h('code', {}, 'vedette studio')",
    "event.key === 'ArrowLeft'",
    '// Only a comment here',
  ];
  for (const source of hide) assert.deepEqual(await readByPeople(source), [], source);
});

test('every string of the table is used', async () => {
  const used = [];
  for (const path of SOURCES) {
    const { code } = await transform(readFileSync(`src/${path}`, 'utf8'), { loader: 'ts', format: 'esm' });
    used.push(...calls(code, 't'));
  }
  // A key may be computed: then all of its group count as used.
  const isUsed = (path) =>
    used.some(
      (use) =>
        use === path ||
        use.startsWith(`${path}.`) ||
        (use.length < path.length && path.startsWith(use) && '.['.includes(path[use.length])),
    );
  const unused = leaves(LANGUAGES.en.strings)
    .map(([path]) => path)
    .filter((path) => !isUsed(path));
  assert.deepEqual(unused, [], 'delete these keys');
});

test('piece letters, numbers and plurals follow the language', async () => {
  const names = ['notation', 'strings', 'rules', 'settings'];
  const [english, french, spanish] = await Promise.all(['en-GB', 'fr-CH', 'es'].map((code) => load(names, code)));
  assert.deepEqual(
    [english, french, spanish].map(({ language }) => language),
    ['en', 'fr', 'es'],
  );
  assert.equal(english.shown('Nxf7+ Qe8 a8=R'), 'Nxf7+ Qe8 a8=R');
  assert.equal(french.shown('Nxf7+ Qe8 O-O-O a8=R'), 'Cxf7+ De8 O-O-O a8=T');
  assert.equal(spanish.shown('Bb5 Kf8'), 'Ab5 Rf8');
  french.settings.notation = 'figurines';
  assert.equal(french.shown('Nf3'), '♘\uFE0Ef3');
  assert.equal(french.spoken('Nf3'), 'Cf3', 'screen readers get letters');
  assert.equal(english.count(1_234_567), '1.2 M');
  assert.equal(french.count(1_234_567), '1,2 M');
  assert.deepEqual(
    [0, 1, 2].map((count) => french.t.setup.moves(count)),
    ['0 coup', '1 coup', '2 coups'],
  );
  assert.deepEqual(
    [0, 1, 2].map((count) => spanish.t.reviewed.errors.blunder(count)),
    ['0 errores graves', '1 error grave', '2 errores graves'],
  );
});

test('moves are typed with the letters of the language, or the English ones', async () => {
  const french = await load(['notation', 'rules'], 'fr');
  const at = french.position('4k3/P7/8/8/8/5N2/8/R3K2R w KQ - 0 1');
  const typed = (text) => {
    const move = french.typed(at, text);
    return move && french.makeUci(move);
  };
  assert.equal(typed('Cd4'), 'f3d4');
  assert.equal(typed('Nd4'), 'f3d4', 'English');
  assert.equal(typed('Rf1'), 'e1f1', 'the king, although in English it would be a rook');
  assert.equal(typed('Tf1'), 'h1f1');
  assert.equal(typed('a8=D'), 'a7a8q');
  assert.equal(typed('a7a8r'), 'a7a8r', 'UCI notation is English');
  assert.equal(typed('O-O'), 'e1h1');
  assert.equal(typed('Df3'), undefined);
  assert.equal(french.typedLine(at, '1. Cd4 Rf8 Xx Cf3'), 'Nd4 Kf8 Xx Cf3');
});

test('languages have the same keys and parameters, and no text is empty', async () => {
  const { en, ...others } = LANGUAGES;
  const ofEnglish = new Map(leaves(en.strings));
  for (const [code, { strings }] of Object.entries(others)) {
    const own = new Map(leaves(strings));
    assert.deepEqual([...own.keys()].sort(), [...ofEnglish.keys()].sort(), code);
    for (const [path, text] of own) {
      const english = ofEnglish.get(path);
      assert.equal(typeof text, typeof english, `${code}: ${path}`);
      // A parameter that is left out is a fault of the translation; one may be used twice.
      if (typeof text === 'function') assert.equal(text.length, english.length, `${code}: ${path}`);
      else if (english !== '') assert.ok(text.length > 0, `${code}: ${path}`);
    }
  }
});

test('French has no space before punctuation at which a line could break', () => {
  const texts = leaves(LANGUAGES.fr.strings).filter(([, text]) => typeof text === 'string');
  assert.deepEqual(
    texts.filter(([, text]) => / [:;?!%»]|« /.test(text)),
    [],
  );
});
