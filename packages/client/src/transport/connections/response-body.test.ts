import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';

import { nextTurn } from '../../lib/next-turn.ts';
import { type IsEnough, ReadableSource, ResponseBody } from './response-body.ts';

/** A body whose pieces have arrived, in a stream that hands them out one by one, as new ones do. */
function arrived(...pieces: readonly Uint8Array[]): ResponseBody {
  const waiting = [...pieces];
  const stream = Object.assign(new Readable(), { read: () => waiting.shift() ?? null });
  const body = bodyOf(stream);
  body.finish({});
  return body;
}

function bodyOf(stream: Readable): ResponseBody {
  const body = new ResponseBody(new ReadableSource(stream), Number.NaN, () => undefined);
  stream.on('readable', () => body.arrived());
  return body;
}

async function sizes(body: ResponseBody): Promise<number[]> {
  const all: number[] = [];
  for await (const chunk of body) all.push(chunk.length);
  return all;
}

describe('the body of a response', () => {
  it('joins small chunks that arrived together', async () => {
    const body = arrived(Buffer.from('{"type"'), Buffer.from(':"ADDED"'), Buffer.from('}'));
    const { value } = await body.next();
    assert.equal(Buffer.from(value ?? []).toString(), '{"type":"ADDED"}');
    assert.deepEqual(await body.next(), { done: true, value: undefined });
  });

  it('joins chunks up to the size of a read, without losing any', async () => {
    const pieces = Array.from({ length: 100 }, () => Buffer.alloc(5000));
    const chunks = await sizes(arrived(...pieces));
    assert.equal(
      chunks.reduce((sum, size) => sum + size, 0),
      500_000,
    );
    assert.deepEqual(new Set(chunks.slice(0, -1)), new Set([70_000]));
  });

  it('wakes a reader that waits for enough when there is, or at the end', async () => {
    const received: Buffer[] = [];
    const source = {
      read: () => received.shift() ?? null,
      holds: (isEnough: IsEnough) => {
        const [bytes = Buffer.alloc(0)] = received;
        return isEnough(bytes, 0, bytes.length);
      },
    };
    const isEnough: IsEnough = (_bytes, start, end) => end - start >= 3;
    const body = new ResponseBody(source, Number.NaN, () => undefined);
    let woken = 0;
    const wait = async (): Promise<void> => {
      await body.arrival(isEnough);
      woken += 1;
    };
    const arrive = async (text: string): Promise<number> => {
      received.splice(0, 1, Buffer.from(text));
      body.arrived();
      await nextTurn();
      return woken;
    };

    void wait();
    assert.deepEqual([await arrive('o'), await arrive('on'), await arrive('one')], [0, 0, 1]);
    assert.equal(body.ready()?.length, 3);
    void wait();
    assert.equal(await arrive('tw'), 1);
    assert.equal((await body.next()).value?.length, 2, 'another reader takes anything');
    void wait();
    assert.equal(await arrive('th'), 1);
    body.finish({});
    await nextTurn();
    assert.equal(woken, 3, 'both that still waited');
    assert.equal(body.ready()?.length, 2);
  });

  it('yields nothing after an abort', async () => {
    const body = arrived(Buffer.from('one'), Buffer.from('two'));
    body.abort(new Error('enough'));
    assert.deepEqual(await body.next(), { done: true, value: undefined });
  });

  it('announces what has arrived, and returns it without a promise', async () => {
    const stream = new Readable({ read: () => undefined });
    const body = bodyOf(stream);
    assert.equal(body.ready(), undefined);
    const arrival = body.arrival();
    stream.push('one');
    await arrival;
    assert.equal(Buffer.from(body.ready() ?? []).toString(), 'one');
    assert.equal(body.ready(), undefined);
    const end = body.arrival();
    body.finish({ error: new Error('reset') });
    await end;
    assert.deepEqual([body.ready(), body.arrival()], [undefined, undefined]);
    await assert.rejects(body.next(), /reset/);
  });

  it('serves calls of next before ready', async () => {
    const stream = new Readable({ read: () => undefined });
    const body = bodyOf(stream);
    const chunks = Promise.all([body.next(), body.next()]);
    stream.push('one');
    assert.equal(body.ready(), undefined);
    await nextTurn();
    assert.equal(body.ready(), undefined);
    stream.push('two');
    const texts = (await chunks).map(({ value }) => Buffer.from(value ?? []).toString());
    assert.deepEqual(texts, ['one', 'two']);
  });

  it('reports an error to one reader, and the end to those that wait after it', async () => {
    const body = bodyOf(new Readable({ read: () => undefined }));
    const results = Promise.allSettled([body.next(), body.next(), body.next()]);
    body.finish({ error: new Error('reset') });
    const [first, ...others] = await results;
    assert.equal(first.status, 'rejected');
    for (const other of others) {
      assert.deepEqual(other, { status: 'fulfilled', value: { done: true, value: undefined } });
    }
  });
});
