import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Transport, TransportResponse } from 'client-ts/transport';
import { fastClock } from '../recordings/fast-clock.ts';
import { describeResults } from './report.ts';
import { runSuite } from './run.ts';

/** A server that says yes to everything and means nothing by it. */
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
  it('has no check that a server passes by saying yes', async () => {
    const target = { admin: yesServer, anonymous: yesServer };
    const results = await runSuite(target, { clock: fastClock(10_000) });
    const passed = results.filter((result) => !('error' in result));
    assert.deepEqual(
      passed.map(({ area, check }) => `${area}: ${check}`),
      [],
    );
    assert.ok(results.length > 120, `only ${results.length} checks`);
  });

  it('runs only what is asked for', async () => {
    const target = { admin: yesServer, anonymous: yesServer };
    const results = await runSuite(target, { matching: 'DISCOVERY: tells its version' });
    assert.deepEqual(
      results.map(({ check }) => check),
      ['tells its version'],
    );
  });
});

describe('the report', () => {
  it('tells what ran, why it failed, and how many', () => {
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
