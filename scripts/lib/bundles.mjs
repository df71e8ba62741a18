import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { Failure } from './failure.mjs';
import { root, toolNode } from './paths.mjs';
import { capture } from './run.mjs';

/**
 * @typedef {object} Bundle
 * @property {string} what
 * @property {string} program Makes the bundle.
 * @property {string} stamp Holds the hashes of what the bundle was made of.
 * @property {string} result A file of the bundle.
 */

/** @type {Bundle} */
export const clientBundle = {
  what: 'The bundle of client-ts',
  program: join(root, 'scripts/bundle-client.mjs'),
  stamp: join(root, 'packages/client/dist/.bundle'),
  result: join(root, 'packages/client/bundle/index.js'),
};

/** @type {Bundle} */
export const pageBundle = {
  what: 'The page of the inspector',
  program: join(root, 'scripts/bundle-page.mjs'),
  stamp: join(root, 'packages/inspector/dist/page/.bundle'),
  result: join(root, 'packages/inspector/assets/index.html.br'),
};

/**
 * Makes a bundle, unless it was made of exactly these files already.
 * @param {Bundle} bundle
 * @param {import('./setup-lock.mjs').SetupLock} lock
 */
export async function makeBundle(bundle, lock) {
  if (isMade(bundle)) return;
  const { code, output } = await capture(toolNode(), [bundle.program], { lock });
  if (code !== 0) throw new Failure(`${bundle.what} failed to build:\n${output.trim()}`);
}

/**
 * Remembers what a bundle was made of. Paths are relative, so that a copy of the tree compares its own files. A folder
 * stands for the names of the declarations in it.
 * @param {Bundle} bundle
 * @param {readonly string[]} paths
 */
export function recordInputs({ program, stamp }, paths) {
  const inputs = [program, ...paths].map((path) => [relative(root, path), hashOf(path)]);
  writeFileSync(stamp, JSON.stringify(inputs));
}

/** @param {Pick<Bundle, 'result' | 'stamp'>} bundle */
export function isMade({ stamp, result }) {
  if (!existsSync(stamp) || !existsSync(result)) return false;
  /** @type {[string, string][]} */
  const inputs = JSON.parse(readFileSync(stamp, 'utf8'));
  return inputs.every(([path, hash]) => {
    const file = join(root, path);
    return existsSync(file) && hashOf(file) === hash;
  });
}

/** @param {string} path */
function hashOf(path) {
  const content = statSync(path).isDirectory() ? declarationsIn(path) : readFileSync(path);
  return createHash('sha256').update(content).digest('hex');
}

/** @param {string} folder */
function declarationsIn(folder) {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => path.endsWith('.d.ts'))
    .sort()
    .join('\n');
}
