import { abortable } from './signal.ts';

interface Flight<T> {
  readonly result: Promise<T>;
  readonly abandon: AbortController;
  waiting: number;
}

/**
 * One run of some work for everybody who wants its result at the same time. Who comes while it is
 * under way joins it; who comes later starts another. A caller that gives up does not disturb the
 * others, and when all have given up the work is aborted.
 */
export class SingleFlight<T> {
  #flight: Flight<T> | undefined;

  /** Joins the run that is under way, or starts one. Rejects with the signal's reason on abort. */
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

  /** Whoever comes from now on starts another run; those who wait get the result of theirs. */
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

  /** Aborting a run that is over does nothing. */
  #end(flight: Flight<T>): void {
    if (this.#flight === flight) this.#flight = undefined;
    flight.abandon.abort();
  }
}
