import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { parseSync, Visitor } from 'oxc-parser';

import { listFiles } from '../lib/files.mjs';

/** @typedef {import('oxc-parser').CallExpression} CallExpression */

/**
 * @typedef {object} Piece a test, or a function or method that tests may call
 * @property {string} name
 * @property {number} start
 * @property {number} end
 * @property {boolean} isTest
 * @property {Set<string>} calls the names of what it calls, the last part of `a.b.c()`
 * @property {boolean} asserts
 */

export const about = 'every test asserts something, itself or through a helper that does';

/** @param {string} root */
export async function run(root) {
  const isSource = (/** @type {string} */ path) => /\.(?:ts|mjs)$/.test(path);
  const directories = ['packages', 'scripts', 'bench', 'examples'];
  const paths = directories.flatMap((directory) => listFiles(root, directory, isSource));
  const files = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  return findTestsWithoutAssertions(files);
}

/**
 * @param {ReadonlyMap<string, string>} files text by path
 * @returns {string[]}
 */
export function findTestsWithoutAssertions(files) {
  /** @type {Map<string, File>} */
  const read = new Map();
  return [...files.keys()]
    .filter((path) => /\.test\.(?:ts|mjs)$/.test(path))
    .flatMap((path) => faultsOf(path, files, read));
}

/** @typedef {{ pieces: Piece[], imports: string[] }} File */

/** @param {string} path @param {ReadonlyMap<string, string>} files @param {Map<string, File>} read */
function faultsOf(path, files, read) {
  const text = files.get(path) ?? '';
  const pieces = reachable(path, files, read);
  const asserting = assertingNames(pieces);
  return fileOf(path, files, read)
    .pieces.filter(({ isTest, calls, asserts }) => isTest && !asserts && !meets(calls, asserting))
    .map(({ name, start }) => {
      const line = text.slice(0, start).split('\n').length;
      return `${path}:${line} asserts nothing: ${name}`;
    });
}

/**
 * The functions of a file and of the test helpers that it imports, directly or not.
 * @param {string} path @param {ReadonlyMap<string, string>} files @param {Map<string, File>} read
 */
function reachable(path, files, read) {
  const seen = new Set([path]);
  for (const each of seen) {
    for (const target of fileOf(each, files, read).imports) {
      if (files.has(target)) seen.add(target);
    }
  }
  return [...seen].flatMap((each) => fileOf(each, files, read).pieces);
}

/** Names of functions that assert, or call such a function. @param {readonly Piece[]} pieces */
function assertingNames(pieces) {
  const helpers = pieces.filter(({ isTest }) => !isTest);
  const names = new Set(helpers.filter(({ asserts }) => asserts).map(({ name }) => name));
  for (let size = -1; size !== names.size;) {
    size = names.size;
    for (const { name, calls } of helpers) if (meets(calls, names)) names.add(name);
  }
  return names;
}

/** @param {ReadonlySet<string>} left @param {ReadonlySet<string>} right */
function meets(left, right) {
  return [...left].some((name) => right.has(name));
}

/**
 * @param {string} path @param {ReadonlyMap<string, string>} files @param {Map<string, File>} read
 * @returns {File}
 */
function fileOf(path, files, read) {
  let file = read.get(path);
  if (file === undefined) read.set(path, (file = readFile(path, files.get(path) ?? '')));
  return file;
}

const TEST_FUNCTIONS = new Set(['it', 'test']);

/** @param {string} path @param {string} text @returns {File} */
function readFile(path, text) {
  const { program, module } = parseSync(path, text);
  /** @type {Piece[]} */
  const pieces = [];
  /** @param {{ start: number, end: number }} node @param {string} name */
  const add = ({ start, end }, name, isTest = false) =>
    pieces.push({ name, start, end, isTest, calls: new Set(), asserts: false });
  /** @type {{ start: number, name: string }[]} */
  const calls = [];
  new Visitor({
    FunctionDeclaration: (node) => void (node.id !== null && add(node, node.id.name)),
    VariableDeclarator: (node) => void (node.id.type === 'Identifier' && add(node, node.id.name)),
    MethodDefinition: (node) => void (node.key.type === 'Identifier' && add(node, node.key.name)),
    PropertyDefinition: (node) => void (node.key.type === 'Identifier' && add(node, node.key.name)),
    Property: (node) => void (node.key.type === 'Identifier' && add(node, node.key.name)),
    CallExpression: (node) => {
      const name = calledName(node);
      if (name === undefined) return;
      calls.push({ start: node.start, name });
      if (TEST_FUNCTIONS.has(name) && node.callee.type === 'Identifier') {
        const [title] = node.arguments;
        const shown = title === undefined ? '' : text.slice(title.start, title.end);
        add(node, shown, true);
      }
    },
    // Passed on without a call here: `table.forEach(check)`, `Promise.all(x.map(check))`.
    Identifier: (node) => void calls.push({ start: node.start, name: node.name }),
  }).visit(program);
  for (const { start, name } of calls) {
    for (const piece of pieces) {
      if (start < piece.start || start >= piece.end) continue;
      piece.calls.add(name);
      piece.asserts ||= name === 'assert';
    }
  }
  const imports = module.staticImports.flatMap(({ moduleRequest: { value } }) =>
    value.startsWith('.') ? [posix.join(posix.dirname(path), value)] : [],
  );
  return { pieces, imports };
}

/** @param {CallExpression} call */
function calledName({ callee }) {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return undefined;
  return callee.property.name;
}
