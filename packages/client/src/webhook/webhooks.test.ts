import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { pods } from '../api/core/v1.ts';
import { sleep } from '../lib/clock.ts';
import { OptionError } from '../lib/option-error.ts';
import { MetricsRegistry } from '../observe/metrics-registry.ts';
import { webhookMetrics } from '../observe/webhook-metrics.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { allowed } from './admission.ts';
import { admissionRequest, post, siteDescriptor, siteObject, sites } from './test-reviews.ts';
import { WebhookError } from './webhook-error.ts';
import { type WebhookRequest, Webhooks } from './webhooks.ts';

const PATH = '/validate-example-com-v1-site';
const object = JSON.parse(JSON.stringify(siteObject({}))) as Record<string, unknown>;
const reviewOf = (request: unknown, apiVersion = 'admission.k8s.io/v1'): object => ({
  apiVersion,
  kind: 'AdmissionReview',
  request,
});
const valid = post(PATH, reviewOf(admissionRequest({ object })));

function makeWebhooks(errors: WebhookError[] = []): Webhooks {
  const webhooks = new Webhooks({
    maxAdmissionBytes: 10_000,
    onError: (error) => errors.push(error),
  });
  webhooks.validating(sites, { handle: () => allowed() });
  webhooks.conversion([sites], { convert: () => undefined });
  return webhooks;
}

