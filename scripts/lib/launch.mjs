import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { build } from './build.mjs';
import { commands } from './commands.mjs';
import { Failure } from './failure.mjs';
import { install } from './install.mjs';
import { root, toolNode } from './paths.mjs';
import { handOver } from './run.mjs';
import { withSetupLock } from './setup-lock.mjs';

/**
 * Does the set-up that a command needs, then runs it.
 * @param {string} name
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
export async function main(name, args) {
  const command = commands[name];
  if (command === undefined) {
    console.error('Usage: npm run <command> [-- arguments]\n');
    for (const [word, { about }] of Object.entries(commands)) {
      console.error(`  ${word.padEnd(12)} ${about}`);
    }
    return 2;
  }
  try {
    await withSetupLock(root, async (lock) => {
      await install(lock);
      if (command.build !== false) await build(lock);
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    return 1;
  }
  if (command.script === undefined) return 0;
  const script = join(root, command.script);
  if (!existsSync(script)) {
    console.error(`${command.script} does not exist, so "npm run ${name}" has nothing to run.`);
    return 1;
  }
  // npm puts the newer Node first on the PATH of its scripts, but remembers what it runs on itself.
  const startedOn = process.env['npm_node_execpath'] ?? process.execPath;
  const env = { ...process.env, CLIENT_TS_STARTED_ON: startedOn };
  return handOver(toolNode(), [script, ...(command.args ?? []), ...args], env);
}
