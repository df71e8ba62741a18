/**
 * Writes `docs/api/`: one page per subpath of the published packages, from the declarations that the
 * compiler emits and the doc comments in them. `--check` writes nothing and fails if a page is not
 * up to date. Both fail if an export has no comment or shares its name with another one.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { exportsOf, findExportFaults } from './lib/declarations.mjs';
import { listFiles } from './lib/files.mjs';
import { root } from './lib/paths.mjs';

/** Not promised to users, or one page per API group that the types themselves say better. */
const LEFT_OUT = /^\.\/(?:internal|package\.json|api\/\*)$/;

const PACKAGES = ['client', 'apiserver', 'codegen', 'collector', 'inspector', 'simulator'];
const DIRECTORY = join('docs', 'api');

/**
 * @typedef {object} Page
 * @property {string} path from the root of the repository
 * @property {string} specifier what a program imports
 * @property {string} summary first sentence of the module's comment
 * @property {readonly import('./lib/declarations.mjs').Exported[]} exports
 * @property {string} text
 */

const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
const pages = PACKAGES.flatMap(pagesOf);
const files = new Map(pages.map(({ path, text }) => [path, text]));
files.set(join(DIRECTORY, 'README.md'), indexOf(pages));
if (values.check) check();
else write();
const exportsByPath = new Map(pages.map(({ specifier, exports }) => [specifier, exports]));
for (const fault of findExportFaults(exportsByPath)) fail(fault);

/** @param {string} name @returns {Page[]} */
function pagesOf(name) {
  const directory = join(root, 'packages', name);
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  return Object.entries(
    /** @type {Record<string, string | { types: string }>} */ (manifest.exports),
  )
    .filter(([subpath]) => !LEFT_OUT.test(subpath))
    .map(([subpath, target]) => {
      const types = typeof target === 'string' ? target.replace(/\.js$/, '.d.ts') : target.types;
      const entry = join(directory, types);
      const specifier = join(manifest.name, subpath).replaceAll('\\', '/');
      const file = subpath === '.' ? name : `${name}-${subpath.slice(2)}`;
      return pageOf(join(DIRECTORY, `${file}.md`), specifier, entry);
    });
}

/** @param {string} path @param {string} specifier @param {string} entry @returns {Page} */
function pageOf(path, specifier, entry) {
  const { doc, exports } = exportsOf(entry);
  const sections = exports.map(({ name, doc: text, declaration, file }) => {
    const source = relative(root, file)
      .replace('/dist/', '/src/')
      .replace(/\.d\.ts$/, '.ts');
    const parts = [`## ${name}`, text, fence(declaration), `[${source}](../../${source})`];
    return parts.filter((part) => part !== '').join('\n\n');
  });
  const anchors = anchorsOf(exports.map(({ name }) => name));
  const list = (/** @type {boolean} */ isType) =>
    exports
      .filter((one) => one.isType === isType)
      .map(({ name }) => `[\`${name}\`](#${anchors.get(name)})`)
      .join(' · ');
  const types = list(true);
  const head = [`# ${specifier}`, doc, list(false), types === '' ? '' : `Types: ${types}`]
    .filter((part) => part !== '')
    .join('\n\n');
  const note = '<!-- Written by `npm run generate` from the doc comments; do not edit. -->';
  const text = `${note}\n\n${[head, ...sections].join('\n\n')}\n`;
  return { path, specifier, summary: firstSentence(doc), exports, text };
}

/**
 * Anchors as Markdown makes them of headings: in lower case, and numbered where two are equal.
 * @param {readonly string[]} names
 */
function anchorsOf(names) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return new Map(
    names.map((name) => {
      const anchor = name.toLowerCase();
      const count = seen.get(anchor) ?? 0;
      seen.set(anchor, count + 1);
      return [name, count === 0 ? anchor : `${anchor}-${count}`];
    }),
  );
}

/** @param {readonly Page[]} all */
function indexOf(all) {
  const rows = all.map(
    ({ path, specifier, summary }) =>
      `| [\`${specifier}\`](${path.slice(DIRECTORY.length + 1)}) | ${summary} |`,
  );
  return [
    '<!-- Written by `npm run generate` from the doc comments; do not edit. -->',
    '',
    '# API reference',
    '',
    'One page per import path. Types of the Kubernetes API are in `client-ts/api/<group>/<version>`;',
    'their fields are documented where you hover over them.',
    '',
    '| Import | What it has |',
    '| --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** @param {string} text */
function fence(text) {
  return `\`\`\`typescript\n${text}\n\`\`\``;
}

/** @param {string} text */
function firstSentence(text) {
  return (/^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text).replaceAll(/\s+/g, ' ');
}

function write() {
  rmSync(join(root, DIRECTORY), { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function check() {
  const present = listFiles(root, DIRECTORY).filter((path) => !files.has(path));
  for (const path of present) fail(`${path} belongs to no import path`);
  for (const [path, text] of files) {
    if (readIfThere(path) !== text) fail(`${path} is not up to date`);
  }
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string} message */
function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
