import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { findStructureFaults } from './structure.mjs';

const TEST = "import assert from 'node:assert/strict';\nassert.ok(true);\n";
const LONG = 'const x = 1;\n'.repeat(601);

/** @param {Record<string, string>} files */
function faults(files) {
  return findStructureFaults(new Map(Object.entries(files)));
}

describe('findStructureFaults', () => {
  it('accepts a room of short files with a test', () => {
    const files = {
      'packages/x/src/room/a.ts': 'export const a = 1;\n',
      'packages/x/src/room/index.ts': "export { a } from './a.ts';\n",
      'packages/x/src/room/a.test.ts': TEST,
    };
    assert.deepEqual(faults(files), []);
  });

  it('refuses a long file, unless it is generated', () => {
    const generated = `// Written by \`npm run generate\`; do not edit.\n${LONG}`;
    const files = { 'packages/x/src/a.ts': LONG, 'packages/x/src/generated.ts': generated };
    assert.deepEqual(faults(files), ['packages/x/src/a.ts has 601 lines (limit 600): split it']);
  });

  it('refuses a barrel that is no index.ts', () => {
    const text = "/** All of it. */\nexport * from './b.ts';\nexport {\n  c,\n} from './c.ts';\n";
    assert.deepEqual(faults({ 'packages/x/src/all.ts': text, 'packages/x/src/index.ts': text }), [
      'packages/x/src/all.ts only passes on the exports of other files; only index.ts may',
    ]);
  });

  it('refuses a room without tests', () => {
    assert.deepEqual(faults({ 'packages/x/src/room/a.ts': 'export const a = 1;\n' }), [
      'packages/x/src/room has no tests',
    ]);
  });

  it('refuses what is switched off', () => {
    const texts = [
      '// eslint-disable-next-line no-console\n',
      '// @ts-ignore\n',
      "it.skip('later', () => {});\n",
      "it('later', { todo: true }, () => {});\n",
    ];
    for (const text of texts) {
      assert.match(
        faults({ 'packages/x/src/a.ts': text }).join(),
        /a\.ts:1 (?:switches|skips)/,
        text,
      );
    }
  });
});
