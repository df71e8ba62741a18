import type { Clock, ScheduledCall } from '../../lib/clock.ts';

export interface LivenessOptions {
  readonly clock: Clock;
  /** A connection that has been silent for this long is asked whether it lives. */
  readonly idleMs: number;
  /** It is dead if the answer takes longer than this. */
  readonly pingMs: number;
  /** How many bytes have come from the network. */
  readonly bytesRead: () => number;
  /** Sends a ping; the callback is called when its answer is there. */
  readonly ping: (answered: () => void) => void;
  readonly onDead: () => void;
}

/**
 * Notices a connection whose other end is gone without a word: lost power, lost route, a firewall
 * that forgot. Without it, a watch on such a connection waits a quarter of an hour for the system
 * to give up.
 *
 * Looking twice per `idleMs` whether bytes have arrived costs nothing on a busy connection, and
 * asks a silent one after at most that time.
 */
export class Liveness implements Disposable {
  readonly #options: LivenessOptions;
  #call: ScheduledCall | undefined;
  #bytesSeen: number;

  constructor(options: LivenessOptions) {
    this.#options = options;
    this.#bytesSeen = options.bytesRead();
    this.#look();
  }

  [Symbol.dispose](): void {
    this.#call?.cancel();
  }

  #look(): void {
    this.#schedule(this.#options.idleMs / 2, () => {
      if (this.#hasHeard()) this.#look();
      else this.#ask();
    });
  }

  #ask(): void {
    const { pingMs, ping, onDead } = this.#options;
    this.#schedule(pingMs, () => {
      // Anything that arrived is a sign of life, also if the answer itself is behind a long queue.
      if (this.#hasHeard()) this.#look();
      else onDead();
    });
    const asked = this.#call;
    ping(() => {
      if (this.#call !== asked) return;
      asked?.cancel();
      this.#hasHeard();
      this.#look();
    });
  }

  #hasHeard(): boolean {
    const bytes = this.#options.bytesRead();
    const hasHeard = bytes !== this.#bytesSeen;
    this.#bytesSeen = bytes;
    return hasHeard;
  }

  #schedule(delayMs: number, callback: () => void): void {
    this.#call = this.#options.clock.schedule(delayMs, callback, { background: true });
  }
}
