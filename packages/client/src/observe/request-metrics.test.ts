import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '../testing/virtual-clock.ts';
import type { Config } from '../transport/config.ts';
import { createTransport } from '../transport/create-transport.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport/transport.ts';
import { MetricsRegistry } from './metrics-registry.ts';
import { withRequestMetrics } from './request-metrics.ts';

async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function readToEnd(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of body);
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
    return { status, headers, body: bodyOf('answer') };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing to close.
  }
}

describe('withRequestMetrics', () => {
  const host = 'host="api.example.com:6443"';

  async function started(statuses: number[], options: Partial<Config> = {}) {
    const registry = new MetricsRegistry();
    const clock = new VirtualClock();
    const config = withRequestMetrics(
      {
        server: 'https://api.example.com:6443',
        transport: new ScriptedTransport(clock, statuses),
        ...options,
      },
      registry,
      { clock },
    );
    const transport = createTransport(config, { clock });
    const send = async (
      request: Pick<TransportRequest, 'method'> & Partial<TransportRequest>,
      read: (body: AsyncIterable<Uint8Array>) => Promise<unknown> = readToEnd,
    ): Promise<void> => {
      const done = transport
        .request({ path: '/', headers: {}, ...request })
        .then(({ body }) => read(body))
        .catch(() => undefined);
      await clock.advance(60_000);
      await done;
    };
    const assertLines = (...lines: string[]): void => {
      const text = registry.text();
      for (const line of lines) assert.ok(text.includes(`${line}\n`), `${line} is not in\n${text}`);
    };
    return { transport, clock, send, assertLines, registry };
  }

  it('counts attempts and measures whole requests, without streams', async () => {
    const seen: string[] = [];
    const { transport, send, assertLines } = await started([429, 200, 201, 0, 200], {
      middleware: [async (request, next) => (seen.push(request.method), await next(request))],
    });
    await using _ = transport;
    await send({ method: 'GET' });
    await send({ method: 'POST' });
    await send({ method: 'PUT' });
    await send({ method: 'GET', stream: true });
    assert.deepEqual(seen, ['GET', 'POST', 'PUT', 'GET'], 'the middleware of the config runs too');
    assertLines(
      `rest_client_requests_total{code="429",method="GET",${host}} 1`,
      `rest_client_requests_total{code="200",method="GET",${host}} 2`,
      `rest_client_requests_total{code="201",method="POST",${host}} 1`,
      `rest_client_requests_total{code="<error>",method="PUT",${host}} 1`,
      `rest_client_request_duration_seconds_count{verb="GET",${host}} 1`,
      `rest_client_request_duration_seconds_bucket{verb="GET",${host},le="1"} 0`,
      `rest_client_request_duration_seconds_count{verb="POST",${host}} 1`,
      `rest_client_request_duration_seconds_sum{verb="POST",${host}} 0.1`,
    );
  });

  it('counts attempts after the first as retries, by the code of their own response', async () => {
    const { transport, send, assertLines, registry } = await started([429, 429, 200, 200]);
    await using _ = transport;
    await send({ method: 'GET' });
    await send({ method: 'GET' });
    assertLines(
      `rest_client_request_retries_total{code="429",verb="GET",${host}} 1`,
      `rest_client_request_retries_total{code="200",verb="GET",${host}} 1`,
    );
    assert.equal(registry.text().match(/^rest_client_request_retries_total\{/gm)?.length, 2);
  });

  it('measures the bodies of requests, and those of responses that are read to their end', async () => {
    const { transport, send, assertLines } = await started([200, 200, 200, 200]);
    await using _ = transport;
    await send({ method: 'POST', body: Buffer.alloc(1000) });
    await send({ method: 'GET' });
    await send({ method: 'GET' }, async (body) => body[Symbol.asyncIterator]().return?.());
    await send({ method: 'GET', stream: true });
    assertLines(
      `rest_client_request_size_bytes_sum{verb="POST",${host}} 1000`,
      `rest_client_request_size_bytes_count{verb="GET",${host}} 2`,
      `rest_client_response_size_bytes_sum{verb="POST",${host}} 6`,
      `rest_client_response_size_bytes_count{verb="GET",${host}} 1`,
    );
  });

  it('measures how long the own rate limit holds requests back', async () => {
    const { transport, clock, assertLines } = await started([200, 200], { qps: 0.5, burst: 1 });
    await using _ = transport;
    const path = '/';
    const both = ['GET', 'GET'].map((method) => transport.request({ method, path, headers: {} }));
    await clock.advance(60_000);
    for (const { body } of await Promise.all(both)) await readToEnd(body);
    assertLines(
      `rest_client_rate_limiter_duration_seconds_count{verb="GET",${host}} 2`,
      `rest_client_rate_limiter_duration_seconds_bucket{verb="GET",${host},le="1"} 1`,
      `rest_client_rate_limiter_duration_seconds_sum{verb="GET",${host}} 2`,
    );
  });

  it('puts methods that HTTP does not define into one series', async () => {
    const { transport, send, assertLines, registry } = await started([200, 200, 200]);
    await using _ = transport;
    for (const method of ['BREW', 'WHEN', 'PROPFIND']) await send({ method });
    assertLines(`rest_client_requests_total{code="200",method="other",${host}} 3`);
    assert.equal(registry.text().includes('BREW'), false);
  });
});
