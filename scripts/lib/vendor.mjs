import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Failure } from './failure.mjs';
import { root, toolNode, toolScript } from './paths.mjs';
import { capture } from './run.mjs';

/**
 * Puts the ES modules of the `yaml` package into `packages/client/vendor`, as one file: loading 73 files took a
 * tenth of the start of a small program, and minified: the source weighs twice as much. Node is given the CommonJS modules of that package, and
 * bundlers turn its `require('process')` into an error as soon as a program is bundled as an ES module. Its ES
 * modules have no such call, but its `exports` hide them.
 * @param {import('./setup-lock.mjs').SetupLock} lock
 */
export async function vendorYaml(lock) {
  const source = join(root, 'node_modules', 'yaml');
  const target = join(root, 'packages', 'client', 'vendor', 'yaml');
  const version = versionIn(source);
  if (existsSync(target) && isMinified(target) && versionIn(target) === version) return;
  rmSync(target, { recursive: true, force: true });
  const entry = join(source, 'browser', 'index.js');
  const rolldown = [toolScript('rolldown/bin/cli.mjs'), entry];
  const options = ['--format', 'esm', '--minify', '--file', join(target, 'index.js')];
  const { code, output } = await capture(toolNode(), [...rolldown, ...options], { lock });
  if (code !== 0) throw new Failure(`The YAML parser failed to build:\n${output.trim()}`);
  cpSync(join(source, 'LICENSE'), join(target, 'LICENSE'));
  cpSync(join(source, 'dist'), join(target, 'types'), {
    recursive: true,
    // Neither code nor its command and test tools.
    filter: (path) => !/(?:\.m?js|test-events\.d\.ts|cli\.d\.ts)$/.test(path),
  });
  // The declarations import each other without extensions, which only CommonJS allows.
  writeFileSync(join(target, 'types', 'package.json'), '{ "type": "commonjs" }\n');
  // Last, because it is the sign that the copy is complete.
  writeFileSync(
    join(target, 'package.json'),
    `${JSON.stringify({ type: 'module', version, minified: true })}\n`,
  );
}

/** False for a copy of an earlier build. @param {string} directory @returns {boolean} */
function isMinified(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')).minified === true;
}

/** @param {string} directory @returns {string | undefined} */
function versionIn(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')).version;
}
