import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { listFiles } from '../lib/files.mjs';

export const about = 'no paths of one machine and no unowned time in the files';

/**
 * @typedef {object} Rule
 * @property {RegExp} pattern
 * @property {string} what
 * @property {RegExp} [only] paths it is about; all by default
 */

/** @type {readonly Rule[]} */
const RULES = [
  {
    pattern: /(?<![\w.~-])\/(?:work|opt|root|home|Users)\/[\w.-]+/,
    what: 'a path of one machine',
  },
  {
    pattern: /\bnew Date\(\)/,
    what: 'reads the clock; take a Clock from client-ts/internal',
    only: /^packages\/(?!client\/src\/(?:lib|clientcmd)\/).*\/src\/(?!.*\.test\.ts$)/,
  },
];

/** Data of others, and this list itself. */
const EXEMPT =
  /^(?:packages\/(?:[^/]+\/data|codegen\/model|conformance\/recordings)\/|scripts\/checks\/text)/;

/** @param {string} root */
export async function run(root) {
  const isText = (/** @type {string} */ path) => !/\.(?:png|jpg|gz|ico|woff2?)$/.test(path);
  const paths = listFiles(root, '.', (path) => isText(path) && !EXEMPT.test(path));
  return paths.flatMap((path) => findForbiddenText(path, readFileSync(join(root, path), 'utf8')));
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function findForbiddenText(path, text) {
  return RULES.filter(({ only }) => only === undefined || only.test(path)).flatMap(
    ({ pattern, what }) =>
      text
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${what}`] : [])),
  );
}
