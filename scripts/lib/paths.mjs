import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

/** The newer Node of the toolchain, a dev dependency. */
export function toolNode() {
  const directory = join(root, 'node_modules', 'node', 'bin');
  return join(directory, process.platform === 'win32' ? 'node.exe' : 'node');
}

/** The script behind a tool in node_modules, to be run with Node. @param {string} path */
export function toolScript(path) {
  return join(root, 'node_modules', ...path.split('/'));
}

/**
 * How to call npm: the one that called us if there is one, else whatever the PATH has.
 * @returns {{ file: string, args: string[] }}
 */
export function npmCommand() {
  const script = process.env['npm_execpath'];
  if (script !== undefined && /npm-cli\.c?js$/.test(script) && existsSync(script)) {
    return { file: process.execPath, args: [script] };
  }
  return { file: process.platform === 'win32' ? 'npm.cmd' : 'npm', args: [] };
}
