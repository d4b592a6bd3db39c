// Builds the page: bundles script and style into dist/, with names that change when their content does.

import { build } from 'esbuild';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

rmSync('dist', { recursive: true, force: true });
mkdirSync('dist');

const result = await build({
  entryPoints: { studio: 'src/main.ts', style: 'src/style/all.css' },
  outdir: 'dist/assets',
  entryNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'linked',
  metafile: true,
  logLevel: 'warning',
});

const outputs = Object.keys(result.metafile.outputs).map((path) => basename(path));
const named = (start, end) => outputs.find((name) => name.startsWith(start) && name.endsWith(end));
const page = readFileSync('src/index.html', 'utf8')
  .replace('{{script}}', `assets/${named('studio-', '.js')}`)
  .replace('{{style}}', `assets/${named('style-', '.css')}`);
if (page.includes('{{')) throw new Error('index.html names something that was not built');
writeFileSync('dist/index.html', page);
cpSync('static', 'dist', { recursive: true });
