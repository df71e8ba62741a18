import { type Codec, codecFor } from '../codec/codec.ts';
import type { ReadOnlyCodec } from '../codec/lazy/read-only-codec.ts';
import { MEDIA_TYPES } from '../codec/media-types.ts';
import { withDeadline } from '../lib/deadline.ts';
import { describeRequest, type Engine, open } from './engine.ts';
import { contentTypeOf } from './headers.ts';
import type { RequestSpec } from './request-spec.ts';
import { RestError } from './rest-error.ts';
import { Stream } from './stream.ts';
import { unreadableAnswer } from './unreadable-answer.ts';
import { type AnyWatchEvent, WatchEvents } from './watch-events.ts';

/** How a watch is read. */
export interface WatchStreamOptions {
  readonly signal?: AbortSignal | undefined;
  /** Hand ERROR events out instead of throwing them as errors. Default false. */
  readonly errorEvents?: boolean;
  /**
   * Objects that keep their bytes and are read when they are touched: cheap to keep, and nobody can
   * write to them. See `ReadOnlyCodec`. Default false.
   */
  readonly readOnly?: boolean;
  /** A larger event ends the watch with `CODEC_FRAME_TOO_LARGE`. Default 16 MiB. */
  readonly maxFrameBytes?: number;
}

/** How much longer than it was asked to a server may keep a watch open before it counts as dead. */
const GRACE_MS = 30_000;

/**
 * Opens a watch. One that outlives the `timeoutSeconds` it was asked to end after is given up: a
 * connection whose other end is gone without a word looks exactly like a quiet watch, and on
 * HTTP/1.1 would look so for hours.
 */
export function watchStream<T extends object>(
  engine: Engine,
  spec: RequestSpec,
  { signal, errorEvents = false, readOnly = false, maxFrameBytes }: WatchStreamOptions,
): Stream<AnyWatchEvent<T>> {
  const request = describeRequest(engine, spec);
  return new Stream(signal, async (whileWanted) => {
    const inTime = withDeadline(whileWanted, overdue(engine, spec));
    try {
      const { headers, body, status } = await open(engine, spec, inTime.signal);
      const contentType = contentTypeOf(headers);
      const codec = await codecOf(contentType ?? MEDIA_TYPES.json, readOnly, (error) =>
        unreadableAnswer(error, { request, status, contentType }),
      );
      const limit = maxFrameBytes === undefined ? {} : { maxFrameBytes };
      const reading = { codec, errorEvents, request, ...limit };
      return new WatchEvents<T>(body, reading, () => inTime[Symbol.dispose]());
    } catch (error) {
      inTime[Symbol.dispose]();
      throw error;
    }
  });
}

async function codecOf(
  contentType: string,
  readOnly: boolean,
  explained: (error: unknown) => unknown,
): Promise<Codec | ReadOnlyCodec> {
  try {
    if (!readOnly) return codecFor(contentType);
    // Programs without informers do not load it.
    const { readOnlyCodecFor } = await import('../codec/lazy/read-only-codec.ts');
    return readOnlyCodecFor(contentType);
  } catch (error) {
    throw explained(error);
  }
}

function overdue(engine: Engine, spec: RequestSpec): Parameters<typeof withDeadline>[1] {
  const asked = spec.parameters.find(([name]) => name === 'timeoutSeconds')?.[1];
  return {
    clock: engine.clock,
    milliseconds: asked === undefined ? undefined : Number(asked) * 1000 + GRACE_MS,
    reason: () =>
      new RestError(
        'REST_WATCH_OVERDUE',
        `a watch for ${asked} s has not ended ${GRACE_MS / 1000} s later`,
        { request: describeRequest(engine, spec) },
      ),
  };
}
