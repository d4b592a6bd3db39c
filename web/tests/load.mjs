// Parts of the page as modules of Node.

import { build } from 'esbuild';

let loaded = 0;

/** What some files of src export, for a browser with a language. */
export async function load(names, language = 'en') {
  const { outputFiles } = await build({
    stdin: {
      contents: names.map((name) => `export * from './src/${name}';`).join('\n'),
      resolveDir: '.',
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    loader: { '.txt': 'text' },
  });
  Object.defineProperty(globalThis, 'navigator', { value: { languages: [language] }, configurable: true });
  // Each copy is a module of its own.
  const code = `${outputFiles[0].text}\n// ${++loaded}`;
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}
