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
 * Prepares the clone as far as a command needs it, then runs the command. `--help` alone does no
 * more than it has to: it prints the usage, or asks the program if that is built already.
 * @param {string} name
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
export async function main(name, args) {
  if (isHelp([name])) {
    console.log(usage());
    return 0;
  }
  const command = commands[name];
  if (command === undefined) {
    console.error(usage());
    return 2;
  }
  if (isHelp(args) && command.usage !== undefined) {
    console.log(command.usage);
    return 0;
  }
  const script = join(root, command.script ?? '');
  const isReady = isHelp(args) && existsSync(script) && existsSync(toolNode());
  if (!isReady && !(await prepare(command))) return 1;
  if (command.script === undefined) return 0;
  if (!existsSync(script)) {
    console.error(`${command.script} does not exist, so "npm run ${name}" has nothing to run.`);
    return 1;
  }
  // npm puts the newer Node first on the PATH of its scripts, but records which one it runs on.
  const startedOn = process.env['npm_node_execpath'] ?? process.execPath;
  const env = { ...process.env, CLIENT_TS_STARTED_ON: startedOn };
  const given = isHelp(args) ? ['--help'] : args;
  return handOver(toolNode(), [script, ...(command.args ?? []), ...given], env);
}

/** @param {readonly string[]} args */
function isHelp(args) {
  return args.length === 1 && (args[0] === '--help' || args[0] === '-h');
}

function usage() {
  const lines = Object.entries(commands).map(
    ([name, { about }]) => `  ${name.padEnd(16)} ${about}`,
  );
  return `Usage: npm run <command> [-- arguments]\n\n${lines.join('\n')}\n\nnpm run <command> -- --help prints the options of a command.`;
}

/**
 * Installs and builds; false, after a message, if that fails.
 * @param {import('./commands.mjs').Command} command
 */
async function prepare(command) {
  try {
    await withSetupLock(root, async (lock) => {
      await install(lock);
      if (command.build !== false) await build(lock);
    });
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    return false;
  }
}
