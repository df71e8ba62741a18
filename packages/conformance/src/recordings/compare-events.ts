import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import type { Answer, CapturedEvent } from './answer.ts';
import { isBase64, type RecordedEvent, type RecordedExchange } from './format.ts';
import type { ProtobufDecoder } from './protobuf.ts';
import type { ValueComparer } from './value-comparer.ts';

interface EventFrame {
  readonly after?: string | undefined;
  readonly frame: JsonObject;
}

/** Recorded protobuf frames still have their length prefix. */
const LENGTH_BYTES = 4;

/**
 * Streams that were recorded to end at their timeout may not end much earlier. Where a write ends a
 * stream, the time only depends on when the write was sent.
 */
const EARLY_END = 0.9;

/** Compares the frames of a watch, when they arrived, and which side ended it. */
export function compareEvents(
  values: ValueComparer,
  decode: ProtobufDecoder,
  exchange: RecordedExchange,
  answer: Answer,
): void {
  const { response } = exchange;
  if (answer.events === undefined) {
    values.report({ path: '/response/body', expected: 'a watch stream', got: answer.body });
    return;
  }
  const expected = (response.events ?? []).map((event) => recordedFrame(event, decode));
  const got = answer.events.map((event) => ownFrame(event, decode));
  const [wanted, came] =
    exchange.bookmarksVary === true || response.closedBy === 'client'
      ? withoutVaryingBookmarks(values, exchange, expected, got)
      : [expected, got];

  for (let index = 0; index < Math.max(wanted.length, came.length); index++) {
    const steps = ['response', 'events', String(index)];
    values.compareFrame([...steps, 'frame'], wanted[index]?.frame, came[index]?.frame);
    const after = wanted[index]?.after;
    const ownAfter = came[index]?.after;
    if (after !== undefined && ownAfter !== undefined && after !== ownAfter) {
      values.report({ path: `/response/events/${index}/after`, expected: after, got: ownAfter });
    }
  }

  if (answer.closedBy !== response.closedBy) {
    values.report({
      path: '/response/closedBy',
      expected: response.closedBy,
      got: answer.closedBy,
    });
  }
  const recordedEnd = response.closedAfterMs ?? 0;
  const ownEnd = answer.closedAfterMs ?? 0;
  const isTimed =
    response.closedBy === 'server' && /[?&]timeoutSeconds=/.test(exchange.request.path);
  if (isTimed && recordedEnd > 900 && ownEnd < recordedEnd * EARLY_END) {
    values.report({
      path: '/response/closedAfterMs',
      expected: recordedEnd,
      got: Math.round(ownEnd),
      wanted: 'not to end early',
    });
  }
}

/**
 * The number and time of plain bookmarks is not fixed; a watch that the client ends may see one
 * more or less. Still required: at least one where the recording has one, and none for a client
 * that did not request them.
 */
function withoutVaryingBookmarks(
  values: ValueComparer,
  exchange: RecordedExchange,
  expected: readonly EventFrame[],
  got: readonly EventFrame[],
): [readonly EventFrame[], readonly EventFrame[]] {
  const recorded = expected.some(isPlainBookmark);
  const came = got.some(isPlainBookmark);
  const asked = exchange.request.path.includes('allowWatchBookmarks=true');
  if ((recorded && !came) || (!asked && came)) {
    values.report({
      path: '/response/events',
      expected: recorded ? 'at least one bookmark' : 'no bookmarks',
      got: came ? 'bookmarks' : 'no bookmarks',
    });
  }
  const keep = (event: EventFrame): boolean => !isPlainBookmark(event);
  return [expected.filter(keep), got.filter(keep)];
}

function isPlainBookmark({ frame }: EventFrame): boolean {
  return (
    frame['type'] === 'BOOKMARK' && !JSON.stringify(frame).includes('k8s.io/initial-events-end')
  );
}

function recordedFrame(event: RecordedEvent, decode: ProtobufDecoder): EventFrame {
  const { frame, after, opcode } = event;
  if (!isBase64(frame)) return { after, frame };
  const bytes = Buffer.from(frame.base64, 'base64');
  return {
    after,
    frame:
      opcode === undefined
        ? decode.watchEvent(bytes.subarray(LENGTH_BYTES))
        : { base64: frame.base64 },
  };
}

function ownFrame(event: CapturedEvent, decode: ProtobufDecoder): EventFrame {
  const { after, bytes, opcode } = event;
  const text = Buffer.from(bytes).toString('utf8');
  if (opcode === undefined) {
    return { after, frame: jsonObject(text) ?? protobufEvent(bytes, decode) };
  }
  if (opcode !== 1) return { after, frame: { base64: Buffer.from(bytes).toString('base64') } };
  const fromBase64 = Buffer.from(text, 'base64').toString('utf8');
  return { after, frame: jsonObject(text) ?? jsonObject(fromBase64) ?? { unreadable: text } };
}

function protobufEvent(bytes: Uint8Array, decode: ProtobufDecoder): JsonObject {
  try {
    return decode.watchEvent(bytes);
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}

function jsonObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
