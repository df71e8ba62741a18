import { metaNamespaceKeyFunc, SharedIndexInformer } from 'client-ts/cache';
import { RateLimitingQueue, runWorkers } from 'client-ts/workqueue';

const OBJECTS = 1000;

/**
 * The harshest case: changes that cost nothing to get (no server, no decoding) go through an informer and
 * its handler into a queue, and a worker reads the object from the cache.
 */
export class EventStorm {
  #events;

  /** @param {number} events */
  constructor(events) {
    this.#events = events;
  }

  async run() {
    const queue = new RateLimitingQueue({ name: 'storm' });
    const informer = new SharedIndexInformer({
      name: 'storm',
      listerWatcher: source(this.#events),
      useWatchList: false,
    });
    const handled = Promise.withResolvers();
    let left = this.#events;
    informer.addEventHandler({
      onAdd: (object) => queue.add(metaNamespaceKeyFunc(object)),
      onUpdate: (_, object) => {
        queue.add(metaNamespaceKeyFunc(object));
        left -= 1;
        if (left === 0) handled.resolve(undefined);
      },
    });
    const stop = new AbortController();
    const { signal } = stop;
    const started = process.cpuUsage();
    const running = informer.run({ signal });
    const working = runWorkers(queue, { workers: 4, signal }, async (key) => {
      informer.indexer.getByKey(key);
    });
    await handled.promise;
    const { user, system } = process.cpuUsage(started);
    const seconds = (user + system) / 1e6;
    stop.abort();
    queue.shutDown();
    await Promise.all([running, working]);
    return this.#events / seconds;
  }
}

/** @param {number} events */
function source(events) {
  const object = (/** @type {number} */ index, /** @type {number} */ version) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `object-${index % OBJECTS}`,
      namespace: 'default',
      uid: `uid-${index % OBJECTS}`,
      resourceVersion: String(version),
    },
    data: { color: 'red' },
  });
  return {
    supportsWatchList: false,
    list: async () => ({
      items: Array.from({ length: OBJECTS }, (_, index) => object(index, 1)),
      metadata: { resourceVersion: '1' },
    }),
    watch: async ({ signal }) => {
      let sent = 0;
      const next = () => {
        if (sent === events) return undefined;
        sent += 1;
        return { type: 'MODIFIED', object: object(sent, 1 + sent) };
      };
      const iterator = {
        ready: () => next(),
        next: async () => {
          const value = next();
          if (value !== undefined) return { done: false, value };
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          return { done: true, value: undefined };
        },
      };
      return { [Symbol.asyncIterator]: () => iterator };
    },
  };
}
