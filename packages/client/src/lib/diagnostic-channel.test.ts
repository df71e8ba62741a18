import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, it } from 'node:test';
import {
  areCausesWanted,
  currentCause,
  DiagnosticChannel,
  SampledChannel,
  trackCauses,
  withCause,
} from './diagnostic-channel.ts';

describe('DiagnosticChannel', () => {
  it('delivers to subscribers until they are disposed', () => {
    const messages = new DiagnosticChannel<{ readonly n: number }>('test:plain');
    const seen: number[] = [];
    const subscription = messages.subscribe(({ n }) => seen.push(n));
    assert.equal(messages.hasSubscribers, true);
    new DiagnosticChannel<{ readonly n: number }>('test:plain').publish({ n: 1 });
    subscription[Symbol.dispose]();
    messages.publish({ n: 2 });
    assert.deepEqual(seen, [1]);
    assert.equal(messages.hasSubscribers, false);
  });

  it('runs work in the context that a subscriber has bound', async () => {
    const messages = new DiagnosticChannel<{ readonly n: number }>('test:context');
    const storage = new AsyncLocalStorage<number>();
    channel('test:context').bindStore(storage, (message) => (message as { n: number }).n);
    const seen = await messages.run({ n: 7 }, async () => {
      await Promise.resolve();
      return storage.getStore();
    });
    assert.equal(seen, 7);
    channel('test:context').unbindStore(storage);
  });
});

describe('SampledChannel', () => {
  it('wants as many messages as the subscriber takes, until it asks for more', () => {
    const messages = new SampledChannel<{ readonly n: number }>('test:sampled');
    const other = new SampledChannel<{ readonly n: number }>('test:sampled');
    const seen: number[] = [];
    const offer = (n: number): void => {
      if (other.isWanted) other.publish({ n });
    };
    offer(0);
    const subscription = messages.sample(2, ({ n }) => seen.push(n));
    for (const n of [1, 2, 3]) offer(n);
    assert.deepEqual(seen, [1, 2]);
    subscription.refill();
    for (const n of [4, 5, 6]) offer(n);
    assert.deepEqual(seen, [1, 2, 4, 5]);
    subscription.refill();
    subscription[Symbol.dispose]();
    assert.equal(messages.isWanted, false);
  });

  it('gives each subscriber as many messages as it takes', () => {
    const messages = new SampledChannel<object>('test:two');
    let [few, many] = [0, 0];
    using _few = messages.sample(1, () => (few += 1));
    const all = messages.subscribe(() => (many += 1));
    for (let n = 0; n < 10; n += 1) messages.publish({});
    assert.deepEqual([few, many], [1, 10]);
    assert.equal(messages.isWanted, true);
    all[Symbol.dispose]();
    assert.equal(messages.isWanted, false);
  });

  it('gives every message to subscribers of node:diagnostics_channel', () => {
    const messages = new SampledChannel<object>('test:node');
    let plain = 0;
    const listen = (): void => void (plain += 1);
    using sampled = messages.sample(1, () => undefined);
    subscribe('test:node', listen);
    for (let n = 0; n < 3; n += 1) if (messages.isWanted) messages.publish({});
    assert.equal(
      messages.run({}, () => 'done'),
      'done',
    );
    unsubscribe('test:node', listen);
    assert.equal(plain, 4);
    assert.equal(messages.isWanted, false);
    sampled.refill();
    assert.equal(messages.isWanted, true);
  });
});

describe('causes', () => {
  it('are known within the synchronous part of a call', async () => {
    assert.equal(areCausesWanted(), false);
    const tracking = trackCauses();
    assert.equal(areCausesWanted(), true);
    const cause = { kind: 'test' };
    const later = withCause(cause, async () => {
      assert.equal(currentCause(), cause);
      withCause(undefined, () => assert.equal(currentCause(), undefined));
      assert.equal(currentCause(), cause);
      await Promise.resolve();
      assert.equal(currentCause(), undefined);
    });
    assert.equal(currentCause(), undefined);
    await later;
    tracking[Symbol.dispose]();
    tracking[Symbol.dispose]();
    assert.equal(areCausesWanted(), false);
  });

  it('are created when they are read, once', () => {
    let created = 0;
    const create = (): object => ({ number: (created += 1) });
    withCause(create, () => undefined);
    assert.equal(created, 0);
    withCause(create, () => {
      const cause = currentCause();
      assert.deepEqual(cause, { number: 1 });
      withCause(undefined, () => assert.equal(currentCause(), undefined));
      assert.equal(currentCause(), cause);
    });
    assert.equal(currentCause(), undefined);
  });
});
