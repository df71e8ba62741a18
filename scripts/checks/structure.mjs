import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { listFiles } from '../lib/files.mjs';

export const about = 'files are short, no barrels, every room has tests, nothing is switched off';

const LINE_LIMIT = 600;

/** The first line of what the generator writes, which has its own check. */
const GENERATED = /^\/\/.*[Ww]ritten by `npm run generate`/;

/** Ways of switching a rule or a test off. */
const SWITCHED_OFF = /** @type {readonly (readonly [RegExp, string])[]} */ ([
  [/(?:eslint|oxlint)-(?:disable|enable)/, 'switches a lint rule off'],
  [/@ts-(?:ignore|nocheck)/, 'switches the compiler off'],
  [/\b(?:describe|it|suite|test|t)\.(?:only|skip|todo)\(/, 'skips tests'],
  [/\b(?:only: true|todo: (?:true|['"`])|skip: (?:true|['"`](?!needs )))/, 'skips tests'],
]);

/** @param {string} root */
export async function run(root) {
  const isSource = (/** @type {string} */ path) => /\.(?:tsx?|mjs)$/.test(path);
  const directories = ['packages', 'scripts', 'bench', 'examples'];
  const paths = directories.flatMap((directory) => listFiles(root, directory, isSource));
  /** @type {Map<string, string>} */
  const files = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  return findStructureFaults(files);
}

/**
 * @param {ReadonlyMap<string, string>} files text by path
 * @returns {string[]}
 */
export function findStructureFaults(files) {
  const own = [...files].filter(([, text]) => !GENERATED.test(text));
  return [
    ...own.flatMap(([path, text]) => fileFaults(path, text)),
    ...roomsWithoutTests(own.map(([path]) => path)),
  ];
}

/**
 * @param {string} path
 * @param {string} text
 */
function fileFaults(path, text) {
  const faults = [];
  const lines = lineCount(text);
  if (lines > LINE_LIMIT) {
    faults.push(`${path} has ${lines} lines (limit ${LINE_LIMIT}): split it`);
  }
  if (isBarrel(path, text)) {
    faults.push(`${path} only passes on the exports of other files; only index.ts may`);
  }
  if (!path.startsWith('scripts/checks/structure')) {
    for (const [pattern, what] of SWITCHED_OFF) {
      const line = text.split('\n').findIndex((content) => content.search(pattern) !== -1);
      if (line !== -1) faults.push(`${path}:${line + 1} ${what}`);
    }
  }
  return faults;
}

/** @param {string} path @param {string} text */
function isBarrel(path, text) {
  if (posix.basename(path) === 'index.ts') return false;
  const statements = text
    .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  return (
    statements.length > 0 &&
    statements.every((statement) => /^export\b[^;]*\bfrom\s*['"][^'"]+['"]$/.test(statement))
  );
}

/** @param {string} text */
function lineCount(text) {
  return text.split('\n').length - 1;
}

/** @param {readonly string[]} paths */
function roomsWithoutTests(paths) {
  const room = (/** @type {string} */ path) => /^packages\/[^/]+\/src\/[^/]+(?=\/)/.exec(path)?.[0];
  const tested = new Set(paths.filter((path) => path.endsWith('.test.ts')).map(room));
  const rooms = new Set(paths.map(room).filter((path) => path !== undefined));
  return [...rooms].filter((path) => !tested.has(path)).map((path) => `${path} has no tests`);
}
