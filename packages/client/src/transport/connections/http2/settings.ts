import { violation } from './violation.ts';

/** The settings of RFC 9113, section 6.5.2. */
export const SETTINGS = {
  HEADER_TABLE_SIZE: 0x1,
  ENABLE_PUSH: 0x2,
  MAX_CONCURRENT_STREAMS: 0x3,
  INITIAL_WINDOW_SIZE: 0x4,
  MAX_FRAME_SIZE: 0x5,
  MAX_HEADER_LIST_SIZE: 0x6,
} as const;

/** The size of a window unless a setting says otherwise. */
export const DEFAULT_WINDOW = 65_535;
export const MAX_WINDOW: number = 2 ** 31 - 1;

const LEAST_MAX_FRAME = 2 ** 14;
const MOST_MAX_FRAME = 2 ** 24 - 1;

/** Returns the settings in the payload of a SETTINGS frame, in order. Unknown ones are included. */
export function readSettings(payload: Buffer): readonly (readonly [id: number, value: number])[] {
  if (payload.length % 6 !== 0) {
    throw violation('FRAME_SIZE_ERROR', `settings have ${payload.length} bytes`);
  }
  const settings: [number, number][] = [];
  for (let offset = 0; offset < payload.length; offset += 6) {
    const id = payload.readUInt16BE(offset);
    const value = payload.readUInt32BE(offset + 2);
    check(id, value);
    settings.push([id, value]);
  }
  return settings;
}

function check(id: number, value: number): void {
  if (id === SETTINGS.INITIAL_WINDOW_SIZE && value > MAX_WINDOW) {
    throw violation('FLOW_CONTROL_ERROR', `an initial window of ${value} bytes`);
  }
  if (id === SETTINGS.MAX_FRAME_SIZE && (value < LEAST_MAX_FRAME || value > MOST_MAX_FRAME)) {
    throw violation('PROTOCOL_ERROR', `frames of at most ${value} bytes`);
  }
  // A server does not receive pushed streams, so it may only say that it does not.
  if (id === SETTINGS.ENABLE_PUSH && value !== 0) {
    throw violation('PROTOCOL_ERROR', 'the server wants to be pushed to');
  }
}
