import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestServer } from '../testing/test-server.ts';
import { parseJsonExactly } from './json-parser.ts';
import { findFloats, markFloats, WrittenFloat } from './written-floats.ts';

describe('whole numbers that are written as floats', () => {
  it('are found where they count', () => {
    const text = '{"a":1,"b":[2,3.0,{"c":1e2}],"d":1.5,"e":12345678901234567890,"f":1.0,"f":2}';
    assert.deepEqual(findFloats(parseJsonExactly(text)), [
      ['b', 1],
      ['b', 2, 'c'],
    ]);
  });

  it('are marked in a copy', () => {
    const value = { a: [1, { b: 2 }], c: 'x' };
    const marked = markFloats(value, [['a', 1, 'b'], ['c'], ['a', 7], ['missing']]);
    assert.deepEqual(marked, { a: [1, { b: new WrittenFloat(2) }], c: 'x' });
    assert.deepEqual(value, { a: [1, { b: 2 }], c: 'x' });
  });

  it('are no integers for the rules of custom resources until they are stored', async () => {
    using server = new TestServer();
    const integer = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self != 7' }] };
    await server.given('post', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'fs.x.example.com' },
      spec: {
        group: 'x.example.com',
        scope: 'Cluster',
        names: { plural: 'fs', kind: 'F' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { n: integer, free: { type: 'number' } },
              },
            },
          },
        ],
      },
    });
    await server.settle();
    const path = '/apis/x.example.com/v1/fs';
    const send = async (
      method: string,
      to: string,
      text: string,
      type: string,
    ): Promise<string> => {
      const headers = { 'content-type': `application/${type}` };
      const { status, body } = await server.send(method, to, Buffer.from(text), { headers });
      return `${status} ${body['message'] ?? ''}`.trim();
    };
    const object = (fields: string): string =>
      `{"apiVersion":"x.example.com/v1","kind":"F","metadata":{"name":"a"},${fields}}`;
    const refused =
      '422 F.x.example.com "a" is invalid: n: Invalid value: "integer": invalid data, expected int, got float64 evaluating rule: self != 7';
    assert.equal(await send('POST', path, object('"n":1.0'), 'json'), refused);
    assert.equal(await send('POST', path, object('"n":1,"free":2.0'), 'json'), '201');
    assert.equal(await send('PATCH', `${path}/a`, '{"n":2.0}', 'merge-patch+json'), refused);
    const operations = '[{"op":"replace","path":"/n","value":2.0}]';
    assert.equal(await send('PATCH', `${path}/a`, operations, 'json-patch+json'), refused);
    assert.equal(await send('PATCH', `${path}/a`, '{"n":2}', 'merge-patch+json'), '200');
  });
});
