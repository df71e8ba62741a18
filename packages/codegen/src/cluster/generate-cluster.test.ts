import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { ApiError } from 'client-ts/meta';

import { typeErrors } from '../test-compile.ts';
import { generateFromCrds } from '../crd/generate-crds.ts';
import { CodegenError } from '../errors.ts';
import { generateFromCluster } from './generate-cluster.ts';
import { serverOf } from './test-server.ts';

function testdata(path: string): string {
  return readFileSync(new URL(`../../testdata/${path}`, import.meta.url), 'utf8');
}

/** What a real server answered for the definitions in widgets.yaml, by path. */
const recorded = JSON.parse(testdata('cluster.json')) as Record<string, object>;

test('generates from a cluster what its definitions generate', async () => {
  const server = serverOf(recorded);
  const progress: string[] = [];
  const modules = await generateFromCluster(server, { onProgress: (line) => progress.push(line) });
  const expected = generateFromCrds([{ name: 'widgets.yaml', text: testdata('widgets.yaml') }]);
  assert.deepEqual([...modules.keys()], [...expected.keys()]);
  assert.equal(modules.get('example.com/v1.ts'), expected.get('example.com/v1.ts'));
  assert.equal(modules.get('odd.example.com/v1.ts'), expected.get('odd.example.com/v1.ts'));
  // Discovery does not tell that a version is deprecated.
  const withoutDeprecation = expected
    .get('example.com/v1beta1.ts')
    ?.replace(/\/\*\*\n \* (`.*`)\n \*\n \* @deprecated .*\n \*\//, '/** $1 */');
  assert.equal(modules.get('example.com/v1beta1.ts'), withoutDeprecation);
  assert.deepEqual(progress, [
    'Reading example.com/v1',
    'Reading example.com/v1beta1',
    'Reading odd.example.com/v1',
  ]);
  assert.ok(!server.requests.some((path) => path.includes('apps')), 'built-in groups are left out');
});

test('reads only the requested groups', async () => {
  const server = serverOf(recorded);
  const modules = await generateFromCluster(server, { groups: ['odd.example.com'] });
  assert.deepEqual([...modules.keys()], ['odd.example.com/v1.ts']);
  assert.deepEqual(
    server.requests.filter((path) => path.includes('/example.com')),
    [],
  );
});

test('refuses an unknown group and lists the known ones', async () => {
  await assert.rejects(
    generateFromCluster(serverOf(recorded), { groups: ['example.com', 'nope.example.com'] }),
    (error) => {
      assert.ok(error instanceof CodegenError);
      assert.equal(error.code, 'CODEGEN_GROUP_NOT_FOUND');
      assert.match(error.message, /no group nope\.example\.com/);
      assert.match(error.hint ?? '', /apps, example\.com, odd\.example\.com/);
      return true;
    },
  );
});

test('refuses a server without custom resources', async () => {
  const plain = {
    ...recorded,
    '/apis': { groups: [{ name: 'apps', versions: [{ groupVersion: 'apps/v1' }] }] },
  };
  await assert.rejects(generateFromCluster(serverOf(plain)), /no custom resources/);
});

test('turns references into types of the module, circular ones too', async () => {
  const server = serverOf({
    '/apis': {
      groups: [{ name: 'agg.example.com', versions: [{ groupVersion: 'agg.example.com/v1' }] }],
    },
    '/openapi/v3': { paths: { 'apis/agg.example.com/v1': { serverRelativeURL: '/openapi/agg' } } },
    '/apis/agg.example.com/v1': {
      resources: [
        {
          name: 'trees',
          singularName: '',
          namespaced: false,
          kind: 'Tree',
          verbs: ['list', 'get'],
        },
        { name: 'bare', singularName: 'bare', namespaced: true, kind: 'Bare', verbs: ['create'] },
      ],
    },
    '/openapi/agg': {
      components: {
        schemas: {
          'com.example.agg.v1.Tree': {
            type: 'object',
            properties: {
              root: {
                default: {},
                allOf: [{ $ref: '#/components/schemas/com.example.agg.v1.Node' }],
              },
              selector: {
                $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector',
              },
              cpu: { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity' },
              lost: { $ref: '#/components/schemas/nowhere' },
            },
            'x-kubernetes-group-version-kind': [
              { group: 'agg.example.com', version: 'v1', kind: 'Tree' },
            ],
          },
          'com.example.agg.v1.Node': {
            type: 'object',
            description: 'A node.',
            properties: {
              children: {
                type: 'array',
                items: { $ref: '#/components/schemas/com.example.agg.v1.Node' },
              },
              color: { $ref: '#/components/schemas/com.example.agg.v1.Color' },
            },
          },
          'com.example.agg.v1.Color': { type: 'string', enum: ['red', 'green'] },
        },
      },
    },
  });
  const modules = await generateFromCluster(server);
  const text = modules.get('agg.example.com/v1.ts') ?? '';
  assert.match(text, /trees: ResourceDescriptor<Tree, 'Cluster', 'get' \| 'list', never>/);
  assert.match(text, /root\?: Node;/);
  assert.match(text, /children\?: Node\[\];/);
  assert.match(text, /export type Color = 'red' \| 'green';/);
  assert.match(text, /selector\?: LabelSelector;/);
  assert.match(text, /cpu\?: Quantity;/);
  assert.match(text, /lost\?: unknown;/);
  // Without a published schema every field is accepted.
  assert.match(text, /interface Bare \{[^}]*\[key: string\]: unknown;/);
  assert.deepEqual(typeErrors(Object.fromEntries(modules)), []);
});

test('refuses names that lead out of the output directory', async () => {
  const groupVersion = '../../etc/v1';
  const evil = { ...recorded, '/apis': { groups: [{ name: 'x', versions: [{ groupVersion }] }] } };
  await assert.rejects(generateFromCluster(serverOf(evil)), (error) => {
    assert.ok(error instanceof CodegenError);
    assert.equal(error.code, 'CODEGEN_DISCOVERY_INVALID');
    return true;
  });
});

test('throws the error of the server unchanged', async () => {
  const { '/openapi/v3': _, ...withoutOpenApi } = recorded;
  await assert.rejects(generateFromCluster(serverOf(withoutOpenApi)), (error) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.reason, 'NotFound');
    assert.equal(error.request?.path, '/openapi/v3');
    return true;
  });
  await assert.rejects(generateFromCluster(serverOf({ '/apis': '<html>' })), (error) => {
    assert.ok(error instanceof ApiError);
    return true;
  });
});
