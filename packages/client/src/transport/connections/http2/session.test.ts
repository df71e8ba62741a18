import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { nextTurn } from '../../../lib/next-turn.ts';
import { bodyText, startPool } from '../test-rig.ts';
import { FLAGS, FRAMES } from './frames.ts';
import { SETTINGS } from './settings.ts';
import {
  block,
  frame,
  type FrameConnection,
  FramePeer,
  STATUS_200,
  uint32,
} from './test-frame-peer.ts';
import { ERROR_CODES } from './violation.ts';

const { DATA, HEADERS, RST_STREAM, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION } = FRAMES;
const { END_HEADERS, END_STREAM, PADDED, PRIORITY } = FLAGS;

const ok = frame(HEADERS, END_HEADERS, 1, STATUS_200);
const lastOk = frame(HEADERS, END_HEADERS | END_STREAM, 1, STATUS_200);

function connectionOf(peer: FramePeer): FrameConnection {
  const [connection] = peer.connections;
  assert.ok(connection);
  return connection;
}

/** Sends settings, and the frames in answer to the first request. */
function answering(...frames: readonly Uint8Array[]): Promise<FramePeer> {
  return FramePeer.start(async (connection) => {
    connection.settings();
    await connection.request(1);
    connection.send(...frames);
  });
}

