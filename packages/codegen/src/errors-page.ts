import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type ErrorCatalogue, errorCatalogue, type ErrorEntry, getKey } from 'client-ts/internal';
import * as meta from 'client-ts/meta';

import type { Generator } from './generator.ts';

const path = 'docs/errors.md';

/** The packages of the workspace, from `dist` and from `src` alike. */
const packages = new URL('../../', import.meta.url);

/** The published packages, in the order of the page. */
const PACKAGES = ['client', 'apiserver', 'collector', 'simulator', 'codegen', 'cli'];

/**
 * Generates `docs/errors.md`: every error that the published packages throw on purpose. The
 * descriptions are read from the sources, the codes from the built classes.
 */
export async function errorsPage(): Promise<Generator> {
  const classes: ErrorClass[] = [];
  for (const name of PACKAGES) classes.push(...(await readErrorClasses(name)));
  return { name: 'errors page', outputs: () => new Map([[path, errorsPageText(classes)]]) };
}

async function readErrorClasses(packageName: string): Promise<ErrorClass[]> {
  const sources = fileURLToPath(new URL(`${packageName}/src`, packages));
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !/\.test(?:-d)?\.ts$|^api\/|(?:^|\/)test-/.test(file))
    .toSorted();
  const classes: ErrorClass[] = [];
  for (const file of files) {
    // Each module of the client has an entry point, the other packages have one or none.
    const room = packageName === 'client' ? (file.split('/')[0] ?? '') : '';
    const entry = posix.join(room, 'index.ts');
    for (const found of errorClassesIn(readFileSync(`${sources}/${file}`, 'utf8'))) {
      const declared = await readExport(packageName, file, found.name);
      if (typeof declared !== 'function') throw new Error(`${file} does not export ${found.name}`);
      const isExported =
        files.includes(entry) && (await readExport(packageName, entry, found.name)) === declared;
      if (packageName === 'client' && !isExported)
        throw new Error(`client-ts/${room} does not export ${found.name}`);
      const codes = found.parent === 'ClientError' ? errorCatalogue(declared) : {};
      classes.push({ ...found, module: moduleName(packageName, room), isExported, codes });
    }
  }
  return classes;
}

/** Returns an export of a built module, by the path of its source below `src`. */
async function readExport(packageName: string, source: string, name: string): Promise<unknown> {
  const file = new URL(`${packageName}/dist/${source.replace(/\.ts$/, '.js')}`, packages);
  return getKey((await import(file.href)) as Readonly<Record<string, unknown>>, name);
}

/** Returns the import specifier of a module; `client-ts/meta` re-exports the errors of `lib`. */
function moduleName(packageName: string, room: string): string {
  if (packageName !== 'client') return `@client-ts/${packageName}`;
  return `client-ts/${room === 'lib' ? 'meta' : room}`;
}

/** An error class: described by its source, with the codes of the class itself. */
export interface ErrorClass {
  readonly name: string;
  readonly parent: string;
  /** The import specifier of its module: `client-ts/cache`, `@client-ts/collector`. */
  readonly module: string;
  /** False if programs see only its `code`. */
  readonly isExported: boolean;
  readonly description: string;
  /** Empty for a class that inherits those of its parent. */
  readonly codes: ErrorCatalogue;
}

