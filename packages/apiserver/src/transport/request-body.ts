import type { Readable } from 'node:stream';

import { BodyTooLargeError, IncompleteBodyError } from '../http.ts';

/** An upload that no handler wants is read and dropped up to this size; beyond, it is cut off. */
const DISCARD_LIMIT = 64 * 1024 * 1024;

/**
 * The body of one request, read when first asked for. The limit is checked against the declared
 * length and against what really comes.
 */
export class RequestBody {
  readonly #input: Readable;
  readonly #declaredLength: number;
  readonly #limit: number;
  #reading: Promise<Uint8Array> | undefined;
  #fail: ((error: Error) => void) | undefined;

  constructor(input: Readable, declaredLength: number, limit: number) {
    this.#input = input;
    this.#declaredLength = declaredLength;
    this.#limit = limit;
  }

  /**
   * All of it; the same promise every time. Rejects with {@link BodyTooLargeError} or
   * {@link IncompleteBodyError}.
   */
  read(): Promise<Uint8Array> {
    this.#reading ??= this.#readAll();
    return this.#reading;
  }

  /** Fails a read that is under way; false if there is none. */
  expire(): boolean {
    if (this.#fail === undefined) return false;
    this.#fail(new IncompleteBodyError('timeout'));
    return true;
  }

  /**
   * Drops the rest. A client that is still sending when it is answered should get the answer and
   * keep its connection, so its upload is let through, within reason.
   */
  discard(): void {
    const input = this.#input;
    if (input.readableEnded || input.destroyed) return;
    let size = 0;
    input.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size > DISCARD_LIMIT) input.destroy();
    });
    // An upload that breaks off now is no news.
    input.on('error', () => undefined);
  }

  #readAll(): Promise<Uint8Array> {
    const input = this.#input;
    return new Promise((resolve, reject) => {
      if (this.#declaredLength > this.#limit) {
        reject(new BodyTooLargeError(this.#limit));
        return;
      }
      const chunks: Uint8Array[] = [];
      let size = 0;
      const settle = (finish: () => void): void => {
        input.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
        this.#fail = undefined;
        finish();
      };
      const fail = (error: Error): void => settle(() => reject(error));
      const onData = (chunk: Uint8Array): void => {
        size += chunk.length;
        if (size > this.#limit) fail(new BodyTooLargeError(this.#limit));
        else chunks.push(chunk);
      };
      const onEnd = (): void => settle(() => resolve(joined(chunks)));
      const onGone = (): void => fail(new IncompleteBodyError('aborted'));
      this.#fail = fail;
      input.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
      if (input.destroyed) onGone();
    });
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}
