import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { listFiles } from '../lib/files.mjs';

export const about = 'every error class is made by defineErrors, with the prefix of its module';

/** The published packages. */
const PACKAGES = ['client', 'apiserver', 'codegen', 'collector', 'inspector', 'simulator', 'cli'];

/**
 * The code prefixes of modules that are not simply the name of the module in capitals. The codes of
 * `ApiError` are those of the server.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const PREFIXES = {
  'client/clientcmd': ['CONFIG'],
  'client/lib': ['OPTION'],
  'client/meta': ['META', 'API'],
};

/** @param {string} root */
export async function run(root) {
  const isSource = (/** @type {string} */ path) =>
    path.endsWith('.ts') && !/\.test(?:-d)?\.ts$|\/test-[^/]*\.ts$|\/src\/api\//.test(path);
  return PACKAGES.flatMap((name) => listFiles(root, `packages/${name}/src`, isSource)).flatMap(
    (path) => findErrorFaults(path, readFileSync(join(root, path), 'utf8')),
  );
}

const CLASS = /^(?:export )?class (\w+) extends (Error|\w+Error)\b[^{]*(?:\{\}$|\{$[\s\S]*?^\}$)/gm;

/**
 * Returns what is wrong with the error classes of a file. TypeScript itself checks that each code
 * begins with the prefix that its class names.
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function findErrorFaults(path, text) {
  return [...text.matchAll(CLASS)].flatMap(([body, name = '', parent = '']) => {
    if (name === 'ClientError') return [];
    if (parent === 'Error') return [`${path}: ${name} extends Error; extend ClientError`];
    const definition = /defineErrors\(\s*this,\s*'(\w+)'(?:,\s*'(\w+)')?/.exec(body);
    if (definition?.[1] !== name) {
      return [`${path}: ${name} does not call defineErrors(this, '${name}', …) in a static block`];
    }
    const prefix = definition[2];
    if (prefix === undefined) {
      return parent === 'ClientError' ? [`${path}: ${name} has no codes of its own`] : [];
    }
    const allowed = prefixesOf(path);
    return allowed.includes(prefix)
      ? []
      : [`${path}: the codes of ${name} begin with ${prefix}_; expected ${allowed.join('_ or ')}_`];
  });
}

/** @param {string} path */
function prefixesOf(path) {
  const [, packageName = '', moduleName = ''] =
    /^packages\/([^/]+)\/src\/([^/.]+)/.exec(path) ?? [];
  return (
    PREFIXES[`${packageName}/${moduleName}`] ?? [
      (packageName === 'client' ? moduleName : packageName).toUpperCase(),
    ]
  );
}
