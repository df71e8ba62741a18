import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';

import { findComputedKeys } from './keys.mjs';

const FLAGGED = `
declare const map: Record<string, string>;
declare const name: string;
declare const other: Record<string, string>;
export const read = map[name];
map[name] = 'x';
export const has = name in map;
export const template = map[\`\${name}-x\`];
export function generic<K extends string>(key: K): unknown { return map[key]; }
for (const key of Object.keys(map)) other[key] = 'x';
for (const key of Object.keys(map)) other[key];
for (const key of Object.keys(map)) map[key] = 'x';
Object.keys(map).map((key) => key.slice(1)).filter((key) => map[key]);
declare const inherited: 'constructor' | 'x';
export const literal = map[inherited];
`;

const ACCEPTED = `
declare const map: Record<string, string>;
declare const list: string[];
declare const tail: string;
declare const known: 'a' | 'b';
type FieldName = string & { readonly brand: 'FieldName' };
declare const field: FieldName;
export const index = list[list.length - 1];
export const literal = map['a'] ?? map[known];
export const prefixed = map[\`x-\${tail}\`];
export const branded = map[field];
export function generic<T extends { a: 1 }, K extends keyof T>(o: T, key: K): unknown { return o[key]; }
for (const key of Object.keys(map)) map[key];
Object.keys(map).toSorted().filter((key) => map[key] !== undefined);
delete map[tail];
export const own = Object.hasOwn(map, tail);
`;

/** @param {string} text */
function flaggedLines(text) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'keys-')));
  try {
    const options = { strict: true, target: 'esnext', module: 'nodenext', types: [] };
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
    writeFileSync(join(directory, 'a.ts'), text);
    writeFileSync(join(directory, 'a.test.ts'), text);
    return findComputedKeys([directory]).map(({ line }) => line);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

it('finds every lookup by a name that may be any string', () => {
  assert.deepEqual(flaggedLines(FLAGGED), [5, 6, 7, 8, 9, 10, 11, 12, 13, 15]);
});

it('accepts literal and branded names, indices, own keys and delete', () => {
  assert.deepEqual(flaggedLines(ACCEPTED), []);
});
