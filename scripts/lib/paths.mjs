import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

/**
 * The newer Node of the toolchain. Each platform has a package of its own, so that the lock file
 * has a checksum of the binary and no install script has to fetch it.
 */
export function toolNode({ platform, arch } = process) {
  // The names are historical.
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  const name = `${prefix}-${platform === 'win32' ? 'win' : platform}-${arch}`;
  return join(root, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node');
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
