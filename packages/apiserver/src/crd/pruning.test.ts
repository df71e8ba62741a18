import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JSONSchemaProps } from 'client-ts/api/apiextensions/v1';
import type { JsonObject } from 'client-ts/internal';

import { DecodeError } from '../schema/decode.ts';
import { parseJson } from '../schema/parse-json.ts';
import { decodeCustomResource } from './decode-custom.ts';
import { structuralSchema } from './structural.ts';

function decode(
  properties: Record<string, JSONSchemaProps>,
  fields: string,
): { object: JsonObject; findings: readonly string[] } {
  const schema = structuralSchema({ type: 'object', properties });
  const text = `{"kind":"W","apiVersion":"x.example.com/v1",${fields}}`;
  return decodeCustomResource(parseJson(text), {
    group: 'x.example.com',
    kind: 'W',
    schemaFor: () => schema,
  });
}

const typeMeta = { apiVersion: 'x.example.com/v1', kind: 'W' };
const text: JSONSchemaProps = { type: 'string' };
const keep = { 'x-kubernetes-preserve-unknown-fields': true };

test('unknown fields are pruned and reported in order', () => {
  const { object, findings } = decode(
    {
      spec: {
        type: 'object',
        properties: { list: { type: 'array', items: { type: 'object', properties: { a: text } } } },
      },
    },
    '"z":1,"spec":{"y":{"deep":1},"list":[{"a":"1"},{"b":2}]},"metadata":{"name":"n","zzz":1}',
  );
  assert.deepEqual(object, {
    ...typeMeta,
    metadata: { name: 'n' },
    spec: { list: [{ a: '1' }, {}] },
  });
  assert.deepEqual(findings, [
    'unknown field "metadata.zzz"',
    'unknown field "spec.list[1].b"',
    'unknown field "spec.y"',
    'unknown field "z"',
  ]);
});

test('x-kubernetes-preserve-unknown-fields keeps unknown fields, but not below named ones', () => {
  const { object, findings } = decode(
    {
      spec: {
        type: 'object',
        ...keep,
        properties: { known: { type: 'object', properties: { a: text } } },
      },
    },
    '"spec":{"any":[{"x":1}],"known":{"a":"1","b":2}}',
  );
  assert.deepEqual(object['spec'], { any: [{ x: 1 }], known: { a: '1' } });
  assert.deepEqual(findings, ['unknown field "spec.known.b"']);
});

test('lists below x-kubernetes-preserve-unknown-fields keep unknown fields', () => {
  const items: JSONSchemaProps = {
    type: 'object',
    properties: { a: { type: 'object', properties: { b: text } } },
  };
  const { object } = decode(
    { spec: { type: 'array', items, ...keep } },
    '"spec":[{"x":1,"a":{"b":"1","c":2}}]',
  );
  assert.deepEqual(object['spec'], [{ x: 1, a: { b: '1' } }]);
});

test('additionalProperties keeps keys, but nothing below them without a schema', () => {
  const { object } = decode(
    {
      map: { type: 'object', additionalProperties: text },
      open: { type: 'object', additionalProperties: true },
    },
    '"map":{"b":"1","__proto__":"2"},"open":{"a":1,"b":{"c":1},"d":null}',
  );
  assert.equal(JSON.stringify(object['map']), '{"__proto__":"2","b":"1"}');
  assert.deepEqual(object['open'], { a: 1, b: {}, d: null });
});

test('null counts as absent unless nullable', () => {
  const { object } = decode(
    {
      a: text,
      b: { ...text, nullable: true },
      c: { ...text, default: 'x' },
      d: { type: 'array', items: { ...text, default: 'y' } },
      e: { ...text, nullable: true, default: 'z' },
    },
    '"a":null,"b":null,"c":null,"d":[null],"e":null',
  );
  assert.deepEqual(object, { ...typeMeta, b: null, c: 'x', d: ['y'], e: null });
});

test('defaults are applied from the outside in, each as a copy', () => {
  const properties: Record<string, JSONSchemaProps> = {
    spec: {
      type: 'object',
      default: {},
      properties: {
        a: {
          type: 'object',
          default: { b: 1 },
          properties: { b: { type: 'integer' }, c: { type: 'integer', default: 2 } },
        },
      },
    },
  };
  const { object } = decode(properties, '"metadata":{}');
  assert.deepEqual(object['spec'], { a: { b: 1, c: 2 } });
  ((object['spec'] as JsonObject)['a'] as JsonObject)['b'] = 99;
  assert.deepEqual(decode(properties, '"metadata":{}').object['spec'], { a: { b: 1, c: 2 } });
});

test('embedded resources get ObjectMeta', () => {
  const embedded: JSONSchemaProps = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    ...keep,
  };
  const { object, findings } = decode(
    { spec: embedded },
    '"spec":{"kind":"Pod","apiVersion":"v1","metadata":{"zzz":1,"name":"p","labels":{},"creationTimestamp":null},"extra":1}',
  );
  assert.deepEqual(object['spec'], {
    apiVersion: 'v1',
    extra: 1,
    kind: 'Pod',
    metadata: { name: 'p' },
  });
  assert.deepEqual(findings, ['unknown field "spec.metadata.zzz"']);
  assert.throws(() => decode({ spec: embedded }, '"spec":{"kind":5}'), {
    name: 'EmbeddedResourceError',
    message: 'spec.kind: Invalid value: 5: must be a string',
  });
});

test('metadata of the wrong type is rejected', () => {
  assert.throws(
    () => decode({}, '"metadata":{"labels":{"a":1}}'),
    new DecodeError(
      'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    ),
  );
});

test('duplicate keys are reported first, and the last value counts', () => {
  const { object, findings } = decode(
    { spec: { type: 'object', properties: { a: { type: 'integer' } } } },
    '"spec":{"a":1,"a":2,"b":3},"x":[{"y":1,"y":1}]',
  );
  assert.deepEqual(object['spec'], { a: 2 });
  assert.deepEqual(findings, [
    'duplicate field "spec.a"',
    'duplicate field "x[0].y"',
    'unknown field "spec.b"',
    'unknown field "x"',
  ]);
});

test('a resource of another kind is only parsed', () => {
  const schema = structuralSchema({ type: 'object' });
  const { object, findings } = decodeCustomResource(
    parseJson('{"kind":"Other","apiVersion":"x.example.com/v1","spec":{"z":1}}'),
    { group: 'x.example.com', kind: 'W', schemaFor: () => schema },
  );
  assert.deepEqual(object['spec'], { z: 1 });
  assert.deepEqual(findings, []);
});
