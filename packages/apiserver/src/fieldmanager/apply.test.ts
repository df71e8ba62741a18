import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from 'client-ts/internal';
import type { KubernetesObject, ManagedFieldsEntry } from 'client-ts/meta';
import {
  apply,
  contentOf,
  custom,
  first,
  owned,
  refusal,
  second,
  typeMeta,
  untracked,
  update,
} from './test-apply.ts';
import { schemaFrom } from './test-schema.ts';
import type { VersionConverter } from './updater.ts';

describe('apply', () => {
  test('creates an object that the manager owns', () => {
    assert.deepEqual(apply(undefined, { text: 'a', dict: { k: 'v' } }), {
      ...typeMeta,
      metadata: {
        name: 'x',
        managedFields: [
          {
            manager: 'm',
            operation: 'Apply',
            apiVersion: typeMeta.apiVersion,
            time: first,
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:dict': { 'f:k': {} }, 'f:text': {} },
          },
        ],
      },
      text: 'a',
      dict: { k: 'v' },
    });
  });

  test('of the same configuration changes nothing, not even the time', () => {
    const once = apply(undefined, { text: 'a', set: ['x'] });
    assert.deepEqual(apply(once, { text: 'a', set: ['x'] }, { now: second }), once);
  });

  test('removes the fields that the manager no longer applies', () => {
    const live = apply(undefined, {
      text: 'a',
      number: 1,
      dict: { k: 'v', l: 'w' },
      set: ['x', 'y'],
      items: [{ name: 'a', value: '1' }, { name: 'b' }],
      struct: { a: '1', inner: { b: '2' } },
    });
    const object = apply(live, {
      text: 'a',
      dict: { l: 'w' },
      set: ['y'],
      items: [{ name: 'a' }],
      struct: { a: '1' },
    });
    assert.deepEqual(contentOf(object), {
      text: 'a',
      dict: { l: 'w' },
      set: ['y'],
      items: [{ name: 'a' }],
      struct: { a: '1' },
    });
  });

  test('keeps what others own, too', () => {
    const shared = apply(apply(undefined, { text: 'a' }), { text: 'a' }, { manager: 'other' });
    assert.deepEqual(contentOf(apply(shared, {})), { text: 'a' });
    const live = apply(undefined, { dict: { a: '1' } });
    const updated = update(live, { dict: { a: '1', b: '2' } }, 'u');
    assert.deepEqual(contentOf(apply(updated, {})), { dict: { b: '2' } });
  });

  test('removes unowned content of a removed field', () => {
    const live = apply(undefined, { struct: { a: '1' } });
    const defaulted = { ...live, struct: { a: '1', inner: { b: 'default' } } };
    assert.deepEqual(contentOf(apply(defaulted, {})), {});
  });

  test('removes an item even if an updater added to it, and leaves null', () => {
    const live = apply(undefined, { items: [{ name: 'a' }, { name: 'b' }] });
    const updated = update(live, { items: [{ name: 'a', value: '1' }, { name: 'b' }] }, 'u');
    const object = apply(updated, {});
    assert.deepEqual(contentOf(object), { items: null });
    assert.equal(object.metadata?.managedFields, undefined);
  });

  test('lets managers share a field with the same value', () => {
    const live = apply(undefined, { text: 'a' });
    const object = apply(live, { text: 'a' }, { manager: 'other', now: second });
    assert.deepEqual(owned(object, 'm'), { 'f:text': {} });
    assert.deepEqual(owned(object, 'other'), { 'f:text': {} });
    const times = object.metadata?.managedFields?.map(({ time }) => time);
    assert.deepEqual(times, [undefined, first], 'what changes nothing has no time');
  });

  test('rejects changes to fields of others and names them', () => {
    const applied = apply(undefined, { text: 'a', items: [{ name: 'n', value: '1' }] });
    const live = update(applied, { ...contentOf(applied), number: 1 }, 'updater');
    const two = refusal(
      live,
      { text: 'b', items: [{ name: 'n', value: '2' }], number: 2 },
      {
        manager: 'other',
      },
    );
    assert.deepEqual(two.status, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        'Apply failed with 3 conflicts: conflicts with "m":\n' +
        '- .text\n- .items[name="n",protocol="TCP"].value\n' +
        'conflicts with "updater" using example.com/v1:\n- .number',
      reason: 'Conflict',
      details: {
        causes: [
          { reason: 'FieldManagerConflict', message: 'conflict with "m"', field: '.text' },
          {
            reason: 'FieldManagerConflict',
            message: 'conflict with "m"',
            field: '.items[name="n",protocol="TCP"].value',
          },
          {
            reason: 'FieldManagerConflict',
            message: 'conflict with "updater" using example.com/v1',
            field: '.number',
          },
        ],
      },
      code: 409,
    });
    const one = refusal(live, { number: 2 }, { manager: 'other', subresource: 'scale' });
    assert.equal(
      one.message,
      'Apply failed with 1 conflict: conflict with "updater" using example.com/v1: .number',
    );
  });

  test('takes over fields with force', () => {
    const live = apply(undefined, { text: 'a', number: 1 });
    const object = apply(live, { text: 'b' }, { manager: 'other', force: true });
    assert.deepEqual(contentOf(object), { text: 'b', number: 1 });
    assert.deepEqual(owned(object, 'm'), { 'f:number': {} });
    assert.deepEqual(owned(object, 'other'), { 'f:text': {} });
  });

  test('records the state before the first apply', () => {
    const live = untracked({ text: 'a', number: 1 });
    const refused = refusal(live, { text: 'b' });
    assert.match(
      refused.message,
      /conflict with "before-first-apply" using example.com\/v1: .text$/,
    );
    const object = apply(live, { text: 'b' }, { force: true });
    assert.deepEqual(owned(object, 'before-first-apply'), { 'f:number': {} });
    assert.deepEqual(owned(object, 'm'), { 'f:text': {} });
  });

  test('returns a new object', () => {
    const live = apply(undefined, { dict: { a: '1' } });
    const config = { items: [{ name: 'n' }] };
    const object = apply(live, config) as KubernetesObject & { items: JsonObject[] };
    object.items[0]!['value'] = 'changed';
    assert.deepEqual(config, { items: [{ name: 'n' }] });
  });

  test('has one entry per manager, independent of the version', () => {
    const other = 'example.com/v2';
    const live = apply(undefined, { text: 'a' });
    const object = apply(live, { apiVersion: other, text: 'b' }, { apiVersion: other });
    assert.deepEqual(
      object.metadata?.managedFields?.map(({ manager, apiVersion }) => [manager, apiVersion]),
      [['m', other]],
    );
  });
});

