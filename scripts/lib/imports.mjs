import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { listFiles } from './files.mjs';

/**
 * What one source file imports, types included: `{ line, to }`, where `to` is a file of the
 * repository for relative imports and the bare specifier otherwise.
 * @typedef {{ line: number, to: string }} Import
 */

/**
 * Import and export statements begin a line in formatted code, so that examples in comments and
 * text in templates are not taken for them; `import(…)` may stand anywhere.
 */
const STATEMENT = /^(?:import|export)\b(?:[^'";]*?\bfrom)?\s*['"]([^'"]+)['"]/gm;
const CALL = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/**
 * @param {string} path
 * @param {string} text
 * @returns {Import[]}
 */
export function importsOf(path, text) {
  const code = text.replaceAll(COMMENT, (comment) => comment.replaceAll(/[^\n]/g, ' '));
  return [STATEMENT, CALL].flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => ({
      line: code.slice(0, match.index).split('\n').length,
      to: resolve(path, match[1] ?? ''),
    })),
  );
}

/** @param {string} from @param {string} specifier */
function resolve(from, specifier) {
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : specifier;
}

/**
 * The imports of all sources of all packages, by path.
 * @param {string} root
 * @returns {Map<string, Import[]>}
 */
export function readImports(root) {
  const paths = listFiles(root, 'packages', (path) =>
    /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path),
  );
  return new Map(
    paths.map((path) => [path, importsOf(path, readFileSync(join(root, path), 'utf8'))]),
  );
}
