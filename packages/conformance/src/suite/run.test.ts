import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Transport, TransportResponse } from 'client-ts/transport';
import { fastClock } from '../recordings/fast-clock.ts';
import { describeResults } from './report.ts';
import { runSuite } from './run.ts';

/** A server that accepts everything and does nothing. */
const yesServer: Transport = {
  async request({ method, path, body }): Promise<TransportResponse> {
    const sent = body === undefined ? '{}' : Buffer.from(body).toString('utf8');
    const text = path === '/api/v1/namespaces' && method === 'GET' ? '{"items":[]}' : sent;
    return {
      status: method === 'POST' ? 201 : 200,
      headers: { 'content-type': 'application/json' },
      body: (async function* stream(): AsyncGenerator<Uint8Array> {
        yield Buffer.from(text);
      })(),
    };
  },
  async [Symbol.asyncDispose](): Promise<void> {},
};

describe('the suite', () => {
  it('has no check that a server passes by accepting everything', async () => {
    const target = { admin: yesServer, anonymous: yesServer };
    const results = await runSuite(target, { clock: fastClock(10_000) });
    const passed = results.filter((result) => !('error' in result));
    assert.deepEqual(
      passed.map(({ area, check }) => `${area}: ${check}`),
      [],
    );
    assert.ok(results.length > 120, `only ${results.length} checks`);
  });

  it('runs only the selected checks', async () => {
    const target = { admin: yesServer, anonymous: yesServer };
    const results = await runSuite(target, { matching: 'DISCOVERY: returns its version' });
    assert.deepEqual(
      results.map(({ check }) => check),
      ['returns its version'],
    );
  });
});

describe('the report', () => {
  it('lists what ran, why it failed, and the counts', () => {
    const { text, passed, failed } = describeResults([
      { area: 'a', check: 'holds' },
      { area: 'a', check: 'does not', error: new Error('for a reason') },
      { area: 'b', check: 'holds too' },
    ]);
    assert.deepEqual([passed, failed], [2, 1]);
    assert.match(text, /^a\n {2}✓ holds\n {2}✗ does not\n {6}for a reason/);
    assert.match(text, /\nb\n {2}✓ holds too\n\n2 passed, 1 failed$/);
  });
});
