import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { type NodeCount, renderBars } from './bars.ts';

const counts: readonly NodeCount[] = [
  { node: 'node-10', pods: 4 },
  { node: '', pods: 1 },
  { node: 'node-9', pods: 4 },
  { node: 'node-1', pods: 8 },
];

test('sorts by count, unscheduled pods last', () => {
  assert.deepEqual(renderBars(counts, { sortBy: 'pods', columns: 34 }), [
    'NODE      PODS',
    `node-1       8   ${'█'.repeat(16)}`,
    `node-9       4   ${'█'.repeat(8)}`,
    `node-10      4   ${'█'.repeat(8)}`,
    `<none>       1   ${'█'.repeat(2)}`,
    '17 pods on 3 nodes',
  ]);
  const byName = renderBars(counts, { sortBy: 'name', columns: 34 });
  assert.deepEqual(
    byName.slice(1, -1).map((line) => line.split(' ')[0]),
    ['node-1', 'node-9', 'node-10', '<none>'],
  );
});

test('summarises what does not fit', () => {
  const lines = renderBars(counts, { sortBy: 'pods', columns: 34, rows: 5 });
  assert.equal(lines.length, 5);
  assert.equal(lines.at(-2), 'and 2 more nodes with 5 pods');
});

test('prints an empty cluster', () => {
  assert.deepEqual(renderBars([], { sortBy: 'pods', columns: 80 }), [
    'NODE   PODS',
    '0 pods on 0 nodes',
  ]);
});

test('never exceeds the width, and bars are monotonic', () => {
  const count = fc.record({ node: fc.stringMatching(/^[a-z]{1,20}$/), pods: fc.nat(5000) });
  const different = fc.uniqueArray(count, { selector: ({ node }) => node, maxLength: 30 });
  fc.assert(
    fc.property(different, fc.integer({ min: 45, max: 200 }), (all, columns) => {
      const lines = renderBars(all, { sortBy: 'pods', columns });
      for (const line of lines) assert.ok(line.length <= columns, line);
      const bars = lines.slice(1, -1).map((line) => line.trimEnd().length);
      assert.deepEqual(
        bars.toSorted((a, b) => b - a),
        bars,
      );
    }),
  );
});
