import { type JsonObject } from '../../lib/json.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import type { WatchEvent } from '../../meta/types.ts';
import { isProtobuf, openEnvelope } from '../envelope.ts';
import { MessageDecoder } from '../message-decoder.ts';
import { FIELD_CODE } from '../message-type.ts';
import { decodeProtobuf } from '../protobuf.ts';
import { decodeWatchFrame, openWatchFrame } from '../watch-event.ts';
import { asBuffer, WireReader } from '../wire/wire-reader.ts';
import { itemKindOf } from './item-kind.ts';
import { decodeRaw, kindOf, lazyObject } from './lazy-message.ts';
import { lazyJsonObject } from './lazy-json.ts';
import { bytesPerSlice } from './slices.ts';

/** A watch event with an object that is read when it is touched. An ERROR is read at once. */
export function decodeLazyWatchFrame<T extends object>(payload: Uint8Array): WatchEvent<T> {
  const reader = new WireReader(payload);
  const { type, start, end } = openWatchFrame(reader);
  if (type === 'ERROR') return decodeWatchFrame<T>(payload);
  reader.position = start;
  reader.limit = end;
  const object = isProtobuf(reader.bytes, start, end)
    ? lazyEnvelope(reader)
    : lazyJsonObject(reader.bytes, 'the object of a watch event', start, end);
  return { type, object: object as T };
}

function lazyEnvelope(reader: WireReader): object {
  const envelope = openEnvelope(reader);
  reader.position = envelope.start;
  reader.limit = envelope.end;
  return lazyObject(reader, envelope.type, envelope);
}

/**
 * A list whose items are read when they are touched, and say their kind. Everything else, and every answer that is no
 * list of objects, is as the plain decoder has it. Large lists are cut in slices.
 */
export async function decodeLazyProtobufList<T extends object>(body: Uint8Array): Promise<T> {
  const bytes = asBuffer(body);
  const { type, kind, apiVersion, start, end } = openEnvelope(new WireReader(bytes));
  const field = type.byName.get('items');
  if (field === undefined || !field.repeated || field.code !== FIELD_CODE.message) {
    return decodeProtobuf<T>(body);
  }
  const reader = new WireReader(bytes, start, end);
  const shown = itemKindOf({ apiVersion, kind }) ?? kindOf(field);
  const items: object[] = [];
  const rest: Buffer[] = [];
  let sliceEnd = start + bytesPerSlice;
  while (!reader.atEnd) {
    const from = reader.position;
    const tag = reader.tag();
    if (tag === field.tag) {
      const outer = reader.enter();
      items.push(lazyObject(reader, field.type, shown));
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
