import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { CachedObject } from '../../cache/list-watch.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { requeueAfter, type ReconcileResult } from '../../workqueue/reconcile.ts';
import { runWorkers } from '../../workqueue/run-workers.ts';
import type { AcceptedWrite } from '../write-tracker.ts';
import { GuardedQueue } from './guarded-queue.ts';
import { LoopGuard, type LoopGuardOptions } from './loop-guard.ts';

const widgets = { group: 'example.com', version: 'v1', resource: 'widgets' };

const widget = (name: string, version: number, fields: object = {}): CachedObject => ({
  metadata: { namespace: 'default', name, uid: name, resourceVersion: `${version}`, generation: 1 },
  ...fields,
});

const accepted = (
  before: CachedObject | undefined,
  after: CachedObject,
  onRead?: () => void,
): AcceptedWrite => ({
  write: {
    verb: 'update',
    resource: widgets,
    namespace: 'default',
    name: after.metadata?.name,
    subresource: '',
    body: undefined,
    signal: undefined,
  },
  isCached: true,
  before,
  version: after.metadata?.resourceVersion ?? '',
  answer: () => {
    onRead?.();
    return after;
  },
  cachedForm: (object) => object,
});

/** A guard, a queue with workers on a virtual clock, and widgets that reconciles change. */
class World implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly queue = new GuardedQueue({
    clock: this.clock,
    waitMs: (key) => this.guard.waitMs(key),
  });
  readonly log: string[] = [];
  readonly ran: [key: string, at: number][] = [];
  readonly guard: LoopGuard;
  /** Whether own writes enqueue the widget. */
  hasEvents = true;
  readonly #objects = new Map<string, CachedObject>();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #version = 100;

  constructor(
    reconcile: (world: World, name: string) => ReconcileResult | void,
    options: LoopGuardOptions = {},
  ) {
    const { clock } = this;
    this.guard = new LoopGuard({
      ...options,
      clock,
      fieldManager: 'operator',
      onBegin: (key, { kind }) => void this.log.push(`${clock.monotonic()} ${key} ${kind} begins`),
      onEnd: (key, { kind }, delayed) =>
        void this.log.push(`${clock.monotonic()} ${key} ${kind} is over after ${delayed}`),
    });
    const { signal } = this.#stop;
    this.#running = runWorkers(this.queue, { signal, clock, workers: 2 }, async (key) => {
      this.ran.push([key, clock.monotonic()]);
      this.guard.started(key);
      const result = reconcile(this, key) ?? undefined;
      this.guard.ended(key, result);
      return result;
    });
  }

  /** Another writer changes a widget. */
  change(name: string, fields: object): void {
    const old = this.#objects.get(name);
    const object = widget(name, (this.#version += 1), fields);
    this.#objects.set(name, object);
    this.#notify(name, { type: 'update', object, oldObject: old });
  }

  /** The reconcile of a widget writes it, and the cache tells. */
  write(name: string, fields: object): void {
    const before = this.#objects.get(name);
    if (isDeepStrictEqual(before && { ...before, metadata: {} }, { metadata: {}, ...fields }))
      return;
    const answer = widget(name, (this.#version += 1), fields);
    this.#objects.set(name, answer);
    this.guard.listener(name)(accepted(before, answer));
    if (this.hasEvents) this.#notify(name, { type: 'update', object: answer, oldObject: before });
  }

  /** The time of each reconcile of a key since a time. */
  times(key: string, since = 0): number[] {
    return this.ran.flatMap(([name, at]) => (name === key && at >= since ? [at] : []));
  }

  #notify(
    name: string,
    change: { type: 'update'; object: CachedObject; oldObject: CachedObject | undefined },
  ): void {
    this.guard.changed(name, widgets, { ...change, isInInitialList: false });
    this.queue.add(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.guard.stop();
    this.queue.shutDown();
    await this.clock.advance(60_000);
    await this.#running;
  }
}

/** A guard on its own, and two widgets whose changes enqueue the key `parent`. */
class Watched {
  readonly begun: string[] = [];
  readonly guard = new LoopGuard({
    clock: new VirtualClock(),
    fieldManager: 'operator',
    onBegin: (key, { kind }) => void this.begun.push(`${key} ${kind}`),
    onEnd: () => undefined,
  });
  /** How often the answer to a write was read. */
  looked = 0;
  readonly #objects = new Map<string, CachedObject>();
  #version = 100;

  /** A reconcile of a key, which may give a widget a new value. */
  reconcile(key: string, name?: string): void {
    this.guard.started(key);
    if (name === undefined) return this.guard.ended(key, undefined);
    const oldObject = this.#objects.get(name);
    const count = (this.#version += 1);
    const object = widget(name, count, { status: { count } });
    this.#objects.set(name, object);
    this.guard.listener(key)(accepted(oldObject, object, () => (this.looked += 1)));
    this.guard.ended(key, undefined);
    const change = { type: 'update', object, oldObject, isInInitialList: false } as const;
    this.guard.changed('parent', widgets, change);
  }
}

const counting = (): ((world: World, name: string) => void) => {
  let count = 0;
  return (world, name) => world.write(name, { status: { count: (count += 1) } });
};

describe('a LoopGuard', () => {
  it('delays a key that loops by a time that doubles up to its limit, and no other key', async () => {
    const count = counting();
    await using world = new World((each, name) => {
      if (name === 'hot') count(each, name);
      return undefined;
    });
    world.queue.add('hot');
    await world.clock.advance(0);
    assert.deepEqual(world.log, ['0 hot hot-loop begins']);
    const before = world.times('hot').length;
    await world.clock.advance(500);
    world.queue.add('calm');
    await world.clock.advance(0);
    assert.deepEqual(world.times('calm'), [500]);
    assert.equal(world.times('hot').length, before);
    await world.clock.advance(300_000);
    assert.deepEqual(
      world.times('hot', 1),
      [1, 3, 7, 15, 31, 63, 123, 183, 243].map((second) => second * 1000),
    );
  });

  it('lets a change of others pass, and begins with the first delay after a calm', async () => {
    const count = counting();
    let isHot = true;
    await using world = new World((each, name) => {
      if (isHot) count(each, name);
      return undefined;
    });
    world.queue.add('a');
    await world.clock.advance(40_000);
    isHot = false;
    world.change('other', {});
    world.guard.changed('a', widgets, {
      type: 'update',
      object: widget('other', 9999),
      isInInitialList: false,
    });
    world.queue.add('a');
    await world.clock.advance(0);
    assert.equal(world.times('a').at(-1), 40_000);
    assert.deepEqual(world.log, ['0 a hot-loop begins', '40000 a hot-loop is over after 6']);
    isHot = true;
    world.guard.called('a');
    world.queue.add('a');
    await world.clock.advance(1500);
    assert.deepEqual(world.times('a').slice(-1), [41_000]);
    assert.equal(world.log.at(-1), '40000 a hot-loop begins');
  });

  it('keeps every wake-up of a delayed key, and runs once for all of them', async () => {
    const seen: unknown[] = [];
    let isHot = true;
    let wanted: unknown;
    const count = counting();
    await using world = new World((each, name) => {
      if (isHot) count(each, name);
      else seen.push(wanted);
      return undefined;
    });
    world.queue.add('a');
    await world.clock.advance(0);
    isHot = false;
    // Reactions to the own writes: they wait for the delay.
    for (const value of [1, 2, 3]) {
      wanted = value;
      world.queue.add('a');
      await world.clock.advance(100);
    }
    assert.deepEqual(seen, []);
    await world.clock.advance(700);
    assert.deepEqual(seen, [3]);
  });

  it('notices a writer who undoes a field, and that the fight is over', async () => {
    let isFighting = true;
    await using world = new World((each, name) => {
      each.write(name, { spec: { replicas: 3 } });
      if (!isFighting) return undefined;
      each.clock.schedule(100, () => each.change(name, { spec: { replicas: 5 } }));
      return undefined;
    });
    world.change('web', { spec: { replicas: 5 } });
    await world.clock.advance(3000);
    assert.equal(world.log.length, 1);
    assert.match(world.log[0] ?? '', /web writer-fight begins/);
    isFighting = false;
    await world.clock.advance(500_000);
    assert.match(world.log[1] ?? '', /web writer-fight is over after \d+/);
    assert.equal(world.guard.slowed, 0);
  });

  it('notices a slow fight beside writes that settle', async () => {
    let status = 0;
    await using world = new World((each, name) => {
      each.write(name, { spec: { replicas: 3 }, status });
      return undefined;
    });
    for (let minute = 0; minute < 64; minute += 1) {
      status = minute;
      if (minute % 4 === 0) world.change('web', { spec: { replicas: 5 }, status });
      else world.queue.add('web');
      await world.clock.advance(60_000);
    }
    // The third undo makes it observed, the fourth shows the value that the next ten replace.
    assert.deepEqual(world.log, [`${13 * 240_000} web writer-fight begins`]);
  });

  it('notices a fight in which the undoes are almost the window apart', async () => {
    await using world = new World((each, name) => each.write(name, { spec: { replicas: 3 } }));
    for (let undo = 0; undo < 20; undo += 1) {
      world.change('web', { spec: { replicas: 5 } });
      await world.clock.advance(299_000);
    }
    assert.deepEqual(world.log, [`${13 * 299_000} web writer-fight begins`]);
  });

  it('notices a hot loop that goes through a key whose writes settle', () => {
    const world = new Watched();
    for (let round = 0; round < 110; round += 1) {
      world.reconcile('child', 'child');
      world.reconcile('child');
      world.reconcile('parent', 'parent');
    }
    assert.deepEqual(world.begun, ['parent hot-loop']);
  });

  it('takes a key that follows the single writes of many others for no loop', () => {
    const world = new Watched();
    for (let child = 0; child < 200; child += 1) {
      world.reconcile(`child-${child}`, 'child');
      world.reconcile(`child-${child}`);
      world.reconcile('parent', 'parent');
    }
    assert.deepEqual(world.begun, []);
  });

  it('forgets all writes when it stops', () => {
    const world = new Watched();
    const write = (): void => world.reconcile('a', 'parent');
    write();
    write();
    world.guard.stop();
    write();
    write();
    assert.equal(world.looked, 0);
    write();
    write();
    assert.equal(world.looked, 1);
    world.guard.stop();
  });

  it('takes a rhythm that the program asks for, and calls of sources, for no loop', async () => {
    const count = counting();
    await using rhythm = new World((each, name) => {
      count(each, name);
      return requeueAfter(1000);
    });
    rhythm.hasEvents = false;
    rhythm.queue.add('a');
    await rhythm.clock.advance(200_000);
    assert.equal(rhythm.times('a').length, 201);
    await using called = new World(count);
    called.hasEvents = false;
    for (let call = 0; call < 200; call += 1) {
      called.guard.called('a');
      called.queue.add('a');
      await called.clock.advance(0);
    }
    assert.equal(called.times('a').length, 200);
    assert.deepEqual([...rhythm.log, ...called.log], []);
  });

  it('takes a rhythm of less than a second for a loop', async () => {
    const count = counting();
    await using world = new World((each, name) => {
      count(each, name);
      return requeueAfter(10);
    });
    world.hasEvents = false;
    world.queue.add('a');
    await world.clock.advance(2000);
    assert.deepEqual(world.log, ['1040 a hot-loop begins']);
  });

  it('only reports with a longest delay of 0', async () => {
    let left = 500;
    const count = counting();
    await using world = new World(
      (each, name) => {
        if ((left -= 1) > 0) count(each, name);
        return undefined;
      },
      { maxDelayMs: 0 },
    );
    world.queue.add('a');
    await world.clock.advance(0);
    assert.equal(left, 0);
    assert.equal(world.log[0], '0 a hot-loop begins');
  });

  it('observes a bounded number of keys', async () => {
    const clock = new VirtualClock();
    const begun: string[] = [];
    const guard = new LoopGuard({
      clock,
      maxRewrites: 4,
      fieldManager: 'operator',
      onBegin: (key) => void begun.push(key),
      onEnd: () => undefined,
    });
    const write = (key: string, version: number): void => {
      guard.started(key);
      const at = (count: number): CachedObject => widget(key, count, { status: { count } });
      guard.listener(key)(accepted(at(version), at(version + 1)));
      guard.ended(key, undefined);
    };
    for (let round = 0; round < 12; round += 1) {
      for (let key = 0; key < 6000; key += 1) write(`k${key}`, round);
    }
    assert.equal(begun.length, 5000);
    assert.equal(guard.slowed, 5000);
    guard.stop();
    assert.equal(guard.slowed, 0);
  });

  for (const [title, { isSettled = true, isAlone = true, observed }] of [
    ['does not look into writes that settle before the next', { observed: 0 }],
    ['looks into writes of reconciles in a row', { isSettled: false, observed: 7 }],
    ['looks into writes that replace those of others', { isAlone: false, observed: 7 }],
  ] as const satisfies readonly (readonly [string, object])[]) {
    it(title, () => {
      const guard = new LoopGuard({
        clock: new VirtualClock(),
        fieldManager: 'operator',
        onBegin: () => undefined,
        onEnd: () => undefined,
      });
      let looked = 0;
      const reconcile = (write?: () => void): void => {
        guard.started('a');
        write?.();
        guard.ended('a', undefined);
      };
      for (let round = 1; round <= 10; round += 1) {
        const version = 10 * round;
        const before = widget('a', isAlone ? version - 10 : version - 5);
        reconcile(() =>
          guard.listener('a')(accepted(before, widget('a', version), () => (looked += 1))),
        );
        if (isSettled) reconcile();
      }
      assert.equal(looked, observed);
      guard.stop();
    });
  }

  it('refuses limits that are not numbers', () => {
    const settings = {
      clock: new VirtualClock(),
      fieldManager: 'operator',
      onBegin: () => undefined,
      onEnd: () => undefined,
    };
    assert.throws(() => new LoopGuard({ ...settings, maxReturns: 0 }), { option: 'maxReturns' });
    assert.throws(() => new LoopGuard({ ...settings, windowMs: 0 }), { option: 'windowMs' });
  });
});
