import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { commands } from '../command-table.ts';
import { universalFlags } from '../frame/flags.ts';

const here = new URL('.', import.meta.url);

test('descriptions import only the frame, so that help is fast', () => {
  const files = readdirSync(here).filter((name) => /^[\w-]+\.(?:ts|js)$/.test(name));
  // `exec` and `attach`, `cordon` and `uncordon` share a file.
  assert.ok(files.length >= commands.length - 2);
  for (const name of files) {
    const text = readFileSync(new URL(name, here), 'utf8');
    const imports = [...text.matchAll(/^import (?!type\b)[^;]*?from '([^']+)';/gms)];
    for (const [, target] of imports) assert.match(target ?? '', /^\.\.\/frame\//, name);
  }
});

test('command names and the letters of flags are unique', () => {
  assert.equal(new Set(commands.map(({ name }) => name)).size, commands.length);
  for (const { name, flags } of commands) {
    const all = Object.values({ ...flags, ...universalFlags });
    const letters = all.flatMap(({ short }) => (short === undefined ? [] : [short]));
    assert.equal(new Set(letters).size, letters.length, name);
    for (const flag of Object.keys(universalFlags)) assert.ok(!Object.hasOwn(flags, flag), name);
  }
});
