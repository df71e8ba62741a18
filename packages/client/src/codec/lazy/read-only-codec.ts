import type { JsonObject } from '../../lib/json.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import type { WatchEvent } from '../../meta/types.ts';
import { codecFor, jsonCodec, WatchDecoder } from '../codec.ts';
import { type FrameOptions, LengthDelimitedFrames, LineFrames } from '../frames.ts';
import { MessageDecoder } from '../message-decoder.ts';
import { FIELD_CODE } from '../message-type.ts';
import {
  decodeProtobuf,
  decodeWatchFrame,
  isProtobuf,
  openEnvelope,
  openWatchFrame,
} from '../protobuf.ts';
import { asBuffer, WireReader } from '../wire/wire-reader.ts';
import { Arrival } from './arrival.ts';
import { EventOutline } from './event-outline.ts';
import { bytesPerSlice, itemKindOf } from './lazy-fields.ts';
import { decodeLazyJsonEvent, decodeLazyJsonList, lazyJsonObject } from './lazy-json.ts';
import { decodeRaw, kindOf, lazyObject, outlinedObject, PreparedObjects } from './lazy-message.ts';
import type { ReadOnlyForm } from './read-only-form.ts';

/**
 * Decodes objects lazily, for caches that hold many objects and access few of their fields. An
 * object keeps its bytes and decodes a field on first access. It behaves like the plain object of
 * the plain codec (the same fields in the same order for `JSON.stringify`, spread, `Object.keys`,
 * `structuredClone`, comparisons and `console.log`), and is deeply read-only: in strict mode,
 * writing throws a TypeError. `mutableCopy` returns a writable copy.
 *
 * Only the outline of an object is validated on arrival. Invalid content throws a `CodecError` on
 * every access.
 */
export interface ReadOnlyCodec {
  /**
   * Decodes a plain list of read-only objects. Each has its kind, which servers state once for the
   * list. Long lists are decoded in slices, so that other tasks can run.
   */
  decodeList<T extends object = JsonObject>(bytes: Uint8Array): Promise<T>;
  /** Returns a decoder for one stream of events. The objects of ERROR events are plain. */
  watchDecoder<T extends object = JsonObject>(options?: FrameOptions): WatchDecoder<T>;
}

function readOnlyJson(form: ReadOnlyForm | undefined): ReadOnlyCodec {
  return {
    decodeList: <T extends object>(bytes: Uint8Array) => decodeLazyJsonList<T>(bytes, form),
    watchDecoder: <T extends object>(options?: FrameOptions) => {
      const frames = new LineFrames(options);
      const arrival = new Arrival(form);
      return new WatchDecoder<T>(frames, (frame) => {
        try {
          return arrival.seen(decodeLazyJsonEvent<T>(frame, arrival));
        } catch (error) {
          const real = frames.reframe(frame, error);
          return real && arrival.seen(decodeLazyJsonEvent<T>(real, arrival));
        }
      });
    },
  };
}

function readOnlyProtobuf(form: ReadOnlyForm | undefined): ReadOnlyCodec {
  return {
    decodeList: <T extends object>(bytes: Uint8Array) => decodeLazyProtobufList<T>(bytes, form),
    watchDecoder: <T extends object>(options?: FrameOptions) => {
      const arrival = new Arrival(form);
      // Masks and packers work on what the decoder has read.
      const outline = form === undefined ? new EventOutline() : undefined;
      const prepared = new PreparedObjects();
      return new WatchDecoder<T>(new LengthDelimitedFrames(options), (frame) =>
        arrival.seen(
          outline?.read(asBuffer(frame)) === true
            ? { type: outline.type, object: outlinedObject(outline, prepared, arrival) as T }
            : decodeLazyWatchFrame<T>(frame, arrival),
        ),
      );
    },
  };
}

/**
 * Returns the read-only codec for a `content-type`; parameters are ignored. Objects are whole, unless a
 * `form` says otherwise.
 */
export function readOnlyCodecFor(contentType: string, form?: ReadOnlyForm): ReadOnlyCodec {
  return codecFor(contentType) === jsonCodec ? readOnlyJson(form) : readOnlyProtobuf(form);
}

/**
 * The read-only codecs of one cache. Its requests bring them along, so that clients need not load the codecs until
 * something is cached.
 */
export class ReadOnlyCodecs {
  /** What is kept of the objects; undefined for everything. */
  readonly form: ReadOnlyForm | undefined;

  constructor(form?: ReadOnlyForm) {
    this.form = form;
  }

  /** As {@link readOnlyCodecFor}, for the form of the cache. */
  codecFor(contentType: string): ReadOnlyCodec {
    return readOnlyCodecFor(contentType, this.form);
  }
}

/** Decodes a watch event with a lazy object. The object of an ERROR is decoded immediately. */
export function decodeLazyWatchFrame<T extends object>(
  payload: Uint8Array,
  arrival: Arrival,
): WatchEvent<T> {
  const reader = new WireReader(payload);
  const { type, start, end } = openWatchFrame(reader);
  if (type === 'ERROR') return decodeWatchFrame<T>(payload);
  reader.position = start;
  reader.limit = end;
  const object = isProtobuf(reader.bytes, start, end)
    ? lazyEnvelope(reader, arrival)
    : lazyJsonObject(reader.bytes, 'the object of a watch event', { start, end, arrival });
  return { type, object: object as T };
}

function lazyEnvelope(reader: WireReader, arrival: Arrival): object {
  const envelope = openEnvelope(reader);
  reader.position = envelope.start;
  reader.limit = envelope.end;
  return lazyObject(reader, envelope.type, envelope, arrival);
}

/**
 * Decodes a list with lazy items that have their kind. Everything else, and every document that is
 * not a list of objects, is decoded as the plain decoder does. Large lists are decoded in slices.
 */
export async function decodeLazyProtobufList<T extends object>(
  body: Uint8Array,
  form?: ReadOnlyForm,
): Promise<T> {
  const bytes = asBuffer(body);
  const { type, kind, apiVersion, start, end } = openEnvelope(new WireReader(bytes));
  const field = type.byName.get('items');
  if (field === undefined || !field.repeated || field.code !== FIELD_CODE.message) {
    return decodeProtobuf<T>(body);
  }
  const reader = new WireReader(bytes, start, end);
  const shown = itemKindOf({ apiVersion, kind }) ?? kindOf(field);
  const arrival = new Arrival(form);
  const items: object[] = [];
  const rest: Buffer[] = [];
  let sliceEnd = start + bytesPerSlice;
  while (!reader.atEnd) {
    const from = reader.position;
    const tag = reader.tag();
    if (tag === field.tag) {
      const outer = reader.enter();
      items.push(lazyObject(reader, field.type, shown, arrival));
      reader.leave(outer);
    } else {
      reader.skip(tag);
      rest.push(bytes.subarray(from, reader.position));
    }
    if (reader.position >= sliceEnd) {
      await nextTurn();
      sliceEnd = reader.position + bytesPerSlice;
    }
  }
  const list: JsonObject = { kind, apiVersion };
  new MessageDecoder(Buffer.concat(rest), { decodeRaw, depth: 0 }).decode(type, list);
  return Object.assign(list, { items }) as unknown as T;
}
