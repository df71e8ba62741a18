import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { JsonObject } from 'client-ts/internal';

import { protobufV3 } from '../document-v3.ts';
import { Fragment } from '../document-parts.ts';
import { pathItemV2, schemaV2 } from './fields-v2.ts';
import { TestMessage } from './test-message.ts';

function encoded(schema: JsonObject): TestMessage {
  return new TestMessage(new Fragment('name', schema, schemaV2).protobuf()).at(2);
}

function encodedV3(schema: JsonObject): TestMessage {
  const document = new TestMessage(protobufV3({ components: { schemas: { name: schema } } }));
  return document.at(5, 1).named(1).get('name')?.at(1) as TestMessage;
}

describe('the protobuf form of OpenAPI', () => {
  it('encodes the name of a path or type', () => {
    const message = new TestMessage(new Fragment('/x', { get: {} }, pathItemV2).protobuf());
    assert.equal(message.text(1), '/x');
    assert.deepEqual(message.at(2).fields, [2]);
  });

  it('writes each keyword as a field and omits zero values', () => {
    const schema = {
      type: 'object',
      format: 'f',
      maxLength: 3,
      minLength: 0,
      minimum: 1.5,
      uniqueItems: false,
      exclusiveMinimum: true,
      required: ['a', ''],
      constructor: 'no keyword',
    };
    const v2 = encoded(schema);
    assert.deepEqual(
      v2.fields.toSorted((left, right) => left - right),
      [2, 9, 10, 11, 19, 22],
    );
    assert.deepEqual(v2.at(22).texts(1), ['object']);
    assert.deepEqual(v2.texts(19), ['a', '']);
    const v3 = encodedV3(schema);
    assert.deepEqual(
      v3.fields.toSorted((left, right) => left - right),
      [13, 14, 15, 23, 25, 35],
    );
  });

  it('writes values of any type as YAML, in its JSON subset', () => {
    const kinds = [{ group: '', kind: 'Pod', version: 'v1' }];
    const schema = {
      enum: ['a', 1],
      'x-kubernetes-group-version-kind': kinds,
      example: 'a\u2028b',
    };
    const message = encoded(schema);
    assert.deepEqual(
      message.messages(20).map((any) => any.text(2)),
      ['"a"\n', '1\n'],
    );
    assert.equal(message.at(30).text(2), '"a\\u2028b"\n');
    const extension = message.named(31).get('x-kubernetes-group-version-kind');
    assert.deepEqual(JSON.parse(extension?.text(2) ?? ''), kinds);
  });

  it('distinguishes a schema, a boolean and a reference', () => {
    const open = { additionalProperties: true };
    const typed = { additionalProperties: { $ref: '#/x' } };
    assert.deepEqual(encoded(open).at(21).numbers(2), [1]);
    assert.equal(encoded(typed).at(21, 1).text(1), '#/x');
    assert.deepEqual(encodedV3(open).at(32).numbers(2), [1]);
    assert.equal(encodedV3(typed).at(32, 1, 2).text(1), '#/x');
  });

  it('writes only scalars as v3 defaults, and an empty message for others', () => {
    assert.equal(encodedV3({ default: '' }).at(33).text(3), '');
    assert.deepEqual(encodedV3({ default: 0 }).at(33).numbers(1), [0]);
    assert.deepEqual(encodedV3({ default: false }).at(33).numbers(2), [0]);
    assert.deepEqual(encodedV3({ default: { a: 1 } }).fields, [33]);
    assert.deepEqual(encodedV3({ default: { a: 1 } }).at(33).fields, []);
  });
});
