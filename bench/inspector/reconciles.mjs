import { fork } from 'node:child_process';
import { Clientset } from 'client-ts';
import { SharedInformerFactory } from 'client-ts/informers';
import { metaNamespaceKeyFunc, splitMetaNamespaceKey } from 'client-ts/cache';
import { RateLimitingQueue, runWorkers } from 'client-ts/workqueue';

/** A controller that writes each of its objects once, on the embedded server in a process of its own. */
export class Reconciles {
  #server;
  #client;
  #objects;
  #round = 0;

  constructor(server, client, objects) {
    this.#server = server;
    this.#client = client;
    this.#objects = objects;
  }

  /** @param {number} objects */
  static async start(objects) {
    const server = fork(new URL('../workqueue/server.mjs', import.meta.url));
    const { url, ca, token } = await new Promise((resolve) => server.once('message', resolve));
    const client = new Clientset({ server: url, tls: { ca }, auth: { token } });
    for (let index = 0; index < objects; index += 1) {
      await client.coreV1
        .configMaps('default')
        .create({ metadata: { name: `map-${index}` }, data: { round: '0' } });
    }
    return new Reconciles(server, client, objects);
  }

  async run() {
    this.#round += 1;
    const round = String(this.#round);
    const maps = this.#client.coreV1.configMaps('default');
    const queue = new RateLimitingQueue({ name: 'bench' });
    const factory = new SharedInformerFactory(this.#client);
    const { informer } = factory.coreV1.configMaps();
    const done = Promise.withResolvers();
    const stop = new AbortController();
    const { signal } = stop;
    let left = this.#objects;
    informer.addEventHandler({
      onAdd: (object) => {
        if (object.metadata.name.startsWith('map-')) queue.add(metaNamespaceKeyFunc(object));
      },
      onUpdate: (_, object) => queue.add(metaNamespaceKeyFunc(object)),
    });
    factory.start({ signal });
    await factory.waitForCacheSync({ signal });
    const started = process.cpuUsage();
    const working = runWorkers(queue, { workers: 16, signal }, async (key) => {
      const object = informer.indexer.getByKey(key);
      if (object === undefined || object.data?.round === round) return;
      const { name } = splitMetaNamespaceKey(key);
      await maps.patch(name, { data: { round } }, { type: 'merge' });
      left -= 1;
      if (left === 0) done.resolve(undefined);
    });
    await done.promise;
    const { user, system } = process.cpuUsage(started);
    const seconds = (user + system) / 1e6;
    stop.abort();
    queue.shutDown();
    await working;
    await factory.shutdown();
    return this.#objects / seconds;
  }

  async close() {
    await this.#client.close();
    this.#server.kill();
  }
}
