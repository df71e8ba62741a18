import {
  decodeWatchFrame,
  encodeWatchFrame,
  type Frames,
  JsonFrames,
  LengthDelimitedFrames,
  mediaTypeEssence,
  MEDIA_TYPES,
} from 'client-ts/codec';

/** How one watch writes its events, so that they can be told apart and made. */
export interface EventFormat {
  frames(): Frames;
  /** The bytes of one event on the wire, from its frame. */
  wrap(frame: Uint8Array): Uint8Array;
  typeOf(frame: Uint8Array): string;
  encode(type: string, object: object): Uint8Array;
}

const NEWLINE = Buffer.from('\n');

const json: EventFormat = {
  frames: () => new JsonFrames(),
  wrap: (frame) => Buffer.concat([frame, NEWLINE]),
  typeOf: (frame) => (JSON.parse(Buffer.from(frame).toString()) as { type: string }).type,
  encode: (type, object) => Buffer.from(`${JSON.stringify({ type, object })}\n`),
};

const protobuf: EventFormat = {
  frames: () => new LengthDelimitedFrames(),
  wrap: (frame) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(frame.length);
    return Buffer.concat([length, frame]);
  },
  typeOf: (frame) => decodeWatchFrame(frame).type,
  encode: (type, object) => encodeWatchFrame({ type, object }),
};

/** The format of a watch, by the content type of its answer. */
export function eventFormat(contentType: string): EventFormat {
  return mediaTypeEssence(contentType) === MEDIA_TYPES.protobuf ? protobuf : json;
}

/** The frames of a stream, one by one, however they are spread over its chunks. */
export async function* framesOf(
  source: AsyncIterable<Uint8Array>,
  format: EventFormat,
): AsyncGenerator<Uint8Array> {
  const frames = format.frames();
  for await (const chunk of source) {
    frames.push(chunk);
    for (let frame = frames.next(); frame !== undefined; frame = frames.next()) yield frame;
  }
}
