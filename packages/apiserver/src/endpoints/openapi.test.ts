import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { TestMessage } from '../discovery/openapi/protobuf/test-message.ts';
import { type Answer, TestServer } from '../testing/test-server.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const PROTOBUF_V2 = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const PROTOBUF_V3 = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gizmos.demo.example.com' },
  spec: {
    group: 'demo.example.com',
    scope: 'Namespaced',
    names: { plural: 'gizmos', singular: 'gizmo', kind: 'Gizmo', listKind: 'GizmoList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A gizmo.',
            properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
          },
        },
      },
    ],
  },
};

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string; readonly $ref?: string }[];
  readonly consumes?: readonly string[];
  readonly requestBody?: { readonly content: object };
  readonly 'x-kubernetes-action'?: string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

interface Schema {
  readonly [keyword: string]: unknown;
}

async function indexOf(server: TestServer): Promise<Record<string, string>> {
  const { text } = await server.get('/openapi/v3');
  const { paths } = JSON.parse(text) as { paths: Record<string, { serverRelativeURL: string }> };
  return Object.fromEntries(
    Object.entries(paths).map(([path, { serverRelativeURL }]) => [path, serverRelativeURL]),
  );
}

function documentOf({ status, text }: Answer): Document {
  assert.equal(status, 200, text.slice(0, 300));
  return JSON.parse(text) as Document;
}

function propertiesOf(schema: Schema | undefined): Readonly<Record<string, Schema>> {
  return (schema?.['properties'] ?? {}) as Readonly<Record<string, Schema>>;
}

/** Asserts that every reference of a document resolves inside it. */
function assertComplete(text: string, types: object, prefix: string): void {
  const names = new Set([...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, name = '']) => name));
  for (const name of names) {
    if (name.startsWith('#/parameters/')) continue;
    assert.ok(name.startsWith(prefix), name);
    assert.ok(Object.hasOwn(types, name.slice(prefix.length)), name);
  }
}

