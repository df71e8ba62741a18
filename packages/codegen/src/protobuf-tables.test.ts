import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ApiModel,
  type GoShape,
  loadGoShapes,
  loadProtobufMessages,
  type ModelParts,
  type ProtobufMessages,
} from './model.ts';
import { protobufTables, renderProtobufTables } from './protobuf-tables.ts';
import { supplementShapes } from './protobuf-supplement.ts';

const widget = 'k8s.io.api.example.v1.Widget';
const messages = loadProtobufMessages();

/** A model with one kind, on top of the messages that the supplement needs. */
function modelOf(fields: ProtobufMessages[string], shape: Partial<GoShape>, more = {}): ModelParts {
  const schema = {
    'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'Widget' }],
  };
  const api = {
    kubernetes: '1.0.0',
    groupVersions: [{ group: 'example.com', version: 'v1', resources: [] }],
    schemas: { 'io.k8s.api.example.v1.Widget': schema },
  } as ApiModel;
  return {
    api,
    messages: { ...messages, ...more, [widget]: fields },
    shapes: {
      ...loadGoShapes(),
      'io.k8s.api.example.v1.Widget': { order: [], pointer: [], always: [], ...shape },
    },
  };
}

function lineOf(model: ModelParts, name: string): string | undefined {
  return renderProtobufTables(model)
    .split('\n')
    .find((line) => line.startsWith(name));
}

test('writes a line per message, with fields in the order of their numbers', () => {
  const model = modelOf(
    {
      items: { n: 3, t: 'string', repeated: true },
      metadata: { n: 1, t: 'k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
      size: { n: 2, t: 'int32' },
      weights: { n: 4, map: ['string', 'k8s.io.apimachinery.pkg.api.resource.Quantity'] },
    },
    {
      order: ['kind', 'apiVersion', 'metadata', 'size', 'items', 'weights'],
      pointer: ['size'],
      always: ['metadata', 'items'],
    },
  );
  assert.equal(
    lineOf(model, 'Widget'),
    'Widget+ metadata:1!.meta.v1.ObjectMeta size:2?i items:3@*s weights:4%Q',
  );
  assert.match(renderProtobufTables(model), /'example.com\/v1': `\nexample.v1 Widget\n`/);
});

test('inlines a structure that JSON does not have, with the facts of the one around it', () => {
  const part = 'k8s.io.api.example.v1.Part';
  const model = modelOf(
    { part: { n: 1, t: part }, $ref: { n: 2, t: 'string' } },
    { order: ['color', '$ref'], pointer: ['color'], always: [] },
    { [part]: { color: { n: 7, t: 'string' } } },
  );
  assert.equal(lineOf(model, 'Widget'), 'Widget :1.Part $ref:2s');
  assert.equal(lineOf(model, 'Part'), 'Part color:7?s');
});

test('matches names that differ in spelling only', () => {
  const model = modelOf(
    { ref: { n: 1, t: 'string' }, xListType: { n: 2, t: 'bool' } },
    { order: ['$ref', 'x-list-type'] },
  );
  assert.equal(lineOf(model, 'Widget'), 'Widget $ref:1s x-list-type:2b');
});

test('refuses a model that contradicts itself', () => {
  const string = { n: 1, t: 'string' };
  const cases: [ModelParts, RegExp][] = [
    [modelOf({ color: string }, { order: ['color', 'size'] }), /Widget has no field for size/],
    [modelOf({ color: string }, { order: [] }), /Widget\.color is not in the JSON/],
    [modelOf({ color: { n: 1, t: 'nothing' } }, { order: ['color'] }), /nothing is not a message/],
    [
      modelOf({ color: { n: 1, map: ['int32', 'string'] } }, { order: ['color'] }),
      /a map with int32 keys/,
    ],
  ];
  for (const [model, message] of cases) assert.throws(() => renderProtobufTables(model), message);
});

test('the supplement describes only what the model lacks', () => {
  const shapes = loadGoShapes();
  for (const id of Object.keys(supplementShapes)) assert.equal(shapes[id], undefined, id);
});

test('the tables of the real model have every kind, and stay small', () => {
  const [text] = [...protobufTables.outputs().values()];
  assert.ok(text !== undefined);
  for (const line of ['Pod+ metadata:1!', 'DeploymentList+ ', 'JSONSchemaProps id:1s $schema:2s']) {
    assert.ok(text.includes(`\n${line}`), line);
  }
  assert.ok(text.length < 120_000, `${text.length} characters`);
});
