import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { npmCommand } from '../scripts/lib/paths.mjs';
import { capture } from '../scripts/lib/run.mjs';
import { withSetupLock } from '../scripts/lib/setup-lock.mjs';

/**
 * Installs what the package.json of a directory asks for, unless it is there. Test files that need the
 * same directory wait for each other.
 * @param {string} directory
 * @param {string} message what is installed, for people
 * @param {() => Promise<void>} [finish] what is part of it, and is done again with it
 */
export async function installOnce(directory, message, finish) {
  const modules = join(directory, 'node_modules');
  const stamp = join(modules, '.client-ts-environments');
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const wanted = createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
  await withSetupLock(directory, async () => {
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
    console.log(`environments: installing ${message}`);
    rmSync(modules, { recursive: true, force: true });
    await npm(directory, ['install']);
    await finish?.();
    writeFileSync(stamp, wanted);
  });
}

/**
 * Runs npm in a directory.
 * @param {string} directory
 * @param {readonly string[]} args
 */
export async function npm(directory, args) {
  const { file, args: first } = npmCommand();
  // Offline, a second run finds everything in npm's cache.
  const quiet = [
    '--prefer-offline',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const lock = args[0] === 'install' ? ['--no-package-lock'] : [];
  const { code, output } = await capture(file, [...first, ...args, ...quiet, ...lock], {
    cwd: directory,
  });
  assert.equal(code, 0, `npm ${args[0]}:\n${output}`);
}
