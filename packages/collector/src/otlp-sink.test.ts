import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { CertificateAuthority } from '@client-ts/apiserver';
import { nextTurn, OptionError, systemClock } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';
import { CollectorError } from './collector-error.ts';
import { type OtlpConnection, otlpTransport } from './otlp-client.ts';
import { otlpEnvironment } from './otlp-environment.ts';
import { OtlpSink } from './otlp-sink.ts';
import { anEvent, folder } from './test-events.ts';
import { bodiesOf, OtlpReceiver } from './test-otlp-receiver.ts';
import { Bench, feed } from './test-pipeline.ts';

async function started(
  t: TestContext,
  connection: Partial<OtlpConnection> = {},
  clock = new VirtualClock(),
): Promise<{ receiver: OtlpReceiver; sink: OtlpSink; clock: VirtualClock }> {
  const receiver = await OtlpReceiver.start(t);
  const url = `${receiver.url}/v1/logs`;
  const sink = new OtlpSink({ clock, transport: otlpTransport({ url, ...connection }, { clock }) });
  t.after(() => sink.close());
  return { receiver, sink, clock };
}

const attributesOf = (pairs: readonly { key: string; value: object }[] = []): object =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));

describe('OtlpSink', () => {
  it('sends events as log records, those of one object with one resource', async (t) => {
    const { receiver, sink } = await started(t);
    const object = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web', uid: 'u1' };
    const events = [
      anEvent(1, { object, type: 'Warning', message: 'Back-off', count: 7, action: 'Pull' }),
      anEvent(2, { object: { ...object, name: 'db' } }),
      anEvent(3, { object, component: 'kubelet', instance: 'node-1' }),
    ];
    assert.deepEqual(await sink.write(events, undefined), []);
    const [{ path, headers, logs } = assert.fail()] = receiver.requests;
    assert.equal(path, '/v1/logs');
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(logs.resourceLogs.length, 2);
    const [first] = logs.resourceLogs;
    assert.deepEqual(attributesOf(first?.resource.attributes), {
      'service.name': 'kubernetes-events',
      'k8s.object.kind': 'Pod',
      'k8s.object.name': 'web',
      'k8s.object.uid': 'u1',
      'k8s.object.api_version': 'v1',
      'k8s.namespace.name': 'shop',
    });
    const [record, other] = first?.scopeLogs[0]?.logRecords ?? [];
    assert.deepEqual(attributesOf(record?.attributes), {
      'k8s.event.reason': 'Scheduled',
      'k8s.event.action': 'Pull',
      'k8s.event.start_time': '2026-01-01T00:00:01.000Z',
      'k8s.event.name': 'web-1.18',
      'k8s.event.uid': 'uid-1',
      'k8s.event.count': '7',
      'k8s.namespace.name': 'default',
      'log.record.uid': 'uid-1/1',
    });
    assert.deepEqual(
      { ...record, attributes: [] },
      {
        timeUnixNano: `${Date.UTC(2026, 0, 1, 0, 0, 1)}000000`,
        observedTimeUnixNano: `${Date.UTC(2026, 0, 1, 0, 0, 1)}000000`,
        severityNumber: 13,
        severityText: 'Warning',
        body: { stringValue: 'Back-off' },
        attributes: [],
      },
    );
    assert.equal(other?.severityNumber, 9);
    assert.ok(other?.attributes.some(({ key }) => key === 'k8s.event.reporting_controller'));
  });

  it('sends nothing for an empty batch, and a gap as a record of severity WARN', async (t) => {
    const { receiver, sink } = await started(t);
    assert.deepEqual(await sink.write([], undefined), []);
    assert.equal(receiver.requests.length, 0);
    const to = '2026-01-01T01:00:00.000Z';
    await sink.recordGap({ from: undefined, to, reason: 'the spool is full', dropped: 12 });
    const [gap] = receiver.requests[0]?.logs.resourceLogs[0]?.scopeLogs[0]?.logRecords ?? [];
    assert.equal(gap?.severityNumber, 13);
    assert.deepEqual(attributesOf(gap.attributes), {
      'client_ts.gap.to': to,
      'client_ts.gap.reason': 'the spool is full',
      'client_ts.gap.dropped': '12',
    });
  });

  it('compresses, and sends the headers of the connection', async (t) => {
    const headers = { authorization: 'Bearer s3cr3t', 'x-scope-orgid': 'shop' };
    const { receiver, sink } = await started(t, { compression: 'gzip', headers });
    await sink.write([anEvent(1)], undefined);
    const [request] = receiver.requests;
    assert.equal(request?.headers['content-encoding'], 'gzip');
    assert.equal(request.headers['authorization'], 'Bearer s3cr3t');
    assert.equal(request.headers['x-scope-orgid'], 'shop');
    assert.equal(bodiesOf(request.logs).length, 1);
  });

  for (const status of [302, 401, 403, 404, 408, 415, 429, 500, 502, 503, 504]) {
    it(`has a batch that was answered with ${status} sent again`, async (t) => {
      const { receiver, sink } = await started(t);
      receiver.answer = () => ({ status, body: { code: 14, message: 'come back later' } });
      await assert.rejects(sink.write([anEvent(1), anEvent(2)], undefined), (error) => {
        assert.ok(error instanceof CollectorError);
        assert.equal(error.code, 'COLLECTOR_OTLP_FAILED');
        assert.match(error.message, new RegExp(`otlp answered ${status}: come back later`));
        return true;
      });
      await assert.rejects(sink.recordGap({ from: undefined, to: '2026-01-01', reason: '' }));
      assert.equal(receiver.requests.length, 2, 'not divided');
    });
  }

  for (const status of [400, 413, 422]) {
    it(`finds the events that a receiver rejects with ${status}`, async (t) => {
      const { receiver, sink } = await started(t);
      receiver.answer = (logs) =>
        bodiesOf(logs).includes('bad')
          ? { status, body: { message: 'not like this' } }
          : { status: 200 };
      const batch = [1, 2, 3, 4, 5].map((n) => anEvent(n, n === 4 ? { message: 'bad' } : {}));
      const rejections = await sink.write(batch, undefined);
      assert.deepEqual(rejections, [
        { event: batch[3], reason: `status ${status}: not like this` },
      ]);
      for (const { message } of batch) assert.ok(receiver.bodies.includes(message));
    });
  }

  it('keeps the batch of a partial success as rejected, and does not repeat it', async (t) => {
    const { receiver, sink } = await started(t);
    const partialSuccess = { rejectedLogRecords: '1', errorMessage: 'too old' };
    receiver.answer = () => ({ status: 200, body: { partialSuccess } });
    const batch = [anEvent(1), anEvent(2)];
    const reason = '1 of these 2 records: too old';
    assert.deepEqual(
      await sink.write(batch, undefined),
      batch.map((event) => ({ event, reason })),
    );
    assert.equal(receiver.requests.length, 1);
    receiver.answer = () => ({ status: 200, body: { partialSuccess: { errorMessage: 'slow' } } });
    assert.deepEqual(await sink.write(batch, undefined), [], 'a warning rejects nothing');
  });

  it('reports a lost connection, without headers', async (t) => {
    const headers = { authorization: 'Bearer s3cr3t' };
    const { receiver, sink } = await started(t, { headers });
    receiver.answer = () => 'reset';
    await assert.rejects(sink.write([anEvent(1)], undefined), (error) => {
      assert.ok(error instanceof CollectorError);
      assert.match(error.message, /^otlp: 127\.0\.0\.1:\d+\/v1\/logs: /);
      assert.doesNotMatch(inspect(error, { depth: null }), /s3cr3t/);
      return true;
    });
  });

  it('stops waiting for an answer after its timeout', async (t) => {
    const { receiver, sink, clock } = await started(t, { timeoutMs: 5000 });
    receiver.answer = () => 'hang';
    const writing = assert.rejects(sink.write([anEvent(1)], undefined), /no answer after 5000 ms/);
    while (receiver.requests.length === 0) await nextTurn();
    await clock.advance(5000);
    await writing;
  });

  it('verifies the certificate of the receiver', async (t) => {
    const authority = new CertificateAuthority({ clock: systemClock });
    const receiver = await OtlpReceiver.start(t, authority.issueServerCertificate(['127.0.0.1']));
    const url = `${receiver.url}/v1/logs`;
    const trusting = new OtlpSink({ transport: otlpTransport({ url, ca: authority.certificate }) });
    assert.deepEqual(await trusting.write([anEvent(1)], undefined), []);
    await trusting.close();
    const other = new OtlpSink({ transport: otlpTransport({ url }) });
    await assert.rejects(other.write([anEvent(1)], undefined), /certificate/);
    await other.close();
  });

  it('delivers through a pipeline at least once, not before Retry-After', async (t) => {
    const directory = await folder(t);
    const bench = new Bench(directory);
    const { receiver, sink } = await started(t, {}, bench.clock);
    const arrivals: number[] = [];
    receiver.answer = (logs) => {
      arrivals.push(bench.clock.monotonic());
      if (arrivals.length === 1) return { status: 503, headers: { 'retry-after': '120' } };
      if (arrivals.length === 2) return 'reset';
      return bodiesOf(logs).some((body) => body.endsWith('web-7 to node-1'))
        ? { status: 400 }
        : { status: 200 };
    };
    const pipeline = await bench.open(sink);
    feed(pipeline, 1, 30);
    await bench.until(() => pipeline.stats.written === 29);
    await bench.stop(pipeline);
    const [first = 0, second = 0] = arrivals;
    assert.ok(second - first >= 120_000, `the second came after ${second - first} ms`);
    assert.equal(new Set(receiver.bodies).size, 30);
    assert.equal(pipeline.stats.rejected, 1);
    const letters = await readFile(join(directory, 'dead-letters.ndjson'), 'utf8');
    assert.match(letters, /status 400/);
    assert.match(letters, /"uid-7"/);
  });
});