describe('apply in several versions', () => {
  const v2 = 'example.com/v2';
  const v2Schema = schemaFrom({
    type: 'object',
    properties: { apiVersion: { type: 'string' }, words: { type: 'string' } },
  });
  /** In v2 the text field has another name, and numbers do not exist. */
  const converter: VersionConverter = (object, apiVersion) => {
    const { text, words, number: _, ...rest } = object;
    return apiVersion === v2
      ? { object: { ...rest, apiVersion, words: text ?? words }, schema: v2Schema }
      : { object: { ...rest, apiVersion, text: words ?? text }, schema: custom };
  };

  test('keeps what another version owns, and what a version cannot hold', () => {
    const live = apply(undefined, { text: 'a', flag: true });
    const applied = { ...live, number: 5 } as KubernetesObject;
    const inV2: ManagedFieldsEntry = {
      manager: 'other',
      operation: 'Apply',
      apiVersion: v2,
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:words': {} },
    };
    applied.metadata?.managedFields?.push(inV2);
    const object = apply(applied, {}, { converter });
    assert.deepEqual(contentOf(object), { text: 'a', number: 5 });
    assert.deepEqual(object.metadata?.managedFields, [inV2]);
  });
});

describe('invalid configurations', () => {
  const cases: readonly [
    name: string,
    config: JsonObject,
    code: number,
    message: string | RegExp,
  ][] = [
    ['another kind', { kind: 'Other' }, 400, 'invalid object type: example.com/v1, Kind=Other'],
    ['another version', { apiVersion: 'v1' }, 400, 'invalid object type: /v1, Kind=Thing'],
    [
      'managedFields',
      { metadata: { managedFields: [] } },
      400,
      'metadata.managedFields must be nil',
    ],
    [
      'an unknown field',
      { metadata: { name: 'x', namespace: 'n' }, nope: 1 },
      500,
      'failed to create typed patch object (n/x; example.com/v1, Kind=Thing): ' +
        '.nope: field not declared in schema',
    ],
    [
      'text for a number',
      { number: 'x' },
      500,
      /: \.number: expected numeric .int or float., got string$/,
    ],
    [
      'a list for text',
      { text: ['x'] },
      500,
      /got &value.valueUnstructured\{Value:\[\]interface \{\}\{"x"\}\}$/,
    ],
    ['text for a flag', { flag: 'x' }, 500, /: \.flag: expected boolean, got &\{x\}$/],
    ['text for a map', { dict: 'x' }, 500, /: \.dict: expected map, got &\{x\}$/],
    ['a map for a list', { set: { a: 1 } }, 500, /: \.set: expected list, got &\{map\[a:1\]\}$/],
    ['a duplicate', { set: ['a', 'a'] }, 500, /: \.set: duplicate entries for key \[="a"\]$/],
    [
      'a duplicate by default',
      { items: [{ name: 'a' }, { name: 'a', protocol: 'TCP' }] },
      500,
      /: \.items: duplicate entries for key \[name="a",protocol="TCP"\]$/,
    ],
    [
      'a null item',
      { items: [null] },
      500,
      /: \.items: element 0: .* may not have a null element$/,
    ],
    [
      'several mistakes',
      { text: 1, items: [{ name: 'a', tags: ['x'] }] },
      500,
      /: errors:\n {2}\.text: .*Value:1\}\n {2}\.items\[name="a",protocol="TCP"\]\.tags\[="x"\]: expected numeric/,
    ],
  ];
  for (const [name, config, code, message] of cases) {
    test(`${name}: ${code}`, () => {
      const refused = refusal(undefined, config);
      assert.equal(refused.statusCode, code);
      if (typeof message === 'string') assert.equal(refused.message, message);
      else assert.match(refused.message, message);
    });
  }

  test('with stored managedFields that cannot be decoded: 500', () => {
    const live = { ...typeMeta, metadata: { managedFields: [{ operation: 'Nope' }] } };
    assert.equal(
      refusal(live, {}).message,
      'failed to decode managed fields: operation must be `Apply` or `Update`',
    );
  });

  test('with stored lists without keys: 500', () => {
    const live = untracked({ set: [null] });
    const refused = refusal(live, { set: ['a'] });
    assert.equal(refused.statusCode, 500);
    assert.match(refused.message, /^failed to create typed live object /);
  });
});
