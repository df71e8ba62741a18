import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { createTransport } from '../transport/create-transport.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport/transport.ts';
import { MetricsRegistry } from './metrics-registry.ts';
import { withRequestMetrics } from './request-metrics.ts';

async function* emptyBody(): AsyncGenerator<Uint8Array> {
  // Empty.
}

/** Answers with the given statuses, one after another, each after 100 ms; 0 fails. */
class ScriptedTransport implements Transport {
  readonly #clock: VirtualClock;
  readonly #statuses: number[];

  constructor(clock: VirtualClock, statuses: number[]) {
    this.#clock = clock;
    this.#statuses = statuses;
  }

  async request(_request: TransportRequest): Promise<TransportResponse> {
    await new Promise<void>((resolve) => this.#clock.schedule(100, resolve));
    const status = this.#statuses.shift() ?? 500;
    if (status === 0) throw new Error('connection lost');
    const headers = { 'retry-after': '1' };
    return { status, headers, body: emptyBody() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing to close.
  }
}

describe('withRequestMetrics', () => {
  it('counts attempts and measures whole requests, without streams', async () => {
    const registry = new MetricsRegistry();
    const clock = new VirtualClock();
    const seen: string[] = [];
    const config = withRequestMetrics(
      {
        server: 'https://api.example.com:6443',
        transport: new ScriptedTransport(clock, [429, 200, 201, 0, 200]),
        middleware: [async (request, next) => (seen.push(request.method), await next(request))],
      },
      registry,
      { clock },
    );
    await using transport = createTransport(config, { clock });
    const send = async (method: string, stream = false): Promise<void> => {
      const done = transport.request({ method, path: '/', headers: {}, stream });
      const settled = done.then(
        () => undefined,
        () => undefined,
      );
      await clock.advance(60_000);
      await settled;
    };
    await send('GET');
    await send('POST');
    await send('PUT');
    await send('GET', true);
    assert.deepEqual(seen, ['GET', 'POST', 'PUT', 'GET'], 'the middleware of the config runs too');
    const host = 'host="api.example.com:6443"';
    const text = registry.text();
    for (const line of [
      `rest_client_requests_total{code="429",method="GET",${host}} 1`,
      `rest_client_requests_total{code="200",method="GET",${host}} 2`,
      `rest_client_requests_total{code="201",method="POST",${host}} 1`,
      `rest_client_requests_total{code="<error>",method="PUT",${host}} 1`,
      `rest_client_request_duration_seconds_count{verb="GET",${host}} 1`,
      `rest_client_request_duration_seconds_bucket{verb="GET",${host},le="1"} 0`,
      `rest_client_request_duration_seconds_count{verb="POST",${host}} 1`,
      `rest_client_request_duration_seconds_sum{verb="POST",${host}} 0.1`,
    ]) {
      assert.ok(text.includes(`${line}\n`), `${line}\nis missing in\n${text}`);
    }
  });
});
