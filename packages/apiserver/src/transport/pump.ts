import type { Writable } from 'node:stream';

import { isPollable, leave } from '../http.ts';

/** Where chunks are written to. */
export interface PumpTarget {
  /** Writes a chunk; false if the next one should wait for `drain` of the sink. */
  write(chunk: Uint8Array, written: () => void): boolean;
  readonly sink: Writable;
}

/**
 * Writes the chunks of `source`, and asks for the next one only when there is room: a slow reader
 * slows the source down and fills no memory. Resolves to `done` at the end of the source, or to
 * `stopped` as soon as the signal aborts; then the source is `return()`ed. Rejects with the error
 * of the source, or of a write that throws, after everything before it is written. Never ends the
 * target.
 */
export function pump(
  source: AsyncIterable<Uint8Array>,
  target: PumpTarget,
  signal: AbortSignal,
): Promise<'done' | 'stopped'> {
  const iterator = source[Symbol.asyncIterator]();
  return new Promise((resolve, reject) => {
    let settled = false;
    let sink: Writable | undefined;
    let inFlight = 0;
    let failure: { readonly error: unknown } | undefined;
    const settle = (finish: () => void): void => {
      if (settled) return;
      settled = true;
      signal.removeEventListener('abort', stop);
      sink?.off('drain', pull);
      finish();
    };
    // A pending read of the source may never settle, so its `return()` is not awaited.
    const stop = (): void =>
      settle(() => {
        leave(iterator);
        resolve('stopped');
      });
    const fail = (): void => {
      if (failure === undefined || inFlight > 0) return;
      const { error } = failure;
      settle(() => reject(error));
    };
    const failed = (error: unknown): void => {
      failure = { error };
      fail();
    };
    const written = (): void => {
      inFlight -= 1;
      fail();
    };
    /** Returns true if there is room for another chunk. */
    const take = (next: IteratorResult<Uint8Array>): boolean => {
      if (settled) return false;
      if (next.done === true) {
        settle(() => resolve('done'));
        return false;
      }
      inFlight += 1;
      try {
        if (target.write(next.value, written)) return true;
      } catch (error) {
        inFlight -= 1;
        leave(iterator);
        failed(error);
        return false;
      }
      sink = target.sink;
      sink.once('drain', pull);
      return false;
    };
    const takeAndPull = (next: IteratorResult<Uint8Array>): void => {
      if (take(next)) pull();
    };
    const pull = isPollable(source)
      ? (): void => {
          if (settled) return;
          try {
            for (let more = true; more;) {
              const next = source.poll(pull);
              more = next !== undefined && take(next);
            }
          } catch (error) {
            failed(error);
          }
        }
      : (): void => void iterator.next().then(takeAndPull, failed);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    else pull();
  });
}
