import assert from 'node:assert/strict';
import { test } from 'node:test';

import { tableOfObjects } from './object-table.ts';
import { cellsOf, headingsOf } from './table.ts';

test('prints cells as one line, with label columns', () => {
  const columns = [
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Wide', priority: 1 },
  ];
  const row = {
    cells: ['a\nb', 'red\tx'],
    object: { metadata: { namespace: 'shop', labels: { b: '2', 'example.com/size': '7' } } },
  };
  assert.deepEqual(cellsOf(row, columns), ['a...']);
  const all = {
    wide: true,
    withNamespace: true,
    prefix: 'pod',
    labelColumns: ['example.com/size', 'nope'],
    showLabels: true,
  };
  assert.deepEqual(headingsOf(columns, all), [
    'NAMESPACE',
    'NAME',
    'WIDE',
    'SIZE',
    'NOPE',
    'LABELS',
  ]);
  assert.deepEqual(cellsOf(row, columns, all), [
    'shop',
    'pod/a...',
    'red x',
    '7',
    '',
    'b=2,example.com/size=7',
  ]);
});

test('accepts short rows, and formats values as Go does', () => {
  const columns = ['A', 'B', 'C', 'D'].map((name) => ({ name }));
  assert.deepEqual(cellsOf({ cells: [1_500_000.5, true, null] }, columns), [
    '1.5000005e+06',
    'true',
    '',
    '',
  ]);
});

test('makes a table of names and ages from objects', () => {
  const now = Date.UTC(2026, 0, 1, 0, 1);
  const table = tableOfObjects(
    [{ metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' } }, {}],
    now,
  );
  assert.deepEqual(
    table.rows?.map(({ cells }) => cells),
    [
      ['a', '60s'],
      ['', '<unknown>'],
    ],
  );
});
