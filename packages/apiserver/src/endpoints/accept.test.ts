import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { mediaRanges, parseAccept } from './accept.ts';

/** The ranges in the order in which the server tries them. */
function order(header: string): string[] {
  return parseAccept(header).map(({ type, subtype }) => `${type}/${subtype}`);
}

describe('parseAccept', () => {
  it('puts what is liked best first, and keeps the order of equals', () => {
    assert.deepEqual(order('a/a, b/b, c/c'), ['a/a', 'b/b', 'c/c']);
    assert.deepEqual(order('a/a;q=0.1, b/b;q=0.9, c/c'), ['c/c', 'b/b', 'a/a']);
  });

  it('prefers what is named to what is only allowed, even if it is liked less', () => {
    assert.deepEqual(order('*/*, application/json'), ['application/json', '*/*']);
    assert.deepEqual(order('application/*, application/json'), [
      'application/json',
      'application/*',
    ]);
    assert.deepEqual(order('*/*;q=0.9, a/b;q=0.1'), ['a/b', '*/*']);
  });

  it('reads parameters, but the quality', () => {
    const [clause] = parseAccept('application/json; as=Table ;v=v1;g=meta.k8s.io;q=0.5;odd');
    assert.equal(clause?.quality, 0.5);
    assert.deepEqual(
      [...(clause?.parameters ?? [])],
      [
        ['as', 'Table'],
        ['v', 'v1'],
        ['g', 'meta.k8s.io'],
      ],
    );
  });

  it('takes a quality that is no number for none', () => {
    assert.equal(parseAccept('a/b;q=x')[0]?.quality, 0);
  });

  it('skips what is no media range', () => {
    assert.deepEqual(order('garbage, a/b/c, ;;;, a/b'), ['a/b']);
    assert.deepEqual(order('*'), ['*/*']);
  });
});

describe('mediaRanges', () => {
  it('gives them as they were written', () => {
    assert.deepEqual(mediaRanges('a/b;q=1, C/D , *'), ['a/b', 'C/D', '*']);
  });
});
