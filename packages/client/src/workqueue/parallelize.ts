import { checkNumber } from '../lib/option-error.ts';

/** Options of {@link parallelizeUntil}. */
export interface ParallelizeOptions {
  /** The maximum number of pieces in progress at the same time. */
  readonly workers: number;
  /** The number of pieces; they are numbered from 0. */
  readonly pieces: number;
  /** The number of consecutive pieces that one worker takes at a time. Default 1. */
  readonly chunkSize?: number | undefined;
  /** Skips the pieces that have not started when it aborts; that is not an error. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a function once for each of `pieces` numbers, several at a time. Resolves when no call is in
 * progress any more: all are done, or the signal has aborted. After a failure no further piece
 * starts, and the first error is thrown when those in progress have ended.
 */
export async function parallelizeUntil(
  { workers, pieces, chunkSize = 1, signal }: ParallelizeOptions,
  doWorkPiece: (piece: number) => Promise<void> | void,
): Promise<void> {
  checkNumber('workers', workers, 'count');
  checkNumber('pieces', pieces, 'countOrNone');
  checkNumber('chunkSize', chunkSize, 'countOrNone');
  const step = Math.max(1, chunkSize);
  let nextStart = 0;
  let failure: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    while (nextStart < pieces) {
      const start = nextStart;
      nextStart += step;
      for (let piece = start; piece < Math.min(start + step, pieces); piece += 1) {
        if (signal?.aborted === true || failure !== undefined) return;
        try {
          await doWorkPiece(piece);
        } catch (error) {
          failure ??= { error };
        }
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, pieces) }, worker));
  if (failure !== undefined) throw failure.error;
}