const CLASS = /^export class (\w+Error) extends (\w+Error) \{$/gm;

/** Returns the error classes of a source file, as far as the source describes them. */
export function errorClassesIn(
  source: string,
): Pick<ErrorClass, 'description' | 'name' | 'parent'>[] {
  return [...source.matchAll(CLASS)].map((match) => {
    const [, name = '', parent = ''] = match;
    return { name, parent, description: commentBefore(source, match.index) };
  });
}

/** Returns the JSDoc comment that ends right before a place, as one line of text. */
function commentBefore(source: string, end: number): string {
  const before = source.slice(0, end).trimEnd();
  if (!before.endsWith('*/')) return '';
  return plainComment(before.slice(before.lastIndexOf('/**') + 3, -2));
}

function plainComment(comment: string): string {
  return comment
    .replaceAll(/^\s*\*( |$)/gm, '')
    .replaceAll(/\{@link (?:\w+\.)?(\w+)\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const introduction = `<!-- Written by \`npm run generate\` from the code; do not edit. -->

# Errors

Every error that the packages of client-ts throw on purpose is a \`ClientError\`. It has

- \`code\`: stable and in capitals; branch on it,
- \`message\`: for people, may change; it names the field or the place, and never a secret,
- \`hint\`: what to do about it, if anything general can be said,
- \`retry\`: what another attempt promises. \`never\`: the same call fails again until a person changes something.
  \`later\`: it may succeed and does no harm. \`unsafe\`: it may succeed, but this attempt may have taken effect, so repeat
  reads only, and writes that do the same twice. \`retryOf(error)\` of \`client-ts/meta\` reads it from any error, also a wrapped one,
- \`cause\`: the error that led to it.

\`instanceof\` holds across copies of the package. What the server refuses is an \`ApiError\`; ask what
happened with the guards, which look through wrapped errors too:

\`\`\`ts
import { Clientset, isNotFound, loadConfig } from 'client-ts';

await using client = new Clientset(await loadConfig());

try {
  await client.coreV1.pods('default').get('web');
} catch (error) {
  if (!isNotFound(error)) throw error;
}
\`\`\`

A signal that aborts is not an error of ours: promises reject with the reason of the signal, and
loops over watches and other streams just end.`;

/** Returns the text of the page. */
export function errorsPageText(classes: readonly ErrorClass[]): string {
  checkCodes(classes);
  const modules = [...new Set(classes.map(({ module }) => module))].toSorted(compareModules);
  const sections = modules.map((module) => moduleSection(module, classes));
  return `${[introduction, ...sections].join('\n\n')}\n`;
}

/** The modules of the client first. */
function compareModules(left: string, right: string): number {
  const isScoped = Number(left.startsWith('@')) - Number(right.startsWith('@'));
  if (isScoped !== 0) return isScoped;
  return left < right ? -1 : 1;
}

function moduleSection(module: string, classes: readonly ErrorClass[]): string {
  const families = classes
    .filter((each) => each.module === module && each.parent === 'ClientError')
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .map((family) =>
      family.name === 'ApiError' ? apiErrorSection(family) : familySection(family, classes),
    );
  return [`## ${module}`, ...families].join('\n\n');
}

/** Every error class must have codes, and no code may belong to two. */
function checkCodes(classes: readonly ErrorClass[]): void {
  const owners = new Map<string, string>();
  for (const { name, parent, codes } of classes) {
    if (parent !== 'ClientError') continue;
    if (Object.keys(codes).length === 0) throw new Error(`${name} has no codes`);
    for (const code of Object.keys(codes)) {
      const owner = owners.get(code);
      if (owner !== undefined) throw new Error(`${code} is a code of ${owner} and of ${name}`);
      owners.set(code, name);
    }
  }
}

function heading({ name, isExported, description }: ErrorClass): string {
  const note = isExported ? [] : ['Not exported: recognise it by its `code`.'];
  return [`### ${name}`, ...(description === '' ? [] : [description]), ...note].join('\n\n');
}

function familySection(family: ErrorClass, classes: readonly ErrorClass[]): string {
  const entries = Object.entries(family.codes);
  const columns: readonly [string, (code: string, entry: ErrorEntry) => string][] = [
    ['Code', (code) => `\`${code}\``],
    ['When', (_, { when = '' }) => when],
    ['Retry', (_, { retry }) => retry],
    ['What to do', (_, { hint = '' }) => hint],
  ];
  const rows = entries.map(([code, entry]) => columns.map(([, cell]) => cell(code, entry)));
  const kin = classes
    .filter(({ parent }) => parent === family.name)
    .map(({ name, description }) => `- \`${name}\`: ${description}`);
  return [
    heading(family),
    table(
      columns.map(([title]) => title),
      rows,
    ),
    ...(kin.length === 0 ? [] : [`Special cases:\n\n${kin.join('\n')}`]),
  ].join('\n\n');
}

function apiErrorSection(family: ErrorClass): string {
  const rows = meta.apiErrorCatalogue.map(({ code, reason, retry, hint }) => [
    `\`${code}\``,
    reason === '' ? 'any other' : reason,
    guardsFor(reason),
    retry,
    hint ?? '',
  ]);
  const columns = ['Code', 'Reason', 'Guard', 'Retry', 'What to do'];
  return [
    heading(family),
    'The whole `Status` of the server is in `status`, and the request in `request`. `retry` is `later` instead of `unsafe` if ' +
      'the server says when to come back, and follows from the HTTP code if the reason is none of these.',
    table(columns, rows),
  ].join('\n\n');
}

/** Returns the guards that are true for an error with this reason, by calling them all. */
function guardsFor(reason: string): string {
  if (reason === '') return '';
  const error = new meta.ApiError({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason });
  return Object.entries(meta as Readonly<Record<string, unknown>>)
    .filter(([name, guard]) => /^is[A-Z]/.test(name) && isTrueFor(guard, error))
    .map(([name]) => `\`${name}\``)
    .toSorted()
    .join(', ');
}

function isTrueFor(guard: unknown, error: Error): boolean {
  if (typeof guard !== 'function' || guard.length !== 1) return false;
  try {
    return guard(error) === true;
  } catch {
    // Not a guard for errors.
    return false;
  }
}

/**
 * Returns a table as the formatter writes it: columns are as wide as their widest cell. A column
 * without any text is left out.
 */
function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const kept = titles.map((_, index) => rows.some((row) => row[index] !== ''));
  const all = [titles, ...rows].map((row) =>
    row.filter((_, index) => kept[index]).map((cell) => cell.replaceAll('|', '\\|')),
  );
  const [head = [], ...body] = all;
  const widths = head.map((_, index) => Math.max(3, ...all.map((row) => row[index]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...body.map(line)].join('\n');
}
