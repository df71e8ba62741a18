import assert from 'node:assert/strict';
import { test } from 'node:test';

import { informersGenerator } from './informers.ts';
import type { ApiModel, ModelResource } from './model.ts';

function resource(kind: string, plural: string, verbs: readonly string[]): ModelResource {
  return { kind, resource: plural, singular: plural.slice(0, -1), namespaced: true, verbs };
}

function schemaOf(group: string, kind: string): ApiModel['schemas'][string] {
  return { type: 'object', 'x-kubernetes-group-version-kind': [{ group, version: 'v1', kind }] };
}

const model: ApiModel = {
  kubernetes: '1.2.3',
  groupVersions: [
    {
      group: '',
      version: 'v1',
      resources: [
        resource('Pod', 'pods', ['get', 'list', 'watch']),
        resource('ComponentStatus', 'componentstatuses', ['get', 'list']),
        resource('Binding', 'bindings', ['create']),
      ],
    },
    {
      group: 'reviews.example.com',
      version: 'v1',
      resources: [resource('Review', 'reviews', ['create'])],
    },
  ],
  schemas: {
    'io.k8s.api.core.v1.Pod': schemaOf('', 'Pod'),
    'io.k8s.api.core.v1.ComponentStatus': schemaOf('', 'ComponentStatus'),
    'io.k8s.api.core.v1.Binding': schemaOf('', 'Binding'),
    'io.k8s.api.reviews.v1.Review': schemaOf('reviews.example.com', 'Review'),
  },
};

const outputs = informersGenerator(model).outputs();
const directory = 'packages/client/src/informers/generated';

test('every resource that can be listed and watched has a getter', () => {
  const getters = outputs.get(`${directory}/group-version-getters.ts`) ?? '';
  assert.match(
    getters,
    /export interface CoreV1Informers \{\n {2}\/\*\* .* \*\/\n {2}readonly pods: InformerGetter<typeof coreV1\.pods>;\n\}/,
  );
  assert.match(getters, /import type \* as coreV1 from '\.\.\/\.\.\/api\/core\/v1\.ts';/);
  assert.doesNotMatch(getters, /Reviews/);
});

test('does not load the modules of the API', () => {
  const getters = outputs.get(`${directory}/group-version-informers.ts`) ?? '';
  assert.match(
    getters,
    /get coreV1\(\): CoreV1Informers \{\n {4}return \(this\.#coreV1 \?\?= this\.group\(this\.client\.coreV1\)\);/,
  );
  assert.doesNotMatch(getters, /\/api\//);
  assert.doesNotMatch(getters, /reviews/);
});
