import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';

import type { Transport, TransportRequest, TransportResponse } from 'client-ts/transport';

import { type ApiRequest, BodyTooLargeError, ConnectionResetError, type Handler } from '../http.ts';
import { memoryTransport } from './memory.ts';

const answer = (body: Awaited<ReturnType<Handler>>['body']): Awaited<ReturnType<Handler>> => ({
  status: 200,
  headers: { 'content-type': 'text/plain' },
  ...(body !== undefined && { body }),
});

function get(
  transport: Transport,
  request: Partial<TransportRequest> = {},
): Promise<TransportResponse> {
  return transport.request({ method: 'GET', path: '/', headers: {}, ...request });
}

/** A stream that counts its chunks and records when it was left. */
function countingStream(): {
  body: AsyncIterable<Uint8Array>;
  pulled: () => number;
  left: Promise<void>;
} {
  let pulled = 0;
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const body = (async function* () {
    try {
      for (;;) {
        pulled += 1;
        yield Buffer.from(`${pulled};`);
      }
    } finally {
      leave();
    }
  })();
  return { body, pulled: () => pulled, left };
}

describe('memoryTransport', () => {
  it('passes the request to the handler and the response back', async () => {
    const seen: ApiRequest[] = [];
    const transport = memoryTransport(async (request) => {
      seen.push(request);
      return answer(await request.body());
    });
    const response = await get(transport, {
      method: 'POST',
      path: '/api/v1/pods?x=1',
      headers: { 'x-many': ['a', 'b'] },
      body: Buffer.from('hello'),
    });
    assert.equal(response.status, 200);
    assert.deepEqual(response.headers, { 'content-type': 'text/plain' });
    assert.equal(await text(response.body), 'hello');
    const [request] = seen;
    assert.deepEqual(
      [request?.method, request?.url, request?.headers, request?.peer],
      ['POST', '/api/v1/pods?x=1', { 'x-many': ['a', 'b'] }, {}],
    );
    assert.equal(request?.signal.aborted, false);
  });

  it('sends its token and certificate, unless the request has its own token', async () => {
    const certificate = { commonName: 'jane', organizations: [] };
    const transport = memoryTransport(
      async ({ headers, peer }) =>
        answer(Buffer.from(JSON.stringify([headers['authorization'], peer.certificate]))),
      { token: 't', certificate },
    );
    assert.deepEqual(JSON.parse(await text((await get(transport)).body)), [
      'Bearer t',
      certificate,
    ]);
    const own = await get(transport, { headers: { authorization: 'Bearer own' } });
    assert.deepEqual(JSON.parse(await text(own.body)), ['Bearer own', certificate]);
  });

  it('has the body limit of the network', async () => {
    const transport = memoryTransport(
      async ({ body }) => {
        await assert.rejects(body(), BodyTooLargeError);
        return { status: 413, headers: {} };
      },
      { bodyLimit: 3 },
    );
    assert.equal((await get(transport, { method: 'POST', body: Buffer.alloc(4) })).status, 413);
  });

  it('pulls a stream only when the client reads', async () => {
    const { body, pulled, left } = countingStream();
    const transport = memoryTransport(async () => answer(body));
    const response = await get(transport);
    assert.equal(pulled(), 0);
    const chunks = response.body[Symbol.asyncIterator]();
    await chunks.next();
    await chunks.next();
    assert.equal(pulled(), 2);
    await chunks.return?.();
    await left;
    assert.equal((await chunks.next()).done, true);
  });

  it('releases the stream and notifies the handler when the client leaves the loop', async () => {
    const { body, left } = countingStream();
    let signal: AbortSignal | undefined;
    const transport = memoryTransport(async (request) => {
      ({ signal } = request);
      return answer(body);
    });
    for await (const chunk of (await get(transport)).body) {
      assert.equal(Buffer.from(chunk).toString(), '1;');
      break;
    }
    await left;
    assert.equal(signal?.aborted, true);
  });

  it('rejects with the reason of an abort: before, during, and while reading', async () => {
    const reason = new Error('enough');
    const before = AbortSignal.abort(reason);
    const idle = memoryTransport(async ({ signal }) => {
      if (!signal.aborted) await once(signal, 'abort');
      return answer(undefined);
    });
    await assert.rejects(get(idle, { signal: before }), reason);

    const during = new AbortController();
    const asked = get(idle, { signal: during.signal });
    during.abort(reason);
    await assert.rejects(asked, reason);

    const { body, left } = countingStream();
    const reading = new AbortController();
    const response = await get(
      memoryTransport(async () => answer(body)),
      { signal: reading.signal },
    );
    const chunks = response.body[Symbol.asyncIterator]();
    await chunks.next();
    reading.abort(reason);
    await left;
    await assert.rejects(chunks.next(), reason);
    assert.equal((await chunks.next()).done, true);
  });

  it('interrupts a pending read, even if the stream does not react', async () => {
    const stuck = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }),
    };
    const abort = new AbortController();
    const response = await get(
      memoryTransport(async () => answer(stuck)),
      { signal: abort.signal },
    );
    const read = response.body[Symbol.asyncIterator]().next();
    abort.abort(new Error('enough'));
    await assert.rejects(read, /enough/);
  });

  it('releases the stream of a late response', async () => {
    const { body, left } = countingStream();
    let respond = (): void => undefined;
    const transport = memoryTransport(async () => {
      await new Promise<void>((resolve) => {
        respond = resolve;
      });
      const iterator = body[Symbol.asyncIterator]();
      await iterator.next();
      return answer({ [Symbol.asyncIterator]: () => iterator });
    });
    const abort = new AbortController();
    const asked = get(transport, { signal: abort.signal });
    abort.abort(new Error('enough'));
    await assert.rejects(asked, /enough/);
    respond();
    await left;
  });

  it('reports a dropped connection as ECONNRESET, before and during a response', async () => {
    const before = memoryTransport(async () => {
      throw new ConnectionResetError();
    });
    await assert.rejects(get(before), { code: 'ECONNRESET' });
    const middle = memoryTransport(async () =>
      answer(
        (async function* () {
          yield Buffer.from('a');
          throw new ConnectionResetError();
        })(),
      ),
    );
    const chunks = (await get(middle)).body[Symbol.asyncIterator]();
    assert.equal((await chunks.next()).done, false);
    await assert.rejects(chunks.next(), { code: 'ECONNRESET' });
  });

  it('ends requests in flight when disposed', async () => {
    const { body, left } = countingStream();
    const transport = memoryTransport(async () => answer(body));
    const chunks = (await get(transport)).body[Symbol.asyncIterator]();
    await chunks.next();
    await transport[Symbol.asyncDispose]();
    await left;
    await assert.rejects(chunks.next(), /the transport is closed/);
    await assert.rejects(get(transport), /the transport is closed/);
  });

  it("leaves no listener on the client's signal", async () => {
    const transport = memoryTransport(async () => answer(Buffer.from('x')));
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    await text((await get(transport, { signal })).body);
    assert.equal(listeners, 0);
  });

  it('sends no body for HEAD', async () => {
    const transport = memoryTransport(async () => answer(Buffer.from('x')));
    assert.equal(await text((await get(transport, { method: 'HEAD' })).body), '');
  });

  it('releases the stream of a response to HEAD', async () => {
    let isReleased = false;
    const chunks = {
      next: () => assert.fail('is not read'),
      return: async () => {
        isReleased = true;
        return { done: true, value: undefined } as const;
      },
    };
    const transport = memoryTransport(async () => answer({ [Symbol.asyncIterator]: () => chunks }));
    await get(transport, { method: 'HEAD' });
    assert.ok(isReleased);
  });
});
