import type { Core } from '../endpoints/exchange.ts';
import { GarbageCollector } from './garbage-collector.ts';
import { NamespaceController } from './namespace-controller.ts';

/** The control loops that a cluster cannot do without, run inside the server. */
export class Controllers implements Disposable {
  readonly #running: readonly Disposable[];

  constructor(core: Core) {
    this.#running = [new GarbageCollector(core), new NamespaceController(core)];
  }

  [Symbol.dispose](): void {
    for (const controller of this.#running) controller[Symbol.dispose]();
  }
}
