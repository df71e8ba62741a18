import type { CachedObject } from '../cache/list-watch.ts';
import { onAbort } from '../lib/signal.ts';
import type { InformerOrder, InformerRegistry, RegisteredInformer } from './informer-registry.ts';
import type { ResourceInformer } from './resource-informer.ts';

/**
 * What one factory has to do with one informer: how many users it has given it to, and until when it
 * wants it to run.
 */
export class InformerHold {
  readonly registered: RegisteredInformer;
  readonly #registry: InformerRegistry;
  #users = 0;
  #startedUntil: Disposable | undefined;

  constructor(registry: InformerRegistry, order: InformerOrder) {
    this.#registry = registry;
    this.registered = registry.acquire(order, this);
  }

  /** One more user. `onLast` is called when the last has gone. */
  use(onLast: () => Promise<void>): ResourceInformer<CachedObject> {
    const { informer, lister } = this.registered;
    this.#users += 1;
    let isReleased = false;
    const release = async (): Promise<void> => {
      if (isReleased) return;
      isReleased = true;
      this.#users -= 1;
      if (this.#users === 0) await onLast();
    };
    return { informer, lister, release, [Symbol.asyncDispose]: release };
  }

  /** Starting again keeps the signal of the first start, but starts what was stopped by hand. */
  start(signal: AbortSignal | undefined): void {
    if (signal?.aborted === true) return;
    this.#startedUntil ??= onAbort(signal, () => void this.stop());
    this.registered.run.want(this);
  }

  async stop(): Promise<void> {
    this.#cut();
    await this.registered.run.leave(this);
  }

  /** Lets the informer go, with all users. */
  async release(): Promise<void> {
    this.#cut();
    await this.#registry.release(this.registered, this);
  }

  #cut(): void {
    this.#startedUntil?.[Symbol.dispose]();
    this.#startedUntil = undefined;
  }
}
