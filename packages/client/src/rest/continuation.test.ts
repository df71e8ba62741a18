import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { Continuation } from './pager.ts';

const page = (token: unknown, objects = 1) => ({
  items: Array.from({ length: objects }, () => ({})),
  metadata: { continue: token },
});

/** Follows the tokens and returns how many pages it took until it threw. */
function pagesUntilRefused(tokenAt: (page: number) => string, objects = 1, max?: number): number {
  const continuation = new Continuation(max);
  for (let count = 1; ; count += 1) {
    try {
      assert.equal(continuation.after(page(tokenAt(count), objects)), tokenAt(count));
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'REST_LIST_ENDLESS');
      return count;
    }
  }
}

describe('Continuation', () => {
  it('follows different tokens to the end', () => {
    const continuation = new Continuation();
    for (let count = 0; count < 5000; count += 1) {
      assert.equal(continuation.after(page(`t${count}`)), `t${count}`);
    }
    assert.equal(continuation.after(page('')), undefined);
    assert.equal(continuation.after({ items: [] }), undefined);
  });

  it('refuses a token that repeats immediately', () => {
    assert.equal(
      pagesUntilRefused(() => 'same'),
      2,
    );
    assert.equal(
      pagesUntilRefused((count) => `t${Math.min(count, 40)}`),
      41,
    );
  });

  it('rejects a cycle of tokens of any length', () => {
    for (const length of [2, 3, 7, 100]) {
      const pages = pagesUntilRefused((count) => `t${count % length}`);
      assert.ok(pages <= 4 * length, `${pages} pages for a circle of ${length}`);
    }
  });

  it('allows 999 empty pages in a row', () => {
    assert.equal(
      pagesUntilRefused((count) => `t${count}`, 0),
      1000,
    );
    const continuation = new Continuation();
    for (let count = 0; count < 3000; count += 1) {
      continuation.after(page(`t${count}`, count % 999 === 998 ? 1 : 0));
    }
  });

  it('rejects more objects than the reader can hold', () => {
    assert.equal(
      pagesUntilRefused((count) => `t${count}`, 10, 100),
      10,
    );
    const continuation = new Continuation(100);
    assert.equal(
      continuation.after(page('', 1000)),
      undefined,
      'the last page is not the question',
    );
  });

  it('rejects a token that is not a string', () => {
    for (const token of [5, {}, true, []]) {
      assert.throws(() => new Continuation().after(page(token)), { code: 'REST_LIST_ENDLESS' });
    }
  });
});
