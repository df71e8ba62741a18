import { CodecError } from './codec-error.ts';

/**
 * Cuts a stream of bytes into frames. Chunks may end anywhere, also within a character or a length.
 * Pull-based: `push` stores, `next` gives the frames that are complete, one at a time. After an
 * error the stream is out of step and the reader must not be used any more.
 */
export interface Frames {
  push(chunk: Uint8Array): void;
  /**
   * The next complete frame, or undefined until more is pushed. It may share memory with a chunk:
   * do not write into either.
   */
  next(): Uint8Array | undefined;
  /** To be called at the end of the stream: throws `CODEC_TRUNCATED` if a frame was cut off. */
  end(): void;
}

/** How frames are read. */
export interface FrameOptions {
  /** A longer frame is `CODEC_FRAME_TOO_LARGE`. Default 16 MiB, ten times the largest object. */
  readonly maxFrameBytes?: number;
}

/** No object that etcd stores comes near. */
export const DEFAULT_MAX_FRAME_BYTES: number = 16 * 1024 * 1024;

export function frameTooLarge(maxFrameBytes: number): CodecError {
  return new CodecError(
    'CODEC_FRAME_TOO_LARGE',
    `a watch frame is larger than ${maxFrameBytes} bytes`,
    { hint: 'Raise maxFrameBytes if the server really sends such objects.' },
  );
}

export function frameCutOff(bytes: number): CodecError {
  return new CodecError(
    'CODEC_TRUNCATED',
    `the stream ended within a watch frame, after ${bytes} bytes of it`,
  );
}
