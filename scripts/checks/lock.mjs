import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const about = 'the lock file is complete for every platform and names no registry';

/**
 * @typedef {object} LockedPackage
 * @property {string} [resolved]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 */

/** @param {string} root */
export async function run(root) {
  /** @type {{ packages: Record<string, LockedPackage> }} */
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return findLockFaults(lock.packages);
}

/**
 * npm quietly leaves out platform packages that it cannot download, and then refuses its own lock
 * file in `npm ci`. A missing entry has to be added by hand: version, os, cpu, libc, optional.
 * @param {Readonly<Record<string, LockedPackage>>} packages
 * @returns {string[]}
 */
export function findLockFaults(packages) {
  const faults = [];
  for (const [path, { resolved, dependencies, optionalDependencies }] of Object.entries(packages)) {
    if (resolved !== undefined && /^https?:/.test(resolved)) {
      faults.push(`${path} names a registry; npm install with --omit-lockfile-registry-resolved`);
    }
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (!isLocked(packages, path, name)) faults.push(`${name}, wanted by ${path}, has no entry`);
    }
  }
  return faults;
}

/**
 * As Node looks for a package: in the own node_modules, then outward.
 * @param {Readonly<Record<string, LockedPackage>>} packages
 * @param {string} from
 * @param {string} name
 */
function isLocked(packages, from, name) {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/')))) {
    const path = place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`;
    if (packages[path] !== undefined) return true;
    if (place === '') return false;
  }
}
