import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { BoundedMap } from './bounded-map.ts';

describe('BoundedMap', () => {
  it('forgets the entry that was set first, when it is full', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    assert.deepEqual([map.get('a'), map.get('b'), map.size], [3, 2, 2]);
    map.set('c', 4);
    assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [undefined, 2, 4]);
    assert.equal(map.size, 2);
  });
});
