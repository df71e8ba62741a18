import type { Clock, ScheduledCall } from 'client-ts/internal';

/** What is done with a key, and who hears of a failure. */
export interface DirtySetOptions {
  readonly clock: Clock;
  readonly process: (key: string) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Keys that want to be looked at, each once, soon but not now. Keys that become dirty while others
 * are worked on wait for the next round, so that a busy controller does not starve requests. A key
 * that fails is reported and looked at again when it next becomes dirty; the others do not suffer.
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
