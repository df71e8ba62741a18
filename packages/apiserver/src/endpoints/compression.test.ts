import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';

import type { ApiRequest, ApiResponse } from '../http.ts';
import { compress } from './compression.ts';

const request = { headers: { 'accept-encoding': 'gzip' } } as unknown as ApiRequest;

function answer(size: number, more: Partial<ApiResponse> = {}): ApiResponse {
  return { status: 200, headers: {}, body: Buffer.alloc(size, 'a'), ...more };
}

describe('compress', () => {
  it('compresses responses above 128 KiB, but not of exactly that size', async () => {
    const whole = answer(128 * 1024);
    // assert.equal would print a diff of all bytes.
    assert.ok((await compress(request, whole)) === whole);
    const { headers, body } = await compress(request, answer(128 * 1024 + 1));
    assert.equal(headers['content-encoding'], 'gzip');
    assert.equal(gunzipSync(body as Uint8Array).length, 128 * 1024 + 1);
  });

  it('does not compress marked responses, or for clients that do not list gzip', async () => {
    const marked = answer(1_000_000, { compressible: false });
    assert.ok((await compress(request, marked)) === marked);
    for (const accepted of ['', 'identity', 'gzip;q=0']) {
      const other = { headers: { 'accept-encoding': accepted } } as unknown as ApiRequest;
      const large = answer(1_000_000);
      assert.ok((await compress(other, large)) === large);
    }
  });
});