describe('OpenAPI v3', () => {
  it('has an index in which every URL leads to a complete document', async () => {
    using server = new TestServer();
    const index = await indexOf(server);
    for (const path of ['api', 'api/v1', 'apis', 'apis/apps', 'apis/apps/v1', 'version']) {
      assert.ok(path in index, path);
    }
    for (const [path, url] of Object.entries(index)) {
      const answer = await server.get(url);
      const { paths, components } = documentOf(answer);
      assert.equal(answer.headers['cache-control'], 'public, immutable');
      assert.ok(Object.keys(paths).length > 0, path);
      for (const name of Object.keys(paths)) assert.ok(name.startsWith(`/${path}/`), name);
      assertComplete(answer.text, components?.schemas ?? {}, '#/components/schemas/');
    }
    assert.deepEqual(server.errors, []);
  });

  it('describes types and fields, also beside a reference', async () => {
    using server = new TestServer();
    await server.given('post', CRDS, definition);
    await server.settle();
    const index = await indexOf(server);
    const { components } = documentOf(await server.get(index['api/v1'] ?? ''));
    const container = components?.schemas?.['io.k8s.api.core.v1.Container'];
    assert.match(String(container?.['description']), /^One container of a pod\./);
    const { livenessProbe } = propertiesOf(container);
    assert.deepEqual(livenessProbe?.['allOf'], [
      { $ref: '#/components/schemas/io.k8s.api.core.v1.Probe' },
    ]);
    assert.match(String(livenessProbe?.['description']), /^Restarts the container /);
    const custom = documentOf(await server.get(index['apis/demo.example.com/v1'] ?? ''));
    const gizmo = custom.components?.schemas?.['com.example.demo.v1.Gizmo'];
    assert.equal(gizmo?.['description'], 'A gizmo.');
    const { metadata } = propertiesOf(gizmo);
    assert.match(String(metadata?.['description']), /^Name, namespace, labels/);
  });

  it('gives every operation a unique name', async () => {
    using server = new TestServer();
    const seen = new Set<string>();
    for (const url of Object.values(await indexOf(server))) {
      const { paths } = documentOf(await server.get(url));
      for (const { parameters: _, ...operations } of Object.values(paths)) {
        for (const { operationId } of Object.values(operations)) {
          assert.ok(!seen.has(operationId), operationId);
          seen.add(operationId);
        }
      }
    }
    for (const name of [
      'listCoreV1PodForAllNamespaces',
      'watchCoreV1NamespacedPodList',
      'deleteCoreV1CollectionNamespacedPod',
      'connectCoreV1GetNamespacedPodProxyWithPath',
      'replaceAppsV1NamespacedDeploymentScale',
      'getCodeVersion',
    ]) {
      assert.ok(seen.has(name), name);
    }
  });

  it('answers 304 for an unchanged document and redirects from a stale hash', async () => {
    using server = new TestServer();
    const path = '/openapi/v3/apis/apps/v1';
    const { headers } = await server.get(path);
    const etag = String(headers['etag']);
    const hash = etag.slice(1, -1);
    const conditions: [Record<string, string>, number][] = [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-none-match': `"other", ${etag}` }, 304],
      [{ 'if-none-match': '"other"' }, 200],
      [{ 'if-modified-since': String(headers['last-modified']) }, 304],
      [{ 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 200],
      [{ 'if-none-match': '"other"', 'if-modified-since': String(headers['last-modified']) }, 200],
    ];
    for (const [asked, status] of conditions) {
      const answer = await server.get(path, { headers: asked });
      assert.equal(answer.status, status, JSON.stringify(asked));
      if (status === 304) assert.equal(answer.text, '');
    }
    const moved = await server.get(`${path}?hash=DEADBEEF`);
    assert.deepEqual([moved.status, moved.headers['location']], [301, `${path}?hash=${hash}`]);
    assert.equal((await server.get('/openapi/v3/apis/nope/v1')).status, 404);
    assert.equal((await server.get('/openapi/v3/')).status, 404);
  });

  it('is available as protobuf, in both spellings of its media type', async () => {
    using server = new TestServer();
    const type = PROTOBUF_V3.replace('@', '.');
    for (const accept of [PROTOBUF_V3, type, `text/plain, ${type};q=0.9, application/json;q=0.1`]) {
      const { headers, bytes } = await server.get('/openapi/v3/apis/apps/v1', {
        headers: { accept },
      });
      assert.equal(headers['content-type'], type);
      const document = new TestMessage(bytes);
      assert.equal(document.text(1), '3.0.0');
      assert.ok(document.at(4).named(1).has('/apis/apps/v1/deployments'));
    }
    for (const accept of ['application/yaml', 'text/*', PROTOBUF_V2]) {
      const { status } = await server.get('/openapi/v3/apis/apps/v1', { headers: { accept } });
      assert.equal(status, 406, accept);
    }
  });

  it('changes a document only if its resources change', async () => {
    using server = new TestServer();
    const before = await indexOf(server);
    await server.given('post', CRDS, definition);
    await server.settle();
    const after = await indexOf(server);
    const { 'apis/demo.example.com/v1': added, ...others } = after;
    assert.deepEqual(others, before);
    const { paths, components } = documentOf(await server.get(added ?? ''));
    const object = paths['/apis/demo.example.com/v1/namespaces/{namespace}/gizmos/{name}'];
    assert.deepEqual(Object.keys(object?.['patch']?.requestBody?.content ?? {}), [
      'application/apply-patch+yaml',
      'application/json-patch+json',
      'application/merge-patch+json',
    ]);
    assert.equal(components?.schemas?.['com.example.demo.v1.Gizmo']?.['description'], 'A gizmo.');
    const words = '/spec/versions/0/schema/openAPIV3Schema/description';
    const reword = [{ op: 'replace', path: words, value: 'Another gizmo.' }];
    await server.patch('json', `${CRDS}/gizmos.demo.example.com`, reword);
    await server.settle();
    const reworded = await indexOf(server);
    assert.notEqual(reworded['apis/demo.example.com/v1'], added);
    await server.delete(`${CRDS}/gizmos.demo.example.com`);
    await server.settle();
    assert.deepEqual(await indexOf(server), before);
  });
});

describe('OpenAPI v2', () => {
  it('is one complete document', async () => {
    using server = new TestServer();
    const answer = await server.get('/openapi/v2');
    const { paths, definitions = {} } = documentOf(answer);
    assertComplete(answer.text, definitions, '#/definitions/');
    assert.deepEqual(Object.keys(paths), Object.keys(paths).toSorted());
    assert.equal(answer.headers['content-length'], String(answer.bytes.length));
    for (const [name, schema] of Object.entries(definitions)) {
      for (const keyword of ['default', 'oneOf', 'nullable', 'shape']) {
        assert.equal(schema[keyword], undefined, `${name}: ${keyword}`);
      }
    }
    const { description, ...quantity } =
      definitions['io.k8s.apimachinery.pkg.api.resource.Quantity'] ?? {};
    assert.deepEqual(quantity, { type: 'string' });
    assert.match(String(description), /^A fixed-point number/);
  });

  it('describes types and fields, also beside a reference', async () => {
    using server = new TestServer();
    const { definitions = {} } = documentOf(await server.get('/openapi/v2'));
    const container = definitions['io.k8s.api.core.v1.Container'];
    assert.match(String(container?.['description']), /^One container of a pod\./);
    const { livenessProbe } = propertiesOf(container);
    assert.equal(livenessProbe?.['$ref'], '#/definitions/io.k8s.api.core.v1.Probe');
    assert.match(String(livenessProbe?.['description']), /^Restarts the container /);
  });

  it('has the same paths as the documents of v3', async () => {
    using server = new TestServer();
    await server.given('post', CRDS, definition);
    await server.settle();
    const names: string[] = [];
    for (const url of Object.values(await indexOf(server))) {
      names.push(...Object.keys(documentOf(await server.get(url)).paths));
    }
    const { paths } = documentOf(await server.get('/openapi/v2'));
    assert.deepEqual(Object.keys(paths), names.toSorted());
  });

  it('lists for kubectl, in protobuf, which kinds support dry run', async () => {
    using server = new TestServer();
    await server.given('post', CRDS, definition);
    await server.settle();
    const headers = { accept: PROTOBUF_V2 };
    const { bytes, ...answer } = await server.get('/openapi/v2', { headers });
    assert.equal(answer.headers['content-type'], PROTOBUF_V2.replace('@', '.'));
    const document = new TestMessage(bytes);
    assert.equal(document.text(1), '2.0');
    assert.ok(document.at(9).named(1).has('com.example.demo.v1.Gizmo'));
    const dryRun = new Set<string>();
    for (const item of document.at(8).named(2).values()) {
      const patch = item.at(8);
      const kind = patch.named(13).get('x-kubernetes-group-version-kind')?.text(2) ?? '';
      const names = patch.messages(8).map((parameter) => parameter.at(1, 2, 3).text(4));
      if (names.includes('dryRun')) dryRun.add((JSON.parse(kind) as { kind: string }).kind);
    }
    for (const kind of ['Pod', 'Deployment', 'Gizmo', 'CustomResourceDefinition']) {
      assert.ok(dryRun.has(kind), kind);
    }
  });

  it('is compressed for clients that accept it', async () => {
    using server = new TestServer();
    const plain = await server.get('/openapi/v2');
    const packed = await server.get('/openapi/v2', { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.equal(packed.headers['content-length'], undefined);
    assert.deepEqual(packed.headers['vary'], ['Accept-Encoding', 'Accept']);
    assert.equal(gunzipSync(packed.bytes).toString(), plain.text);
    assert.equal(packed.headers['etag'], plain.headers['etag']);
  });

  it('is built once, and again when the API changes', async () => {
    using server = new TestServer();
    const ask = async (): Promise<unknown[]> => {
      const { headers } = await server.get('/openapi/v2');
      return [headers['etag'], headers['last-modified']];
    };
    const [first, second] = await Promise.all([ask(), ask()]);
    assert.deepEqual(first, second);
    await server.clock.advance(10_000);
    assert.deepEqual(await ask(), first);
    await server.given('post', CRDS, definition);
    await server.settle();
    const changed = await ask();
    assert.notEqual(changed[0], first[0]);
    assert.notEqual(changed[1], first[1]);
    const { status } = await server.get('/openapi/v2', {
      headers: { 'if-none-match': String(changed[0]) },
    });
    assert.equal(status, 304);
  });

  it('accepts any method, but no other path', async () => {
    using server = new TestServer();
    for (const method of ['POST', 'DELETE', 'OPTIONS']) {
      assert.equal((await server.send(method, '/openapi/v2', undefined)).status, 200, method);
    }
    for (const path of ['/openapi', '/openapi/v2/', '/openapi/v2/x', '/openapi/v4']) {
      assert.equal((await server.get(path)).text, '404 page not found\n', path);
    }
    const headers = { accept: 'application/yaml' };
    assert.equal((await server.get('/openapi/v2', { headers })).status, 406);
  });
});
