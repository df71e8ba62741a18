import type { JsonObject } from '../../lib/json.ts';
import { codecFor, jsonCodec, WatchDecoder } from '../codec.ts';
import type { FrameOptions } from '../frames.ts';
import { LengthDelimitedFrames } from '../length-delimited-frames.ts';
import { decodeLazyJsonEvent, decodeLazyJsonList } from './lazy-json.ts';
import { LineFrames } from './line-frames.ts';
import { decodeLazyProtobufList, decodeLazyWatchFrame } from './lazy-protobuf.ts';

/**
 * Reads objects for those who keep many of them and look at few of their fields. An object keeps the
 * bytes that it came in, and reads what is touched when it is touched. It looks like the plain
 * object that the plain codec gives (the same fields in the same order for `JSON.stringify`, spread,
 * `Object.keys`, `structuredClone`, comparisons and `console.log`), and nobody can write to it, at
 * any depth: in strict mode, writing throws a TypeError. `mutableCopy` gives one to write to.
 *
 * Only the frame of an object is checked when it arrives. If something within is broken, a
 * `CodecError` is thrown by whoever touches it, and again by everybody else who does.
 */
export interface ReadOnlyCodec {
  /**
   * A plain list of read-only objects. Each says its kind, which a list says once for all of them. Long
   * lists are read in slices that leave others their turn.
   */
  decodeList<T extends object = JsonObject>(bytes: Uint8Array): Promise<T>;
  /** Reads one stream of events. The objects of ERROR events are plain. */
  watchDecoder<T extends object = JsonObject>(options?: FrameOptions): WatchDecoder<T>;
}

const readOnlyJson: ReadOnlyCodec = {
  decodeList: <T extends object>(bytes: Uint8Array) => decodeLazyJsonList<T>(bytes),
  watchDecoder: <T extends object>(options?: FrameOptions) => {
    const frames = new LineFrames(options);
    return new WatchDecoder<T>(frames, (frame) => {
      try {
        return decodeLazyJsonEvent<T>(frame);
      } catch (error) {
        const real = frames.lookAgain(frame, error);
        return real === undefined ? undefined : decodeLazyJsonEvent<T>(real);
      }
    });
  },
};

const readOnlyProtobuf: ReadOnlyCodec = {
  decodeList: <T extends object>(bytes: Uint8Array) => decodeLazyProtobufList<T>(bytes),
  watchDecoder: <T extends object>(options?: FrameOptions) =>
    new WatchDecoder<T>(new LengthDelimitedFrames(options), (frame) =>
      decodeLazyWatchFrame<T>(frame),
    ),
};

/** The read-only codec for a `content-type`, whatever its parameters. */
export function readOnlyCodecFor(contentType: string): ReadOnlyCodec {
  return codecFor(contentType) === jsonCodec ? readOnlyJson : readOnlyProtobuf;
}
