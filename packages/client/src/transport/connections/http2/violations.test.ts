import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { TransportError } from '../../transport-error.ts';
import { bodyText, startPool } from '../test-rig.ts';
import { FLAGS, FRAMES } from './frames.ts';
import { MAX_WINDOW, SETTINGS } from './settings.ts';
import {
  block,
  frame,
  type FrameConnection,
  FramePeer,
  settingsPayload,
  STATUS_200,
  uint32,
} from './test-frame-peer.ts';
import { ERROR_CODES, type ErrorName } from './violation.ts';

const { DATA, HEADERS, RST_STREAM, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION } =
  FRAMES;
const { END_HEADERS, END_STREAM, PADDED } = FLAGS;

const ok = frame(HEADERS, END_HEADERS, 1, STATUS_200);
const ping = frame(PING, 0, 0, '12345678');

function settings(id: number, value: number): Buffer {
  return frame(FRAMES.SETTINGS, 0, 0, settingsPayload([id, value]));
}

/** A field of 4,000 bytes for the dynamic table. */
const LARGE = Buffer.concat([
  Buffer.from([0x40, 1, 0x61, 0x7f, 0xa1, 0x1e]),
  Buffer.alloc(4000, 'x'),
]);

/** What a server sends after its settings, in answer to stream 1; the whole connection ends with it. */
const CONNECTION_VIOLATIONS: readonly (readonly [string, ErrorName, ...Uint8Array[]])[] = [
  ['a frame beyond the size', 'FRAME_SIZE_ERROR', Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 1])],
  ['an answer in HTTP/1.1', 'FRAME_SIZE_ERROR', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['a pushed stream', 'PROTOCOL_ERROR', frame(PUSH_PROMISE, END_HEADERS, 1, uint32(2))],
  ['a continuation of nothing', 'PROTOCOL_ERROR', frame(CONTINUATION, END_HEADERS, 1)],
  ['a ping in a header block', 'PROTOCOL_ERROR', frame(HEADERS, 0, 1, STATUS_200), ping],
  ['data in a header block', 'PROTOCOL_ERROR', frame(HEADERS, 0, 1, STATUS_200), frame(DATA, 0, 1)],
  [
    'a continuation for another stream',
    'PROTOCOL_ERROR',
    frame(HEADERS, 0, 1, STATUS_200),
    frame(CONTINUATION, END_HEADERS, 3),
  ],
  [
    'an unknown header index',
    'COMPRESSION_ERROR',
    frame(HEADERS, END_HEADERS, 1, Buffer.from([0xff, 0x7f])),
  ],
  [
    'headers that unpack to more than a megabyte',
    'ENHANCE_YOUR_CALM',
    frame(HEADERS, END_HEADERS, 1, Buffer.concat([STATUS_200, LARGE, Buffer.alloc(300, 0xbe)])),
  ],
  [
    'continuations without end',
    'ENHANCE_YOUR_CALM',
    frame(HEADERS, 0, 1, STATUS_200),
    ...Array.from({ length: 40_000 }, () => frame(CONTINUATION, 0, 1)),
  ],
  [
    'empty data without end',
    'ENHANCE_YOUR_CALM',
    ok,
    ...Array.from({ length: 2000 }, () => frame(DATA, 0, 1)),
  ],
  [
    'headers for a stream that is not open',
    'PROTOCOL_ERROR',
    frame(HEADERS, END_HEADERS, 99, STATUS_200),
  ],
  [
    'headers for a stream of the server',
    'PROTOCOL_ERROR',
    frame(HEADERS, END_HEADERS, 2, STATUS_200),
  ],
  ['data without a stream', 'PROTOCOL_ERROR', frame(DATA, 0, 0, 'x')],
  ['data for a stream that is not open', 'PROTOCOL_ERROR', frame(DATA, 0, 3, 'x')],
  ['a priority without a stream', 'PROTOCOL_ERROR', frame(FRAMES.PRIORITY, 0, 0, '12345')],
  ['padding beyond the data', 'PROTOCOL_ERROR', ok, frame(DATA, PADDED, 1, '\u0005x')],
  [
    'padding beyond the headers',
    'PROTOCOL_ERROR',
    frame(HEADERS, END_HEADERS | PADDED, 1, '\u0005x'),
  ],
  ['settings of a wrong size', 'FRAME_SIZE_ERROR', frame(FRAMES.SETTINGS, 0, 0, 'abc')],
  ['settings on a stream', 'PROTOCOL_ERROR', frame(FRAMES.SETTINGS, 0, 1)],
  [
    'confirmed settings with content',
    'FRAME_SIZE_ERROR',
    frame(FRAMES.SETTINGS, FLAGS.ACK, 0, 'abcdef'),
  ],
  ['a setting that enables push', 'PROTOCOL_ERROR', settings(SETTINGS.ENABLE_PUSH, 1)],
  [
    'an initial window beyond the limit',
    'FLOW_CONTROL_ERROR',
    settings(SETTINGS.INITIAL_WINDOW_SIZE, 2 ** 31),
  ],
  ['a frame size below the limit', 'PROTOCOL_ERROR', settings(SETTINGS.MAX_FRAME_SIZE, 100)],
  ['a frame size beyond the limit', 'PROTOCOL_ERROR', settings(SETTINGS.MAX_FRAME_SIZE, 2 ** 24)],
  ['a ping of a wrong size', 'FRAME_SIZE_ERROR', frame(PING, 0, 0, '1234')],
  ['a ping on a stream', 'PROTOCOL_ERROR', frame(PING, 0, 1, '12345678')],
  ['a GOAWAY of a wrong size', 'FRAME_SIZE_ERROR', frame(GOAWAY, 0, 0, '1234')],
  ['a GOAWAY on a stream', 'PROTOCOL_ERROR', frame(GOAWAY, 0, 1, '12345678')],
  ['a reset of a wrong size', 'FRAME_SIZE_ERROR', frame(RST_STREAM, 0, 1, '12')],
  ['a reset without a stream', 'PROTOCOL_ERROR', frame(RST_STREAM, 0, 0, '1234')],
  ['a reset of a stream that is not open', 'PROTOCOL_ERROR', frame(RST_STREAM, 0, 5, '1234')],
  ['a window update of a wrong size', 'FRAME_SIZE_ERROR', frame(WINDOW_UPDATE, 0, 0, '12')],
  ['a window update of nothing', 'PROTOCOL_ERROR', frame(WINDOW_UPDATE, 0, 0, uint32(0))],
  [
    'a window beyond the limit',
    'FLOW_CONTROL_ERROR',
    frame(WINDOW_UPDATE, 0, 0, uint32(MAX_WINDOW)),
  ],
  [
    'an initial window that makes one overflow',
    'FLOW_CONTROL_ERROR',
    frame(WINDOW_UPDATE, 0, 1, uint32(MAX_WINDOW - 65_535)),
    settings(SETTINGS.INITIAL_WINDOW_SIZE, 65_536),
  ],
];

