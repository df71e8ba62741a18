// What work queues are measured at. Each case is given its keys and gives a preparation, which
// gives the work. The program in peer-go has the same cases under the same names.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { VirtualClock } from 'client-ts/testing';
import {
  defaultControllerRateLimiter,
  DelayingQueue,
  InMemoryMetricsProvider,
  RateLimitingQueue,
  runWorkers,
  WorkQueue,
} from 'client-ts/workqueue';

// The loops are functions of the module, as a program has them: V8 discards the code of a function that
// was made for one case with that case, and would compile it again during the next one.
const addAll = (queue, keys) => {
  for (const key of keys) queue.add(key);
};
/** A worker that waits only if there is nothing to take. */
const workOff = async (queue) => {
  for (;;) {
    const { done, value } = queue.tryGet() ?? (await queue.get());
    if (done) return;
    queue.done(value);
  }
};
/** One key at a time: a worker that is faster than what adds. */
const addAndWorkOff = async (queue, keys) => {
  for (const key of keys) {
    queue.add(key);
    const { value } = queue.tryGet() ?? (await queue.get());
    queue.done(value);
  }
};
const addAndAwait = async (queue, keys) => {
  for (const key of keys) {
    queue.add(key);
    const { value } = await queue.get();
    queue.done(value);
  }
};
/** As an informer adds: in slices, between which the workers get their turns. In Go they have a core of their own. */
const addInSlices = async (queue, keys) => {
  for (let from = 0; from < keys.length; from += 500) {
    addAll(queue, keys.slice(from, from + 500));
    await nextTurn();
  }
};

export const queueCases = {
  add: (keys) => () => {
    const queue = new WorkQueue();
    return () => addAll(queue, keys);
  },
  'add what waits already': (keys) => () => {
    const queue = new WorkQueue();
    addAll(queue, keys);
    return () => addAll(queue, keys);
  },
  'get and done, all queued': (keys) => () => {
    const queue = new WorkQueue();
    addAll(queue, keys);
    queue.shutDown();
    return () => workOff(queue);
  },
  'the same with metrics': (keys) => () => {
    const queue = new WorkQueue({ name: 'bench', metrics: new InMemoryMetricsProvider() });
    addAll(queue, keys);
    queue.shutDown();
    return () => workOff(queue);
  },
  'add, get and done in turn': (keys) => () => {
    const queue = new WorkQueue();
    return () => addAndWorkOff(queue, keys);
  },
  'the same, always awaited': (keys) => () => {
    const queue = new WorkQueue();
    return () => addAndAwait(queue, keys);
  },
  'add to done through 10 idle workers': (keys) => () => {
    const queue = new WorkQueue();
    const worker = async () => {
      for await (const key of queue) if (key === undefined) throw new Error('no key');
    };
    return async () => {
      const workers = Array.from({ length: 10 }, worker);
      await addInSlices(queue, keys);
      await queue.shutDownWithDrain();
      await Promise.all(workers);
    };
  },
  'the same by runWorkers': (keys) => () => {
    const queue = new RateLimitingQueue();
    return async () => {
      const { signal } = new AbortController();
      const workers = runWorkers(queue, { workers: 10, signal }, async (key) => {
        if (key === undefined) throw new Error('no key');
      });
      await addInSlices(queue, keys);
      await queue.shutDownWithDrain();
      await workers;
    };
  },
};

/** Delays spread over ten minutes by a fixed rule, so that every run has the same order. */
const delayOf = (index) => 1 + ((index * 7919) % 600_000);
const delayAll = (queue, keys) => keys.forEach((key, index) => queue.addAfter(key, delayOf(index)));

export const delayCases = {
  'addAfter, spread over ten minutes': (keys) => () => {
    const queue = new DelayingQueue({ clock: new VirtualClock() });
    return () => delayAll(queue, keys);
  },
  'addAfter, each earlier than before': (keys) => () => {
    const queue = new DelayingQueue({ clock: new VirtualClock() });
    delayAll(queue, keys);
    return () => keys.forEach((key, index) => queue.addAfter(key, delayOf(index) / 2));
  },
  'all become ready together, are processed': (keys) => () => {
    const clock = new VirtualClock();
    const queue = new DelayingQueue({ clock });
    for (const key of keys) queue.addAfter(key, 1000);
    return async () => {
      await clock.advance(1000);
      queue.shutDown();
      await workOff(queue);
    };
  },
  'addRateLimited, default limits': (keys) => () => {
    const clock = new VirtualClock();
    const rateLimiter = defaultControllerRateLimiter({ clock });
    const queue = new RateLimitingQueue({ clock, rateLimiter });
    return () => keys.forEach((key) => queue.addRateLimited(key));
  },
};

/**
 * A queue of every kind with workers that wait, as a program has them while it runs. A case makes its
 * own queue and drops it; if no other were left, V8 would discard the code compiled for queues at its
 * next full collection, and a controller never gets there.
 */
export function standingQueues() {
  const { signal } = new AbortController();
  const iterated = new WorkQueue();
  const loop = async () => {
    for await (const key of iterated) if (key === undefined) throw new Error('no key');
  };
  const queue = new RateLimitingQueue();
  const measured = new WorkQueue({ name: 'standing', metrics: new InMemoryMetricsProvider() });
  const clock = new VirtualClock();
  const delaying = new DelayingQueue({ clock });
  const others = [measured, delaying, new RateLimitingQueue({ clock })];
  return { loop: loop(), workers: runWorkers(queue, { signal }, async () => undefined), others };
}
