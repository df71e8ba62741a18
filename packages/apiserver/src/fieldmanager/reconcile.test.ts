import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldTypeOf } from './field-type.ts';
import { reconcileSet } from './reconcile.ts';
import { everything, schemaFrom } from './test-schema.ts';

const schema = schemaFrom(everything);
const type = fieldTypeOf(schema);

describe('fitting a set to a schema', () => {
  test('returns the very set if it fits, so that it is not encoded again', () => {
    const set = {
      'f:text': {},
      'f:struct': { 'f:inner': { 'f:b': {} } },
      'f:dict': { '.': {}, 'f:a': {} },
      'f:items': { 'k:{"name":"x","protocol":"TCP"}': { '.': {}, 'f:tags': { 'v:1': {} } } },
      'f:set': { 'v:"a"': {} },
    };
    assert.equal(reconcileSet(set, type), set);
    assert.equal(reconcileSet(set, type), set);
  });

  test('makes the owner of a part the owner of what has become atomic, at any depth', () => {
    const item = 'k:{"name":"x","protocol":"TCP"}';
    const atomic = schemaFrom({
      type: 'object',
      properties: {
        items: {
          type: 'array',
          listType: 'map',
          listMapKeys: ['name', 'protocol'],
          items: {
            type: 'object',
            properties: { tags: { type: 'array', items: { type: 'integer' } } },
          },
        },
      },
    });
    assert.deepEqual(
      reconcileSet({ 'f:items': { [item]: { 'f:tags': { 'v:1': {} } } } }, fieldTypeOf(atomic)),
      { 'f:items': { [item]: { 'f:tags': {} } } },
    );
  });

  test('leaves alone what the schema leaves open or does not know', () => {
    const part = { 'k:{"name":"x"}': { '.': {}, 'f:name': {} } };
    const set = {
      'f:free': { 'f:list': part },
      'f:any': part,
      'f:text': { 'f:a': {} },
      'f:set': { 'v:"a"': { 'f:a': {} }, 'i:0': { 'f:a': {} } },
    };
    assert.deepEqual(reconcileSet(set, type), set);
  });

  test('is repeated for another schema', () => {
    const set = { 'f:dict': { 'f:a': {} } };
    assert.equal(reconcileSet(set, type), set);
    const atomic = schemaFrom({
      type: 'object',
      properties: { dict: { type: 'object', mapType: 'atomic' } },
    });
    assert.deepEqual(reconcileSet(set, fieldTypeOf(atomic)), { 'f:dict': {} });
  });
});