describe('Webhooks.handle', () => {
  it('answers a review, with parameters in the query and the content type', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const request = { ...valid, path: `${PATH}?timeout=10s`, headers };
    assert.equal((await makeWebhooks().handle(request)).status, 200);
  });

  const refusals: Readonly<Record<string, readonly [WebhookRequest, number, RegExp]>> = {
    'another path': [{ ...valid, path: '/other?a=b' }, 404, /no webhook is served at "\/other"/],
    'another method': [{ ...valid, method: 'GET' }, 405, /GET is not POST/],
    'another content type': [
      { ...valid, headers: { 'content-type': 'application/yaml' } },
      415,
      /"application\/yaml" is not application\/json/,
    ],
    'no content type': [{ ...valid, headers: {} }, 415, /"" is not application\/json/],
    'a body that is too large': [
      { ...valid, body: new Uint8Array(10_001) },
      413,
      /larger than 10000 bytes/,
    ],
    'a body that is not JSON': [post(PATH, '{'), 400, /not JSON/],
    'a body that is not UTF-8': [{ ...valid, body: Uint8Array.of(0x22, 0xff, 0x22) }, 400, /JSON/],
    'another document': [post(PATH, { kind: 'Pod' }), 400, /not an AdmissionReview/],
    'another version': [
      post(PATH, reviewOf(admissionRequest({ object }), 'admission.k8s.io/v1beta1')),
      400,
      /apiVersion is "admission.k8s.io\/v1beta1", not "admission.k8s.io\/v1"/,
    ],
    'a review without a request': [post(PATH, reviewOf(undefined)), 400, /no request with a uid/],
    'a request without a kind': [
      post(PATH, reviewOf({ uid: 'a', operation: 'CREATE' })),
      400,
      /no kind or no resource/,
    ],
    'a request without an object': [
      post(PATH, reviewOf(admissionRequest({}))),
      400,
      /the CREATE request has no object/,
    ],
    'an object of another version': [
      post(
        PATH,
        reviewOf(admissionRequest({ object: { ...object, apiVersion: 'example.com/v2' } })),
      ),
      400,
      /object is {"apiVersion":"example.com\/v2","kind":"Site"}, not a Site of example.com\/v1/,
    ],
    'an unknown operation': [
      post(PATH, reviewOf({ ...admissionRequest({ object }), operation: 'PATCH' })),
      400,
      /the operation "PATCH" is unknown/,
    ],
    'an admission review for a conversion': [
      { ...valid, path: '/convert-example-com-site' },
      400,
      /not a ConversionReview/,
    ],
    'another version of a conversion': [
      post('/convert-example-com-site', {
        apiVersion: 'apiextensions.k8s.io/v1beta1',
        kind: 'ConversionReview',
      }),
      400,
      /not "apiextensions.k8s.io\/v1"/,
    ],
    'a conversion without objects': [
      post('/convert-example-com-site', {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'ConversionReview',
        request: { uid: 'a', desiredAPIVersion: 'example.com/v1' },
      }),
      400,
      /no request with uid, desiredAPIVersion and objects/,
    ],
  };
  for (const [what, [request, status, message]] of Object.entries(refusals)) {
    it(`refuses ${what} with ${status}`, async () => {
      const errors: WebhookError[] = [];
      const response = await makeWebhooks(errors).handle(request);
      assert.equal(response.status, status);
      assert.match(response.body, message);
      assert.equal(response.headers['allow'], status === 405 ? 'POST' : undefined);
      assert.equal(errors.length, 1);
    });
  }

  it('answers every body', async () => {
    const webhooks = makeWebhooks();
    webhooks.mutating(sites, { mutate: (site) => ({ ...site, spec: { replicas: 1 } }) });
    const json = fc.jsonValue();
    const requests = fc.record(
      {
        uid: fc.oneof(fc.string(), json),
        kind: fc.oneof(fc.constant({}), json),
        resource: fc.oneof(fc.constant({}), json),
        operation: fc.oneof(fc.constantFrom('CREATE', 'UPDATE', 'DELETE', 'CONNECT'), json),
        object: fc.oneof(fc.constant(object), json),
        oldObject: fc.oneof(fc.constant(object), json),
        subResource: fc.oneof(fc.constantFrom('', 'scale'), json),
        desiredAPIVersion: fc.oneof(fc.constant('example.com/v2'), json),
        objects: fc.oneof(fc.array(fc.oneof(fc.constant(object), json)), json),
      },
      { requiredKeys: [] },
    );
    const reviews = fc.oneof(
      json,
      fc.record({
        apiVersion: fc.constantFrom('admission.k8s.io/v1', 'apiextensions.k8s.io/v1'),
        kind: fc.constantFrom('AdmissionReview', 'ConversionReview'),
        request: fc.oneof(requests, json),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...webhooks.paths), reviews, async (path, body) => {
        const { status } = await webhooks.handle(post(path, body));
        assert.ok(status === 200 || status === 400, `status ${status}`);
      }),
      { numRuns: 2000 },
    );
  });

  it('answers 500 if the handler throws, and reports the error', async () => {
    const errors: WebhookError[] = [];
    const webhooks = new Webhooks({ onError: (error) => errors.push(error) });
    webhooks.validating(sites, {
      handle: () => {
        throw new TypeError('database is down');
      },
    });
    const response = await webhooks.handle(valid);
    assert.equal(response.status, 500);
    assert.equal(response.body, `"${PATH}" failed: database is down\n`);
    assert.equal(errors[0]?.code, 'WEBHOOK_HANDLER_FAILED');
    assert.ok(errors[0]?.cause instanceof TypeError);
  });

  for (const [query, limitMs] of [
    ['', 10_000],
    ['?timeout=2s', 2000],
    ['?x=1&timeout=500ms', 500],
    ['?timeout=soon', 10_000],
  ] as const) {
    it(`answers 504 after the timeout of "${query}"`, async () => {
      const clock = new VirtualClock();
      const webhooks = new Webhooks({ clock, onError: () => {} });
      const signals: AbortSignal[] = [];
      webhooks.validating(sites, {
        handle: ({ signal }) => {
          signals.push(signal);
          return new Promise(() => {});
        },
      });
      const answering = webhooks.handle({ ...valid, path: PATH + query });
      await clock.advance(limitMs - 1);
      assert.equal(signals[0]?.aborted, false);
      await clock.advance(1);
      assert.equal((await answering).status, 504);
      assert.equal(signals[0]?.aborted, true);
    });
  }

  it('counts reviews by path and status, and no path that is not served', async () => {
    const registry = new MetricsRegistry();
    const clock = new VirtualClock();
    const metrics = webhookMetrics(registry);
    const webhooks = new Webhooks({ metrics, clock, onError: () => {} });
    webhooks.validating(sites, { handle: () => sleep(clock, 250).then(() => allowed()) });
    const answering = webhooks.handle(valid);
    const series = (name: string): string => `controller_runtime_webhook_${name}{webhook="${PATH}"`;
    assert.ok(registry.text().includes(`${series('requests_in_flight')}} 1\n`));
    await clock.advance(250);
    await answering;
    await webhooks.handle({ ...valid, method: 'GET' });
    await webhooks.handle({ ...valid, path: '/other' });
    for (const line of [
      `${series('requests_in_flight')}} 0`,
      `${series('requests_total')},code="200"} 1`,
      `${series('requests_total')},code="405"} 1`,
      `${series('latency_seconds_sum')}} 0.25`,
      `${series('latency_seconds_count')}} 2`,
    ]) {
      assert.ok(
        registry.text().includes(`${line}\n`),
        `${line}\nis missing in\n${registry.text()}`,
      );
    }
    assert.ok(!registry.text().includes('/other'));
  });

  it('counts handlers and conversions with faulty code as panics', async () => {
    const registry = new MetricsRegistry();
    const webhooks = new Webhooks({ metrics: webhookMetrics(registry), onError: () => {} });
    let error: Error = new Error('the quota is used up');
    const fail = (): never => {
      throw error;
    };
    webhooks.validating(sites, { handle: fail });
    webhooks.conversion([sites], { convert: fail, path: '/convert' });
    const object = { apiVersion: 'old.example.com/v0', kind: sites.kind };
    const request = { uid: 'u', desiredAPIVersion: 'other/v9', objects: [object] };
    const review = { kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', request };
    const conversion = {
      ...valid,
      path: '/convert',
      body: Buffer.from(
        JSON.stringify(review)
          .replace('old.example.com', sites.group)
          .replace('other/', `${sites.group}/`),
      ),
    };
    for (error of [error, new TypeError('undefined is not a function')]) {
      await webhooks.handle(valid);
      await webhooks.handle(conversion);
    }
    const text = registry.text();
    assert.match(text, /^controller_runtime_webhook_panics_total 1$/m);
    assert.match(text, /^controller_runtime_conversion_webhook_panics_total 1$/m);
    const requests = 'controller_runtime_webhook_requests_total{webhook="/convert"';
    assert.ok(text.includes(`${requests},code="200"} 2\n`), 'a failure is part of the answer');
    assert.ok(text.includes(`${requests},code="500"} 0\n`), 'at zero from the start');
  });

  it('aborts the signal of the handler with that of the caller', async () => {
    const webhooks = new Webhooks({ onError: () => {} });
    const stop = new AbortController();
    webhooks.validating(sites, {
      handle: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('cancelled')));
          stop.abort(new Error('gone'));
        }),
    });
    assert.equal((await webhooks.handle(valid, { signal: stop.signal })).status, 500);
  });
});

