import assert from 'node:assert/strict';
import { test } from 'node:test';

import { commands } from '../command-table.ts';
import { referencePage } from './reference-page.ts';

test('contains every command and flag but hidden ones', () => {
  const page = referencePage(commands);
  for (const { name, flags, hidden } of commands) {
    assert.equal(page.includes(`\n## client-ts ${name}\n`), hidden !== true, name);
    for (const flag of Object.keys(flags)) assert.ok(page.includes(`--${flag}`), flag);
  }
  assert.ok(page.includes('--debug'));
});
