import type { Clock, ScheduledCall } from 'client-ts/internal';

/** How keys are processed and where failures are reported. */
export interface DirtySetOptions {
  readonly clock: Clock;
  readonly process: (key: string) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * A set of keys to process, each once and not in the current turn. Keys that are added during a
 * round wait for the next one, so that a busy controller does not starve requests. A key that fails
 * is reported and processed again when it is next added; other keys are not affected.
 */
export class DirtySet implements Disposable {
  readonly #options: DirtySetOptions;
  #keys = new Set<string>();
  #round: ScheduledCall | undefined;
  #isClosed = false;

  constructor(options: DirtySetOptions) {
    this.#options = options;
  }

  add(key: string): void {
    if (this.#isClosed) return;
    this.#keys.add(key);
    this.#round ??= this.#options.clock.schedule(0, () => this.#work());
  }

  /** Processes the keys now instead of in a later turn. */
  flush(): void {
    this.#round?.cancel();
    this.#work();
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#keys.clear();
    this.#round?.cancel();
  }

  #work(): void {
    const { process, onError } = this.#options;
    const keys = this.#keys;
    this.#keys = new Set();
    this.#round = undefined;
    for (const key of keys) {
      if (this.#isClosed) return;
      try {
        process(key);
      } catch (error) {
        onError(error);
      }
    }
  }
}
