import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Event } from '../api/core/v1.ts';
import { seededRandom } from '../lib/random.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import {
  type CorrelatorOptions,
  eventAggregatorByReasonFunc,
  EventCorrelator,
  getEventKey,
  getSpamKey,
  LruCache,
} from './event-correlator.ts';
import { makeEvent, podReference } from './test-record.ts';

const minute = 60_000;

/** A correlator, and a server that accepts every write. */
class Trial {
  readonly clock = new VirtualClock();
  readonly #correlator: EventCorrelator;

  constructor(options: CorrelatorOptions = {}) {
    this.#correlator = new EventCorrelator({
      ...options,
      clock: this.clock,
      random: seededRandom(1),
    });
  }

  /** Returns the event to write; undefined if it is skipped. */
  see(parts: Partial<Event> = {}) {
    const result = this.#correlator.eventCorrelate(makeEvent(this.clock, parts));
    if (result.isSkipped) return undefined;
    this.#correlator.updateState(result.event, result.key);
    const { event, patch } = result;
    return { event, patch, count: event.count, message: event.message };
  }

  async seeEvery(intervalMs: number, all: readonly Partial<Event>[]) {
    const seen: ReturnType<Trial['see']>[] = [];
    for (const parts of all) {
      seen.push(this.see(parts));
      await this.clock.advance(intervalMs);
    }
    return seen;
  }
}

function messages(count: number): Partial<Event>[] {
  return Array.from({ length: count }, (_, index) => ({ message: `message ${index}` }));
}