function head(...fields: readonly string[]): Buffer {
  return frame(HEADERS, END_HEADERS, 1, block(...fields));
}

/** What a server answers to stream 1 that ends the stream and not the connection. */
const STREAM_VIOLATIONS: readonly (readonly [string, ErrorName, ...Uint8Array[]])[] = [
  ['no status', 'PROTOCOL_ERROR', head('content-type', 'text/plain')],
  ['no headers', 'PROTOCOL_ERROR', head()],
  ['a status that is not a number', 'PROTOCOL_ERROR', head(':status', 'ok')],
  ['two statuses', 'PROTOCOL_ERROR', head(':status', '200', ':status', '200')],
  ['a pseudo-header of requests', 'PROTOCOL_ERROR', head(':status', '200', ':path', '/')],
  ['a name in upper case', 'PROTOCOL_ERROR', head(':status', '200', 'Content-Type', 'x')],
  ['an empty name', 'PROTOCOL_ERROR', head(':status', '200', '', 'x')],
  [
    'a header of HTTP/1.1 connections',
    'PROTOCOL_ERROR',
    head(':status', '200', 'connection', 'close'),
  ],
  ['a value with a line break', 'PROTOCOL_ERROR', head(':status', '200', 'x', 'a\r\nb: c')],
  [
    'a length that is not a number',
    'PROTOCOL_ERROR',
    head(':status', '200', 'content-length', '-1'),
  ],
  [
    'two lengths',
    'PROTOCOL_ERROR',
    head(':status', '200', 'content-length', '1', 'content-length', '2'),
  ],
  ['switched protocols', 'PROTOCOL_ERROR', head(':status', '101')],
  [
    'only an informational head',
    'PROTOCOL_ERROR',
    frame(HEADERS, END_HEADERS | END_STREAM, 1, block(':status', '103')),
  ],
  ['data before the head', 'PROTOCOL_ERROR', frame(DATA, 0, 1, 'x')],
  ['an end before the head', 'PROTOCOL_ERROR', frame(DATA, END_STREAM, 1)],
  [
    'a body that is longer than announced',
    'PROTOCOL_ERROR',
    head(':status', '200', 'content-length', '2'),
    frame(DATA, 0, 1, 'abc'),
  ],
  [
    'a body that is shorter than announced',
    'PROTOCOL_ERROR',
    head(':status', '200', 'content-length', '4'),
    frame(DATA, END_STREAM, 1, 'abc'),
  ],
  ['headers within the body', 'PROTOCOL_ERROR', ok, head('x', 'y')],
  [
    'a status after the body',
    'PROTOCOL_ERROR',
    ok,
    frame(HEADERS, END_HEADERS | END_STREAM, 1, STATUS_200),
  ],
  ['a window update of nothing', 'PROTOCOL_ERROR', frame(WINDOW_UPDATE, 0, 1, uint32(0))],
  [
    'a window beyond the limit',
    'FLOW_CONTROL_ERROR',
    frame(WINDOW_UPDATE, 0, 1, uint32(MAX_WINDOW)),
  ],
];

