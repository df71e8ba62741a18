import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeProtobuf } from 'client-ts/codec';

import type { JsonNode } from '../schema/json-parser.ts';
import type { Encoding } from './negotiation.ts';
import { MalformedBodyError, parseBody, summaryOf, typeMetaOf } from './parse-body.ts';

const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' };

function read(body: Uint8Array, encoding: Encoding): JsonNode {
  return parseBody(body, encoding, CONFIG_MAP).node;
}

function parse(text: string, encoding: 'json' | 'yaml' = 'json'): JsonNode {
  return read(Buffer.from(text), encoding);
}

describe('parseBody', () => {
  it('parses an object in every encoding', () => {
    const object = { kind: 'ConfigMap', apiVersion: 'v1', data: { a: 'b' } };
    assert.deepEqual(parse(JSON.stringify(object)), object);
    assert.deepEqual(parse('kind: ConfigMap\napiVersion: v1\ndata: {a: b}\n', 'yaml'), object);
    assert.deepEqual(read(encodeProtobuf(object), 'protobuf'), { ...object, metadata: {} });
  });

  it('accepts null as an object without fields', () => {
    assert.equal(parse('null'), null);
    assert.equal(parse('', 'yaml'), null);
  });

  it('parses a view of a larger buffer', () => {
    const buffer = Buffer.from('xx{"a":1}yy');
    assert.deepEqual(read(buffer.subarray(2, 9), 'json'), { a: 1 });
  });

  for (const [text, kind] of [
    ['[]', 'array'],
    ['1', 'number'],
    ['1.5', 'number'],
    ['"x"', 'string'],
    ['true', 'bool'],
  ] as const) {
    it(`rejects ${text}, which has no kind`, () => {
      for (const encoding of ['json', 'yaml'] as const) {
        assert.throws(() => parse(text, encoding), {
          name: 'MalformedBodyError',
          message:
            `couldn't get version/kind; json parse error: json: cannot unmarshal ${kind} into Go ` +
            'value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; ' +
            'Kind string "json:\\"kind,omitempty\\"" }',
        });
      }
    });
  }

  it('keeps the cause of a syntax error', () => {
    assert.throws(
      () => parse('{"a"'),
      (error) => {
        assert.ok(error instanceof MalformedBodyError);
        assert.equal(
          error.message,
          "couldn't get version/kind; json parse error: unexpected end of JSON input",
        );
        assert.ok(error.cause instanceof Error);
        return true;
      },
    );
  });
});

describe('typeMetaOf', () => {
  it('accepts only strings', () => {
    assert.deepEqual(typeMetaOf(parse('{"kind":"A","apiVersion":"b/c"}')), {
      kind: 'A',
      apiVersion: 'b/c',
    });
    assert.deepEqual(typeMetaOf(parse('{"kind":1,"apiVersion":null}')), {
      kind: '',
      apiVersion: '',
    });
    assert.deepEqual(typeMetaOf(null), { kind: '', apiVersion: '' });
    // The last duplicate counts.
    assert.equal(typeMetaOf(parse('{"kind":"A","kind":"B"}')).kind, 'B');
  });
});

describe('summaryOf', () => {
  it('shows the start of JSON as text, and of anything else as bytes', () => {
    assert.equal(summaryOf(Buffer.from('')), '<empty>');
    assert.equal(summaryOf(Buffer.from('{"a":1}')), '{"a":1}');
    assert.equal(summaryOf(Buffer.from('abc')), '616263');
    assert.equal(summaryOf(Buffer.from(`{${'x'.repeat(40)}`)), `{${'x'.repeat(29)} ...`);
  });
});
