import type { Clock, ScheduledCall } from 'client-ts/lib';

/**
 * Keys that want to be looked at, each once, soon but not now. Keys that become dirty while others
 * are worked on wait for the next round, so that a busy controller does not starve requests.
 */
export class DirtySet implements Disposable {
  readonly #clock: Clock;
  readonly #process: (key: string) => void;
  #keys = new Set<string>();
  #round: ScheduledCall | undefined;
  #isClosed = false;

  constructor(clock: Clock, process: (key: string) => void) {
    this.#clock = clock;
    this.#process = process;
  }

  add(key: string): void {
    if (this.#isClosed) return;
    this.#keys.add(key);
    this.#round ??= this.#clock.schedule(0, () => this.#work());
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#keys.clear();
    this.#round?.cancel();
  }

  #work(): void {
    const keys = this.#keys;
    this.#keys = new Set();
    this.#round = undefined;
    for (const key of keys) {
      if (this.#isClosed) return;
      this.#process(key);
    }
  }
}