describe('an HTTP/2 session, reading', () => {
  it('reads any number of answers that end with empty data', async () => {
    const requests = 1200;
    await using peer = await FramePeer.start(async (connection) => {
      connection.settings();
      for (let id = 1; id < 2 * requests; id += 2) {
        await connection.request(id);
        connection.send(frame(HEADERS, END_HEADERS, id, STATUS_200), frame(DATA, END_STREAM, id));
      }
    });
    await using rig = startPool('h2', peer.port);
    for (let sent = 0; sent < requests; sent += 1) {
      assert.equal(await bodyText(await rig.request()), '');
    }
    assert.equal(peer.connections.length, 1);
  });

  it('skips informational heads, padding, priorities, trailers and unknown frames', async () => {
    await using peer = await answering(
      frame(HEADERS, END_HEADERS, 1, block(':status', '100')),
      frame(HEADERS, END_HEADERS, 1, block(':status', '103', 'link', '</x>')),
      frame(0xbe, 0xff, 12_345, 'an extension'),
      frame(FRAMES.PRIORITY, 0, 1, '12345'),
      frame(
        HEADERS,
        END_HEADERS | PADDED | PRIORITY,
        1,
        Buffer.concat([
          Buffer.from('\u000312345'),
          block(':status', '200', 'x', 'y'),
          Buffer.alloc(3),
        ]),
      ),
      frame(DATA, PADDED, 1, '\u0002some__'),
      frame(DATA, 0, 1),
      frame(DATA, 0, 1, ' data'),
      frame(HEADERS, END_HEADERS | END_STREAM, 1, block('grpc-status', '0')),
    );
    await using rig = startPool('h2', peer.port);
    const response = await rig.request();
    assert.equal(response.status, 200);
    assert.deepEqual({ ...response.headers }, { x: 'y' });
    assert.equal(await bodyText(response), 'some data');
  });

  it('joins the frames of a header block', async () => {
    const whole = block(':status', '200', 'one', '1', 'two', '2');
    await using peer = await answering(
      frame(HEADERS, END_STREAM, 1, whole.subarray(0, 3)),
      frame(CONTINUATION, 0, 1, whole.subarray(3, 20)),
      frame(CONTINUATION, 0, 1),
      frame(CONTINUATION, END_HEADERS, 1, whole.subarray(20)),
    );
    await using rig = startPool('h2', peer.port);
    const { headers } = await rig.request();
    assert.deepEqual({ ...headers }, { one: '1', two: '2' });
  });

  it('decodes the headers of streams that it has left', async () => {
    await using peer = await FramePeer.start((connection) => connection.settings());
    await using rig = startPool('h2', peer.port);
    const controller = new AbortController();
    const left = assert.rejects(rig.request({ signal: controller.signal }), /enough/);
    const other = rig.request();
    while (peer.connections.length === 0) await nextTurn();
    const connection = connectionOf(peer);
    await connection.request(3);
    controller.abort(new Error('enough'));
    await left;
    const { payload } = await connection.until(({ type }) => type === RST_STREAM);
    assert.equal(payload.readUInt32BE(0), ERROR_CODES.CANCEL);
    // The first response puts a field into the table, and the second one refers to it.
    const added = Buffer.concat([Buffer.from([0x88, 0x40]), block('x', 'added').subarray(1)]);
    connection.send(frame(HEADERS, END_HEADERS, 1, added), frame(DATA, 0, 1, 'late'));
    connection.send(frame(HEADERS, END_HEADERS | END_STREAM, 3, Buffer.from([0x88, 0xbe])));
    assert.equal((await other).headers['x'], 'added');
  });

  it('confirms settings and answers pings', async () => {
    await using peer = await answering();
    await using rig = startPool('h2', peer.port);
    const pending = rig.request();
    while (peer.connections.length === 0) await nextTurn();
    const connection = connectionOf(peer);
    connection.send(frame(PING, 0, 0, 'question'));
    await connection.until(({ type, flags }) => type === FRAMES.SETTINGS && flags === FLAGS.ACK);
    const { payload } = await connection.until(
      ({ type, flags }) => type === PING && flags === FLAGS.ACK,
    );
    assert.equal(payload.toString(), 'question');
    connection.send(lastOk);
    await pending;
  });

  it('returns the window of a stream as it is read, in few frames', async () => {
    const data = Array.from({ length: 48 }, () => frame(DATA, 0, 1, Buffer.alloc(16_384)));
    await using peer = await answering(ok, ...data);
    await using rig = startPool('h2', peer.port);
    const { body } = await rig.request();
    const connection = connectionOf(peer);
    await connection.roundTrip();
    const updates = (): number[] =>
      connection.frames
        .filter(({ type, streamId }) => type === WINDOW_UPDATE && streamId === 1)
        .map(({ payload }) => payload.readUInt32BE(0));
    assert.deepEqual(updates(), []);
    const chunks = body[Symbol.asyncIterator]();
    for (let read = 0; read < 48 * 16_384; read += (await chunks.next()).value.length);
    await connection.roundTrip();
    assert.equal(updates().length, 1);
    assert.ok((updates()[0] ?? 0) >= 512 * 1024);
    await chunks.return?.();
  });

  it('takes a response as whole whose rest the server resets', async () => {
    const first = frame(HEADERS, END_HEADERS, 1, block(':status', '200', 'content-length', '4'));
    const reset = frame(RST_STREAM, 0, 1, uint32(ERROR_CODES.NO_ERROR));
    await using peer = await answering(first, frame(DATA, 0, 1, 'body'), reset);
    await using rig = startPool('h2', peer.port);
    assert.equal(await bodyText(await rig.request()), 'body');
  });

  it('names what a GOAWAY said when the connection closes after it', async () => {
    const said = Buffer.concat([
      uint32(1),
      uint32(ERROR_CODES.INTERNAL_ERROR),
      Buffer.from('no disk'),
    ]);
    await using peer = await answering(ok, frame(GOAWAY, 0, 0, said));
    await using rig = startPool('h2', peer.port);
    const response = await rig.request();
    const connection = connectionOf(peer);
    await connection.until(({ type }) => type === GOAWAY);
    connection.socket.destroy();
    await assert.rejects(bodyText(response), (error: Error) => {
      assert.match(String(error.cause), /ended the session with INTERNAL_ERROR: "no disk"/);
      return 'code' in error && error.code === 'TRANSPORT_CONNECTION_RESET';
    });
  });
});

