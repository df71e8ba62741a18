import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { type Answer, TestServer } from '../testing/test-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const THINGS = '/apis/x.example.com/v1/namespaces/default/things';

/** An upper bound for a response with 1,000 errors of ordinary length. */
const MOST_CHARACTERS = 4_000_000;

function refused(server: TestServer, { status, text, body }: Answer, wanted = 422): void {
  assert.equal(status, wanted, text.slice(0, 1000));
  assert.ok(text.length < MOST_CHARACTERS, `${text.length} characters`);
  assert.ok((body.details?.causes ?? []).length <= 1001);
  assert.deepEqual(server.errors, []);
}

function definition(schema: object): object {
  return {
    metadata: { name: 'things.x.example.com' },
    spec: {
      group: 'x.example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

async function serverWithThings(spec: object): Promise<TestServer> {
  const server = new TestServer();
  await server.given('post', DEFINITIONS, definition({ type: 'object', properties: { spec } }));
  await server.settle();
  return server;
}

const thing = { apiVersion: 'x.example.com/v1', kind: 'Thing', metadata: { name: 'x' } };

function named<V>(count: number, value: V): Record<string, V> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index} `, value]));
}

describe('error responses are bounded', () => {
  it('for many owners that are all controllers', async () => {
    using server = new TestServer();
    const ownerReferences = Array.from({ length: 10_000 }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      name: `owner-${index}`,
      uid: `${index}`,
      controller: true,
    }));
    const answer = await server.post(MAPS, { metadata: { name: 'x', ownerReferences } });
    refused(server, answer);
    assert.match(
      answer.body.details?.causes?.at(-1)?.message ?? '',
      /^Too many errors: only the first \d+ are shown$/,
    );
  });

  it('for many labels, annotations and finalizers', async () => {
    using server = new TestServer();
    for (const metadata of [
      { labels: named(60_000, '!') },
      { annotations: named(60_000, '') },
      { finalizers: Object.keys(named(150_000, '')) },
    ]) {
      refused(server, await server.post(MAPS, { metadata: { name: 'x', ...metadata } }));
    }
  });

  it('for the name of a field manager, in options and in managed fields', async () => {
    using server = new TestServer();
    const query = `?fieldManager=${'%09'.repeat(100_000)}`;
    refused(server, await server.post(MAPS + query, { metadata: { name: 'x' } }));
    const entry = {
      manager: '\t'.repeat(1_000_000),
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': {} },
    };
    const metadata = { name: 'x', managedFields: [entry] };
    refused(server, await server.post(MAPS, { metadata }));
  });

  it('for a long name', async () => {
    using server = new TestServer();
    refused(server, await server.post(MAPS, { metadata: { name: 'A'.repeat(1_000_000) } }));
  });

  it('for a CRD with many properties that are not structural', async () => {
    using server = new TestServer();
    const schema = { type: 'object', properties: named(150_000, {}) };
    refused(server, await server.post(DEFINITIONS, definition(schema)));
  });

  it('for a custom resource with many invalid values', async () => {
    using server = await serverWithThings({ type: 'array', items: { type: 'string' } });
    const spec = Array.from({ length: 300_000 }, (_, index) => index);
    refused(server, await server.post(THINGS, { ...thing, spec }));
  });

  it('for invalid values below a long key', async () => {
    const list = { type: 'array', items: { type: 'string' } };
    using server = await serverWithThings({ type: 'object', additionalProperties: list });
    const spec = { ['k'.repeat(1_000_000)]: Array.from({ length: 1000 }, (_, index) => index) };
    refused(server, await server.post(THINGS, { ...thing, spec }));
  });

  it('for values outside a long enum', async () => {
    const choices = Array.from({ length: 100_000 }, (_, index) => `v${index}`);
    using server = await serverWithThings({
      type: 'array',
      items: { type: 'string', enum: choices },
    });
    const spec = Array.from({ length: 10_000 }, () => 'x');
    refused(server, await server.post(THINGS, { ...thing, spec }));
  });

  it('for unknown fields, also below a long key', async () => {
    const empty = { type: 'object', properties: { a: { type: 'string' } } };
    using server = await serverWithThings({ type: 'object', additionalProperties: empty });
    const spec = { ['k'.repeat(1_000_000)]: named(100_000, 1) };
    const strict = `${THINGS}?fieldValidation=Strict`;
    refused(server, await server.post(strict, { ...thing, spec }), 400);
  });

  it('for an applied configuration that does not fit its type', async () => {
    using server = new TestServer();
    const config = { apiVersion: 'v1', kind: 'ConfigMap', data: named(100_000, 1) };
    refused(server, await server.patch('apply', `${MAPS}/x?fieldManager=me`, config), 500);
  });

  it('for a deeply nested value', async () => {
    const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    using server = await serverWithThings({ ...anything, maxProperties: 0 });
    const text = JSON.stringify({ ...thing, spec: { a: 0 } });
    const deep = `${'['.repeat(450)}${']'.repeat(450)}`;
    const body = Buffer.from(text.replace(':0', `:${deep}`));
    refused(server, await server.send('POST', THINGS, body));
  });
});

describe('ordinary error responses', () => {
  it('contain all errors and whole values', async () => {
    using server = new TestServer();
    const labels = named(100, '');
    const { body } = await server.post(MAPS, { metadata: { name: 'x', labels } });
    assert.equal(body.details?.causes?.length, 100);
    const annotations = { [`${'a'.repeat(5000)} `]: '' };
    const answer = await server.post(MAPS, { metadata: { name: 'x', annotations } });
    assert.ok((answer.body.message ?? '').includes(`"${'a'.repeat(5000)} "`));
  });
});
