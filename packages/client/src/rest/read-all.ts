import { nextTurn } from '../lib/next-turn.ts';

/** Copying this much takes a few milliseconds; then others have their turn. */
const SLICE_BYTES = 8 * 1024 * 1024;

const NOTHING = new Uint8Array();

/** How much of a body is read. */
export interface ReadLimit {
  readonly maxBytes: number;
  /** The error for a longer body. Left out, the rest of it is cut off. */
  readonly tooLarge?: (() => Error) | undefined;
}

/**
 * Reads a body into one piece, up to its end or a limit. A long list may have hundreds of megabytes:
 * it is copied in slices between which other work can run, and copied chunks are released.
 */
export async function readAll(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, tooLarge }: ReadLimit,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= maxBytes) continue;
    if (tooLarge !== undefined) throw tooLarge();
    break;
  }
  const [only = NOTHING] = chunks;
  if (chunks.length < 2) return only;
  return size <= SLICE_BYTES ? Buffer.concat(chunks, size) : await joined(chunks, size);
}

async function joined(chunks: Uint8Array[], size: number): Promise<Uint8Array> {
  const whole = Buffer.allocUnsafeSlow(size);
  let end = 0;
  let sliceEnd = SLICE_BYTES;
  for (const [index, chunk] of chunks.entries()) {
    if (end + chunk.length > sliceEnd) {
      await nextTurn();
      sliceEnd = end + SLICE_BYTES;
    }
    whole.set(chunk, end);
    end += chunk.length;
    chunks[index] = NOTHING;
  }
  return whole;
}
