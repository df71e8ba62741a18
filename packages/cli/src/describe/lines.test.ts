import assert from 'node:assert/strict';
import { test } from 'node:test';

import { align, block, field, multiline, optional, optionalBlock, table } from './lines.ts';

test('aligns the cells of adjacent lines', () => {
  assert.equal(
    align([field('Name', 'web'), field('Namespace', 'shop'), 'Spec:', field('A', 1)]),
    'Name:       web\nNamespace:  shop\nSpec:\nA:  1\n',
  );
});

test('a column ends where a line has fewer cells', () => {
  assert.equal(align(['a\tb\tc', 'long\tx', 'd\te\tf']), 'a     b  c\nlong  x\nd     e  f\n');
});

test('keeps a column of an empty last cell, and lines within values', () => {
  assert.equal(
    align([field('Message', ''), field('A', 'x\ny\tz')]),
    'Message:  \nA:        x\ny         z\n',
  );
});

test('leaves out what has no value', () => {
  assert.equal(align([optional('A', undefined), optional('B', ''), optional('C', 0)]), 'C:  0\n');
  assert.equal(align(optionalBlock('A', [undefined, false])), '');
});

test('puts several values below each other', () => {
  assert.equal(align(multiline('Labels', ['a=b', 'c=d'])), 'Labels:  a=b\n         c=d\n');
  assert.equal(align(multiline('Labels', [])), 'Labels:  <none>\n');
});

test('draws tables with dashes below the headings', () => {
  assert.equal(
    align(block('Events', table(['Type', ['Age', 4]], [['Normal', '5m']]))),
    'Events:\n  Type    Age\n  ----    ----\n  Normal  5m\n',
  );
});
