import { anySignal } from './signal.ts';

/** Options of {@link mapConcurrent}. */
export interface MapConcurrentOptions {
  /** The maximum number of concurrent calls. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Maps items concurrently, and returns the results in the order of the items. The first failure
 * aborts the signal of the other calls and is thrown once all of them have settled, so that no work
 * continues in the background. The reason of an abort is thrown likewise.
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
      // All workers share one iterator, so each item is taken once.
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
