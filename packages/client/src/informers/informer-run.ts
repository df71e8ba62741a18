import type { SharedIndexInformer } from '../cache/shared-index-informer.ts';

/** The part of an informer that {@link InformerRun} uses. */
export type Runnable = Pick<SharedIndexInformer<never>, 'isRunning' | 'run' | 'stop'>;

/**
 * Keeps an informer running for as long as one of its holders wants it. A holder that wants it again
 * while it is coming to rest gets another run after that.
 */
export class InformerRun {
  readonly #informer: Runnable;
  readonly #wantedBy = new Set<object>();
  /** Of the run that is under way. */
  #stop: AbortController | undefined;

  constructor(informer: Runnable) {
    this.#informer = informer;
  }

  /** Runs the informer unless it runs, also if it was stopped by hand. */
  want(who: object): void {
    this.#wantedBy.add(who);
    if (this.#stop === undefined && !this.#informer.isRunning) void this.#runWhileWanted();
  }

  /**
   * Stops the informer if no other holder wants it, and then resolves when it has come to rest, as
   * {@link SharedIndexInformer.stop} does.
   */
  async leave(who: object): Promise<void> {
    this.#wantedBy.delete(who);
    if (this.#wantedBy.size > 0 || this.#stop === undefined) return;
    this.#stop.abort();
    await this.#informer.stop();
  }

  async #runWhileWanted(): Promise<void> {
    try {
      while (this.#wantedBy.size > 0) {
        const stop = new AbortController();
        this.#stop = stop;
        await this.#informer.run(stop.signal);
        // It was stopped by hand, and stays so until it is wanted again.
        if (!stop.signal.aborted) break;
      }
    } finally {
      this.#stop = undefined;
    }
  }
}
