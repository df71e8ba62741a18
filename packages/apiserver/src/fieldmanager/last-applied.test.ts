import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from 'client-ts/internal';
import type { KubernetesObject } from 'client-ts/meta';
import { applyManaged, updateManagedFields } from './manager.ts';
import { first, owned, second } from './test-apply.ts';
import { builtin } from './test-schema.ts';

describe('migrating from client-side apply', () => {
  const configMap = builtin('', 'ConfigMap');
  const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
  const lastApplied = (data: JsonObject, apiVersion = 'v1'): string =>
    JSON.stringify({ apiVersion, kind: 'ConfigMap', metadata: { name: 'c' }, data });
  const clientSide = (data: JsonObject, annotationValue: string): KubernetesObject => {
    const updated = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c', uid: '1', annotations: { [annotation]: annotationValue } },
      data,
    };
    const managedFields = updateManagedFields({
      updated,
      schema: configMap,
      apiVersion: 'v1',
      manager: 'kubectl-client-side-apply',
      now: first,
    });
    return {
      ...updated,
      metadata: { ...updated.metadata, ...(managedFields && { managedFields }) },
    };
  };
  const serverSide = (live: KubernetesObject, data: JsonObject, manager = 'kubectl') =>
    applyManaged({
      live,
      config: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data },
      schema: configMap,
      apiVersion: 'v1',
      kind: 'ConfigMap',
      manager,
      force: false,
      now: second,
    }).object;

  test('has no conflicts about what the annotation says, and updates it', () => {
    const live = clientSide({ a: '1', b: '2' }, lastApplied({ a: '1', b: '2' }));
    const object = serverSide(live, { a: '1', b: '<3>' });
    assert.equal(
      object.metadata?.annotations?.[annotation],
      String.raw`{"apiVersion":"v1","data":{"a":"1","b":"\u003c3\u003e"},"kind":"ConfigMap","metadata":{"name":"c"}}` +
        '\n',
    );
    assert.deepEqual(owned(object, 'kubectl'), { 'f:data': { 'f:a': {}, 'f:b': {} } });
  });

  test('keeps the annotation up to 256 KiB of annotations, and drops it above', () => {
    const live = clientSide({ a: '1' }, lastApplied({ a: '1' }));
    const rest = Buffer.byteLength(`${annotation}${lastApplied({ a: '' })}\n`);
    const largest = 256 * 1024 - rest;
    const kept = serverSide(live, { a: 'x'.repeat(largest) });
    assert.ok(kept.metadata?.annotations?.[annotation]?.includes('xxx'));
    const dropped = serverSide(live, { a: 'x'.repeat(largest + 1) });
    assert.deepEqual(dropped.metadata?.annotations, {});
    // The limit is in bytes.
    const letters = serverSide(live, { a: 'é'.repeat(largest / 2 + 1) });
    assert.deepEqual(letters.metadata?.annotations, {});
  });

  test('is limited to the manager kubectl', () => {
    const live = clientSide({ a: '1' }, lastApplied({ a: '1' }));
    assert.throws(
      () => serverSide(live, { a: '2' }, 'other'),
      /conflict with "kubectl-client-side/,
    );
  });

  for (const [name, annotationValue] of Object.entries({
    'changed since': lastApplied({ a: '0' }),
    'of another version': lastApplied({ a: '1' }, 'v2'),
    'not JSON': '{',
    'of another form': lastApplied({ a: 1 }),
  })) {
    test(`ignores an annotation that is ${name}`, () => {
      const live = clientSide({ a: '1' }, annotationValue);
      assert.throws(() => serverSide(live, { a: '2' }), /1 conflict: .*: \.data\.a$/);
    });
  }

  test('still conflicts about other fields', () => {
    const live = clientSide({ a: '1', b: '2' }, lastApplied({ a: '1' }));
    assert.throws(() => serverSide(live, { a: '2', b: '3' }), /1 conflict: .*: \.data\.b$/);
  });
});
