import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';

import { TestServer } from '../testing/test-server.ts';

const DEFAULT = 'namespaces/default';

/** Valid objects of a few kinds, to be corrupted. */
const OBJECTS: readonly [path: string, object: object][] = [
  [`/api/v1/${DEFAULT}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } }],
  [
    `/api/v1/${DEFAULT}/pods`,
    {
      apiVersion: 'v1',
      kind: 'Pod',
      spec: {
        containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1' } } }],
        volumes: [{ name: 'v', emptyDir: {} }],
        tolerations: [{ key: 'k', operator: 'Exists' }],
      },
    },
  ],
  [
    `/api/v1/${DEFAULT}/services`,
    { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 80, targetPort: 'http' }] } },
  ],
  [
    `/apis/apps/v1/${DEFAULT}/deployments`,
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'a' } },
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        },
      },
    },
  ],
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'string' } } } },
          },
        ],
      },
    },
  ],
];

/** Puts odd values into random places of an object. */
function broken(object: object): fc.Arbitrary<unknown> {
  const places = [...placesIn({ metadata: { name: 'x', labels: { l: 'm' } }, ...object }, [])];
  const odd = fc.oneof(
    fc.constantFrom<unknown>(null, '', 0, -1, 1.5, true, [], {}, 'text', [null], { '': null }),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const change = fc.tuple(fc.constantFrom(...places), odd);
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const copy = { metadata: { name: 'x', labels: { l: 'm' } }, ...structuredClone(object) };
    for (const [path, value] of changes) put(copy, path, structuredClone(value));
    return copy;
  });
}

function* placesIn(value: object, path: readonly string[]): Generator<readonly string[]> {
  for (const [key, child] of Object.entries(value)) {
    yield [...path, key];
    if (typeof child === 'object' && child !== null)
      yield* placesIn(child as object, [...path, key]);
  }
}

function put(object: object, path: readonly string[], value: unknown): void {
  let target = object as Record<string, unknown>;
  for (const key of path.slice(0, -1)) {
    const next = target[key];
    if (typeof next !== 'object' || next === null) return;
    target = next as Record<string, unknown>;
  }
  target[path.at(-1) ?? ''] = value;
}

describe('for any input', () => {
  for (const [path, object] of OBJECTS) {
    it(`to ${path}, the server never fails with a 5xx`, async () => {
      using server = new TestServer();
      await fc.assert(
        fc.asyncProperty(broken(object), fc.nat(4), async (body, how) => {
          server.errors.length = 0;
          const writes = [
            () => server.post(path, body as object),
            () => server.put(`${path}/x`, body as object),
            () => server.patch('merge', `${path}/x`, body as object),
            () => server.patch('strategic', `${path}/x`, body as object),
            () => server.patch('apply', `${path}/x?fieldManager=me&force=true`, body as object),
          ];
          const { status, text } = await (writes[how] as (typeof writes)[0])();
          await server.settle();
          assert.deepEqual(server.errors, []);
          assert.ok(status >= 200 && status <= 500, text);
          JSON.parse(text);
        }),
        { numRuns: 150 },
      );
    });
  }

  it('in paths and queries, the server never fails with a 5xx', async () => {
    using server = new TestServer();
    const segment = fc.constantFrom(
      'api',
      'apis',
      'v1',
      'apps',
      'namespaces',
      'default',
      'pods',
      'x',
      'watch',
      'status',
      '',
      '..',
      '%00',
      '%2F',
      '__proto__',
      'constructor',
      'scale',
      'log',
      'proxy',
      'token',
    );
    const parameter = fc.tuple(
      fc.constantFrom(
        'limit',
        'continue',
        'resourceVersion',
        'resourceVersionMatch',
        'labelSelector',
        'fieldSelector',
        'dryRun',
        'fieldManager',
        'timeoutSeconds',
        'pretty',
        'timeout',
        'sendInitialEvents',
        'container',
        'tailLines',
        'includeObject',
      ),
      fc.oneof(fc.constantFrom('', '0', '1', '-1', 'All', 'Exact', 'a=b', 'x'), fc.string()),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(segment, { maxLength: 7 }),
        fc.array(parameter, { maxLength: 3 }),
        fc.constantFrom('GET', 'DELETE', 'POST', 'PUT', 'PATCH'),
        async (segments, parameters, method) => {
          server.errors.length = 0;
          const query = new URLSearchParams(parameters);
          query.set('watch', '0');
          query.set('resourceVersion', '0');
          const url = `/${segments.join('/')}?${query.toString()}`;
          if (segments.includes('watch')) return;
          const { status } = await server.send(method, url, Buffer.from('{}'));
          assert.deepEqual(server.errors, [], url);
          assert.ok(status >= 200, url);
        },
      ),
      { numRuns: 500 },
    );
  });
});
