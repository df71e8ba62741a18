import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { type Answer, TestServer } from '../testing/test-server.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';
const DEFINITION = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
};

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

async function widgetServer(): Promise<TestServer> {
  const server = new TestServer();
  await server.given('post', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', DEFINITION);
  await server.settle();
  await server.given('post', WIDGETS, {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w' },
  });
  await server.given('post', CONFIG_MAPS, { metadata: { name: 'c' } });
  return server;
}

const widget = (name: string, depth: number): string =>
  `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"${name}"},"x":${nested(depth)}}`;

describe('nesting', () => {
  it('of 490 levels can be stored, patched, applied and listed', async () => {
    using server = await widgetServer();
    const body = Buffer.from(widget('deep', 490));
    assert.equal((await server.send('POST', WIDGETS, body)).status, 201);
    const path = `${WIDGETS}/deep`;
    const patch = `{"y":${nested(490)}}`;
    assert.equal((await server.patch('merge', path, patch)).status, 200);
    const apply = `${path}?fieldManager=me&force=true`;
    assert.equal((await server.patch('apply', apply, widget('deep', 490))).status, 200);
    assert.equal((await server.get(WIDGETS)).status, 200);
    assert.deepEqual(server.errors, []);
  });

  for (const depth of [510, 1500, 9999, 10_001, 100_000]) {
    it(`of ${depth} levels is rejected with a 4xx at any position`, async () => {
      using server = await widgetServer();
      const yaml = { headers: { 'content-type': 'application/yaml' } };
      const flow = `x: ${'['.repeat(depth)}${']'.repeat(depth)}\n`;
      const token = Buffer.from(`{"v":${nested(depth)}}`).toString('base64url');
      const options = Buffer.from(`{"x":${nested(depth)}}`);
      const attempts: readonly Promise<Answer>[] = [
        server.send('POST', CONFIG_MAPS, Buffer.from(`{"x":${nested(depth)}}`)),
        server.send('POST', WIDGETS, Buffer.from(widget('x', depth))),
        server.send('POST', WIDGETS, Buffer.from(flow), yaml),
        server.patch('merge', `${WIDGETS}/w`, `{"x":${nested(depth)}}`),
        server.patch('strategic', `${CONFIG_MAPS}/c`, `{"x":${nested(depth)}}`),
        server.patch('json', `${WIDGETS}/w`, `[{"op":"add","path":"/x","value":${nested(depth)}}]`),
        server.patch('apply', `${WIDGETS}/w?fieldManager=me`, widget('w', depth)),
        server.send('DELETE', `${WIDGETS}/w`, options),
        server.get(`${WIDGETS}?limit=1&continue=${token}`),
      ];
      for (const { status, text } of await Promise.all(attempts)) {
        assert.ok(status >= 400 && status < 500, text.slice(0, 300));
        assert.match(text, /exceeded max depth/);
      }
      assert.deepEqual(server.errors, []);
    });
  }

  it('built up by patch operations is rejected, too', async () => {
    using server = await widgetServer();
    const path = `${WIDGETS}/w`;
    const operations = Array.from({ length: 700 }, (_, index) => ({
      op: 'add',
      path: '/a'.repeat(index + 1),
      value: {},
    }));
    const { status, text } = await server.patch('json', path, operations);
    assert.equal(status, 422);
    assert.match(text, /exceeded max depth/);
    assert.deepEqual(server.errors, []);
  });
});

describe('YAML', () => {
  it('with thousands of anchors and aliases is parsed in one pass', async () => {
    using server = new TestServer();
    const entries = Array.from({ length: 20_000 }, (_, n) => `- &a${n} x\n- *a${n}\n`).join('');
    const { status } = await server.send(
      'POST',
      CONFIG_MAPS,
      Buffer.from(`metadata: {name: x}\nunknown:\n${entries}`),
      { headers: { 'content-type': 'application/yaml' } },
    );
    assert.equal(status, 201);
  });

  it('resolves an alias to the last preceding anchor of its name', async () => {
    using server = new TestServer();
    const text = 'metadata: {name: x}\ndata: {a: &v one, b: *v, c: &v two, d: *v, *v : key}\n';
    const { body, status } = await server.send('POST', CONFIG_MAPS, Buffer.from(text), {
      headers: { 'content-type': 'application/yaml' },
    });
    assert.equal(status, 201);
    assert.deepEqual(body['data'], { a: 'one', b: 'one', c: 'two', d: 'two', two: 'key' });
  });

  it('that doubles in size with each merge is rejected', async () => {
    using server = new TestServer();
    const lines = Array.from({ length: 60 }, (_, n) =>
      n === 0 ? 'a0: &a0 {}' : `a${n}: &a${n} {<<: [*a${n - 1}, *a${n - 1}]}`,
    );
    const { status, text } = await server.send('POST', CONFIG_MAPS, Buffer.from(lines.join('\n')), {
      headers: { 'content-type': 'application/yaml' },
    });
    assert.equal(status, 400);
    assert.match(text, /excessive aliasing/);
  });
});

describe('a patch of a Scale', () => {
  const DEPLOYMENT = '/apis/apps/v1/namespaces/default/deployments';
  const deployment = {
    metadata: { name: 'd' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: {
        metadata: { labels: { a: 'b' } },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      },
    },
  };

  it('with values of the wrong type is rejected like other patches', async () => {
    using server = new TestServer();
    await server.given('post', DEPLOYMENT, deployment);
    const path = `${DEPLOYMENT}/d/scale`;
    const attempts: readonly Promise<Answer>[] = [
      server.patch('merge', path, { spec: 'x' }),
      server.patch('merge', path, { spec: { replicas: 'x' } }),
      server.patch('merge', path, { spec: { replicas: 1.5 } }),
      server.patch('merge', path, { kind: {} }),
      server.patch('merge', path, { metadata: [] }),
      server.patch('strategic', path, { spec: { replicas: 'x' } }),
      server.patch('json', path, [{ op: 'replace', path: '/kind', value: {} }]),
      server.patch('json', path, [{ op: 'add', path: '/metadata/managedFields', value: [1] }]),
    ];
    for (const { status, text } of await Promise.all(attempts)) {
      assert.equal(status, 422, text);
      assert.match(text, /patch: Invalid value: /);
    }
    assert.deepEqual(server.errors, []);
  });
});
