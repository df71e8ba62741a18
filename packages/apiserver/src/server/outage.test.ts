import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred, nextTurn } from 'client-ts/internal';

import { type ApiRequest, type ApiResponse, ConnectionResetError, type Handler } from '../http.ts';
import { Outage } from './outage.ts';

function request(signal: AbortSignal = new AbortController().signal): ApiRequest {
  const body = (): Promise<Uint8Array> => Promise.resolve(new Uint8Array());
  return { method: 'GET', url: '/', headers: {}, peer: {}, signal, body };
}

function answer(body?: ApiResponse['body']): ApiResponse {
  return { status: 200, headers: {}, ...(body && { body }) };
}

/** Streams `a` and then waits, like a watch, until the request is aborted. */
function endless(log: string[]): Handler {
  return async ({ signal }) =>
    answer(
      (async function* frames() {
        try {
          yield Buffer.from('a');
          await new Promise<void>((resolve) => {
            signal.addEventListener('abort', () => resolve(), { once: true });
          });
        } finally {
          log.push('freed');
        }
      })(),
    );
}

function chunksOf({ body }: ApiResponse): AsyncIterator<Uint8Array> {
  assert.ok(body !== undefined && Symbol.asyncIterator in body);
  return body[Symbol.asyncIterator]();
}

describe('Outage', () => {
  it('passes requests through before it begins', async () => {
    const outage = new Outage();
    const handler = outage.wrap(async () => answer(Buffer.from('x')));
    assert.deepEqual(await handler(request()), answer(Buffer.from('x')));
    outage.end();
    assert.equal((await handler(request())).status, 200);
  });

  it('drops requests until it ends', async () => {
    const outage = new Outage();
    let calls = 0;
    const handler = outage.wrap(async () => {
      calls += 1;
      return answer();
    });
    outage.begin();
    outage.begin();
    await assert.rejects(handler(request()), ConnectionResetError);
    assert.equal(calls, 0);
    outage.end();
    assert.equal((await handler(request())).status, 200);
  });

  it('drops requests in flight', async () => {
    const outage = new Outage();
    const late = new Deferred<ApiResponse>();
    const answering = outage.wrap(() => late.promise)(request());
    outage.begin();
    await assert.rejects(answering, ConnectionResetError);
    late.resolve(answer());
  });

  it('drops streams and releases their sources', async () => {
    const outage = new Outage();
    const log: string[] = [];
    const chunks = chunksOf(await outage.wrap(endless(log))(request()));
    assert.equal(String((await chunks.next()).value), 'a');
    const next = chunks.next();
    outage.begin();
    await assert.rejects(next, ConnectionResetError);
    await nextTurn();
    assert.deepEqual(log, ['freed']);
  });

  it("leaves disconnects to the client and the handler's signal", async () => {
    const outage = new Outage();
    const log: string[] = [];
    const handler = outage.wrap(endless(log));
    const abort = new AbortController();
    const chunks = chunksOf(await handler(request(abort.signal)));
    await chunks.next();
    const next = chunks.next();
    abort.abort();
    assert.equal((await next).done, true);
    assert.deepEqual(log, ['freed']);

    const others = chunksOf(await handler(request()));
    await others.next();
    await others.return?.();
    assert.deepEqual(log, ['freed', 'freed']);
  });

  it('passes on other failures', async () => {
    const outage = new Outage();
    const failing = outage.wrap(() => Promise.reject(new Error('own fault')));
    await assert.rejects(failing(request()), /own fault/);
  });

  it('accumulates no listeners on the outage signal', async () => {
    const outage = new Outage();
    const signals: AbortSignal[] = [];
    const handler = outage.wrap(async ({ signal }) => {
      signals.push(signal);
      return answer();
    });
    await handler(request());
    outage.begin();
    assert.equal(signals[0]?.aborted, false);
  });
});
