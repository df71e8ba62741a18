import type { Cluster } from '../registry/cluster.ts';
import { GarbageCollector } from './garbage-collector.ts';
import { NamespaceController } from './namespace-controller.ts';

/** The control loops that a cluster cannot do without, run inside the server. */
export class Controllers implements Disposable {
  readonly #running: readonly Disposable[];

  constructor(cluster: Cluster) {
    this.#running = [new GarbageCollector(cluster), new NamespaceController(cluster)];
  }

  [Symbol.dispose](): void {
    for (const controller of this.#running) controller[Symbol.dispose]();
  }
}
