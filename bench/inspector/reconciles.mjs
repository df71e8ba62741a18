import { fork } from 'node:child_process';
import { Clientset } from 'client-ts';
import { SharedInformerFactory } from 'client-ts/informers';
import { metaNamespaceKeyFunc, splitMetaNamespaceKey } from 'client-ts/cache';
import { RateLimitingQueue, runWorkers } from 'client-ts/workqueue';
import { MemoryCluster } from './memory-cluster.mjs';

/**
 * A controller: an informer watches, its handler fills a queue, and a worker compares the object in the
 * cache with what it should be and patches it. The change comes back through the watch, and is reconciled
 * without a write. All of it runs from `start` to `close`, as in a program: what is turned on and off is the
 * inspector.
 */
export class Reconciles {
  #client;
  #end;
  #factory;
  #queue = new RateLimitingQueue({ name: 'bench' });
  #stop = new AbortController();
  #working = Promise.resolve();
  #keys;
  #round = 0;
  #left = 0;
  #done = Promise.withResolvers();

  constructor(client, keys, end) {
    this.#client = client;
    this.#keys = keys;
    this.#end = end;
    this.#factory = new SharedInformerFactory(client, { namespace: 'default' });
  }

  /** On a cluster without sockets. @param {number} objects */
  static async inMemory(objects) {
    const { transport } = new MemoryCluster(objects);
    const client = new Clientset({ server: 'memory', transport });
    const keys = Array.from({ length: objects }, (_, index) => `default/map-${index}`);
    const reconciles = new Reconciles(client, keys, () => undefined);
    await reconciles.#begin();
    return reconciles;
  }

  /** On the embedded server in a process of its own. @param {number} objects */
  static async onServer(objects) {
    const server = fork(new URL('../workqueue/server.mjs', import.meta.url));
    const { url, ca, token } = await new Promise((resolve) => server.once('message', resolve));
    const client = new Clientset({ server: url, tls: { ca }, auth: { token } });
    const maps = client.coreV1.configMaps('default');
    const keys = [];
    for (let index = 0; index < objects; index += 1) {
      const metadata = { name: `map-${index}` };
      keys.push(metaNamespaceKeyFunc(await maps.create({ metadata, data: { round: '0' } })));
    }
    const reconciles = new Reconciles(client, keys, () => server.kill());
    await reconciles.#begin();
    return reconciles;
  }

  /** Has each object written once. Returns how many that are. */
  async run() {
    await this.#write(this.#keys);
    return this.#keys.length;
  }

  async close() {
    this.#stop.abort();
    this.#queue.shutDown();
    await this.#working;
    await this.#factory.shutdown();
    await this.#client.close();
    this.#end();
  }

  async #begin() {
    const maps = this.#client.coreV1.configMaps('default');
    const { informer } = this.#factory.coreV1.configMaps();
    const { signal } = this.#stop;
    informer.addEventHandler({
      onUpdate: (_, object) => {
        this.#queue.add(metaNamespaceKeyFunc(object));
        if (object.data?.round === String(this.#round)) this.#left -= 1;
        if (this.#left === 0) this.#done.resolve(undefined);
      },
    });
    this.#factory.start({ signal });
    await this.#factory.waitForCacheSync({ signal });
    this.#working = runWorkers(this.#queue, { workers: 16, signal }, async (key) => {
      const round = String(this.#round);
      const object = informer.indexer.getByKey(key);
      if (object === undefined || object.data?.round === round) return;
      const { name } = splitMetaNamespaceKey(key);
      await maps.patch(name, { data: { round } }, { type: 'merge' });
    });
  }

  /** Has each of the objects written once, and waits until the cache has it. @param {string[]} keys */
  async #write(keys) {
    this.#round += 1;
    this.#left = keys.length;
    this.#done = Promise.withResolvers();
    for (const key of keys) this.#queue.add(key);
    await this.#done.promise;
  }
}
