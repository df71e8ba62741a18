/**
 * Bundles the page of the inspector into `packages/inspector/assets`: what the compiler wrote, Preact and
 * the style sheet, minified, each file also compressed. Fails if the page is larger than its budget.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

import { build } from 'rolldown';

import { pageBundle, recordInputs } from './lib/bundles.mjs';
import { root } from './lib/paths.mjs';

/** What all files of the page may weigh together, compressed. */
const BUDGET_BYTES = 200 * 1024;

const page = join(root, 'packages/inspector/src/page');
const assets = join(root, 'packages/inspector/assets');

const { output } = await build({
  input: join(root, 'packages/inspector/dist/page/main.js'),
  platform: 'browser',
  // The modules of client-ts and not its bundle: what the page does not use must go.
  resolve: { alias: { 'client-ts': join(root, 'packages/client/dist') } },
  // What the page uses of client-ts needs none of them; any that is left over is reported below.
  external: /^node:/,
  write: false,
  output: { format: 'esm', minify: true },
});
const [script] = output;
if (output.length !== 1 || script.imports.length > 0) {
  throw new Error(`the page must be one script, but imports ${script.imports.join(', ')}`);
}

const copied = /** @type {const} */ ([
  ['app.css', join(page, 'style.css')],
  ['icon.svg', join(page, 'icon.svg')],
  ['index.html', join(page, 'index.html')],
]);
const files = [
  { name: 'app.js', content: script.code },
  ...copied.map(([name, path]) => ({ name, content: readFileSync(path, 'utf8') })),
].map((file) => ({ ...file, compressed: brotliCompressSync(file.content) }));
const bytes = files.reduce((sum, { compressed }) => sum + compressed.length, 0);
if (bytes > BUDGET_BYTES) {
  throw new Error(`the page has ${bytes} bytes compressed, over its budget of ${BUDGET_BYTES}`);
}

rmSync(assets, { recursive: true, force: true });
mkdirSync(assets, { recursive: true });
for (const { name, content, compressed } of files) {
  writeFileSync(join(assets, name), content);
  writeFileSync(join(assets, `${name}.br`), compressed);
}
recordInputs(pageBundle, [
  ...script.moduleIds.filter((id) => !id.startsWith('\0')),
  ...copied.map(([, path]) => path),
]);
