import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';

import { ResponseBody } from './response-body.ts';

/** A body whose pieces have arrived, in a stream that hands them out one by one, as new ones do. */
function arrived(...pieces: readonly Uint8Array[]): ResponseBody {
  const waiting = [...pieces];
  const stream = Object.assign(new Readable(), { read: () => waiting.shift() ?? null });
  const body = new ResponseBody(stream, Number.NaN, () => undefined);
  body.finish({});
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

  it('yields nothing after an abort', async () => {
    const body = arrived(Buffer.from('one'), Buffer.from('two'));
    body.abort(new Error('enough'));
    assert.deepEqual(await body.next(), { done: true, value: undefined });
  });
});
