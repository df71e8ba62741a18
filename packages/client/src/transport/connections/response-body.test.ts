import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';

import { nextTurn } from '../../lib/next-turn.ts';
import { ResponseBody } from './response-body.ts';

/** A body whose pieces arrive together. */
async function arrived(...pieces: readonly Uint8Array[]): Promise<ResponseBody> {
  const stream = new Readable({ highWaterMark: 1024 * 1024, read: () => undefined });
  const body = new ResponseBody(stream, Number.NaN, () => undefined);
  for (const piece of pieces) stream.push(piece);
  await nextTurn();
  body.finish({});
  return body;
}

async function sizes(body: ResponseBody): Promise<number[]> {
  const all: number[] = [];
  for await (const chunk of body) all.push(chunk.length);
  return all;
}

describe('the body of a response', () => {
  it('hands small pieces that arrived together out together', async () => {
    const body = await arrived(Buffer.from('{"type"'), Buffer.from(':"ADDED"'), Buffer.from('}'));
    const { value } = await body.next();
    assert.equal(Buffer.from(value ?? []).toString(), '{"type":"ADDED"}');
    assert.deepEqual(await body.next(), { done: true, value: undefined });
  });

  it('does not put more together than a read brings, and leaves nothing out', async () => {
    const pieces = Array.from({ length: 100 }, () => Buffer.alloc(5000));
    const chunks = await sizes(await arrived(...pieces));
    assert.equal(
      chunks.reduce((sum, size) => sum + size, 0),
      500_000,
    );
    // On old versions of Node the stream has put them together before.
    assert.ok(
      chunks.length === 1 || chunks.every((size) => size <= 64 * 1024 + 5000),
      chunks.join(),
    );
  });

  it('hands nothing out after an abort', async () => {
    const body = await arrived(Buffer.from('one'), Buffer.from('two'));
    body.abort(new Error('enough'));
    assert.deepEqual(await body.next(), { done: true, value: undefined });
  });
});