describe('otlpEnvironment', () => {
  it('prefers the variables of logs, and appends the path to the general endpoint', async () => {
    const general = await otlpEnvironment({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example/base/',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b, x-tenant = shop ',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_EXPORTER_OTLP_TIMEOUT: '2500',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_RESOURCE_ATTRIBUTES: 'k8s.cluster.name=prod,service.name=ignored',
      OTEL_SERVICE_NAME: 'events',
    });
    assert.deepEqual(general, {
      connection: {
        url: 'https://otel.example/base/v1/logs',
        headers: { 'api-key': 'a b', 'x-tenant': 'shop' },
        compression: 'gzip',
        timeoutMs: 2500,
        ca: undefined,
        cert: undefined,
        key: undefined,
      },
      resource: { 'k8s.cluster.name': 'prod', 'service.name': 'events' },
    });
    const own = await otlpEnvironment({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example',
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'https://logs.example/ingest',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_EXPORTER_OTLP_LOGS_COMPRESSION: 'none',
      OTEL_EXPORTER_OTLP_LOGS_TIMEOUT: '',
    });
    assert.equal(own.connection.url, 'https://logs.example/ingest');
    assert.equal(own.connection.compression, 'none');
    assert.equal(own.connection.timeoutMs, undefined);
    const { connection } = await otlpEnvironment({});
    assert.equal(connection.url, 'http://localhost:4318/v1/logs');
    const given = await otlpEnvironment({}, { url: 'http://here/v1/logs' });
    assert.equal(given.connection.url, 'http://here/v1/logs');
  });

  it('names a variable with an invalid value, and no value of a header', async () => {
    for (const [env, message] of [
      [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" is not supp/],
      [
        { OTEL_EXPORTER_OTLP_LOGS_TIMEOUT: 'soon' },
        /OTEL_EXPORTER_OTLP_LOGS_TIMEOUT: "soon" is not/,
      ],
      [
        { OTEL_EXPORTER_OTLP_COMPRESSION: 'br' },
        /OTEL_EXPORTER_OTLP_COMPRESSION: "br" is not gzip/,
      ],
      [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=1,s3cr3t' }, /HEADERS: pair 2 is not key=value$/],
      [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=s3cr3t%' }, /HEADERS: pair 1 is not key=value$/],
    ] as const) {
      await assert.rejects(otlpEnvironment(env), (error) => {
        assert.ok(error instanceof OptionError);
        assert.match(error.message, message);
        return true;
      });
    }
  });

  it('refuses a URL with credentials, or of another scheme', () => {
    for (const url of ['https://user:s3cr3t@otel.example/v1/logs', 'grpc://otel:4317', 'otel']) {
      assert.throws(
        () => otlpTransport({ url }),
        (error) => error instanceof OptionError && !error.message.includes('s3cr3t'),
      );
    }
  });
});