describe('Webhooks', () => {
  it('serves one webhook per path', () => {
    const webhooks = makeWebhooks();
    assert.deepEqual(webhooks.paths, [PATH, '/convert-example-com-site']);
    assert.throws(() => webhooks.validating(sites, { handle: () => allowed() }), WebhookError);
    webhooks.validating(sites, { path: '/more', handle: () => allowed() });
    assert.equal(webhooks.paths.length, 3);
    for (const path of ['more', '/a?b', '']) {
      const add = (): void => webhooks.validating(sites, { path, handle: () => allowed() });
      assert.throws(add, OptionError);
    }
  });
});

describe('the configuration of webhooks', () => {
  const webhooks = new Webhooks();
  webhooks.validating(sites, {
    operations: ['CREATE', 'DELETE'],
    subresources: ['status'],
    failurePolicy: 'Ignore',
    timeoutSeconds: 5,
    objectSelector: { matchLabels: { check: 'yes' } },
    handle: () => allowed(),
  });
  webhooks.validating(pods, { handle: () => allowed() });
  webhooks.mutating(sites, {
    name: 'defaults.sites.example.com',
    path: '/defaults',
    sideEffects: 'NoneOnDryRun',
    reinvocationPolicy: 'IfNeeded',
    mutate: () => undefined,
  });
  webhooks.conversion([sites, siteDescriptor('v2')], { convert: () => undefined });
  const service = { namespace: 'ops', name: 'hooks' };

  it('names rules, paths and certificates of validating webhooks', () => {
    const configuration = webhooks.validatingConfiguration({
      name: 'site-operator',
      service,
      caBundle: 'PEM',
    });
    assert.deepEqual(configuration.metadata, { name: 'site-operator' });
    assert.deepEqual(configuration.webhooks, [
      {
        name: 'validate-example-com-v1-site.example.com',
        failurePolicy: 'Ignore',
        timeoutSeconds: 5,
        objectSelector: { matchLabels: { check: 'yes' } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        clientConfig: {
          caBundle: 'UEVN',
          service: { ...service, path: '/validate-example-com-v1-site' },
        },
        rules: [
          {
            apiGroups: ['example.com'],
            apiVersions: ['v1'],
            operations: ['CREATE', 'DELETE'],
            resources: ['sites', 'sites/status'],
            scope: 'Namespaced',
          },
        ],
      },
      {
        name: 'validate-v1-pod.core.k8s.io',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        clientConfig: { caBundle: 'UEVN', service: { ...service, path: '/validate--v1-pod' } },
        rules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE', 'UPDATE'],
            resources: ['pods'],
            scope: 'Namespaced',
          },
        ],
      },
    ]);
  });

  it('has the mutating webhooks apart, also by URL', () => {
    const url = 'https://127.0.0.1:9443/';
    const configuration = webhooks.mutatingConfiguration({ name: 'site-operator', url });
    assert.equal(configuration.webhooks?.length, 1);
    const [webhook] = configuration.webhooks ?? [];
    assert.equal(webhook?.name, 'defaults.sites.example.com');
    assert.equal(webhook?.reinvocationPolicy, 'IfNeeded');
    assert.equal(webhook?.sideEffects, 'NoneOnDryRun');
    assert.deepEqual(webhook?.clientConfig, { url: 'https://127.0.0.1:9443/defaults' });
    const plain = { name: 'a', url: 'http://127.0.0.1' };
    assert.throws(() => webhooks.mutatingConfiguration(plain), OptionError);
  });

  it('gives the conversion of a CRD', () => {
    assert.deepEqual(webhooks.conversionOf(sites, { service: { ...service, port: 9443 } }), {
      strategy: 'Webhook',
      webhook: {
        clientConfig: { service: { ...service, port: 9443, path: '/convert-example-com-site' } },
        conversionReviewVersions: ['v1'],
      },
    });
    assert.throws(() => webhooks.conversionOf(pods, { service }), OptionError);
  });
});
