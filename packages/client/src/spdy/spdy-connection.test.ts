import assert from 'node:assert/strict';
import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { constants, createDeflate } from 'node:zlib';

import fc from 'fast-check';

import { CONTROL, controlFrame, words } from './frames.ts';
import { DICTIONARY, HeaderDecoder, HeaderEncoder } from './headers.ts';
import { SpdyConnection, type SpdyConnectionOptions } from './spdy-connection.ts';
import type { SpdyStream } from './spdy-stream.ts';

function connect(onStream: NonNullable<SpdyConnectionOptions['onStream']>): {
  readonly client: SpdyConnection;
  readonly server: SpdyConnection;
} {
  const [left, right] = duplexPair();
  const server = new SpdyConnection(right, { role: 'server', onStream, maxStreams: 3 });
  return { client: new SpdyConnection(left, { role: 'client' }), server };
}

const echo = (stream: SpdyStream): void => void stream.pipe(stream);

describe('SpdyConnection', () => {
  it('carries several streams in both directions, and closes each direction alone', async () => {
    const names: unknown[] = [];
    const { client, server } = connect((stream) => {
      names.push(stream.headers['name']);
      echo(stream);
    });
    const one = client.open({ Name: 'one' });
    const two = client.open({ name: 'two' });
    await Promise.all([one.accepted, two.accepted]);
    one.end('first');
    two.write('sec');
    assert.equal(await text(one), 'first');
    two.end('ond');
    assert.equal(await text(two), 'second');
    assert.deepEqual(names, ['one', 'two']);
    await client.ping();
    await server.ping();
    client.close();
    await Promise.all([client.closed, server.closed]);
  });

  it('carries large data without keeping it in memory', async () => {
    const { client } = connect(echo);
    const stream = client.open({});
    const data = Buffer.alloc(3_000_000, 'abcdefg');
    stream.end(data);
    assert.ok((await buffer(stream)).equals(data));
    client.close();
  });

  it('stops the other side while a stream is not read', async () => {
    let accepted: SpdyStream | undefined;
    const { client, server } = connect((stream) => (accepted = stream));
    const stream = client.open({});
    await stream.accepted;
    const sink = accepted as SpdyStream;
    let written = 0;
    while (stream.write(Buffer.alloc(64 * 1024))) written += 1;
    assert.ok(written < 100);
    sink.resume();
    await once(stream, 'drain');
    server.close();
    await client.closed;
  });

  it('fails a stream that the other side resets or refuses, and no other', async () => {
    const { client } = connect((stream) => {
      if (stream.headers['name'] === 'bad') throw new Error('no');
      if (stream.headers['name'] === 'reset') stream.destroy();
      else echo(stream);
    });
    const bad = client.open({ name: 'bad' });
    const reset = client.open({ name: 'reset' });
    const good = client.open({ name: 'good' });
    const failures = await Promise.all([once(bad, 'error'), once(reset, 'error')]);
    for (const [error] of failures as Error[][])
      assert.match(error?.message ?? '', /has reset the/);
    good.end('still here');
    assert.equal(await text(good), 'still here');
    client.close();
  });

  it('refuses more streams than it allows', async () => {
    const { client } = connect(() => undefined);
    const streams = [1, 2, 3, 4].map(() => client.open({}));
    const refused = once(streams[3] as SpdyStream, 'error');
    await assert.rejects((streams[3] as SpdyStream).accepted, /reset/);
    await refused;
    client.close();
  });

  it('keeps what was received completely readable after the connection has ended', async () => {
    const { client, server } = connect((stream) => void stream.end('last words'));
    const stream = client.open({});
    await stream.accepted;
    await server.ping();
    server.close();
    await client.closed;
    assert.equal(await text(stream), 'last words');
  });

  it('ends every stream with the connection', async () => {
    const { client, server } = connect(() => undefined);
    const stream = client.open({});
    await stream.accepted;
    server.close();
    const [error] = (await once(stream, 'error')) as [Error];
    assert.match(error.message, /connection/);
    assert.throws(() => client.open({}), /closed/);
  });

  it('survives arbitrary bytes', async () => {
    const block = fc.uint8Array({ maxLength: 40 });
    const type = fc.integer({ min: 0, max: 12 });
    const frame = fc.oneof(
      block.map((bytes) => Buffer.from(bytes)),
      fc.tuple(type, block).map(([kind, bytes]) => controlFrame(kind, 1, Buffer.from(bytes))),
      fc.nat({ max: 9 }).map((id) => syn(id)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { maxLength: 8 }), async (frames) => {
        const [left, right] = duplexPair();
        const server = new SpdyConnection(right, { role: 'server', onStream: echo });
        left.on('error', () => undefined);
        left.resume();
        for (const bytes of frames) left.write(bytes);
        left.end();
        await server.closed;
      }),
      { numRuns: 300 },
    );
  });
});

function syn(id: number): Buffer {
  const headers = new HeaderEncoder().encode({ port: '80' });
  return controlFrame(CONTROL.synStream, 0, words(id, 0), Buffer.alloc(2), headers);
}

describe('HeaderDecoder', () => {
  it('reads what a compressing peer writes, block after block', async () => {
    const deflate = createDeflate({ dictionary: DICTIONARY, flush: constants.Z_SYNC_FLUSH });
    const decoder = new HeaderDecoder();
    for (const headers of [{ port: '80', streamtype: 'data' }, { requestid: '7' }, {}]) {
      const plain = new HeaderEncoder().encode(headers);
      // Without the zlib header, the stored block and the flush: the plain name-value block.
      const pairs = plain.subarray(6 + 5, -5);
      await new Promise<void>((resolve) => void deflate.write(pairs, () => resolve()));
      assert.deepEqual(await decoder.decode(deflate.read() as Buffer), headers);
    }
    decoder.close();
  });

  it('refuses a block that is too large, too short or not compressed', async () => {
    const huge = new HeaderEncoder().encode({ name: 'x'.repeat(100_000) });
    await assert.rejects(new HeaderDecoder().decode(huge), /more than 65536 bytes/);
    await assert.rejects(
      new HeaderDecoder().decode(Buffer.from('hello')),
      /cannot be decompressed/,
    );
    const short = new HeaderEncoder().encode({});
    await assert.rejects(new HeaderDecoder().decode(short.subarray(0, 6)), /too short/);
  });
});
