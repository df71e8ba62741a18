const OBJECTS = 1000;

/**
 * The harshest case: changes that cost nothing to get (no server, no decoding) go through an informer and
 * its handler into a queue, and a worker reads the object from the cache. They run from `start` to `close`,
 * as in a program: what is turned on and off is the inspector.
 */
export class EventStorm {
  #events;
  #source = new Source();
  #stop = new AbortController();
  #left = 0;
  #handled = Promise.withResolvers();
  #ended;

  /**
   * @param {number} events in a round
   * @param {typeof import('client-ts/cache') & typeof import('client-ts/workqueue')} library
   */
  constructor(events, library) {
    const { metaNamespaceKeyFunc, SharedIndexInformer, RateLimitingQueue, runWorkers } = library;
    this.#events = events;
    const queue = new RateLimitingQueue({ name: 'storm' });
    const informer = new SharedIndexInformer({
      name: 'storm',
      listerWatcher: this.#source,
      useWatchList: false,
    });
    informer.addEventHandler({
      onAdd: (object) => queue.add(metaNamespaceKeyFunc(object)),
      onUpdate: (_, object) => {
        queue.add(metaNamespaceKeyFunc(object));
        this.#left -= 1;
        if (this.#left === 0) this.#handled.resolve(undefined);
      },
    });
    const { signal } = this.#stop;
    signal.addEventListener('abort', () => queue.shutDown());
    const working = runWorkers(queue, { workers: 4, signal }, async (key) => {
      informer.indexer.getByKey(key);
    });
    this.#ended = Promise.all([informer.run({ signal }), working]);
  }

  /** Has the changes handled. Returns how many those are. */
  async run() {
    await this.#handle(this.#events);
    return this.#events;
  }

  async close() {
    this.#stop.abort();
    await this.#ended;
  }

  /** @param {number} count */
  async #handle(count) {
    this.#left = count;
    this.#handled = Promise.withResolvers();
    this.#source.send(count);
    await this.#handled.promise;
  }
}

/** A list of objects, and changes of them on request. */
class Source {
  supportsWatchList = false;
  #unsent = 0;
  #version = 1;
  #wake = () => undefined;

  /** @param {number} count */
  send(count) {
    this.#unsent += count;
    this.#wake();
  }

  async list() {
    const items = Array.from({ length: OBJECTS }, (_, index) => this.#object(index));
    return { items, metadata: { resourceVersion: '1' } };
  }

  async watch({ signal }) {
    const iterator = {
      ready: () => this.#next(),
      next: async () => {
        for (;;) {
          const value = this.#next();
          if (value !== undefined) return { done: false, value };
          if (signal.aborted) return { done: true, value: undefined };
          await new Promise((resolve) => {
            this.#wake = () => resolve(undefined);
            signal.addEventListener('abort', resolve, { once: true });
          });
        }
      },
    };
    return { [Symbol.asyncIterator]: () => iterator };
  }

  #next() {
    if (this.#unsent === 0) return undefined;
    this.#unsent -= 1;
    this.#version += 1;
    return { type: 'MODIFIED', object: this.#object(this.#version) };
  }

  /** @param {number} index */
  #object(index) {
    const name = `object-${index % OBJECTS}`;
    return {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name,
        namespace: 'default',
        uid: `uid-${name}`,
        resourceVersion: String(this.#version),
      },
      data: { color: 'red' },
    };
  }
}
