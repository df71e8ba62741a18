import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Failure } from './failure.mjs';
import { root, toolNode } from './paths.mjs';
import { capture } from './run.mjs';

const program = join(root, 'scripts/bundle-page.mjs');
const stamp = join(root, 'packages/inspector/dist/page/.bundle');

/**
 * Bundles the page of the inspector, unless it is the bundle of exactly these files already.
 * @param {import('./setup-lock.mjs').SetupLock} lock
 */
export async function bundlePage(lock) {
  if (isBundled()) return;
  const { code, output } = await capture(toolNode(), [program], { lock });
  if (code !== 0) throw new Failure(`The page of the inspector failed to build:\n${output.trim()}`);
}

/**
 * Remembers what the bundle was made of.
 * @param {readonly string[]} paths
 */
export function recordInputs(paths) {
  const inputs = [program, ...paths].map((path) => [path, hashOf(path)]);
  writeFileSync(stamp, JSON.stringify(inputs));
}

function isBundled() {
  if (!existsSync(stamp) || !existsSync(join(root, 'packages/inspector/assets/index.html.br'))) {
    return false;
  }
  /** @type {[string, string][]} */
  const inputs = JSON.parse(readFileSync(stamp, 'utf8'));
  return inputs.every(([path, hash]) => existsSync(path) && hashOf(path) === hash);
}

/** @param {string} path */
function hashOf(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
