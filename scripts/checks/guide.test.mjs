import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { findGuideFaults } from './guide.mjs';

const GUIDE = 'docs/guides/from-client-go.md';

/** @type {Readonly<Record<string, string>>} */
const files = {
  'packages/client/src/index.ts': "export * from './cache/index.ts';",
  'packages/client/src/cache/index.ts':
    "export { Indexer } from './indexer.ts';\nexport type * from './types.ts';",
  'packages/client/src/cache/indexer.ts': 'export class Indexer {\n  byIndex() {}\n}',
  'packages/client/src/cache/types.ts': 'export interface Store {}\nexport type KeyFunc = () => 1;',
};
const read = (/** @type {string} */ path) =>
  Object.entries(files).find(([name]) => name === path)?.[1];

const INDEXER = '[indexer.ts](../../packages/client/src/cache/indexer.ts)';

/** @param {string} text */
function faultsOf(text) {
  return findGuideFaults(GUIDE, (path) => (path === GUIDE ? text : read(path)));
}

/** @param {readonly string[]} rows */
function faults(...rows) {
  const head = ['| client-go | client-ts | Where | In code |', '| --- | --- | --- | --- |'];
  return faultsOf([...head, ...rows].join('\n'));
}

describe('findGuideFaults', () => {
  it('accepts exported classes, members and types, also through export *', () => {
    assert.deepEqual(
      faults(
        `| \`cache.Indexer\` | \`Indexer\`, \`Indexer.byIndex\` | \`client-ts/cache\`, ${INDEXER} | \`a \\| b\` |`,
        `| \`cache.Store\` | \`Store\`, \`KeyFunc\` | \`client-ts\`, ${INDEXER} | \`x\` |`,
        '| `cache.MutationDetector` | — | | Not needed. |',
      ),
      [],
    );
  });

  it('names the row of a renamed export', () => {
    assert.deepEqual(
      faults(`| \`cache.New\` | \`Gone\`, \`Gone.x\` | \`client-ts/cache\`, ${INDEXER} | \`x\` |`),
      [
        `${GUIDE}:3: row \`cache.New\`: client-ts/cache does not export Gone`,
        `${GUIDE}:3: row \`cache.New\`: client-ts/cache does not export Gone`,
      ],
    );
  });

  it('reports a member, a file and a module that do not exist', () => {
    const moved = '[gone.ts](../../packages/client/src/cache/gone.ts)';
    assert.deepEqual(
      faults(
        `| \`A\` | \`Indexer.byName\` | \`client-ts/cache\`, ${INDEXER} | \`x\` |`,
        `| \`B\` | \`Indexer\` | \`client-ts/cache\`, ${moved} | \`x\` |`,
        `| \`C\` | \`Indexer\` | \`client-ts/gone\`, ${INDEXER} | \`x\` |`,
      ),
      [
        `${GUIDE}:3: row \`A\`: packages/client/src/cache/indexer.ts has no byName`,
        `${GUIDE}:4: row \`B\`: packages/client/src/cache/gone.ts does not exist`,
        `${GUIDE}:5: row \`C\`: client-ts/gone does not exist`,
      ],
    );
  });

  it('reports a row without a place, or without code or an explanation', () => {
    assert.deepEqual(faults('| `A` | `Indexer` | cache | `x` |', '| `B` | — | | |'), [
      `${GUIDE}:3: row \`A\`: the third cell is not \`client-ts/…\`, [file](link)`,
      `${GUIDE}:4: row \`B\`: the last cell has neither code nor an explanation`,
    ]);
  });

  it('reports a guide without rows', () => {
    assert.deepEqual(faultsOf('# Nothing'), [`${GUIDE}: no rows found`]);
  });
});