describe('EventCorrelator', () => {
  it('keeps a single event unchanged', () => {
    const trial = new Trial();
    const seen = trial.see();
    assert.equal(seen?.count, 1);
    assert.equal(seen?.patch, undefined);
    assert.equal(seen?.message, 'it started');
  });

  it('counts a repeated event under the name of the first', async () => {
    const trial = new Trial();
    const [first, second, third] = await trial.seeEvery(5000, [{}, {}, {}]);
    assert.deepEqual(second?.patch, {
      count: 2,
      lastTimestamp: '2026-01-01T00:00:05Z',
      message: 'it started',
    });
    assert.equal(third?.count, 3);
    assert.equal(third?.event.metadata.name, first?.event.metadata.name);
    assert.equal(third?.event.firstTimestamp, '2026-01-01T00:00:00Z');
    assert.equal(third?.event.lastTimestamp, '2026-01-01T00:00:10Z');
  });

  it('counts one event beyond the number from which similar ones are aggregated', async () => {
    const trial = new Trial();
    const seen = await trial.seeEvery(
      30_000,
      Array.from({ length: 11 }, () => ({})),
    );
    assert.deepEqual(
      seen.map((event) => [event?.count, event?.message]),
      seen.map((_, index) => [index + 1, 'it started']),
    );
  });

  it('uses the name and count of the server', () => {
    const clock = new VirtualClock();
    const correlator = new EventCorrelator({ clock });
    const first = correlator.eventCorrelate(makeEvent(clock));
    assert.ok(!first.isSkipped);
    const metadata = { name: 'renamed', namespace: 'shop', resourceVersion: '12' };
    correlator.updateState({ ...first.event, metadata, count: 5 }, first.key);
    const second = correlator.eventCorrelate(makeEvent(clock));
    assert.ok(!second.isSkipped);
    assert.equal(second.event.metadata.name, 'renamed');
    assert.equal(second.event.metadata.resourceVersion, '12');
    assert.equal(second.patch?.count, 6);
  });

  it('distinguishes events by object, field path, type, reason and source', () => {
    const variants: Partial<Event>[] = [
      {},
      { involvedObject: { ...podReference, name: 'other' } },
      { involvedObject: { ...podReference, namespace: 'other' } },
      { involvedObject: { ...podReference, uid: 'other' } },
      { involvedObject: { ...podReference, kind: 'Other' } },
      { involvedObject: { ...podReference, apiVersion: 'other/v1' } },
      { involvedObject: { ...podReference, fieldPath: 'spec.containers{a}' } },
      { involvedObject: { ...podReference, fieldPath: 'spec.containers{b}' } },
      { type: 'Warning' },
      { reason: 'Stopped' },
      { message: 'other' },
      { source: { component: 'other' } },
      { source: { component: 'test', host: 'other' } },
    ];
    const trial = new Trial();
    for (const parts of variants) assert.equal(trial.see(parts)?.count, 1, JSON.stringify(parts));
    for (const parts of variants) assert.equal(trial.see(parts)?.count, 2, JSON.stringify(parts));
  });

  it('distinguishes fields that concatenate to the same string', () => {
    const clock = new VirtualClock();
    const left = makeEvent(clock, { reason: 'Ab', message: 'c', source: { component: 'x' } });
    const right = makeEvent(clock, { reason: 'A', message: 'bc', source: { component: 'x' } });
    assert.notEqual(getEventKey(left), getEventKey(right));
  });

  it('ignores the resourceVersion of the object', () => {
    const trial = new Trial();
    trial.see({ involvedObject: { ...podReference, resourceVersion: '1' } });
    const again = trial.see({ involvedObject: { ...podReference, resourceVersion: '2' } });
    assert.equal(again?.count, 2);
  });

  describe('with similar events', () => {
    it('aggregates them from the tenth on', async () => {
      const seen = await new Trial().seeEvery(5000, messages(12));
      assert.deepEqual(
        seen.map((event) => [event?.count, event?.message]),
        [
          ...Array.from({ length: 9 }, (_, index) => [1, `message ${index}`]),
          [1, '(combined from similar events): message 9'],
          [2, '(combined from similar events): message 10'],
          [3, '(combined from similar events): message 11'],
        ],
      );
      const [ninth, tenth, eleventh, twelfth] = seen.slice(8);
      assert.equal(tenth?.patch, undefined);
      assert.notEqual(tenth?.event.metadata.name, ninth?.event.metadata.name);
      assert.equal(twelfth?.event.metadata.name, tenth?.event.metadata.name);
      assert.deepEqual(eleventh?.patch, {
        count: 2,
        lastTimestamp: '2026-01-01T00:00:50Z',
        message: '(combined from similar events): message 10',
      });
    });

    it('continues to aggregate when earlier messages are repeated', async () => {
      const trial = new Trial();
      await trial.seeEvery(1000, messages(10));
      assert.equal(trial.see({ message: 'message 0' })?.count, 2);
    });

    it('aggregates events with different field paths', async () => {
      const seen = await new Trial().seeEvery(
        1000,
        messages(10).map((parts, index) => ({
          ...parts,
          involvedObject: { ...podReference, fieldPath: `spec.containers{c${index}}` },
        })),
      );
      assert.match(seen.at(-1)?.message ?? '', /^\(combined/);
    });

    it('keeps the source and drops annotations of an aggregated event', async () => {
      const parts = { reportingInstance: 'node-1' };
      const seen = await new Trial().seeEvery(
        1000,
        messages(10).map((message) => ({
          ...message,
          ...parts,
          metadata: { name: 'n', namespace: 'shop', annotations: { a: 'b' } },
        })),
      );
      const combined = seen.at(-1)?.event;
      assert.equal(combined?.reportingComponent, 'test');
      assert.equal(combined?.reportingInstance, 'node-1');
      assert.equal(combined?.metadata.annotations, undefined);
      assert.equal(combined?.metadata.namespace, 'shop');
      assert.match(combined?.metadata.name ?? '', /^web\.[0-9a-f]+$/);
    });

    it('does not aggregate events more than ten minutes apart', async () => {
      const seen = await new Trial().seeEvery(10 * minute + 1, messages(12));
      assert.ok(seen.every((event) => event?.message?.startsWith('message')));
    });

    it('aggregates events exactly ten minutes apart', async () => {
      const seen = await new Trial().seeEvery(10 * minute, messages(10));
      assert.match(seen.at(-1)?.message ?? '', /^\(combined/);
    });

    it('does not depend on the wall clock', async () => {
      const trial = new Trial();
      for (const parts of messages(9)) {
        trial.see(parts);
        trial.clock.jump(60 * minute);
      }
      assert.match(trial.see({ message: 'last' })?.message ?? '', /^\(combined/);
    });

    it('groups events that differ only in their message', () => {
      const clock = new VirtualClock();
      const keys = (parts: Partial<Event>) => eventAggregatorByReasonFunc(makeEvent(clock, parts));
      const [fun, awful] = [keys({ message: 'it was fun' }), keys({ message: 'it was awful' })];
      assert.equal(fun.aggregateKey, awful.aggregateKey);
      assert.notEqual(fun.localKey, awful.localKey);
      assert.notEqual(fun.aggregateKey, keys({ reason: 'Nevermind' }).aggregateKey);
      assert.notEqual(fun.aggregateKey, keys({ reportingInstance: 'other' }).aggregateKey);
      assert.notEqual(fun.aggregateKey, keys({ reportingComponent: 'other' }).aggregateKey);
    });
  });

  describe('over the rate limit', () => {
    it('passes 25 events, then one every five minutes, and counts the others', async () => {
      const trial = new Trial();
      const seen = Array.from({ length: 27 }, () => trial.see());
      assert.equal(seen[24]?.count, 25);
      assert.deepEqual(seen.slice(25), [undefined, undefined]);
      await trial.clock.advance(5 * minute - 1);
      assert.equal(trial.see(), undefined);
      await trial.clock.advance(1);
      assert.equal(trial.see()?.count, 29);
      assert.equal(trial.see(), undefined);
    });

    it('limits each object, source and type separately', () => {
      const trial = new Trial({ burstSize: 1 });
      assert.ok(trial.see());
      assert.equal(trial.see({ reason: 'Other', message: 'other' }), undefined);
      assert.ok(trial.see({ type: 'Warning' }));
      assert.ok(trial.see({ involvedObject: { ...podReference, uid: 'u2' } }));
      assert.ok(trial.see({ source: { component: 'other' } }));
    });

    it('uses spamKeyFunc to decide what shares a limit', () => {
      const trial = new Trial({
        burstSize: 1,
        spamKeyFunc: (event) => `${getSpamKey(event)}/${event.reason}`,
      });
      assert.ok(trial.see());
      assert.ok(trial.see({ reason: 'Other' }));
      assert.equal(trial.see({ message: 'me again' }), undefined);
    });

    it('passes events about many different objects', () => {
      const trial = new Trial();
      for (let index = 0; index < 100; index += 1) {
        assert.ok(trial.see({ involvedObject: { ...podReference, name: `pod-${index}` } }));
      }
    });
  });

  it('forgets the least recent event', () => {
    const trial = new Trial({ lruCacheSize: 2 });
    const about = (name: string) => trial.see({ involvedObject: { ...podReference, name } })?.count;
    assert.deepEqual(['a', 'b', 'a', 'c', 'a', 'b'].map(about), [1, 1, 2, 1, 3, 1]);
  });

  it('remembers 4096 events by default', () => {
    const trial = new Trial();
    const about = (name: string) => trial.see({ involvedObject: { ...podReference, name } })?.count;
    for (let index = 0; index < 4096; index += 1) about(`pod-${index}`);
    assert.equal(about('pod-0'), 2);
    about('one more');
    assert.equal(about('pod-1'), 1);
  });

  it('uses maxEvents, keyFunc and messageFunc', async () => {
    const seen = await new Trial({
      maxEvents: 2,
      maxIntervalMs: 1000,
      keyFunc: ({ message = '' }) => ({ aggregateKey: 'all', localKey: message }),
      messageFunc: () => 'many',
    }).seeEvery(1000, [
      { reason: 'A', message: 'a' },
      { reason: 'B', message: 'b' },
    ]);
    assert.equal(seen[1]?.message, 'many');
  });
});

describe('LruCache', () => {
  it('evicts the least recently used entry', () => {
    const cache = new LruCache<number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    assert.equal(cache.get('a'), 1);
    cache.set('c', 3);
    assert.equal(cache.get('b'), undefined);
    assert.equal(cache.get('a'), 1);
    assert.equal(cache.get('c'), 3);
    assert.equal(cache.size, 2);
  });

  it('treats a set as a use, and replaces the value', () => {
    const cache = new LruCache<number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.set('a', 10);
    cache.set('c', 3);
    assert.equal(cache.get('a'), 10);
    assert.equal(cache.get('b'), undefined);
  });

  it('forgets an entry that is deleted', () => {
    const cache = new LruCache<number>(2);
    cache.set('a', 1);
    cache.delete('a');
    assert.equal(cache.get('a'), undefined);
    assert.equal(cache.size, 0);
  });
});
