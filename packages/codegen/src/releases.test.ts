import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadApiModel, loadModelParts, type ModelParts } from './model.ts';
import {
  compareRelease,
  loadReleases,
  type Release,
  releaseFile,
  renderRelease,
  withReleases,
} from './releases.ts';

const toy = 'io.k8s.api.toys.v1.Toy';
const ball = 'io.k8s.api.toys.v1.Ball';
const message = 'k8s.io.api.toys.v1.Toy';
const text = { type: 'string' } as const;
const KINDS = 'x-kubernetes-group-version-kind';

function parts(kubernetes: string, own: Partial<ModelParts['api']>, fields: string[]): ModelParts {
  const properties = Object.fromEntries(fields.map((name) => [name, text]));
  return {
    api: {
      kubernetes,
      groupVersions: [],
      ...own,
      schemas: { [toy]: { type: 'object', properties }, ...own.schemas },
    },
    shapes: {
      [toy]: { order: fields, pointer: [], always: fields.slice(0, 1) },
      [ball]: { order: [], pointer: [], always: [] },
    },
    messages: {
      [message]: Object.fromEntries(fields.map((name, n) => [name, { n: n + 1, t: 'string' }])),
    },
  };
}

const toys = {
  resource: 'toys',
  kind: 'Toy',
  namespaced: true,
  singular: 'toy',
  verbs: ['get'],
};
const group = { group: 'toys.k8s.io', version: 'v1' };

test('a resource that is missing is null, one that differs a patch', () => {
  const balls = { ...toys, resource: 'balls', kind: 'Ball' };
  const base = parts('1.2.0', { groupVersions: [{ ...group, resources: [balls, toys] }] }, []);
  const changed = { ...toys, shortNames: ['t'] };
  const older = parts('1.1.5', { groupVersions: [{ ...group, resources: [changed] }] }, []);
  const release = compareRelease(base, older);
  assert.equal(release.kubernetes, '1.1.5');
  assert.equal(release.base, '1.2.0');
  assert.deepEqual(release.groupVersions, ['toys.k8s.io/v1']);
  assert.deepEqual(release.resources, {
    'toys.k8s.io/v1': { balls: null, toys: { shortNames: ['t'] } },
  });
});

test('a type with fewer fields is a patch, one with more fields or another order is whole', () => {
  const base = parts('1.2.0', { schemas: { [ball]: { type: 'object' } } }, ['a', 'b', 'c']);
  const fewer = compareRelease(base, parts('1.1.0', {}, ['a', 'c']));
  assert.deepEqual(fewer.changes, { [ball]: null, [toy]: { properties: { b: null } } });
  assert.deepEqual(fewer.types, {});
  for (const fields of [
    ['a', 'b', 'd'],
    ['b', 'a'],
  ]) {
    const { types, changes } = compareRelease(base, parts('1.1.0', {}, fields));
    assert.deepEqual(Object.keys(types[toy]?.properties ?? {}), fields);
    assert.deepEqual(Object.keys(changes), [ball]);
  }
});

test('fields of messages that the model does not have are kept', () => {
  const base = parts('1.2.0', {}, ['a']);
  const { messages } = compareRelease(base, parts('1.1.0', {}, ['a', 'b']));
  assert.deepEqual(messages, { [message]: { b: { n: 2, t: 'string' } } });
});

test('the joined model has the fields, kinds and messages of all releases', () => {
  const kinds = [{ group: 'toys.k8s.io', version: 'v1', kind: 'Options' }];
  const options = { type: 'object', properties: {}, [KINDS]: kinds } as const;
  const base = parts('1.2.0', { schemas: { [ball]: options } }, ['a']);
  const old = { group: 'toys.k8s.io', version: 'v1alpha1', kind: 'Options' };
  const unserved = { ...old, version: 'v0' };
  const release: Release = {
    ...compareRelease(base, parts('1.1.0', { schemas: { [ball]: options } }, ['a', 'b'])),
    groupVersions: ['toys.k8s.io/v1', 'toys.k8s.io/v1alpha1'],
    changes: { [ball]: { [KINDS]: [...kinds, old, unserved] } },
  };
  const joined = withReleases(base, [release]);
  assert.deepEqual(Object.keys(joined.api.schemas[toy]?.properties ?? {}), ['a', 'b']);
  assert.deepEqual(joined.api.schemas[ball]?.[KINDS], [...kinds, old]);
  assert.deepEqual(joined.shapes[toy], { order: ['a', 'b'], pointer: [], always: ['a'] });
  assert.deepEqual(Object.keys(joined.messages[message] ?? {}), ['a', 'b']);
});

test('a field number that two releases use differently is an error', () => {
  const base = parts('1.2.0', {}, ['a']);
  const release = compareRelease(base, parts('1.1.0', {}, ['b']));
  assert.throws(() => withReleases(base, [release]), /Toy: two releases use one number/);
});

test('the releases beside the model are compared with it, and rendered as they are', () => {
  const releases = loadReleases();
  const { kubernetes } = loadApiModel();
  assert.deepEqual(releases.map(releaseFile), ['releases/1.35.json', 'releases/1.34.json']);
  for (const release of releases) {
    assert.equal(release.base, kubernetes);
    assert.deepEqual(JSON.parse(renderRelease(release)), release);
  }
  const joined = withReleases(loadModelParts(), releases);
  assert.ok(joined.api.schemas['io.k8s.api.core.v1.PodSpec']?.properties?.['workloadRef']);
});
