import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from 'client-ts/internal';

import { TestServer } from '../testing/test-server.ts';
import {
  configureWebhook,
  EVERYTHING,
  type TestResponse,
  type TestReview,
  TestWebhook,
} from '../testing/test-webhook.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const path = (version: string): string => `/apis/example.com/${version}/namespaces/default/doors`;
const V1 = path('v1');
const V2 = path('v2');
const text = { type: 'string' };

function version(name: string, properties: JsonObject, rest: JsonObject = {}): JsonObject {
  return {
    name,
    served: true,
    storage: name === 'v1',
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties },
          status: { type: 'object', properties: { open: { type: 'boolean' } } },
        },
      },
    },
    subresources: { status: {} },
    ...rest,
  };
}

function definition(conversion: JsonObject): JsonObject {
  return {
    metadata: { name: 'doors.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'doors', kind: 'Door' },
      versions: [
        version('v1', { address: text, color: { type: 'string', default: 'blue' } }),
        version(
          'v2',
          { street: text, number: text, color: text },
          { selectableFields: [{ jsonPath: '.spec.street' }] },
        ),
      ],
      conversion,
    },
  };
}

type Door = JsonObject & { metadata: JsonObject; spec: Record<string, string> };

/** `address: "Main 5"` in v1, `street` and `number` in v2. */
function convertDoor(door: Door, apiVersion: string): Door {
  const { address, street, number, ...rest } = door.spec;
  if (apiVersion === 'example.com/v1') {
    return { ...door, apiVersion, spec: { ...rest, address: `${street} ${number}` } };
  }
  const [name = '', digits = ''] = (address ?? '').split(' ');
  return { ...door, apiVersion, spec: { ...rest, street: name, number: digits } };
}

type Change = (door: Door) => JsonObject;

/** Answers a ConversionReview; `change` breaks the converted objects. */
function answer({ request }: TestReview, change: Change = (door) => door): TestResponse {
  const { desiredAPIVersion: desired, objects } = request as unknown as {
    desiredAPIVersion: string;
    objects: Door[];
  };
  return {
    result: { status: 'Success' },
    convertedObjects: objects.map((door) => change(convertDoor(door, desired))),
  };
}

function door(apiVersion: string, name: string, spec: JsonObject): JsonObject {
  return { apiVersion: `example.com/${apiVersion}`, kind: 'Door', metadata: { name }, spec };
}

async function served(webhook: TestWebhook): Promise<TestServer> {
  const server = new TestServer();
  await server.given(
    'post',
    DEFINITIONS,
    definition({
      strategy: 'Webhook',
      webhook: { clientConfig: webhook.clientConfig(), conversionReviewVersions: ['v1'] },
    }),
  );
  await server.settle();
  return server;
}

const MAIN = door('v2', 'a', { street: 'Main', number: '5' });

