import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from 'client-ts/internal';
import type { FieldsV1, KubernetesObject, ManagedFieldsEntry } from 'client-ts/meta';
import type { Schema } from '../schema/schema.ts';
import { updateManagedFields, type UpdateRequest } from './manager.ts';
import { resetFieldsOf } from './reset-fields.ts';
import { builtin, everything, schemaFrom } from './test-schema.ts';

const configMap = builtin('', 'ConfigMap');
const first = '2026-01-01T00:00:01Z';
const second = '2026-01-01T00:00:02Z';

type Data = Record<string, string>;

interface ConfigMap extends KubernetesObject {
  data: Data;
}

function object(data: Data, managedFields?: ManagedFieldsEntry[]): ConfigMap {
  const metadata = { name: 'c', uid: '1', ...(managedFields && { managedFields }) };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
}

function update(request: Partial<UpdateRequest> & Pick<UpdateRequest, 'updated'>) {
  return updateManagedFields({
    schema: configMap,
    apiVersion: 'v1',
    manager: 'm',
    now: first,
    ...request,
  });
}

function entry(
  manager: string,
  fieldsV1: FieldsV1,
  rest: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry {
  return {
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: first,
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...rest,
  };
}

const ownsA = entry('m', { 'f:data': { '.': {}, 'f:a': {} } });

describe('tracking updates', () => {
  test('makes the creator of an object its owner', () => {
    assert.deepEqual(update({ updated: object({ a: '1' }) }), [ownsA]);
  });

  test('records a missing name as "unknown"', () => {
    const [only] = update({ updated: object({ a: '1' }), manager: '' }) ?? [];
    assert.equal(only?.manager, 'unknown');
  });

  test('moves a changed field to its writer and keeps the rest', () => {
    const live = object({ a: '1' }, [ownsA]);
    const request = { live, manager: 'other', now: second };
    assert.deepEqual(update({ ...request, updated: object({ a: '1', b: '2' }) }), [
      ownsA,
      entry('other', { 'f:data': { 'f:b': {} } }, { time: second }),
    ]);
    assert.deepEqual(update({ ...request, updated: object({ a: '2' }) }), [
      entry('m', { 'f:data': {} }),
      entry('other', { 'f:data': { 'f:a': {} } }, { time: second }),
    ]);
  });

  test('adds to the entry of a manager and updates its time', () => {
    const live = object({ a: '1' }, [ownsA]);
    assert.deepEqual(update({ live, updated: object({ a: '1', b: '2' }), now: second }), [
      entry('m', { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } }, { time: second }),
    ]);
  });

  test('changes nothing if the object does not change', () => {
    const live = object({ a: '1' }, [ownsA]);
    const same = update({ live, updated: object({ a: '1' }), manager: 'other', now: second });
    assert.deepEqual(same, [ownsA]);
  });

  test('shares the sets of fields of objects that are alike', () => {
    const [one, other] = ['1', '2'].map((a) => update({ updated: object({ a }) }));
    assert.deepEqual(one, [ownsA]);
    assert.equal(one?.[0]?.fieldsV1, other?.[0]?.fieldsV1);
    const live = object({ a: '1' }, one);
    const same = update({ live, updated: object({ a: '1' }), manager: 'other', now: second });
    assert.equal(same?.[0]?.fieldsV1, one?.[0]?.fieldsV1);
  });

  test('removes deleted fields from their owners, and empty entries', () => {
    const other = entry('other', { 'f:data': { 'f:b': {} } });
    const live = object({ a: '1', b: '2' }, [ownsA, other]);
    assert.deepEqual(update({ live, updated: object({ a: '1' }), manager: 'third' }), [ownsA]);
  });

  test('keeps versions and subresources of a manager separate', () => {
    const live = object({ a: '1' }, [ownsA]);
    const updated = object({ a: '1', b: '2' });
    assert.deepEqual(update({ live, updated, apiVersion: 'v2', subresource: 'status' }), [
      ownsA,
      entry('m', { 'f:data': { 'f:b': {} } }, { apiVersion: 'v2', subresource: 'status' }),
    ]);
  });

  test('never tracks fields that every write sets', () => {
    const metadata = {
      name: 'c',
      namespace: 'n',
      uid: '2',
      resourceVersion: '5',
      generation: 3,
      creationTimestamp: first,
      selfLink: '/x',
    };
    const updated = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    assert.equal(update({ updated }), undefined);
    assert.deepEqual(update({ updated: { ...updated, metadata: { ...metadata, labels: {} } } }), [
      entry('m', { 'f:metadata': { 'f:labels': {} } }),
    ]);
  });

  test('does not track fields that the endpoint resets', () => {
    const pod = builtin('', 'Pod');
    const endpoint = { group: '', resource: 'pods', hasStatus: true, custom: false };
    const live = { metadata: { uid: '1', managedFields: [ownsA] }, spec: { hostname: 'x' } };
    const updated = { metadata: { uid: '1' }, spec: { hostname: 'y' }, status: { phase: 'X' } };
    const through = (subresource: string): FieldsV1 | undefined => {
      const resetFields = resetFieldsOf({ ...endpoint, subresource });
      const entries = update({
        live,
        updated,
        schema: pod,
        manager: 'x',
        subresource,
        ...(resetFields && { resetFields }),
      });
      return entries?.find(({ manager }) => manager === 'x')?.fieldsV1;
    };
    assert.deepEqual(through(''), { 'f:spec': { 'f:hostname': {} } });
    assert.deepEqual(through('status'), { 'f:status': { 'f:phase': {} } });
  });

  test('skips objects whose lists have no keys', () => {
    const schema: Schema = schemaFrom({
      type: 'object',
      properties: { s: { type: 'array', listType: 'set', items: { type: 'string' } } },
    });
    const broken = { metadata: {}, s: [null] } as KubernetesObject;
    assert.equal(update({ schema, updated: broken }), undefined);
  });
});

