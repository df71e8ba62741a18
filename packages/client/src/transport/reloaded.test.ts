import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { VirtualClock } from '../testing/virtual-clock.ts';
import { Reloaded } from './reloaded.ts';

describe('Reloaded', () => {
  it('loads when first asked, and again when the value is old', async () => {
    const clock = new VirtualClock();
    let loads = 0;
    const value = new Reloaded({ clock, maxAgeMs: 60_000, load: async () => ++loads });
    assert.equal(loads, 0);
    assert.equal(await value.get(), 1);
    await clock.advance(59_999);
    assert.equal(await value.get(), 1);
    await clock.advance(1);
    assert.equal(await value.get(), 2);
  });

  it('loads once for all who ask at the same time', async () => {
    let loads = 0;
    const load = async (): Promise<number> => ++loads;
    const value = new Reloaded({ clock: new VirtualClock(), maxAgeMs: 1, load });
    assert.deepEqual(await Promise.all([value.get(), value.get(), value.get()]), [1, 1, 1]);
  });

  it('keeps the last good value while loading fails, and tries again soon', async () => {
    const clock = new VirtualClock();
    const failures: unknown[] = [];
    let loads = 0;
    const value = new Reloaded({
      clock,
      maxAgeMs: 60_000,
      load: async () => {
        loads += 1;
        if (loads === 2 || loads === 3) throw new Error(`failure ${loads}`);
        return loads;
      },
      onFailure: (error) => failures.push(error),
    });
    assert.equal(await value.get(), 1);
    await clock.advance(60_000);
    assert.equal(await value.get(), 1);
    assert.equal(await value.get(), 1);
    assert.equal(loads, 2);
    await clock.advance(1000);
    assert.equal(await value.get(), 1);
    await clock.advance(1000);
    assert.equal(await value.get(), 4);
    assert.deepEqual(failures.map(String), ['Error: failure 2', 'Error: failure 3']);
  });

  it('fails as long as there has never been a value, and asks each time', async () => {
    let loads = 0;
    const value = new Reloaded({
      clock: new VirtualClock(),
      maxAgeMs: 60_000,
      load: async () => {
        loads += 1;
        if (loads < 3) throw new Error('not there');
        return 'there';
      },
    });
    await assert.rejects(value.get(), /not there/);
    await assert.rejects(value.get(), /not there/);
    assert.equal(await value.get(), 'there');
  });

  it('loads at once after it was said to be suspect', async () => {
    let loads = 0;
    const load = async (): Promise<number> => ++loads;
    const value = new Reloaded({ clock: new VirtualClock(), maxAgeMs: 60_000, load });
    await value.get();
    value.expire();
    assert.equal(await value.get(), 2);
  });
});
