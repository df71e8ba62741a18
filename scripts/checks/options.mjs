import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseSync, Visitor } from 'oxc-parser';

import { listFiles } from '../lib/files.mjs';

/** @typedef {import('oxc-parser').TSType} TSType */

export const about = 'optional properties of exported options accept undefined';

/** The packages whose options are public. */
const PACKAGES = ['apiserver', 'client', 'codegen', 'collector', 'inspector', 'simulator'];

/** The types of Kubernetes objects, such as `DeleteOptions`: JSON has no `undefined`. */
const WIRE = /^packages\/client\/src\/(?:api\/|meta\/types\.ts$)/;

/** @param {string} root */
export async function run(root) {
  const isSource = (/** @type {string} */ path) =>
    path.endsWith('.ts') && !/\.test(?:-d)?\.ts$|\/test-[^/]*\.ts$/.test(path) && !WIRE.test(path);
  const files = PACKAGES.flatMap((name) => listFiles(root, `packages/${name}/src`, isSource)).map(
    (path) => ({ path, text: readFileSync(join(root, path), 'utf8') }),
  );
  const bases = new Set(files.flatMap(({ path, text }) => findOptionBases(path, text)));
  return files.flatMap(({ path, text }) => findOptionFaults(path, text, bases));
}

const OPTIONS = /Options$|^Config$/;

/**
 * Finds the names of the interfaces that exported `*Options` interfaces extend.
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function findOptionBases(path, text) {
  return parseSync(path, text).program.body.flatMap((statement) => {
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined;
    if (declaration?.type !== 'TSInterfaceDeclaration') return [];
    if (!OPTIONS.test(declaration.id.name)) return [];
    return declaration.extends.flatMap(({ expression }) =>
      expression.type === 'Identifier' ? [expression.name] : [],
    );
  });
}

/**
 * Finds the optional properties of exported `*Options` types, of their bases and of `Config` that do
 * not accept `undefined`: with `exactOptionalPropertyTypes`, a program could not pass its own
 * optional value. What callbacks receive is not checked.
 * @param {string} path
 * @param {string} text
 * @param {ReadonlySet<string>} [bases]
 * @returns {string[]}
 */
export function findOptionFaults(path, text, bases = new Set()) {
  /** @type {string[]} */
  const faults = [];
  let type = '';
  let callbacks = 0;
  new Visitor({
    ExportNamedDeclaration: ({ declaration }) => {
      const isType =
        declaration?.type === 'TSInterfaceDeclaration' ||
        declaration?.type === 'TSTypeAliasDeclaration';
      if (!isType) return;
      const { name } = declaration.id;
      if (OPTIONS.test(name) || bases.has(name)) type = name;
    },
    'ExportNamedDeclaration:exit': () => {
      type = '';
    },
    TSFunctionType: () => void (callbacks += 1),
    'TSFunctionType:exit': () => void (callbacks -= 1),
    TSPropertySignature: ({ key, optional, start, typeAnnotation }) => {
      if (type === '' || callbacks > 0 || !optional) return;
      if (acceptsUndefined(typeAnnotation?.typeAnnotation)) return;
      const line = text.slice(0, start).split('\n').length;
      const name = text.slice(key.start, key.end);
      faults.push(`${path}:${line}: ${type}.${name} is optional; add "| undefined" to its type`);
    },
  }).visit(parseSync(path, text).program);
  return faults;
}

/** @param {TSType | undefined} type @returns {boolean} */
function acceptsUndefined(type) {
  if (type === undefined) return true;
  if (type.type === 'TSUnionType') return type.types.some(acceptsUndefined);
  return ['TSUndefinedKeyword', 'TSUnknownKeyword'].includes(type.type);
}
