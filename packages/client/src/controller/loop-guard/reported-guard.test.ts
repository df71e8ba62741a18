import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MetricsRegistry } from '../../observe/metrics-registry.ts';
import type { EventRecorder } from '../../record/event-recorder.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import type { LoopGuard } from './loop-guard.ts';
import { reportedGuard } from './reported-guard.ts';

const widgets = { group: 'example.com', version: 'v1', resource: 'widgets' };

/** Makes a key write until its loop is noticed. */
function loop(guard: LoopGuard, key: string): void {
  for (let version = 1; version < 10; version += 1) {
    const state = (count: number) => ({
      metadata: { name: key, resourceVersion: `${count}` },
      status: { count, password: `secret ${count}` },
    });
    guard.started(key);
    guard.listener(key)({
      write: {
        verb: 'update',
        resource: widgets,
        namespace: '',
        name: key,
        subresource: '',
        body: undefined,
        signal: undefined,
      },
      isCached: true,
      before: state(version),
      version: `${version + 1}`,
      answer: () => state(version + 1),
      cachedForm: (object) => object,
    });
    guard.ended(key, undefined);
  }
}

function setUp(subjectOf: (key: string) => undefined | { kind: string; name: string }) {
  const [warned, debugged, events] = [[] as string[], [] as string[], [] as string[]];
  const ignore = (): void => undefined;
  const recorder = {
    event: (_subject: unknown, ...words: readonly string[]) => void events.push(words.join(' ')),
  } as unknown as EventRecorder;
  const guard = reportedGuard({
    controller: 'widget',
    fieldManager: 'widget',
    options: { maxRewrites: 3 },
    clock: new VirtualClock(),
    logger: {
      debug: (line) => void debugged.push(line),
      info: ignore,
      warn: (line) => void warned.push(line),
      error: ignore,
    },
    metrics: new MetricsRegistry(),
    recorder,
    subjectOf,
  });
  return { guard, warned, debugged, events };
}

describe('a reported guard', () => {
  it('warns about the first loops and keeps the rest at debug', () => {
    const { guard, warned, debugged, events } = setUp((name) => ({ kind: 'Widget', name }));
    for (let key = 0; key < 25; key += 1) loop(guard, `w${key}`);
    assert.equal(warned.length, 10);
    assert.equal(debugged.length, 15);
    assert.equal(events.length, 25);
    guard.stop();
  });

  it('shows numbers, and no text of fields that may be secret', () => {
    const { guard, warned } = setUp(() => undefined);
    loop(guard, 'one');
    assert.equal(
      warned[0],
      'one: hot loop: its reconciles cause each other, and the last 3 wrote nothing but status.count of widgets.example.com one: 8 ↔ 9; status.password of widgets.example.com one; its reconciles are delayed while this lasts',
    );
    guard.stop();
  });

  it('does without the event if the cache cannot be read', () => {
    const { guard, warned, events } = setUp(() => {
      throw new Error('the cache is behind');
    });
    loop(guard, 'one');
    assert.equal(warned.length, 1);
    assert.deepEqual(events, []);
    guard.stop();
  });
});
