import type { SharedIndexInformer } from '../cache/shared-index-informer.ts';

/** The part of an informer that {@link InformerRun} uses. */
export type Runnable = Pick<SharedIndexInformer<never>, 'isRunning' | 'run'>;

/**
 * Keeps an informer running for as long as somebody wants it. Whoever wants it again while it is
 * coming to rest gets another run after that.
 */
export class InformerRun {
  readonly #informer: Runnable;
  readonly #wantedBy = new Set<object>();
  #current: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;

  constructor(informer: Runnable) {
    this.#informer = informer;
  }

  /** Runs the informer unless it runs, also if it was stopped by hand. */
  want(who: object): void {
    this.#wantedBy.add(who);
    if (this.#current === undefined && !this.#informer.isRunning) void this.#runWhileWanted();
  }

  /** Stops the informer if nobody else wants it, and then resolves when it has come to rest. */
  async leave(who: object): Promise<void> {
    this.#wantedBy.delete(who);
    if (this.#wantedBy.size > 0) return;
    const run = this.#current;
    run?.stop.abort();
    await run?.ended;
  }

  async #runWhileWanted(): Promise<void> {
    try {
      while (this.#wantedBy.size > 0) {
        const stop = new AbortController();
        this.#current = { stop, ended: this.#informer.run(stop.signal) };
        await this.#current.ended;
        // Somebody stopped it by hand. It stays so until it is wanted anew.
        if (!stop.signal.aborted) break;
      }
    } finally {
      this.#current = undefined;
    }
  }
}
