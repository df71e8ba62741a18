import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type ApiModel, type GoShape, loadApiModel, loadGoShapes } from './model.ts';
import { renderServerModel } from './server-model.ts';

const model: ApiModel = {
  kubernetes: '0.0.0',
  groupVersions: [],
  schemas: { 'a.v1.Thing': { type: 'object', properties: { b: {}, a: { type: 'string' } } } },
};
const shape: GoShape = { order: ['a', 'b'], pointer: ['b'], always: [] };

test('writes properties in the order of the Go type, with the facts of its shape', () => {
  const text = renderServerModel(model, { 'a.v1.Thing': shape });
  const thing = (JSON.parse(text) as { schemas: Record<string, { properties: object }> }).schemas[
    'a.v1.Thing'
  ];
  assert.deepEqual(Object.keys(thing?.properties ?? {}), ['a', 'b']);
  assert.deepEqual(thing, {
    type: 'object',
    properties: { a: { type: 'string' }, b: {} },
    shape: { pointer: ['b'] },
  });
});

test('refuses a schema without a shape, or with a shape of other fields', () => {
  assert.throws(() => renderServerModel(model, {}), /a\.v1\.Thing: the model has no shape/);
  for (const order of [['a'], ['a', 'c'], ['a', 'b', 'c']]) {
    assert.throws(
      () => renderServerModel(model, { 'a.v1.Thing': { ...shape, order } }),
      /a\.v1\.Thing: the shape and the schema name different fields/,
    );
  }
});

test('writes every schema of the model in the order of its type', () => {
  const model = loadApiModel();
  const shapes = loadGoShapes();
  const { schemas } = JSON.parse(renderServerModel(model, shapes)) as ApiModel;
  assert.deepEqual(Object.keys(schemas), Object.keys(model.schemas));
  for (const [id, schema] of Object.entries(schemas)) {
    assert.deepEqual(Object.keys(schema.properties ?? {}), shapes[id]?.order, id);
  }
});
