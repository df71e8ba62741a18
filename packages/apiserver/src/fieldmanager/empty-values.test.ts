import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from 'client-ts/internal';
import type { KubernetesObject } from 'client-ts/meta';
import { canonicalObject } from '../schema/decode.ts';
import { applyManaged, updateManagedFields } from './manager.ts';
import { apply, contentOf, first, type Live, owned, update } from './test-apply.ts';
import { builtin } from './test-schema.ts';

/** A step, the object after it, and what each manager owns then. */
type Step = readonly [
  manager: string,
  config: JsonObject,
  content: JsonObject,
  owners: Readonly<Record<string, JsonObject>>,
];

/** Sequences of applies with the results of structured-merge-diff v6. */
const sequences: Readonly<Record<string, readonly Step[]>> = {
  'an empty map is a field of its own': [
    ['m', { dict: {} }, { dict: {} }, { m: { 'f:dict': {} } }],
    ['m', { dict: {} }, { dict: {} }, { m: { 'f:dict': {} } }],
    ['n', { dict: {} }, { dict: {} }, { m: { 'f:dict': {} }, n: { 'f:dict': {} } }],
  ],
  'an empty set has no owner until the second apply': [
    ['m', { set: [] }, { set: [] }, {}],
    ['m', { set: [] }, { set: [] }, { 'before-first-apply': { 'f:set': {} } }],
  ],
  'an empty atomic list is a field': [
    ['m', { atomicList: [] }, { atomicList: [] }, { m: { 'f:atomicList': {} } }],
    ['m', { atomicList: [] }, { atomicList: [] }, { m: { 'f:atomicList': {} } }],
  ],
  'null is a field too': [
    ['m', { text: null }, { text: null }, { m: { 'f:text': {} } }],
    ['m', { text: null }, { text: null }, { m: { 'f:text': {} } }],
  ],
  'fields that are no longer applied are removed, with their owner': [
    ['m', { dict: { a: 'x' } }, { dict: { a: 'x' } }, { m: { 'f:dict': { 'f:a': {} } } }],
    ['m', { dict: {} }, { dict: null }, { m: { 'f:dict': {} } }],
    ['m', {}, {}, {}],
  ],
};

function owners({ metadata }: KubernetesObject): Record<string, unknown> {
  const entries = metadata?.managedFields ?? [];
  return Object.fromEntries(entries.map(({ manager, fieldsV1 }) => [manager, fieldsV1]));
}

describe('empty values', () => {
  for (const [title, steps] of Object.entries(sequences)) {
    test(title, () => {
      let live: Live;
      for (const [manager, config, content, expected] of steps) {
        live = apply(live, config, { manager });
        assert.deepEqual(contentOf(live), content);
        assert.deepEqual(owners(live), expected);
      }
    });
  }

  test('of a new built-in object have no owner', () => {
    const schema = builtin('apps', 'Deployment');
    const request = { schema, apiVersion: 'apps/v1', manager: 'm', now: first };
    const updated = canonicalObject(schema, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'x' },
      spec: { replicas: 1 },
    });
    assert.deepEqual(updateManagedFields({ ...request, updated })?.[0]?.fieldsV1, {
      'f:spec': { 'f:replicas': {} },
    });
    const config = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' } };
    const { object } = applyManaged({ ...request, config, kind: 'Deployment', force: false });
    assert.deepEqual(object.metadata?.managedFields ?? [], []);
  });

  test('in a key field of an item do not block the next apply', () => {
    const schema = builtin('', 'Pod');
    const config = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'x' },
      spec: { hostAliases: [{}, { ip: '192.0.2.1' }] },
    };
    let live: Live;
    for (let times = 0; times < 2; times++) {
      const request = { live, config, schema, apiVersion: 'v1', kind: 'Pod', manager: 'm' };
      const { object } = applyManaged({ ...request, force: false, now: first });
      live = canonicalObject(schema, object);
    }
    assert.ok(live);
    assert.deepEqual(contentOf(live)['spec'], {
      containers: null,
      hostAliases: [{ ip: '192.0.2.1' }],
    });
  });

  test('of an update are owned by it', () => {
    const live = update(undefined, { dict: {}, set: [], items: [], struct: {} }, 'm');
    assert.deepEqual(owned(live, 'm'), {
      'f:dict': {},
      'f:items': {},
      'f:set': {},
      'f:struct': {},
    });
  });
});
