import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from 'client-ts/testing';

import { DirtySet } from './dirty-set.ts';

function fail(error: unknown): void {
  assert.fail(String(error));
}

describe('DirtySet', () => {
  it('processes a key once and later, however often it was added', async () => {
    const clock = new VirtualClock();
    const seen: string[] = [];
    const dirty = new DirtySet({ clock, process: (key) => seen.push(key), onError: fail });
    for (const key of ['a', 'b', 'a']) dirty.add(key);
    assert.deepEqual(seen, []);
    await clock.advance(0);
    assert.deepEqual(seen, ['a', 'b']);
    assert.equal(clock.pending, 0);
  });

  it('leaves keys that are added meanwhile to the next round', async () => {
    const clock = new VirtualClock();
    const seen: string[] = [];
    const process = (key: string): void => {
      seen.push(key);
      if (key === 'a') {
        dirty.add('a2');
        dirty.add('b');
      }
    };
    const dirty = new DirtySet({ clock, process, onError: fail });
    dirty.add('a');
    dirty.add('b');
    clock.schedule(0, () => seen.push('other work'));
    await clock.advance(0);
    assert.deepEqual(seen, ['a', 'b', 'other work', 'a2', 'b']);
  });

  it('reports a key that fails and processes the others', async () => {
    const clock = new VirtualClock();
    const errors: unknown[] = [];
    const seen: string[] = [];
    const process = (key: string): void => {
      if (key === 'bad') throw new Error('no');
      seen.push(key);
    };
    const dirty = new DirtySet({ clock, process, onError: (error) => errors.push(error) });
    dirty.add('bad');
    dirty.add('good');
    await clock.advance(0);
    assert.deepEqual(seen, ['good']);
    assert.match(String(errors), /no/);
    dirty.add('bad');
    await clock.advance(0);
    assert.equal(errors.length, 2);
  });

  it('does nothing after dispose, not even the rest of a round', async () => {
    const clock = new VirtualClock();
    const seen: string[] = [];
    const process = (key: string): void => {
      seen.push(key);
      dirty[Symbol.dispose]();
    };
    const dirty = new DirtySet({ clock, process, onError: fail });
    dirty.add('a');
    dirty.add('b');
    await clock.advance(0);
    dirty.add('c');
    assert.deepEqual(seen, ['a']);
    assert.equal(clock.pending, 0);
  });

  it('cancels a round that has not started', () => {
    const clock = new VirtualClock();
    const dirty = new DirtySet({ clock, process: () => assert.fail('processed'), onError: fail });
    dirty.add('a');
    dirty[Symbol.dispose]();
    assert.equal(clock.pending, 0);
  });
});
