import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test';
import * as api from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { ApiServer } from '@client-ts/apiserver';
import { Clientset, type Config } from 'client-ts';
import { configMaps, secrets } from 'client-ts/api/core/v1';
import { Manager } from 'client-ts/controller';
import { Deferred } from 'client-ts/internal';
import { enableTracing, type OpenTelemetryApi } from 'client-ts/observe';
import { OtlpTraces } from './test-otlp-traces.ts';

/** The SDK is set up once in a process, so every test finds its spans by its own namespace. */
let provider: NodeTracerProvider | undefined;
let traces: OtlpTraces | undefined;
const cleanups: (() => unknown)[] = [];

before(async () => {
  traces = await OtlpTraces.start({ after: (fn) => void cleanups.push(fn as () => unknown) });
  const exporter = new OTLPTraceExporter({ url: traces.url });
  provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
  provider.register();
});
after(async () => {
  await provider?.shutdown();
  for (const cleanup of cleanups) await cleanup();
});
beforeEach(() => {
  if (traces !== undefined) {
    traces.spans.length = 0;
    traces.text = '';
  }
});

async function received(): Promise<OtlpTraces> {
  assert.ok(provider !== undefined && traces !== undefined);
  await provider.forceFlush();
  return traces;
}

async function started(t: TestContext, options: Partial<Config> = {}) {
  const server = await ApiServer.start();
  t.after(() => server.close());
  const headers: (string | undefined)[] = [];
  const config: Config = {
    ...server.config,
    attemptMiddleware: [
      (request, next) => {
        headers.push(request.headers['traceparent'] as string | undefined);
        return next(request);
      },
    ],
    ...options,
  };
  return { server, config, headers };
}

