import type { Clock, ScheduledCall } from '../../lib/clock.ts';

export interface LivenessOptions {
  readonly clock: Clock;
  /** A connection that has been silent for this long is pinged. */
  readonly idleMs: number;
  /** The connection is dead if a ping is not answered within this time. */
  readonly pingMs: number;
  /** Returns the number of bytes received. */
  readonly bytesRead: () => number;
  /** Sends a ping; the callback is called when it is answered. */
  readonly ping: (answered: () => void) => void;
  readonly onDead: () => void;
}

/**
 * Detects a connection whose other end is gone without a close: lost power, a lost route, a
 * firewall that dropped its state. Without it, a watch on such a connection hangs until the
 * operating system times out, after about 15 minutes.
 *
 * Checking twice per `idleMs` whether bytes have arrived costs nothing on a busy connection, and
 * pings a silent one after at most that time.
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
      // Any bytes are a sign of life, also if the pong itself is queued behind data.
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
