import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sleep } from '../lib/clock.ts';
import { currentCause, trackCauses } from '../lib/diagnostic-channel.ts';
import {
  type HandlerCall,
  informerChanges,
  informerReadings,
  informerStates,
  runningInformers,
  slowHandlerCalls,
} from './diagnostics.ts';
import { TestInformer } from './test-informer.ts';

describe('diagnostics of an informer', () => {
  it('publish states, readings with reasons, and changes', async () => {
    const test = new TestInformer();
    const { informer, source } = test;
    source.write('a');
    const states: string[] = [];
    const readings: string[] = [];
    const changes: string[] = [];
    using _states = informerStates.subscribe(({ state: { state } }) => states.push(state));
    using _readings = informerReadings.subscribe(({ how, reason, isFirst }) =>
      readings.push(`${how}: ${reason}${isFirst ? ' (first)' : ''}`),
    );
    using _changes = informerChanges.sample(100, ({ type, key, before, after }) => {
      const version = (object: typeof after): string => object?.metadata?.resourceVersion ?? '-';
      changes.push(`${type} ${key} ${version(before)}→${version(after)}`);
    });
    await test.start();
    assert.equal(runningInformers.has(informer), true);
    source.write('a');
    source.write('b');
    source.remove('a');
    await test.settle();
    await test.clock.advance(2000);
    source.endWatches(new Error('the connection was reset'));
    await test.clock.advance(60_000);
    await test.missing(() => source.write('c'));
    const { relists, watchRestarts, added, updated, deleted } = informer.statistics;
    await test.stop();
    assert.deepEqual(changes.slice(0, 4), [
      'add a -→2',
      'update a 2→3',
      'add b -→4',
      'delete a 5→-',
    ]);
    assert.deepEqual(readings, [
      'stream: first list (first)',
      'stream: the connection was reset',
      'watch: the watch ended after 61 s',
      'stream: too old',
    ]);
    assert.deepEqual({ relists, watchRestarts }, { relists: 2, watchRestarts: 1 });
    assert.deepEqual({ added, updated, deleted }, { added: 3, updated: 1, deleted: 1 });
    assert.ok(states.includes('live') && states.at(-1) === 'stopped', states.join(' '));
    assert.equal(runningInformers.has(informer), false);
  });

  it('set the cause of what a handler does, in its synchronous part', async () => {
    const test = new TestInformer();
    const { informer, source } = test;
    source.write('a');
    const causes: unknown[] = [];
    informer.addEventHandler(
      {
        onAdd: () => {
          const { kind, event, handler, object } = currentCause() as HandlerCall;
          causes.push([kind, event, handler, object?.metadata?.name]);
        },
        onDelete: () => void causes.push((currentCause() as HandlerCall).event),
      },
      { name: 'mine' },
    );
    const tracking = trackCauses();
    await test.start();
    source.remove('a');
    await test.settle();
    tracking[Symbol.dispose]();
    assert.deepEqual(causes, [['change', 'add', 'mine', 'a'], 'delete']);
    assert.equal(currentCause(), undefined);
    await test.stop();
  });

  it('know the slowest call of a handler, and publish slow ones', async () => {
    const test = new TestInformer();
    const { informer, source, clock } = test;
    const slow: unknown[] = [];
    using _slow = slowHandlerCalls.subscribe(({ handler, durationMs, object }) =>
      slow.push([handler, durationMs, object?.metadata?.name]),
    );
    await test.start();
    const durations = new Map([
      ['a', 20],
      ['b', 150],
      ['c', 120],
    ]);
    informer.addEventHandler(
      { onAdd: ({ metadata }) => sleep(clock, durations.get(metadata?.name ?? '') ?? 0) },
      { name: 'mine' },
    );
    for (const key of durations.keys()) source.write(key);
    await clock.advance(1000);
    const [handler] = informer.statistics.handlers;
    assert.deepEqual(
      { slowestMs: handler?.slowestMs, slowestKey: handler?.slowestKey },
      { slowestMs: 150, slowestKey: 'b' },
    );
    assert.deepEqual(slow, [
      ['mine', 150, 'b'],
      ['mine', 120, 'c'],
    ]);
    await test.stop();
  });
});
