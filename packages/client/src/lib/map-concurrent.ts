import { anySignal } from './signal.ts';

/** How {@link mapConcurrent} works through its items. */
export interface MapConcurrentOptions {
  /** How many may be under way at the same time. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does some work for every item, a few at a time, and gives the results in the order of the items.
 * The first failure aborts the signal that the others work under and is thrown once all of them have
 * settled: nothing goes on behind the caller's back. So is the reason of an abort, even if the work
 * takes it for a failure of its own and goes on.
 */
export async function mapConcurrent<T, R>(
  items: readonly T[],
  { limit, signal }: MapConcurrentOptions,
  work: (item: T, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  signal?.throwIfAborted();
  const failed = new AbortController();
  using either = anySignal([signal, failed.signal]);
  const results: R[] = [];
  const pending = items.entries();
  const worker = async (): Promise<void> => {
    try {
      // All workers take from the same iterator, so each item is taken once.
      for (const [index, item] of pending) {
        either.signal.throwIfAborted();
        results[index] = await work(item, either.signal);
      }
    } catch (error) {
      failed.abort(error);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  either.signal.throwIfAborted();
  return results;
}
