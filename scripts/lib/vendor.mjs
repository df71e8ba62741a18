import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './paths.mjs';

/**
 * Puts the ES modules of the `yaml` package into `packages/client/vendor`. Node is given the CommonJS
 * modules of that package, and bundlers turn its `require('process')` into an error as soon as a
 * program is bundled as an ES module. Its ES modules have no such call, but its `exports` hide them.
 */
export function vendorYaml() {
  const source = join(root, 'node_modules', 'yaml');
  const target = join(root, 'packages', 'client', 'vendor', 'yaml');
  const version = versionIn(source);
  if (existsSync(target) && versionIn(target) === version) return;
  rmSync(target, { recursive: true, force: true });
  cpSync(join(source, 'browser'), target, { recursive: true });
  cpSync(join(source, 'LICENSE'), join(target, 'LICENSE'));
  cpSync(join(source, 'dist'), join(target, 'types'), {
    recursive: true,
    // Neither code nor its command and test tools.
    filter: (path) => !/(?:\.m?js|test-events\.d\.ts|cli\.d\.ts)$/.test(path),
  });
  // The declarations import each other without extensions, which only CommonJS allows.
  writeFileSync(join(target, 'types', 'package.json'), '{ "type": "commonjs" }\n');
  // Last, because it is the sign that the copy is complete.
  writeFileSync(join(target, 'package.json'), `${JSON.stringify({ type: 'module', version })}\n`);
}

/** @param {string} directory @returns {string | undefined} */
function versionIn(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')).version;
}
