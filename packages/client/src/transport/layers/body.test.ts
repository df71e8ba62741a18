import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { Deferred } from '../../lib/deferred.ts';
import { ResponseBody } from '../connections/response-body.ts';
import { discard, observeBody } from './body.ts';
import { response, textOf } from './test-next.ts';

describe('discard', () => {
  it('reads a short body to its end, so that its connection is free', async () => {
    const short = response(503, {}, ['try', ' later']);
    await discard(short);
    assert.deepEqual(short.fate, { isRead: true, isLeft: false });
  });

  it('leaves a long one', async () => {
    const chunks = Array.from({ length: 10 }, () => 'x'.repeat(10_000));
    const long = response(503, {}, chunks);
    await discard(long);
    assert.deepEqual(long.fate, { isRead: false, isLeft: true });
  });

  it('cancels a body that does not end in time', async () => {
    const enough = new Deferred();
    let isLeft = false;
    const discarded = discard(
      {
        ...response(503),
        body: {
          [Symbol.asyncIterator]: () => ({
            next: () => new Promise<never>(() => undefined),
            return: async () => {
              isLeft = true;
              return { done: true as const, value: undefined };
            },
          }),
        },
      },
      enough.promise,
    );
    enough.resolve();
    await discarded;
    assert.ok(isLeft);
  });

  it('ignores a body that fails', async () => {
    const broken = (async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('x');
      throw new Error('broken');
    })();
    await assert.doesNotReject(discard({ ...response(503), body: broken }));
  });
});

describe('observeBody', () => {
  it('reports its end once, and can translate errors', async () => {
    let ends = 0;
    const over = (): void => void (ends += 1);
    assert.equal(await textOf(observeBody(response(200, {}, ['a', 'b']), { over })), 'ab');
    assert.equal(ends, 1);
    const left = response(200, {}, ['a', 'b']);
    for await (const _ of observeBody(left, { over }).body) break;
    assert.equal(ends, 2);
    assert.ok(left.fate.isLeft);
    const broken = (async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('x');
      throw new Error('broken');
    })();
    const translate = (error: unknown): unknown => new Error(`translated: ${String(error)}`);
    const observed = observeBody({ ...response(200), body: broken }, { over, translate });
    await assert.rejects(textOf(observed), /translated: Error: broken/);
    assert.equal(ends, 3);
  });

  it('passes on that memory may be used again', () => {
    let isUsedAgain = false;
    const source = { read: () => null, reuse: () => void (isUsedAgain = true) };
    const body = new ResponseBody(source, 0, () => undefined);
    const observed = observeBody({ ...response(200), body }, { over: () => undefined });
    (observed.body as ResponseBody).reuse();
    assert.ok(isUsedAgain);
  });

  it('sees what is read without a promise', async () => {
    const waiting = [Buffer.from('one'), Buffer.from('two')];
    const source = { read: () => waiting.shift() ?? null };
    const body = new ResponseBody(source, 6, () => undefined);
    const seen: string[] = [];
    const observed = observeBody(
      { ...response(200), body },
      { chunk: (chunk) => seen.push(Buffer.from(chunk).toString()), over: (how) => seen.push(how) },
    );
    const reader: AsyncIterator<Uint8Array> & Partial<ResponseBody> =
      observed.body[Symbol.asyncIterator]();
    assert.deepEqual([reader.ready?.(), reader.ready?.()].map(String), ['one', 'two']);
    assert.equal(reader.ready?.(), undefined);
    const arrival = reader.arrival?.();
    body.finish({});
    await arrival;
    assert.equal(reader.arrival?.(), undefined);
    assert.deepEqual(seen, ['one', 'two']);
    assert.deepEqual(await reader.next(), { done: true, value: undefined });
    assert.deepEqual(seen, ['one', 'two', 'read']);
  });
});
