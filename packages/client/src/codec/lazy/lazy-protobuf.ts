import { type JsonObject } from '../../lib/json.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import type { WatchEvent } from '../../meta/types.ts';
import { type Envelope, isProtobuf, openEnvelope } from '../envelope.ts';
import { MessageDecoder } from '../message-decoder.ts';
import { FIELD_CODE } from '../message-type.ts';
import { decodeProtobuf } from '../protobuf.ts';
import { decodeWatchFrame, openWatchFrame } from '../watch-event.ts';
import { asBuffer, WireReader } from '../wire/wire-reader.ts';
import { decodeRaw, kindOf, lazyObject } from './lazy-message.ts';
import { lazyJsonObject } from './lazy-json.ts';
import { bytesPerSlice } from './slices.ts';

/** A watch event with an object that is read when it is touched. An ERROR is read at once. */
export function decodeLazyWatchFrame<T extends object>(payload: Uint8Array): WatchEvent<T> {
  const { type, body } = openWatchFrame(payload);
  if (type === 'ERROR') return decodeWatchFrame<T>(payload);
  const object = isProtobuf(body)
    ? lazyEnvelope(openEnvelope(body))
    : lazyJsonObject(body, 'the object of a watch event');
  return { type, object: object as T };
}

function lazyEnvelope({ type, apiVersion, kind, raw }: Envelope): object {
  return lazyObject(new WireReader(raw), type, apiVersion === '' ? { kind } : { kind, apiVersion });
}

/**
 * A list whose items are read when they are touched. Everything else, and every answer that is no
 * list of objects, is as the plain decoder has it. Large lists are cut in slices.
 */
export async function decodeLazyProtobufList<T extends object>(bytes: Uint8Array): Promise<T> {
  const { type, raw, kind, apiVersion } = openEnvelope(asBuffer(bytes));
  const field = type.byName.get('items');
  if (field === undefined || !field.repeated || field.code !== FIELD_CODE.message) {
    return decodeProtobuf<T>(bytes);
  }
  const reader = new WireReader(raw);
  const items: object[] = [];
  const rest: Buffer[] = [];
  let sliceEnd = bytesPerSlice;
  while (!reader.atEnd) {
    const start = reader.position;
    const tag = reader.tag();
    if (tag === field.tag) {
      const outer = reader.enter();
      items.push(lazyObject(reader, field.type, kindOf(field)));
      reader.leave(outer);
    } else {
      reader.skip(tag);
      rest.push(raw.subarray(start, reader.position));
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
