import { type FrameOptions, type Frames } from '../frames.ts';
import { JsonFrames } from '../json-frames.ts';

/**
 * Frames of a JSON watch, one per line. That is a guess: whoever reads a frame finds out whether it
 * is one. If it is not, the stream is of another make, and from there on every byte is looked at.
 */
export class LineFrames implements Frames {
  readonly #frames: JsonFrames;
  #isByLine = true;
  #isLine = false;

  constructor(options?: FrameOptions) {
    this.#frames = new JsonFrames(options);
  }

  push(chunk: Uint8Array): void {
    this.#frames.push(chunk);
  }

  next(): Uint8Array | undefined {
    const line = this.#isByLine ? this.#frames.nextLine() : undefined;
    this.#isLine = line !== undefined;
    return line ?? this.#frames.next();
  }

  end(): void {
    this.#frames.end();
  }

  /** What a frame that could not be read really is; throws the error if it really is that. */
  lookAgain(frame: Uint8Array, error: unknown): Uint8Array | undefined {
    if (!this.#isLine) throw error;
    this.#isByLine = false;
    this.#frames.refuse(frame);
    return this.next();
  }
}
