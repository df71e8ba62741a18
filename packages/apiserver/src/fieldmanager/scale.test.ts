import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ManagedFieldsEntry } from 'client-ts/meta';
import { updateManagedFields } from './manager.ts';
import { fromScaleEntries, replicasPath, type ReplicasPaths, toScaleEntries } from './scale.ts';
import { builtin } from './test-schema.ts';

const time = '2026-01-01T00:00:00Z';
const paths: ReplicasPaths = new Map([['apps/v1', replicasPath()]]);

function entry(rest: Partial<ManagedFieldsEntry>): ManagedFieldsEntry {
  return {
    manager: 'm',
    operation: 'Update',
    apiVersion: 'apps/v1',
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    ...rest,
  };
}

const { time: _, ...scaled } = entry({ manager: 'hpa', subresource: 'scale' });

/** Returns the entries after a write of `replicas` through `/scale`. */
function scale(parent: ManagedFieldsEntry[], manager: string, from: number, to: number) {
  const object = (replicas: number, managedFields?: ManagedFieldsEntry[]) => ({
    metadata: { uid: '1', ...(managedFields && { managedFields }) },
    spec: { replicas },
  });
  const entries = updateManagedFields({
    live: object(from, toScaleEntries(parent, paths)),
    updated: object(to),
    schema: builtin('autoscaling', 'Scale'),
    apiVersion: 'autoscaling/v1',
    manager,
    subresource: 'scale',
    now: time,
  });
  return fromScaleEntries(parent, entries, 'apps/v1', paths);
}

describe('the managed fields of a Scale', () => {
  test("are those of the parent's replicas", () => {
    const parent = [
      entry({ operation: 'Apply' }),
      entry({ manager: 'none', fieldsV1: { 'f:spec': { 'f:paused': {} } } }),
      entry({ manager: 'old', apiVersion: 'apps/v0' }),
    ];
    assert.deepEqual(toScaleEntries(parent, paths), [
      entry({ operation: 'Apply', apiVersion: 'autoscaling/v1' }),
    ]);
    assert.equal(toScaleEntries(undefined, paths), undefined);
  });

  test('change their owner with a write, without a time', () => {
    const parent = [entry({ fieldsV1: { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } } })];
    assert.deepEqual(scale(parent, 'hpa', 1, 2), [
      scaled,
      entry({ fieldsV1: { 'f:spec': { 'f:paused': {} } } }),
    ]);
    assert.deepEqual(scale([entry({})], 'hpa', 1, 2), [scaled]);
  });

  test('stay with an applier if nothing changes', () => {
    const parent = [entry({ operation: 'Apply' })];
    assert.deepEqual(scale(parent, 'hpa', 1, 1), parent);
  });

  test('move from an updater to an entry of their own, even if nothing changes', () => {
    const parent = [entry({ fieldsV1: { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } } })];
    const { time: __, ...untimed } = entry({});
    assert.deepEqual(scale(parent, 'm', 1, 1), [
      untimed,
      entry({ fieldsV1: { 'f:spec': { 'f:paused': {} } } }),
    ]);
  });

  test('follow the path of a custom resource, and drop versions that are gone', () => {
    const custom: ReplicasPaths = new Map([
      ['x/v1', replicasPath('.spec.size.wanted')],
      ['x/v2', undefined],
    ]);
    const fieldsV1 = { 'f:spec': { 'f:size': { 'f:wanted': {} } } };
    const parent = [
      entry({ apiVersion: 'x/v0' }),
      entry({ apiVersion: 'x/v1', fieldsV1, operation: 'Apply' }),
      entry({ apiVersion: 'x/v2' }),
    ];
    const scaleEntries = toScaleEntries(parent, custom);
    assert.deepEqual(
      scaleEntries?.map(({ apiVersion }) => apiVersion),
      ['autoscaling/v1'],
    );
    assert.deepEqual(fromScaleEntries(parent, scaleEntries, 'x/v1', custom), parent.slice(1));
  });
});
