import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

import { parseSync } from 'oxc-parser';

export const about = 'the rows of the guides from Go match the exports of the packages';

const GUIDES = ['docs/guides/from-client-go.md', 'docs/guides/from-controller-runtime.md'];
const SOURCES = 'packages/client/src';

/** @param {string} root */
export async function run(root) {
  const read = (/** @type {string} */ path) => {
    const file = join(root, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  };
  return GUIDES.flatMap((guide) => findGuideFaults(guide, read));
}

/**
 * @typedef {object} Row
 * @property {number} line
 * @property {string} go the first cell
 * @property {readonly string[]} names TypeScript names: `Indexer` or `Indexer.byIndex`
 * @property {string} subpath `client-ts/cache`
 * @property {string} file the linked file, relative to the root
 * @property {string} code the last cell
 */

const WHERE = /^`(client-ts(?:\/[\w/.-]+)?)`, \[[^\]]+\]\(([^)]+)\)$/;

/**
 * Returns the rows of the guide that do not hold: an export that does not exist in the module, a
 * member or file that does not exist, or a row without a counterpart and without an explanation.
 * @param {string} guide its path from the root
 * @param {(path: string) => string | undefined} read a file by its path from the root
 * @returns {string[]}
 */
export function findGuideFaults(guide, read) {
  const rows = rowsOf(guide, read(guide) ?? '');
  if (rows.length === 0) return [`${guide}: no rows found`];
  return rows.flatMap((row) =>
    faultsOf(row, read).map((fault) => `${guide}:${row.line}: row ${row.go}: ${fault}`),
  );
}

/** @param {string} guide @param {string} text @returns {Row[]} */
function rowsOf(guide, text) {
  return text.split('\n').flatMap((content, index) => {
    const cells = content.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const [, go = '', names = '', where = '', code = ''] = cells;
    if (cells.length !== 6 || ['client-go', 'controller-runtime'].includes(go) || /^-+$/.test(go))
      return [];
    const [, subpath = '', link = ''] = WHERE.exec(where) ?? [];
    const file = link === '' ? '' : posix.join(posix.dirname(guide), link);
    const found = Array.from(names.matchAll(/`([^`]+)`/g), ([, name = '']) => name);
    return [{ line: index + 1, go, names: found, subpath, file, code }];
  });
}

/** @param {Row} row @param {(path: string) => string | undefined} read @returns {string[]} */
function faultsOf({ names, subpath, file, code }, read) {
  if (code === '') return ['the last cell has neither code nor an explanation'];
  if (names.length === 0) return [];
  if (subpath === '') return ['the third cell is not `client-ts/…`, [file](link)'];
  const source = read(file);
  if (source === undefined) return [`${file} does not exist`];
  const index = posix.join(SOURCES, subpath.slice('client-ts'.length), 'index.ts');
  const exported = exportsOf(index, read);
  if (exported === undefined) return [`${subpath} does not exist`];
  return names.flatMap((name) => {
    const [owner = '', member] = name.split('.');
    if (!exported.has(owner)) return [`${subpath} does not export ${owner}`];
    const hasMember = member === undefined || new RegExp(`\\b${member}\\b`).test(source);
    return hasMember ? [] : [`${file} has no ${member}`];
  });
}

/**
 * Returns the names that a module exports, types included; undefined if there is no such file.
 * @param {string} path
 * @param {(path: string) => string | undefined} read
 * @returns {ReadonlySet<string> | undefined}
 */
function exportsOf(path, read) {
  const text = read(path);
  if (text === undefined) return undefined;
  /** @type {Set<string>} */
  const names = new Set();
  for (const { entries } of parseSync(path, text).module.staticExports) {
    for (const { exportName, moduleRequest } of entries) {
      if (exportName.name !== null) names.add(exportName.name);
      else if (moduleRequest !== null) {
        const target = posix.join(dirname(path), moduleRequest.value);
        for (const name of exportsOf(target, read) ?? []) names.add(name);
      }
    }
  }
  return names;
}