describe('enableTracing', () => {
  it('links the change that enqueued a key to its reconcile, whose writes are children', async (t) => {
    const { config } = await started(t);
    using tracing = await enableTracing();
    assert.equal(tracing.isEnabled, true);
    await using manager = new Manager(config);
    let attempts = 0;
    const done = new Deferred();
    manager.controller('copy', {
      for: {
        resource: configMaps,
        predicates: [({ object }) => object.metadata.name === 'source'],
      },
      reconcile: async (source, { client }) => {
        attempts += 1;
        if (attempts === 1) throw new Error('not yet: token=s3cr3t-value');
        const metadata = { name: 'copy', namespace: 'default' };
        const copies = client.coreV1.configMaps('default');
        await copies.create({ metadata, data: { of: source.metadata.name } });
        done.resolve();
      },
    });
    const stop = new AbortController();
    const running = manager.run({ signal: stop.signal });
    const writer = new Clientset(config);
    t.after(() => writer.close());
    const source = await writer.coreV1
      .configMaps('default')
      .create({ metadata: { name: 'source', namespace: 'default' } });
    await done.promise;
    stop.abort();
    await running;
    const { spans, text, named } = await receivedBound();
    const [failed, succeeded] = named('reconcile copy');
    assert.ok(failed !== undefined && succeeded !== undefined);
    const change = named('watch add configmaps').find(
      ({ attributes }) => attributes['client_ts.key'] === 'default/source',
    );
    assert.equal(change?.attributes['client_ts.resource_version'], source.metadata.resourceVersion);
    assert.equal(change.kind, 4, 'a producer');
    assert.deepEqual(
      failed.links.map(({ spanId }) => spanId),
      [change.spanId],
    );
    assert.equal(failed.parentSpanId, undefined);
    assert.equal(failed.attributes['client_ts.result'], 'error');
    assert.equal(failed.attributes['client_ts.trigger'], 'change');
    assert.equal(failed.status.code, 2);
    assert.equal(text.includes('s3cr3t-value'), false, 'credentials in messages are hidden');
    assert.deepEqual(
      succeeded.links.map(({ spanId }) => spanId),
      [failed.spanId],
      'a retry is linked to the attempt that failed',
    );
    assert.equal(succeeded.attributes['client_ts.attempt'], 2);
    assert.equal(succeeded.attributes['client_ts.key'], 'default/source');
    const write = spans.find(({ parentSpanId }) => parentSpanId === succeeded.spanId);
    assert.equal(write?.name, 'POST /api/v1/namespaces/{namespace}/configmaps');
    assert.equal(write.traceId, succeeded.traceId);
  });

  it('makes client spans by the conventions for HTTP, and sends their context', async (t) => {
    const { server, config, headers } = await started(t);
    using _ = await enableTracing();
    await using client = new Clientset(config);
    const maps = client.coreV1.configMaps('default');
    const tracer = api.trace.getTracer('test');
    await tracer.startActiveSpan('caller', async (caller) => {
      await maps.create({ metadata: { name: 'web' } });
      await assert.rejects(maps.get('missing'));
      caller.end();
    });
    const { spans, named } = await receivedBound();
    const [caller] = named('caller');
    const [create] = named('POST ');
    const [get] = named('GET ');
    const { hostname, port } = new URL(server.url);
    assert.equal(create?.kind, 3, 'a client');
    assert.equal(create.parentSpanId, caller?.spanId);
    assert.deepEqual(
      { ...create.attributes, 'network.protocol.version': '' },
      {
        'http.request.method': 'POST',
        'http.response.status_code': 201,
        'url.full': `${server.url}/api/v1/namespaces/default/configmaps`,
        'url.template': '/api/v1/namespaces/{namespace}/configmaps',
        'server.address': hostname,
        'server.port': Number(port),
        'network.protocol.version': '',
        'client_ts.verb': 'create',
        'client_ts.resource': 'configmaps',
        'k8s.namespace.name': 'default',
        'client_ts.name': 'web',
      },
    );
    assert.equal(get?.name, 'GET /api/v1/namespaces/{namespace}/configmaps/{name}');
    assert.equal(get.attributes['http.response.status_code'], 404);
    assert.equal(get.attributes['error.type'], '404');
    assert.equal(get.status.code, 2);
    assert.equal(spans.length, 3);
    assert.deepEqual(
      headers,
      [create, get].map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`),
    );
  });

  it('counts attempts as resends of one span, and notes why', async (t) => {
    const { server, config } = await started(t, { retryBackoff: { initialMs: 1, maxMs: 1 } });
    using _ = await enableTracing({ api });
    server.faults.add({
      match: { resource: 'configmaps' },
      fault: { kind: 'status', code: 429, retryAfterSeconds: 0 },
      count: 2,
    });
    await using client = new Clientset(config);
    await client.coreV1.configMaps('default').list();
    const { named } = await receivedBound();
    const [list] = named('GET ');
    assert.equal(list?.attributes['http.request.resend_count'], 2);
    assert.equal(list.attributes['http.response.status_code'], 200);
    assert.deepEqual(
      list.events.map(({ name }) => name),
      ['retry', 'retry'],
    );
  });

  it('names spans by template, whatever objects are called', async (t) => {
    const { config } = await started(t);
    using _ = await enableTracing();
    await using client = new Clientset(config);
    const expected = new Map([
      ['/api/v1/namespaces/pods/pods/pods', '/api/v1/namespaces/{namespace}/pods/{name}'],
      ['/api/v1/namespaces/namespaces', '/api/v1/namespaces/{name}'],
      ['/api/v1/nodes/v1', '/api/v1/nodes/{name}'],
      [
        '/apis/apps/v1/namespaces/apis/deployments/apps/scale',
        '/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale',
      ],
      ['/version', '/version'],
    ]);
    for (const path of expected.keys()) {
      await client.rest
        .get()
        .absPath(path)
        .do()
        .catch(() => undefined);
    }
    const { named } = await receivedBound();
    assert.deepEqual(
      named('GET ').map(({ name }) => name),
      Array.from(expected.values(), (template) => `GET ${template}`),
    );
  });

  it('sends no context if it must not, and none of a caller after its end', async (t) => {
    const { config, headers } = await started(t);
    await using client = new Clientset(config);
    {
      using _ = await enableTracing({ propagate: false });
      await client.coreV1.configMaps('default').list();
    }
    await client.coreV1.configMaps('default').list();
    const { spans } = await receivedBound();
    assert.equal(spans.length, 1);
    assert.deepEqual(headers, [undefined, undefined]);
  });

  it('exports no contents of objects, no queries and no credentials', async (t) => {
    const { config } = await started(t);
    using _ = await enableTracing();
    await using client = new Clientset(config);
    const of = client.coreV1.secrets('default');
    await of.create({ metadata: { name: 'db' }, stringData: { password: 'canary-4711' } });
    await of.list({ labelSelector: 'canary=canary-4712' });
    const { text } = await receivedBound();
    const secret = Buffer.from('canary-4711').toString('base64');
    const { token = 'no token' } = config.auth ?? {};
    for (const canary of ['canary-4711', secret, 'canary-4712', token]) {
      assert.equal(text.includes(canary), false, canary);
    }
    assert.ok(text.includes(secrets.resource));
  });

  it('accepts the official package as it is', () => {
    const typed: OpenTelemetryApi = api;
    assert.equal(typeof typed.trace.getTracer, 'function');
  });
});

async function receivedBound(): Promise<
  Pick<OtlpTraces, 'spans' | 'text'> & { named: OtlpTraces['named'] }
> {
  const found = await received();
  return { spans: found.spans, text: found.text, named: (start) => found.named(start) };
}
