// Builds the page of the console: one script, one style sheet and the HTML into browser/dist.
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = dirname(fileURLToPath(import.meta.url));
const dist = join(folder, 'dist');

await mkdir(dist, { recursive: true });
await build({
  entryPoints: { console: join(folder, 'main.tsx') },
  outdir: dist,
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['es2022'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
});
await cp(join(folder, 'index.html'), join(dist, 'index.html'));
