import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import * as meta from 'client-ts/meta';

import { type ErrorClass, errorClassesIn } from './error-classes.ts';
import type { Generator } from './generator.ts';

const path = 'docs/errors.md';

/** The sources of the library, seen from `dist` and from `src` alike. */
const sources = fileURLToPath(new URL('../../client/src', import.meta.url));

/** `docs/errors.md`: every error that the library throws on purpose, read from its code. */
export const errorsPage: Generator = {
  name: 'errors page',
  outputs: () => new Map([[path, errorsPageText(readErrorClasses())]]),
};

function readErrorClasses(): ErrorClass[] {
  return readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !/\.test(?:-d)?\.ts$|^api\/|(?:^|\/)test-/.test(file))
    .toSorted()
    .flatMap((file) => errorClassesIn(readFileSync(`${sources}/${file}`, 'utf8'), file));
}

const introduction = `<!-- Written by \`npm run generate\` from the code; do not edit. -->

# Errors

Every error that client-ts throws on purpose is a \`ClientError\`. It has

- \`code\`: stable and in capitals; branch on it,
- \`message\`: for people, may change; it names the field or the place, and never a secret,
- \`hint\`: what to do about it, if anything general can be said,
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

/** The text of the page. */
export function errorsPageText(classes: readonly ErrorClass[]): string {
  checkCodes(classes);
  const families = classes
    .filter(({ parent }) => parent === 'ClientError')
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const sections = families.map((family) =>
    family.name === 'ApiError' ? apiErrorSection(family) : familySection(family, classes),
  );
  return `${[introduction, ...sections].join('\n\n')}\n`;
}

/** No error may stay unlisted, and no code may mean two things. */
function checkCodes(classes: readonly ErrorClass[]): void {
  const owners = new Map<string, string>();
  for (const { name, parent, codes } of classes) {
    if (parent !== 'ClientError') continue;
    // Those of ApiError are in its catalogue.
    if (codes.length === 0 && name !== 'ApiError') {
      throw new Error(`the codes of ${name} are in none of the places where they belong`);
    }
    for (const { code } of codes) {
      const owner = owners.get(code);
      if (owner !== undefined) throw new Error(`${code} is a code of ${owner} and of ${name}`);
      owners.set(code, name);
    }
  }
}

function heading({ name, room, description, codes: [only, ...others] }: ErrorClass): string {
  const code =
    only?.text === description && others.length === 0 ? ` Its code is \`${only.code}\`.` : '';
  return `## ${name}\n\n${description}\n\nFrom \`client-ts/${room}\`.${code}`;
}

function familySection(family: ErrorClass, classes: readonly ErrorClass[]): string {
  const isTold = family.codes.every(({ text }) => text === family.description);
  const title = family.texts === 'hint' ? 'What to do' : 'When';
  const rows = family.codes.map(({ code, text }) => [`\`${code}\``, text]);
  const kin = classes
    .filter(({ parent }) => parent === family.name)
    .map(({ name, description }) => `- \`${name}\`: ${description}`);
  return [
    heading(family),
    ...(isTold ? [] : [table(['Code', title], rows)]),
    ...(kin.length === 0 ? [] : [`Special cases:\n\n${kin.join('\n')}`]),
  ].join('\n\n');
}

function apiErrorSection(family: ErrorClass): string {
  const rows = meta.apiErrorCatalogue.map(({ code, reason, hint }) => [
    `\`${code}\``,
    reason === '' ? 'any other' : reason,
    guardsFor(reason),
    hint ?? '',
  ]);
  const columns = ['Code', 'Reason', 'Guard', 'What to do'];
  return [
    heading(family),
    'The whole `Status` of the server is in `status`, and the request in `request`.',
    table(columns, rows),
  ].join('\n\n');
}

/** The guards that say yes to an error with this reason, found by asking them all. */
function guardsFor(reason: string): string {
  if (reason === '') return '';
  const error = new meta.ApiError({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason });
  return Object.entries(meta as Readonly<Record<string, unknown>>)
    .filter(([name, guard]) => /^is[A-Z]/.test(name) && saysYes(guard, error))
    .map(([name]) => `\`${name}\``)
    .toSorted()
    .join(', ');
}

function saysYes(guard: unknown, error: Error): boolean {
  if (typeof guard !== 'function' || guard.length !== 1) return false;
  try {
    return guard(error) === true;
  } catch {
    // Not a guard for errors.
    return false;
  }
}

/** A table as the formatter has it: the columns are as wide as their widest cell. */
function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [columns, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = columns.map((_, index) =>
    Math.max(3, ...all.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = all;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...body.map(line)].join('\n');
}
