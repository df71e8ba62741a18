import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { differences, explain, isLeftOut, readPublished } from './published-documents.ts';

test('reads the documents of a source tree with their paths on a server', () => {
  const tree = mkdtempSync(join(tmpdir(), 'client-ts-tree-'));
  try {
    const files = [
      'api/discovery/api__v1.json',
      'api/discovery/apis__apps__v1.json',
      'api/openapi-spec/v3/apis__apps__v1_openapi.json',
      'api/openapi-spec/swagger.json',
    ];
    for (const file of files) {
      mkdirSync(dirname(join(tree, file)), { recursive: true });
      writeFileSync(join(tree, file), JSON.stringify({ file }));
    }
    assert.deepEqual(
      readPublished(tree).map(({ path, content }) => [path, content['file']]),
      [
        ['/api/v1', files[0]],
        ['/apis/apps/v1', files[1]],
        ['/openapi/v3/apis/apps/v1', files[2]],
        ['/openapi/v2', files[3]],
      ],
    );
  } finally {
    rmSync(tree, { recursive: true });
  }
});

test('descriptions, enums and the order of parameters make no difference', () => {
  const published = {
    parameters: { 'a-x1': { name: 'a', in: 'query' } },
    paths: { '/x': { parameters: [{ $ref: '#/parameters/a-x1' }, { name: 'b' }] } },
    definitions: {
      T: { description: 'Theirs.', properties: { description: { type: 'string', enum: ['x'] } } },
    },
  };
  const served = {
    parameters: { 'a-y2': { in: 'query', name: 'a' } },
    paths: { '/x': { parameters: [{ name: 'b' }, { $ref: '#/parameters/a-y2' }] } },
    definitions: { T: { description: 'Ours.', properties: { description: { type: 'string' } } } },
  };
  assert.deepEqual(differences(published, served), []);
});

test('a missing field, resource or verb is a difference', () => {
  const published = {
    components: { schemas: { T: { properties: { enum: {}, items: { type: 'array' } } } } },
    resources: [{ name: 'pods', verbs: ['get', 'list'] }],
  };
  const served = {
    components: { schemas: { T: { properties: { items: { type: 'string' } } } } },
    resources: [{ name: 'pods', verbs: ['get'] }],
  };
  assert.deepEqual(
    differences(published, served).map(({ op, path }) => `${op} ${path}`),
    [
      'remove /components/schemas/T/properties/enum',
      'replace /components/schemas/T/properties/items/type',
      'remove /resources/0/verbs/1',
    ],
  );
});

test('versions behind feature gates are left out', () => {
  const versions = [{ version: 'v1' }, { version: 'v1alpha1' }];
  const published = {
    items: [
      { metadata: { name: 'certificates.k8s.io' }, versions },
      { metadata: { name: 'storagemigration.k8s.io' }, versions: [{ version: 'v1beta1' }] },
    ],
    paths: { '/apis/certificates.k8s.io/v1alpha1/clustertrustbundles': {} },
  };
  const served = {
    items: [{ metadata: { name: 'certificates.k8s.io' }, versions: [{ version: 'v1' }] }],
    paths: {},
  };
  assert.deepEqual(differences(published, served), []);
  assert.ok(isLeftOut('/apis/scheduling.k8s.io/v1alpha2'));
  assert.ok(!isLeftOut('/apis/scheduling.k8s.io/v1'));
});

test('explanations belong to places of one document', () => {
  const logs = { op: 'remove', path: '/paths/~1logs~1' } as const;
  assert.match(explain('/openapi/v2', logs) ?? '', /\/logs/);
  const kinds = {
    op: 'remove',
    path: '/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions/x-kubernetes-group-version-kind/3',
  } as const;
  assert.ok(explain('/openapi/v2', kinds) !== undefined);
  assert.equal(explain('/openapi/v3/api/v1', kinds), undefined);
});