describe('conversion webhooks', () => {
  it('convert what is written for the storage, and what is read from it', async () => {
    await using webhook = await TestWebhook.start(answer);
    using server = await served(webhook);
    const created = await server.given('post', V2, MAIN);
    assert.deepEqual(created['spec'], { color: 'blue', number: '5', street: 'Main' });
    const { body: stored } = await server.get(`${V1}/a`);
    assert.equal(stored.apiVersion, 'example.com/v1');
    assert.deepEqual(stored['spec'], { address: 'Main 5', color: 'blue' });
    const { body } = await server.get(`${V2}/a`);
    assert.deepEqual(body, created);
    const [first] = webhook.reviews as [TestReview];
    assert.equal(first.apiVersion, 'apiextensions.k8s.io/v1');
    assert.equal(first.kind, 'ConversionReview');
    assert.equal(first.request['desiredAPIVersion'], 'example.com/v1');
    assert.deepEqual(webhook.paths[0], '/review');
  });

  it('are not asked about objects that have the version already', async () => {
    await using webhook = await TestWebhook.start(answer);
    using server = await served(webhook);
    await server.given('post', V1, door('v1', 'a', { address: 'Main 5' }));
    await server.get(V1);
    await server.patch('merge', `${V1}/a`, { spec: { color: 'red' } });
    await server.delete(`${V1}/a`);
    assert.deepEqual(webhook.reviews, []);
  });

  it('convert lists and watches, before selectors look at them', async () => {
    await using webhook = await TestWebhook.start(answer);
    using server = await served(webhook);
    for (const [name, address] of [
      ['a', 'Main 5'],
      ['b', 'High 7'],
    ] as const) {
      await server.given('post', V1, door('v1', name, { address }));
    }
    const { body } = await server.get(`${V2}?fieldSelector=spec.street=High`);
    assert.deepEqual(
      body.items?.map(({ metadata, spec }) => [metadata.name, spec]),
      [['b', { color: 'blue', number: '7', street: 'High' }]],
    );
    const watch = await server.watch(`${V2}?watch=true&fieldSelector=spec.street=Main`);
    assert.deepEqual((await watch.next()).object['spec'], {
      color: 'blue',
      number: '5',
      street: 'Main',
    });
    await server.patch('merge', `${V1}/a`, { spec: { address: 'Low 1' } });
    const { type, object } = await watch.next();
    assert.equal(type, 'DELETED');
    assert.equal((object['spec'] as JsonObject)['street'], 'Main');
  });

  it('convert for patches, applies, status and deletions', async () => {
    await using webhook = await TestWebhook.start(answer);
    using server = await served(webhook);
    await server.given('post', V1, door('v1', 'a', { address: 'Main 5' }));
    const patched = await server.patch('merge', `${V2}/a`, { spec: { number: '6' } });
    assert.deepEqual(patched.body['spec'], { color: 'blue', number: '6', street: 'Main' });
    const applied = await server.patch('apply', `${V2}/a?fieldManager=me&force=true`, {
      ...MAIN,
      spec: { street: 'High' },
    });
    assert.equal(applied.status, 200, applied.text);
    assert.deepEqual(applied.body['spec'], { color: 'blue', number: '6', street: 'High' });
    const opened = await server.patch('merge', `${V2}/a/status`, { status: { open: true } });
    assert.deepEqual(opened.body['status'], { open: true });
    const { body } = await server.get(`${V1}/a`);
    assert.deepEqual(body['spec'], { address: 'High 6', color: 'blue' });
    assert.deepEqual(body['status'], { open: true });
    assert.equal((await server.delete(`${V2}/a`)).status, 200);
    assert.equal((await server.get(`${V1}/a`)).status, 404);
  });

  it('write nothing if nothing changes', async () => {
    await using webhook = await TestWebhook.start(answer);
    using server = await served(webhook);
    await server.given('post', V2, door('v2', 'a', { street: 'Main', number: '5', color: 'red' }));
    const { body } = await server.get(`${V2}/a`);
    const before = server.revision;
    const { status } = await server.put(`${V2}/a`, body);
    assert.equal(status, 200);
    assert.equal(server.revision, before);
  });

  it('show admission webhooks the version that they ask for', async () => {
    await using conversion = await TestWebhook.start(answer);
    await using admission = await TestWebhook.start(() => ({ allowed: true }));
    using server = await served(conversion);
    await configureWebhook(server, 'Validating', admission.clientConfig(), {
      rules: [{ ...EVERYTHING, apiVersions: ['v2'], resources: ['doors'] }],
    });
    await server.given('post', V1, door('v1', 'a', { address: 'Main 5' }));
    const [{ request }] = admission.reviews as [TestReview];
    const { apiVersion, spec } = request['object'] as JsonObject;
    assert.equal(apiVersion, 'example.com/v2');
    assert.deepEqual(spec, { color: 'blue', number: '5', street: 'Main' });
  });

  const SUBJECT = 'conversion webhook for example.com/v1, Kind=Door';
  const broken: readonly (readonly [string, (review: TestReview) => TestResponse, string])[] = [
    [
      'another name',
      (review) => answer(review, (it) => ({ ...it, metadata: { ...it.metadata, name: 'x' } })),
      `${SUBJECT} returned invalid object: must have the same name: a != x`,
    ],
    [
      'another uid',
      (review) =>
        answer(review, (it) => ({ ...it, metadata: { name: 'a', namespace: 'default' } })),
      'must have the same UID: ',
    ],
    [
      'another kind',
      (review) => answer(review, (it) => ({ ...it, kind: 'Window' })),
      `${SUBJECT} returned invalid object at index 0: invalid kind (expected Door, received Window)`,
    ],
    [
      'another version',
      (review) => answer(review, (it) => ({ ...it, apiVersion: 'example.com/v3' })),
      `${SUBJECT} returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v3)`,
    ],
    [
      'invalid labels',
      (review) =>
        answer(review, (it) => ({ ...it, metadata: { ...it.metadata, labels: { a: 5 } } })),
      `${SUBJECT} returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object`,
    ],
    [
      'no objects',
      () => ({ result: { status: 'Success' }, convertedObjects: [] }),
      `${SUBJECT} returned 0 objects, expected 1`,
    ],
    [
      'a failure',
      () => ({ result: { status: 'Failed', message: 'not today' } }),
      `${SUBJECT} failed: not today`,
    ],
    [
      'a failure without a message',
      () => ({ result: {} }),
      `${SUBJECT} failed: response.result.status was '', not 'Success'`,
    ],
    [
      'an error',
      () => ({ http: 500, text: 'oops' }),
      `${SUBJECT} failed: an error on the server ("oops") has prevented the request from succeeding`,
    ],
  ];
  for (const [title, respond, expected] of broken) {
    it(`${title}: the request fails`, async () => {
      await using webhook = await TestWebhook.start(respond);
      using server = await served(webhook);
      await server.given('post', V1, door('v1', 'a', { address: 'Main 5' }));
      const { status, body } = await server.get(`${V2}/a`);
      assert.equal(status, 500);
      assert.ok(body.message?.includes(expected), body.message);
      assert.equal((await server.get(V2)).status, 500);
      assert.equal((await server.post(V2, { ...MAIN, metadata: { name: 'b' } })).status, 500);
      const watch = await server.watch(`${V2}?watch=true`);
      assert.equal((await watch.next()).type, 'ERROR');
      assert.equal((await server.get(`${V1}/b`)).status, 404);
      assert.equal((await server.delete(`${V1}/a`)).status, 200);
    });
  }

  it('convert dry runs to the storage and back', async () => {
    let change: Change = (it) => it;
    await using webhook = await TestWebhook.start((review) => answer(review, (it) => change(it)));
    using server = await served(webhook);
    change = (it): JsonObject => ({ ...it, metadata: { ...it.metadata, labels: { seen: 'yes' } } });
    const { status, body } = await server.post(`${V2}?dryRun=All`, MAIN);
    assert.equal(status, 201);
    assert.deepEqual(body.metadata?.labels, { seen: 'yes' });
    assert.equal(body.metadata?.resourceVersion, undefined);
    change = (it): JsonObject => ({ ...it, kind: 'Window' });
    assert.equal((await server.post(`${V2}?dryRun=All`, MAIN)).status, 500);
    assert.equal((await server.get(`${V1}/a`)).status, 404);
  });

  it('are asked for every read of one object', async () => {
    let change: Change = (it) => it;
    await using webhook = await TestWebhook.start((review) => answer(review, (it) => change(it)));
    using server = await served(webhook);
    await server.given('post', V1, door('v1', 'a', { address: 'Main 5' }));
    assert.equal((await server.get(`${V2}/a`)).status, 200);
    change = (it): JsonObject => ({ ...it, kind: 'Window' });
    assert.equal((await server.get(`${V2}/a`)).status, 500);
  });

  it('may change labels and annotations, and nothing else of the metadata', async () => {
    await using webhook = await TestWebhook.start((review) =>
      answer(review, (it) => ({
        ...it,
        metadata: { ...it.metadata, labels: { converted: 'yes' }, finalizers: ['a/b'] },
      })),
    );
    using server = await served(webhook);
    await server.given('post', V1, door('v1', 'a', { address: 'Main 5' }));
    const { body } = await server.get(`${V2}?labelSelector=converted=yes`);
    const { labels, finalizers } = body.items?.[0]?.metadata ?? {};
    assert.deepEqual([labels, finalizers], [{ converted: 'yes' }, undefined]);
  });
});

describe('conversion without a webhook', () => {
  it('prunes by the version of the storage what another version has', async () => {
    using server = new TestServer();
    await server.given('post', DEFINITIONS, definition({ strategy: 'None' }));
    await server.settle();
    const created = await server.given('post', V2, {
      ...MAIN,
      spec: { street: 'Main', color: 'red' },
    });
    assert.deepEqual(created['spec'], { color: 'red' });
    const dry = await server.patch('merge', `${V2}/a?dryRun=All`, {
      spec: { street: 'Side', color: 'blue' },
    });
    assert.deepEqual(dry.body['spec'], { color: 'blue' });
    const dryCreate = await server.post(`${V2}?dryRun=All`, { ...MAIN, metadata: { name: 'b' } });
    assert.deepEqual(dryCreate.body['spec'], { color: 'blue' });
    assert.deepEqual((await server.get(`${V2}/a`)).body['spec'], { color: 'red' });
    assert.deepEqual((await server.get(`${V1}/a`)).body['spec'], { color: 'red' });
  });
});
