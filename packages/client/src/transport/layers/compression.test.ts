import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { constants, createGzip, gzipSync } from 'node:zlib';

import { Deferred } from '../../lib/deferred.ts';
import { TransportError } from '../transport-error.ts';
import type { TransportResponse } from '../transport.ts';
import { compression } from './compression.ts';
import { get, response, script, textOf } from './test-next.ts';

function zipped(body: AsyncIterable<Uint8Array>): TransportResponse {
  const headers = {
    'content-encoding': 'gzip',
    'content-length': '9',
    'content-type': 'text/plain',
  };
  return { status: 200, headers, body };
}

async function* chunks(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

describe('compression', () => {
  it('requests gzip, decompresses it, and removes its headers', async () => {
    const content = 'hello, '.repeat(10_000);
    const packed = gzipSync(content);
    const { next, requests } = script(
      zipped(chunks(packed.subarray(0, 10), packed.subarray(10, 50), packed.subarray(50))),
    );
    const answer = await compression(get, next);
    assert.equal(requests[0]?.headers['accept-encoding'], 'gzip');
    assert.deepEqual(answer.headers, { 'content-type': 'text/plain' });
    assert.equal(await textOf(answer), content);
  });

  it('leaves uncompressed responses unchanged, and requests with their own accept-encoding', async () => {
    const plain = response(200, { 'content-length': '5' }, ['hello']);
    assert.equal(await compression(get, script(plain).next), plain);
    const packed = zipped(chunks(gzipSync('hello')));
    const { next, requests } = script(packed);
    const request = { ...get, headers: { 'accept-encoding': 'identity' } };
    assert.equal(await compression(request, next), packed);
    assert.equal(requests[0], request);
  });

  it('yields what a stream has flushed without waiting for its end', async () => {
    const gzip = createGzip();
    const answer = await compression({ ...get, stream: true }, script(zipped(gzip)).next);
    const events = answer.body[Symbol.asyncIterator]();
    for (const event of ['first event\n', 'second event\n']) {
      gzip.write(event);
      gzip.flush(constants.Z_SYNC_FLUSH);
      const { value } = (await events.next()) as { value: Uint8Array };
      assert.equal(Buffer.from(value).toString(), event);
    }
    await events.return?.();
    if (!gzip.closed) await once(gzip, 'close');
  });

  it('leaves the packed body when the consumer leaves', async () => {
    const left = new Deferred();
    const packed = gzipSync(Buffer.alloc(10_000_000, 'x'));
    const answer = await compression(
      get,
      script(
        zipped(
          (async function* () {
            try {
              for (let at = 0; ; at += 100) yield packed.subarray(at, at + 100);
            } finally {
              left.resolve();
            }
          })(),
        ),
      ).next,
    );
    for await (const _ of answer.body) break;
    await assert.doesNotReject(left.promise);
  });

  it('passes on why the packed body broke', async () => {
    const lost = new TransportError('TRANSPORT_CONNECTION_RESET', 'lost');
    const answer = await compression(
      get,
      script(
        zipped(
          (async function* () {
            yield gzipSync('hello').subarray(0, 12);
            throw lost;
          })(),
        ),
      ).next,
    );
    await assert.rejects(textOf(answer), lost);
  });

  it('reports invalid and truncated gzip', async () => {
    for (const body of [Buffer.from('hello'), gzipSync('hello').subarray(0, 15)]) {
      const answer = await compression(get, script(zipped(chunks(body))).next);
      await assert.rejects(textOf(answer), { code: 'TRANSPORT_PROTOCOL' });
    }
  });
});
