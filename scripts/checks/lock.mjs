import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const about =
  'the lock file is complete, has checksums, runs no scripts and names no registry';

/**
 * @typedef {object} LockedPackage
 * @property {string} [resolved]
 * @property {string} [integrity]
 * @property {boolean} [hasInstallScript]
 * @property {boolean} [link]
 * @property {boolean} [optional]
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
 * file in `npm ci`. A missing entry has to be added by hand: version, os, cpu, libc, optional. Only
 * such an entry may lack its checksum, and not if package.json names the package. Install scripts
 * are refused because they can bring in what has none.
 * @param {Readonly<Record<string, LockedPackage>>} packages
 * @returns {string[]}
 */
export function findLockFaults(packages) {
  const faults = [];
  const named = Object.keys(packages['']?.optionalDependencies ?? {});
  const pinned = new Set(named.map((name) => `node_modules/${name}`));
  for (const [path, entry] of Object.entries(packages)) {
    const { resolved, dependencies, optionalDependencies } = entry;
    const isForeign = path.includes('node_modules/') && entry.link !== true;
    const mayLackChecksum = entry.optional === true && !pinned.has(path);
    if (isForeign && entry.integrity === undefined && !mayLackChecksum) {
      faults.push(`${path} has no checksum`);
    }
    if (entry.hasInstallScript === true) faults.push(`${path} runs a script when it is installed`);
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
