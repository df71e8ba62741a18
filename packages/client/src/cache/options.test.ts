import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OptionError } from '../lib/option-error.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { ttlStore } from './expiration-cache.ts';
import { metaNamespaceKeyFunc } from './store.ts';
import { RealFIFO } from './real-fifo.ts';
import { Reflector } from './reflector.ts';
import { TestInformer } from './test-informer.ts';
import type { TestObject } from './test-objects.ts';
import { TestSource } from './test-source.ts';

const keyFunc = metaNamespaceKeyFunc;
const listerWatcher = new TestSource();
const queue = (): RealFIFO<TestObject> => new RealFIFO<TestObject>({ keyFunc });

/** Constructors with one option, and the values they refuse. */
const makers: Readonly<
  Record<string, readonly [make: (value: number) => unknown, refused: readonly number[]]>
> = {
  'a handler, maxPending': [
    (maxPending) => new TestInformer().informer.addEventHandler({}, { maxPending }),
    [0, -1, NaN, 1.5],
  ],
  'a handler, resyncPeriodMs': [
    (resyncPeriodMs) => new TestInformer().informer.addEventHandler({}, { resyncPeriodMs }),
    [NaN],
  ],
  'an informer, gracePeriodMs': [(gracePeriodMs) => new TestInformer({ gracePeriodMs }), [NaN, -1]],
  'an informer, resyncPeriodMs': [(resyncPeriodMs) => new TestInformer({ resyncPeriodMs }), [NaN]],
  'an informer, pageSize': [(pageSize) => new TestInformer({ pageSize }), [NaN, -1, 0.5]],
  'a reflector, resyncPeriodMs': [
    (resyncPeriodMs) => new Reflector({ listerWatcher, store: queue(), resyncPeriodMs }),
    [NaN],
  ],
  'a reflector, listTimeoutMs': [
    (listTimeoutMs) => new Reflector({ listerWatcher, store: queue(), listTimeoutMs }),
    [NaN, -1],
  ],
  'a reflector, initialEventsTimeoutMs': [
    (initialEventsTimeoutMs) =>
      new Reflector({ listerWatcher, store: queue(), initialEventsTimeoutMs }),
    [NaN],
  ],
  'a reflector, minWatchTimeoutMs': [
    (minWatchTimeoutMs) => new Reflector({ listerWatcher, store: queue(), minWatchTimeoutMs }),
    [NaN],
  ],
  'a reflector, maxInternalErrorRetryMs': [
    (maxInternalErrorRetryMs) =>
      new Reflector({ listerWatcher, store: queue(), maxInternalErrorRetryMs }),
    [NaN],
  ],
  'a store, ttlMs': [
    (ttlMs) => ttlStore<TestObject>({ keyFunc, clock: new VirtualClock(), ttlMs }),
    [NaN],
  ],
};

describe('invalid numbers in options', () => {
  for (const [what, [make, refused]] of Object.entries(makers)) {
    const option = what.split(', ')[1] ?? '';
    it(`are refused by name: ${what}`, () => {
      make(5);
      make(Infinity);
      for (const value of refused) {
        assert.throws(
          () => make(value),
          (error) => error instanceof OptionError && error.option === option,
          String(value),
        );
      }
    });
  }
});
