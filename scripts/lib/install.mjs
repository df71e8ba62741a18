import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Failure } from './failure.mjs';
import { npmCommand, root, toolNode } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { capture } from './run.mjs';

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [optional]
 * @property {boolean} [link]
 *
 * @typedef {{ packages: Record<string, LockedPackage> }} Lock
 */

/**
 * Installs what package-lock.json says, unless node_modules holds exactly that already.
 * @param {import('./setup-lock.mjs').SetupLock} lock
 */
export async function install(lock) {
  if (isInstalled()) return;
  await withProgress('Installing dependencies (npm ci)', async () => {
    const { file, args } = npmCommand();
    const flags = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
    const { code, output } = await capture(file, [...args, ...flags], { lock }).catch((error) => {
      throw new Failure('npm was not found. Install it (it comes with Node) and try again.', {
        cause: error,
      });
    });
    if (code !== 0) throw new Failure(`npm ci failed with exit code ${code}:\n${output.trim()}`);
  });
  if (!existsSync(toolNode())) {
    throw new Failure(
      `There is no Node for ${process.platform} on ${process.arch} in node_modules: ${toolNode()} is ` +
        'missing. If package.json has a package for it under optionalDependencies, it could not be ' +
        'downloaded: remove node_modules and try again.',
    );
  }
}

/** npm writes down what it has installed; that is compared with what the lock file asks for. */
function isInstalled() {
  const written = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(written) || !existsSync(toolNode())) return false;
  return lockMatches(readLock(join(root, 'package-lock.json')), readLock(written));
}

/**
 * True if everything wanted is there in the wanted version and nothing else is. Optional packages
 * may be missing: they are for other platforms.
 * @param {Lock} wanted
 * @param {Lock} installed
 */
export function lockMatches(wanted, installed) {
  for (const [path, entry] of Object.entries(wanted.packages)) {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) continue;
    const there = installed.packages[path];
    if (there === undefined ? entry.optional !== true : !sameEntry(entry, there)) return false;
  }
  return Object.keys(installed.packages).every((path) => wanted.packages[path] !== undefined);
}

/** @param {LockedPackage} left @param {LockedPackage} right */
function sameEntry(left, right) {
  return (
    left.version === right.version && left.integrity === right.integrity && left.link === right.link
  );
}

/** @param {string} path @returns {Lock} */
function readLock(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