describe('managedFields in a request', () => {
  const live = object({ a: '1' }, [ownsA]);
  const send = (managedFields: ManagedFieldsEntry[], subresource = '') =>
    update({ live, updated: object({ a: '1' }, managedFields), subresource });

  test('replace the stored ones', () => {
    const other = entry('z', { 'f:data': { 'f:a': {} } });
    assert.deepEqual(send([other]), [other]);
  });

  test('disable tracking if empty, until the next apply', () => {
    assert.equal(send([]), undefined);
    assert.equal(send([{}]), undefined);
    const untracked = object({ a: '1' });
    assert.equal(update({ live: untracked, updated: object({ a: '2' }) }), undefined);
  });

  test('are tracked from the start if empty in a create', () => {
    assert.deepEqual(update({ updated: object({ a: '1' }, []) }), [ownsA]);
  });

  test('are ignored through a subresource', () => {
    assert.deepEqual(send([], 'status'), [ownsA]);
  });

  const broken: Record<string, ManagedFieldsEntry> = {
    'an unknown operation': { ...ownsA, operation: 'Nope' },
    'no version': { ...ownsA, apiVersion: '' },
    'no type of fields': { ...ownsA, fieldsType: '' },
    'another type of fields': { ...ownsA, fieldsType: 'FieldsV2' },
    'broken fields': { ...ownsA, fieldsV1: { nonsense: {} } },
  };
  for (const [name, bad] of Object.entries(broken)) {
    test(`are ignored if they have ${name}`, () => {
      assert.deepEqual(send([bad]), [ownsA]);
    });
  }

  test("are accepted in any order and written in the server's", () => {
    const [a, b, c] = [
      entry('b', { 'f:data': { 'f:a': {} } }, { time: second }),
      entry('a', { 'f:data': { 'f:a': {} } }, { time: second }),
      entry('z', { 'f:data': { 'f:a': {} } }, { operation: 'Apply', time: second }),
    ];
    const sent = [a, b, c, entry('x', { 'f:data': { 'f:a': {} } })];
    const order = send(sent)?.map(({ manager }) => manager);
    assert.deepEqual(order, ['z', 'x', 'a', 'b']);
  });
});

describe('other versions', () => {
  const v1 = schemaFrom({ type: 'object', properties: { old: { type: 'string' } } });
  const v2 = schemaFrom({ type: 'object', properties: { latest: { type: 'string' } } });
  const converter = ({ latest, ...rest }: JsonObject, apiVersion: string) => {
    if (apiVersion === 'v2') return { object: { ...rest, latest }, schema: v2 };
    return apiVersion === 'v1' ? { object: { ...rest, old: latest }, schema: v1 } : undefined;
  };
  const at = (latest: string, managedFields?: ManagedFieldsEntry[]) => ({
    apiVersion: 'v2',
    metadata: { uid: '1', ...(managedFields && { managedFields }) },
    latest,
  });

  test('are compared in their own version, and dropped if it is gone', () => {
    const live = at('a', [
      entry('gone', { 'f:latest': {} }, { apiVersion: 'v0' }),
      entry('old', { 'f:old': {}, 'f:x': {} }),
    ]);
    const entries = update({
      live,
      updated: at('b'),
      schema: v2,
      apiVersion: 'v2',
      converter,
      now: second,
    });
    assert.deepEqual(entries, [
      entry('old', { 'f:x': {} }),
      entry('m', { 'f:latest': {} }, { apiVersion: 'v2', time: second }),
    ]);
  });
});

test('owners of a part own the whole after a schema became atomic', () => {
  const schema = schemaFrom(everything);
  const stored = entry('old', {
    'f:atomicDict': { '.': {}, 'f:a': {} },
    'f:atomicList': { 'v:"x"': {} },
    'f:dict': { 'f:a': {} },
  });
  const live = { metadata: { uid: '1', managedFields: [stored] } };
  const updated = { metadata: { uid: '1' }, text: 'x' } as KubernetesObject;
  assert.deepEqual(
    update({ schema, live, updated })?.find(({ manager }) => manager === 'old'),
    {
      ...stored,
      fieldsV1: { 'f:atomicDict': {}, 'f:atomicList': {}, 'f:dict': { 'f:a': {} } },
    },
  );
});

test('every field of an object is owned by its last writer only', () => {
  const data = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2'));
  const writes = fc.array(fc.tuple(fc.constantFrom('x', 'y', 'z'), data), { minLength: 1 });
  fc.assert(
    fc.property(writes, (list) => {
      let live: KubernetesObject | undefined;
      const owners = new Map<string, string>();
      let before: Data = {};
      for (const [manager, after] of list) {
        const managedFields = update({ live, updated: object({ ...after }), manager });
        // An object without managers is no longer tracked.
        if (live !== undefined && live.metadata?.managedFields === undefined) return;
        for (const key of Object.keys({ ...before, ...after })) {
          if (after[key] === undefined) owners.delete(key);
          else if (after[key] !== before[key]) owners.set(key, manager);
        }
        live = object({ ...after }, managedFields);
        before = after;
        const found = (managedFields ?? []).flatMap(({ manager: name = '', fieldsV1 }) =>
          Object.keys(fieldsV1?.['f:data'] ?? {})
            .filter((key) => key !== '.')
            .map((key) => [key.slice(2), name] as const),
        );
        assert.deepEqual(new Map(found), owners);
      }
    }),
  );
});
