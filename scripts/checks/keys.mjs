import { join, relative } from 'node:path';

import { SyntaxKind } from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isBinaryExpression,
  isCallExpression,
  isDeleteExpression,
  isElementAccessExpression,
  isForOfStatement,
  isIdentifier,
  isNumericLiteral,
  isPrivateIdentifier,
  isPropertyAccessExpression,
  isVariableDeclarationList,
} from 'typescript/unstable/ast/is';
import { API, TypeFlags } from 'typescript/unstable/sync';

/**
 * @typedef {import('typescript/unstable/ast').Node} Node
 * @typedef {import('typescript/unstable/ast').SourceFile} SourceFile
 * @typedef {import('typescript/unstable/sync').Checker} Checker
 * @typedef {import('typescript/unstable/sync').Project} Project
 * @typedef {import('typescript/unstable/sync').TemplateLiteralType} TemplateLiteralType
 * @typedef {import('typescript/unstable/sync').Type} Type
 * @typedef {import('typescript/unstable/sync').TypeParameter} TypeParameter
 */

export const about = 'no object is read or written by a computed name (getKey, setKey, Map)';

const PACKAGES = [
  'client',
  'apiserver',
  'codegen',
  'collector',
  'inspector',
  'simulator',
  'cli',
  'conformance',
];

/** `getKey` and `setKey` themselves. */
const MECHANISM = 'packages/client/src/lib/json.ts';

/** @param {string} root */
export async function run(root) {
  const findings = findComputedKeys(PACKAGES.map((name) => join(root, 'packages', name)));
  return findings
    .map(({ file, line, text }) => ({ path: relative(root, file), line, text }))
    .filter(({ path }) => path !== MECHANISM)
    .map(
      ({ path, line, text }) =>
        `${path}:${line}: ${text}: the name may be one that every object inherits; ` +
        'use getKey or setKey of client-ts/internal, a Map, or Object.hasOwn',
    );
}

/**
 * Finds `object[name]` and `name in object` in the sources of TypeScript projects where the type of
 * `name` allows any string: a lookup of `constructor` finds what every object inherits, and an
 * assignment to `__proto__` replaces the prototype. Names of a literal or branded type, names that
 * `Object.keys` has just returned for the same object, and `delete` are safe. Tests are not read.
 * @param {readonly string[]} directories each with a tsconfig.json
 */
export function findComputedKeys(directories) {
  const api = new API({});
  try {
    const openProjects = directories.map((directory) => join(directory, 'tsconfig.json'));
    const snapshot = api.updateSnapshot({ openProjects });
    return openProjects.flatMap((path) => {
      const project = snapshot.getProject(path);
      if (project === undefined) throw new Error(`${path} is not a TypeScript project`);
      return project.rootFiles
        .filter((file) => !/\.test(?:-d)?\.ts$|\/test-[^/]*\.ts$/.test(file))
        .flatMap((file) => findingsIn(project, file));
    });
  } finally {
    api.close();
  }
}

/**
 * @param {Project} project
 * @param {string} file
 */
function findingsIn({ program, checker }, file) {
  const source = /** @type {SourceFile} */ (program.getSourceFile(file));
  const lookups = lookupsIn(source);
  if (lookups.length === 0) return [];
  const types = checker.getTypeAtLocation(lookups.map(({ key }) => key));
  return lookups
    .filter((_, index) => allowsAnyString(checker, types[index]))
    .map(({ node }) => {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      return { file, line: line + 1, text: node.getText(source) };
    });
}

/**
 * Where a computed name is looked up.
 * @param {SourceFile} source
 */
function lookupsIn(source) {
  /** @type {{ node: Node, key: Node }[]} */
  const found = [];
  const visit = (/** @type {Node} */ node) => {
    if (isElementAccessExpression(node)) {
      const key = node.argumentExpression;
      const isSafe =
        isNumericLiteral(key) ||
        isDeleteExpression(node.parent) ||
        (!isWritten(node) && isOwnKeyOf(key, node.expression.getText(source), source));
      if (!isSafe) found.push({ node, key });
    } else if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword) {
      if (!isPrivateIdentifier(node.left)) found.push({ node, key: node.left });
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

/** @param {Node} node */
function isWritten({ parent, pos }) {
  if (!isBinaryExpression(parent) || parent.left.pos !== pos) return false;
  const { kind } = parent.operatorToken;
  return kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment;
}

/**
 * True for `key` in `for (const key of Object.keys(object))` and in
 * `Object.keys(object).filter((key) => …)`, for the same object.
 * @param {Node} key
 * @param {string} object
 * @param {SourceFile} source
 */
function isOwnKeyOf(key, object, source) {
  if (!isIdentifier(key)) return false;
  for (let node = key.parent; node !== undefined; node = node.parent) {
    if (isForOfStatement(node) && isVariableDeclarationList(node.initializer)) {
      const [variable] = node.initializer.declarations;
      if (variable?.name.getText(source) === key.text) return isKeysOf(node.expression);
    }
    if (isArrowFunction(node) && node.parameters[0]?.name.getText(source) === key.text) {
      const { parent } = node;
      return isCallExpression(parent) && isKeysOf(parent);
    }
  }
  return false;

  /** `Object.keys(object)`, and what methods of the array return. @param {Node} node */
  function isKeysOf(node) {
    let call = node;
    for (;;) {
      if (call.getText(source) === `Object.keys(${object})`) return true;
      if (!isCallExpression(call) || !isPropertyAccessExpression(call.expression)) return false;
      if (!KEEPS_ITEMS.has(call.expression.name.text) && call !== node) return false;
      call = call.expression.expression;
    }
  }
}

/** Methods of an array that return some of its items. */
const KEEPS_ITEMS = new Set(['filter', 'slice', 'toReversed', 'toSorted']);

const INHERITED = Object.getOwnPropertyNames(Object.prototype);

/**
 * @param {Checker} checker
 * @param {Type | undefined} type
 * @returns {boolean}
 */
function allowsAnyString(checker, type) {
  if (type === undefined) return true;
  if (type.isUnionType()) return type.getTypes().some((part) => allowsAnyString(checker, part));
  if ((type.flags & TypeFlags.TypeParameter) !== 0) {
    const parameter = /** @type {TypeParameter} */ (type);
    return allowsAnyString(checker, checker.getConstraintOfTypeParameter(parameter));
  }
  if ((type.flags & TypeFlags.TemplateLiteral) !== 0) {
    const { texts } = /** @type {TemplateLiteralType} */ (type);
    return INHERITED.some((name) => name.startsWith(texts[0] ?? ''));
  }
  if ((type.flags & TypeFlags.StringLiteral) !== 0) {
    return INHERITED.includes(String(Reflect.get(type, 'value')));
  }
  const anyString = TypeFlags.String | TypeFlags.Any | TypeFlags.StringMapping;
  return (type.flags & anyString) !== 0;
}
