import { abortable } from './signal.ts';

interface Flight<T> {
  readonly result: Promise<T>;
  readonly abandon: AbortController;
  waiting: number;
}

/**
 * Shares one run of some work among concurrent callers. Calls during a run join it; later calls
 * start another. A caller that aborts does not affect the others; when all have aborted, the work
 * is aborted.
 */
export class SingleFlight<T> {
  #flight: Flight<T> | undefined;

  /** Joins the current run, or starts one. Rejects with the reason of the signal on abort. */
  async run(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const flight = (this.#flight ??= this.#start(work));
    flight.waiting += 1;
    try {
      return await abortable(flight.result, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) this.#end(flight);
    }
  }

  /** Makes later calls start another run; current callers keep theirs. */
  forget(): void {
    this.#flight = undefined;
  }

  #start(work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const abandon = new AbortController();
    const flight: Flight<T> = { result: work(abandon.signal), abandon, waiting: 0 };
    const land = (): void => {
      if (this.#flight === flight) this.#flight = undefined;
    };
    flight.result.then(land, land);
    return flight;
  }

  /** Aborting a finished run has no effect. */
  #end(flight: Flight<T>): void {
    if (this.#flight === flight) this.#flight = undefined;
    flight.abandon.abort();
  }
}