describe('an HTTP/2 session, sending', () => {
  it('answers a ping while much of a request waits to be sent', async () => {
    const size = 32 * 1024 * 1024;
    await using peer = await FramePeer.start(async (connection) => {
      connection.settings([SETTINGS.INITIAL_WINDOW_SIZE, 2 ** 31 - 1]);
      connection.send(frame(WINDOW_UPDATE, 0, 0, uint32(size)));
      await connection.request(1);
      connection.socket.pause();
      connection.send(frame(PING, 0, 0, 'answer!!'));
      connection.socket.resume();
      await connection.until(({ type, payload }) => type === PING && payload.includes('answer!!'));
      connection.send(lastOk);
    });
    await using rig = startPool('h2', peer.port);
    const response = await rig.request({ method: 'POST', body: Buffer.alloc(size) });
    assert.equal(response.status, 200);
  });

  /** The lengths of the DATA frames of a stream, and whether the last one ends it. */
  function sent({ frames }: FrameConnection, stream: number): (number | 'end')[] {
    const data = frames.filter(({ type, streamId }) => type === DATA && streamId === stream);
    const isOver = ((data.at(-1)?.flags ?? 0) & END_STREAM) !== 0;
    return [...data.map(({ payload }) => payload.length), ...(isOver ? ['end' as const] : [])];
  }

  it('divides a body by frame size and windows, and goes on as they grow', async () => {
    await using peer = await FramePeer.start((connection) => {
      connection.settings([SETTINGS.INITIAL_WINDOW_SIZE, 100]);
    });
    await using rig = startPool('h2', peer.port);
    // The first request learns the settings.
    const first = rig.request();
    while (peer.connections.length === 0) await nextTurn();
    const connection = connectionOf(peer);
    await connection.request(1);
    await connection.roundTrip();
    const body = Buffer.alloc(70_000, 'x');
    const answer = rig.request({ method: 'POST', body });
    await connection.request(3);
    await connection.roundTrip();
    assert.deepEqual(sent(connection, 3), [100]);
    connection.send(frame(WINDOW_UPDATE, 0, 3, uint32(20_000)));
    await connection.roundTrip();
    assert.deepEqual(sent(connection, 3), [100, 16_384, 3616]);
    // A smaller initial window makes this one negative, so that the next update is not enough.
    connection.settings([SETTINGS.INITIAL_WINDOW_SIZE, 50]);
    connection.send(frame(WINDOW_UPDATE, 0, 3, uint32(40)));
    await connection.roundTrip();
    assert.deepEqual(sent(connection, 3), [100, 16_384, 3616]);
    connection.settings([SETTINGS.MAX_FRAME_SIZE, 20_000]);
    connection.send(frame(WINDOW_UPDATE, 0, 3, uint32(60_000)));
    await connection.roundTrip();
    // The window of the session is the limit now: 65,535 in all.
    assert.deepEqual(sent(connection, 3), [100, 16_384, 3616, 20_000, 20_000, 5435]);
    connection.send(frame(WINDOW_UPDATE, 0, 0, uint32(100_000)));
    await connection.roundTrip();
    assert.deepEqual(sent(connection, 3).slice(-2), [4465, 'end']);
    connection.send(lastOk, frame(HEADERS, END_HEADERS | END_STREAM, 3, STATUS_200));
    await Promise.all([first, answer]);
  });

  it('shares the window of the session between bodies, in order', async () => {
    await using peer = await FramePeer.start((connection) => {
      connection.settings([SETTINGS.INITIAL_WINDOW_SIZE, 1_000_000]);
    });
    await using rig = startPool('h2', peer.port);
    const body = Buffer.alloc(50_000);
    const answers = [rig.request({ method: 'PUT', body }), rig.request({ method: 'PUT', body })];
    while (peer.connections.length === 0) await nextTurn();
    const connection = connectionOf(peer);
    await connection.request(3);
    await connection.roundTrip();
    assert.equal(sent(connection, 1).at(-1), 'end');
    assert.deepEqual(sent(connection, 3), [15_535]);
    connection.send(frame(WINDOW_UPDATE, 0, 0, uint32(34_465)));
    await connection.roundTrip();
    assert.equal(sent(connection, 3).at(-1), 'end');
    connection.send(lastOk, frame(HEADERS, END_HEADERS | END_STREAM, 3, STATUS_200));
    await Promise.all(answers);
  });

  it('stops an upload that the server answers before its end', async () => {
    await using peer = await answering(
      frame(HEADERS, END_HEADERS, 1, block(':status', '413')),
      frame(DATA, END_STREAM, 1, 'too large'),
      frame(RST_STREAM, 0, 1, uint32(ERROR_CODES.NO_ERROR)),
    );
    await using rig = startPool('h2', peer.port);
    const response = await rig.request({ method: 'POST', body: Buffer.alloc(100_000) });
    assert.deepEqual([response.status, await bodyText(response)], [413, 'too large']);
    const connection = connectionOf(peer);
    const { payload } = await connection.until(({ type }) => type === RST_STREAM);
    assert.equal(payload.readUInt32BE(0), ERROR_CODES.NO_ERROR);
    connection.send(frame(WINDOW_UPDATE, 0, 0, uint32(100_000)));
    await connection.roundTrip();
    assert.notEqual(sent(connection, 1).at(-1), 'end');
  });

  it('ends a request without a body in its head, also if the body is empty', async () => {
    await using peer = await answering(lastOk);
    await using rig = startPool('h2', peer.port);
    await rig.request({ method: 'POST', body: Buffer.alloc(0) });
    const connection = connectionOf(peer);
    const { flags } = await connection.until(({ type }) => type === HEADERS);
    assert.equal(flags, END_HEADERS | END_STREAM);
    assert.deepEqual(connection.requests.get(1)?.slice(-2), ['content-length', '0']);
  });

  it('divides headers that are larger than a frame', async () => {
    await using peer = await answering(lastOk);
    await using rig = startPool('h2', peer.port);
    const token = 'x'.repeat(40_000);
    await rig.request({ headers: { authorization: `Bearer ${token}` } });
    const { frames } = connectionOf(peer);
    const from = frames.findIndex(({ type }) => type === HEADERS);
    const parts = frames.slice(from, from + 3);
    assert.deepEqual(
      parts.map(({ type, flags }) => [type, flags]),
      [
        [HEADERS, END_STREAM],
        [CONTINUATION, 0],
        [CONTINUATION, END_HEADERS],
      ],
    );
    assert.ok(Buffer.concat(parts.map(({ payload }) => payload)).includes(token));
  });

  it('refuses headers beyond the limit of the server, and method names that are none', async () => {
    await using peer = await FramePeer.start(async (connection) => {
      connection.settings([SETTINGS.MAX_HEADER_LIST_SIZE, 1000]);
      await connection.request(1);
      connection.send(lastOk);
      await connection.request(3);
      connection.send(frame(HEADERS, END_HEADERS | END_STREAM, 3, STATUS_200));
    });
    await using rig = startPool('h2', peer.port);
    await rig.request();
    const headers = { 'x-large': 'x'.repeat(1000) };
    await assert.rejects(rig.request({ headers }), {
      code: 'TRANSPORT_REQUEST_INVALID',
      message: /the headers have 1\d\d\d bytes, and the server accepts 1000/,
    });
    await assert.rejects(rig.request({ method: 'G T' }), { code: 'TRANSPORT_REQUEST_INVALID' });
    // Neither has used up a stream.
    await rig.request();
  });

  it('uses the header table of the server as it allows', async () => {
    await using peer = await FramePeer.start(async (connection) => {
      connection.settings([SETTINGS.HEADER_TABLE_SIZE, 0]);
      for (const stream of [1, 3, 5]) {
        await connection.request(stream);
        connection.send(frame(HEADERS, END_HEADERS | END_STREAM, stream, STATUS_200));
      }
    });
    await using rig = startPool('h2', peer.port);
    const headers = { accept: 'application/json' };
    for (let round = 0; round < 3; round += 1) await rig.request({ headers });
    const { requests, frames } = connectionOf(peer);
    assert.deepEqual([...requests.keys()], [1, 3, 5]);
    for (const fields of requests.values()) assert.equal(fields.at(-1), 'application/json');
    const sizes = frames
      .filter(({ type }) => type === HEADERS)
      .map(({ payload }) => payload.length);
    assert.ok(
      (sizes[2] ?? 0) > 25,
      `${sizes.join()}: without the table, everything is written out`,
    );
  });

  it('opens no stream on a connection after its GOAWAY', async () => {
    await using peer = await FramePeer.start(async (connection) => {
      connection.settings();
      await connection.request(1);
      if (peer.connections.length === 1) {
        connection.send(frame(GOAWAY, 0, 0, Buffer.alloc(8)));
      } else connection.send(lastOk);
    });
    await using rig = startPool('h2', peer.port);
    await assert.rejects(rig.request(), {
      code: 'TRANSPORT_STREAM_REFUSED',
      mayHaveBeenHandled: false,
    });
    assert.equal((await rig.request()).status, 200);
    assert.equal(peer.connections.length, 2);
  });

  // After frames and an end right before the close, processes that also ran the server did not exit.
  it('writes nothing when it is destroyed', async () => {
    await using peer = await answering(ok);
    const rig = startPool('h2', peer.port);
    await rig.request({ stream: true });
    await rig[Symbol.asyncDispose]();
    const { frames, socket } = connectionOf(peer);
    if (!socket.closed) await once(socket, 'close');
    const types = frames.map(({ type }) => type);
    assert.ok(types.includes(HEADERS));
    assert.ok(!types.includes(GOAWAY) && !types.includes(RST_STREAM));
  });
});
