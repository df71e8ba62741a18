import { checkNumber } from '../lib/option-error.ts';

/** How {@link parallelizeUntil} divides the work. */
export interface ParallelizeOptions {
  /** How many pieces may be under way at the same time. */
  readonly workers: number;
  /** How many pieces there are; they are numbered from 0. */
  readonly pieces: number;
  /** So many consecutive pieces go to one worker, one after the other. Default 1. */
  readonly chunkSize?: number;
  /** Pieces that have not begun when it aborts are left out; that is no error. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does numbered pieces of work, several at a time, each once. Resolves when no piece is under way any
 * more: all are done, or the signal has aborted. If one fails, no further ones begin, and the first
 * error is thrown when those under way have ended.
 */
export async function parallelizeUntil(
  { workers, pieces, chunkSize = 1, signal }: ParallelizeOptions,
  doPiece: (piece: number) => Promise<void> | void,
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
          await doPiece(piece);
        } catch (error) {
          failure ??= { error };
        }
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, pieces) }, worker));
  if (failure !== undefined) throw failure.error;
}
