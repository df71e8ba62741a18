import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { parseSync } from 'oxc-parser';

/**
 * @typedef {object} Exported
 * @property {string} name
 * @property {string} doc its doc comment as Markdown; empty if it has none
 * @property {string} declaration without `export declare`, private members and the comment
 * @property {boolean} isType true for what exists for the compiler only
 * @property {string} file where it is declared
 *
 * @typedef {object} Module
 * @property {string} text
 * @property {readonly import('oxc-parser').Comment[]} comments
 * @property {Map<string, { start: number, end: number }[]>} declared exported here, overloads in order
 * @property {Map<string, { from: string, name: string }>} passedOn by the name they have here
 * @property {Map<string, string>} namespaces files whose exports are passed on under one name
 * @property {string[]} stars files whose exports are all passed on
 */

/** @type {Map<string, Module>} */
const modules = new Map();

/**
 * Returns what a declaration file exports, in the order of names, wherever it is declared.
 * @param {string} file
 * @returns {{ doc: string, exports: Exported[] }}
 */
export function exportsOf(file) {
  const names = [...allNames(file)].toSorted((a, b) => a.localeCompare(b, 'en'));
  const { text, comments } = moduleOf(file);
  const first = comments[0];
  const isOfModule =
    first !== undefined && text.slice(0, first.start).trim() === '' && /@module/.test(first.value);
  return {
    doc: isOfModule ? markdownOf(first.value) : '',
    exports: names.map((name) => describe(file, name)),
  };
}

/**
 * Exports without a doc comment, and names that stand for two things in two places: a reader finds
 * the wrong one.
 * @param {ReadonlyMap<string, readonly Exported[]>} exportsByPath by import path
 * @returns {string[]}
 */
export function findExportFaults(exportsByPath) {
  /** @type {Map<string, { path: string, file: string }>} */
  const seen = new Map();
  return [...exportsByPath].flatMap(([path, exports]) =>
    exports.flatMap(({ name, doc, file }) => {
      const faults = doc === '' ? [`${path}: ${name} has no doc comment`] : [];
      const first = seen.get(name);
      if (first === undefined) seen.set(name, { path, file });
      else if (first.file !== file) {
        faults.push(`${path}: ${name} is another thing than ${name} of ${first.path}`);
      }
      return faults;
    }),
  );
}

/** @param {string} file @returns {Set<string>} */
function allNames(file) {
  const { declared, passedOn, namespaces, stars } = moduleOf(file);
  return new Set([
    ...declared.keys(),
    ...passedOn.keys(),
    ...namespaces.keys(),
    ...stars.flatMap((star) => [...allNames(star)]),
  ]);
}

/** @param {string} file @param {string} name @returns {Exported} */
function describe(file, name) {
  const namespace = moduleOf(file).namespaces.get(name);
  if (namespace !== undefined) return describeNamespace(namespace, name);
  const place = find(file, name);
  if (place === undefined) throw new Error(`${file} exports ${name}, which is declared nowhere`);
  const { text, comments } = moduleOf(place.file);
  const parts = moduleOf(place.file).declared.get(place.name) ?? [];
  const docs = parts.map(({ start }) => commentBefore(text, comments, start));
  return {
    name,
    doc: docs.find((doc) => doc !== '') ?? '',
    declaration: parts.map(({ start, end }) => clean(text.slice(start, end))).join('\n'),
    isType: parts.every(({ start, end }) =>
      /^export (?:declare )?(?:type|interface) /.test(text.slice(start, end)),
    ),
    file: place.file,
  };
}

/** @param {string} file @param {string} name @returns {Exported} */
function describeNamespace(file, name) {
  const { doc, exports } = exportsOf(file);
  const members = exports.map((one) => {
    const comment = one.doc === '' ? '' : `/** ${one.doc.replaceAll('\n', '\n * ')} */\n`;
    return `${comment}${one.declaration}`.replaceAll(/^(?=.)/gm, '  ');
  });
  const declaration = `namespace ${name} {\n${members.join('\n')}\n}`;
  return { name, doc, declaration, isType: false, file };
}

/** @param {string} file @param {string} name @returns {{ file: string, name: string } | undefined} */
function find(file, name) {
  const { declared, passedOn, stars } = moduleOf(file);
  if (declared.has(name)) return { file, name };
  const target = passedOn.get(name);
  if (target !== undefined) return find(target.from, target.name);
  for (const star of stars) {
    const found = find(star, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @param {string} file @returns {Module} */
function moduleOf(file) {
  const known = modules.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, 'utf8');
  const { program, comments } = parseSync(file, text, { lang: 'dts' });
  /** @type {Module} */
  const module = {
    text,
    comments,
    declared: new Map(),
    passedOn: new Map(),
    namespaces: new Map(),
    stars: [],
  };
  modules.set(file, module);
  for (const statement of program.body) read(module, file, statement);
  return module;
}

/** @param {Module} module @param {string} file @param {import('oxc-parser').Statement} statement */
function read(module, file, statement) {
  if (statement.type === 'ExportAllDeclaration') {
    const from = resolve(file, statement.source.value);
    if (statement.exported === null) module.stars.push(from);
    else module.namespaces.set(nameOf(statement.exported), from);
  }
  if (statement.type !== 'ExportNamedDeclaration') return;
  for (const { local, exported } of statement.specifiers) {
    if (statement.source === null) continue;
    const from = resolve(file, statement.source.value);
    module.passedOn.set(nameOf(exported), { from, name: nameOf(local) });
  }
  const { declaration } = statement;
  if (declaration === null) return;
  const identifiers =
    declaration.type === 'VariableDeclaration'
      ? declaration.declarations.map(({ id }) => id)
      : 'id' in declaration
        ? [declaration.id]
        : [];
  for (const id of identifiers) {
    if (id === null || id.type !== 'Identifier') continue;
    const parts = module.declared.get(id.name) ?? [];
    parts.push({ start: statement.start, end: statement.end });
    module.declared.set(id.name, parts);
  }
}

/** @param {import('oxc-parser').ModuleExportName} node */
function nameOf(node) {
  return node.type === 'Literal' ? node.value : node.name;
}

/** @param {string} file @param {string} specifier */
function resolve(file, specifier) {
  return join(dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts'));
}

/** @param {string} text @param {Module['comments']} comments @param {number} start */
function commentBefore(text, comments, start) {
  const comment = comments.findLast(({ end }) => end <= start);
  const isDoc = comment !== undefined && comment.value.startsWith('*');
  return isDoc && text.slice(comment.end, start).trim() === '' ? markdownOf(comment.value) : '';
}

/**
 * The text of a doc comment: links become code, examples get a fence that is not compiled.
 * @param {string} comment
 */
function markdownOf(comment) {
  return comment
    .replace(/^\*/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .replaceAll(/@module.*$/gm, '')
    .replaceAll(
      /\{@link ([^}\s]+)(?:\s+([^}]+))?\}/g,
      (_, target, label) => `\`${label ?? target}\``,
    )
    .replaceAll(/^```ts$/gm, '```typescript')
    .trim();
}

/** @param {string} declaration */
function clean(declaration) {
  return declaration
    .replace(/^export (?:declare )?/, '')
    .replaceAll(/^\s*#private;\n/gm, '')
    .replaceAll(/^\s*private [^\n]*;\n/gm, '')
    .replaceAll(/\{@link ([^}\s]+)(?:\s+([^}]+))?\}/g, (_, target, label) => label ?? target);
}
