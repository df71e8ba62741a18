import type { Codec } from '../codec/codec.ts';
import { ApiError, errorFromObject, type FailedRequest } from '../meta/api-error.ts';
import { isStatus } from '../meta/status.ts';
import type { KubernetesObject, ObjectMeta, Status, WatchEvent } from '../meta/types.ts';
import { RestError } from './rest-error.ts';

/** An object has appeared, changed or gone; the last has the state before it went. */
export interface ObjectEvent<T> {
  readonly type: 'ADDED' | 'DELETED' | 'MODIFIED';
  readonly object: T;
}

/** Nothing happened up to this resourceVersion. The object has nothing else in it. */
export interface BookmarkEvent {
  readonly type: 'BOOKMARK';
  readonly object: KubernetesObject & {
    readonly metadata: ObjectMeta & { readonly resourceVersion: string };
  };
}

/** The server ends the watch and says why. */
export interface ErrorEvent {
  readonly type: 'ERROR';
  readonly object: Status;
}

/** Everything that can come in a watch. */
export type AnyWatchEvent<T> = BookmarkEvent | ErrorEvent | ObjectEvent<T>;

/** How the bytes of a watch become events. */
export interface WatchReading {
  readonly codec: Pick<Codec, 'watchDecoder'>;
  readonly maxFrameBytes?: number;
  /** Hands ERROR events out instead of throwing them. */
  readonly errorEvents: boolean;
  readonly request: FailedRequest;
}

/**
 * The events of one watch. The next bytes are asked for only when every event in the last ones has
 * been taken. Ends with the stream; throws if the stream ends within an event, if a frame is no
 * event, and, unless told otherwise, what the server says in an ERROR event.
 */
export async function* readEvents<T extends object>(
  body: AsyncIterable<Uint8Array>,
  { codec, maxFrameBytes, errorEvents, request }: WatchReading,
): AsyncGenerator<AnyWatchEvent<T>, void, undefined> {
  const decoder = codec.watchDecoder<T>(maxFrameBytes === undefined ? {} : { maxFrameBytes });
  for await (const chunk of body) {
    decoder.push(chunk);
    for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) {
      const event = checkEvent(frame, request);
      if (event.type === 'ERROR' && !errorEvents) throw new ApiError(event.object, { request });
      yield event;
    }
  }
  decoder.end();
}

function checkEvent<T extends object>(
  event: WatchEvent<T>,
  request: FailedRequest,
): AnyWatchEvent<T> {
  switch (event.type) {
    case 'ADDED':
    case 'BOOKMARK':
    case 'DELETED':
    case 'MODIFIED':
      return event as AnyWatchEvent<T>;
    case 'ERROR':
      if (!isStatus(event.object)) throw errorFromObject(event.object);
      return { type: 'ERROR', object: event.object };
    default:
      throw new RestError('WATCH_EVENT_INVALID', `a watch event has the type ${event.type}`, {
        request,
      });
  }
}