/** Sends the frames in answer to the first request. */
async function answer(connection: FrameConnection, frames: readonly Uint8Array[]): Promise<void> {
  connection.settings();
  await connection.request(1);
  connection.send(...frames);
}

function isProtocolError(error: unknown): boolean {
  return (
    error instanceof TransportError &&
    error.code === 'TRANSPORT_PROTOCOL' &&
    error.mayHaveBeenHandled &&
    error.message.includes('broke the rules of HTTP/2: ')
  );
}

describe('a server that breaks the rules', () => {
  it('loses the connection, with the reason in a GOAWAY', async () => {
    for (const [what, errorName, ...frames] of CONNECTION_VIOLATIONS) {
      await using peer = await FramePeer.start((connection) => answer(connection, frames));
      await using rig = startPool('h2', peer.port);
      await assert.rejects(rig.request().then(bodyText), isProtocolError, what);
      const [connection] = peer.connections as [FrameConnection];
      const { payload } = await connection.until(({ type }) => type === GOAWAY);
      assert.equal(payload.readUInt32BE(4), ERROR_CODES[errorName], what);
      if (!connection.socket.closed) await once(connection.socket, 'close');
    }
  });

  it('must begin with its settings', async () => {
    for (const first of [ping, frame(FRAMES.SETTINGS, FLAGS.ACK, 0)]) {
      await using peer = await FramePeer.start((connection) => connection.send(first));
      await using rig = startPool('h2', peer.port);
      await assert.rejects(rig.request(), isProtocolError);
    }
  });

  it('loses the stream, and other streams go on', async () => {
    for (const [what, errorName, ...frames] of STREAM_VIOLATIONS) {
      await using peer = await FramePeer.start((connection) => answer(connection, frames));
      await using rig = startPool('h2', peer.port);
      const reading = assert.rejects(rig.request().then(bodyText), isProtocolError, what);
      const other = rig.request();
      await reading;
      const [connection] = peer.connections as [FrameConnection];
      const { payload } = await connection.until(({ type }) => type === RST_STREAM);
      assert.equal(payload.readUInt32BE(0), ERROR_CODES[errorName], what);
      // Late frames for it are ignored.
      connection.send(frame(DATA, 0, 1, 'late'), frame(RST_STREAM, 0, 1, uint32(0)));
      connection.send(frame(HEADERS, END_HEADERS | END_STREAM, 3, STATUS_200));
      assert.equal((await other).status, 200, what);
      assert.equal(peer.connections.length, 1);
    }
  });

  it('loses the stream if it sends more than the window of a slow reader', async () => {
    const data = frame(DATA, 0, 1, Buffer.alloc(16_384, 'x'));
    const allowed = Array.from({ length: 64 }, () => data);
    await using peer = await FramePeer.start((connection) => answer(connection, [ok, ...allowed]));
    await using rig = startPool('h2', peer.port);
    const response = await rig.request();
    const [connection] = peer.connections as [FrameConnection];
    await connection.roundTrip();
    connection.send(frame(DATA, 0, 1, 'x'));
    const { payload } = await connection.until(({ type }) => type === RST_STREAM);
    assert.equal(payload.readUInt32BE(0), ERROR_CODES.FLOW_CONTROL_ERROR);
    const pieces: number[] = [];
    await assert.rejects(async () => {
      for await (const { length } of response.body) pieces.push(length);
    }, isProtocolError);
    // What came before can be read.
    assert.equal(
      pieces.reduce((sum, length) => sum + length, 0),
      1024 * 1024,
    );
  });

  it('loses the stream if it sends a body where there is none', async () => {
    const frames = [head(':status', '204'), frame(DATA, 0, 1, 'x')];
    await using peer = await FramePeer.start((connection) => answer(connection, frames));
    await using rig = startPool('h2', peer.port);
    const response = await rig.request();
    assert.deepEqual([response.status, await bodyText(response)], [204, '']);
    const [connection] = peer.connections as [FrameConnection];
    await connection.until(({ type }) => type === RST_STREAM);
  });

  it('cannot fill the memory with answers that it does not read', async () => {
    await using peer = await FramePeer.start((connection) => {
      connection.settings();
      connection.socket.pause();
      // Far more than the buffers of the operating system hold.
      const flood = Buffer.alloc(ping.length * 1000, ping);
      const more = (): void => {
        while (!connection.socket.destroyed && connection.socket.write(flood));
      };
      connection.socket.on('drain', more);
      more();
    });
    await using rig = startPool('h2', peer.port);
    await assert.rejects(rig.request(), /does not read the answers to its pings/);
    const [{ socket }] = peer.connections as [FrameConnection];
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  });
});
