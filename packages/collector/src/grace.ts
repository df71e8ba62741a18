import { type Clock, Deferred, onAbort, sleep } from 'client-ts/internal';
import { CollectorError } from './collector-error.ts';

/** How long a sink has for the rest when the collector stops; what is left goes to disk. */
const GRACE_MS = 10_000;

/** The stop of a pipeline: ends waits, and gives pending writes a grace period. */
export class Grace {
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  #endsAt = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Starts the grace period. */
  stop(): void {
    this.#endsAt = this.#clock.monotonic() + GRACE_MS;
    this.#stopping.abort();
  }

  /** Waits, at most until the stop. */
  async pause(ms: number): Promise<void> {
    await sleep(this.#clock, ms, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  /** Settles as the work does, or rejects at the end of the grace period, naming `who`. */
  async within<T>(work: Promise<T>, who: string): Promise<T> {
    const late = new Deferred<never>();
    let timer: Disposable | undefined;
    using _stop = onAbort(this.#stopping.signal, () => {
      timer = this.#clock.schedule(this.#endsAt - this.#clock.monotonic(), () => {
        const message = `${who} has not answered ${GRACE_MS} ms after the stop`;
        late.reject(new CollectorError('COLLECTOR_SINK_SLOW', message));
      });
    });
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      timer?.[Symbol.dispose]();
    }
  }
}
