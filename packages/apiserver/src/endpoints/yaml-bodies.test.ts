import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { type Answer, TestServer } from '../testing/test-server.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

const TWICE = `apiVersion: v1
kind: ConfigMap
metadata: {name: c}
data:
  a: "1"
  a: "2"
`;
const KEY = 'line 6: key "a" already set in map';

async function create(server: TestServer, text: string, query = ''): Promise<Answer> {
  const headers = { 'content-type': 'application/yaml' };
  return await server.send('POST', `${CONFIG_MAPS}${query}`, Buffer.from(text), { headers });
}

describe('YAML with duplicate keys', () => {
  it('is stored with the last value and a warning', async () => {
    using server = new TestServer();
    const { status, headers, body } = await create(server, `${TWICE}nope: 1\n`);
    assert.equal(status, 201);
    assert.deepEqual(body['data'], { a: '2' });
    assert.deepEqual(headers['warning'], [
      String.raw`299 - "line 6: key \"a\" already set in map"`,
      String.raw`299 - "unknown field \"nope\""`,
    ]);
  });

  it('is rejected only with strict validation', async () => {
    using server = new TestServer();
    const refused = await create(server, `${TWICE}nope: 1\n`, '?fieldValidation=Strict');
    assert.equal(refused.status, 400);
    assert.equal(
      refused.body.message,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ' +
        `yaml: unmarshal errors:\n  ${KEY}, unknown field "nope"`,
    );
    const ignored = await create(server, TWICE, '?fieldValidation=Ignore');
    assert.deepEqual([ignored.status, ignored.headers['warning']], [201, undefined]);
  });

  it('is applied by the same rules', async () => {
    using server = new TestServer();
    const path = `${CONFIG_MAPS}/c?fieldManager=m`;
    const applied = await server.patch('apply', path, TWICE);
    assert.deepEqual(applied.headers['warning'], [
      String.raw`299 - "line 6: key \"a\" already set in map"`,
    ]);
    const refused = await server.patch('apply', `${path}&fieldValidation=Strict`, TWICE);
    assert.equal(refused.status, 400);
    assert.equal(
      refused.body.message,
      'error strict decoding YAML: error converting YAML to JSON: ' +
        `yaml: unmarshal errors:\n  ${KEY}`,
    );
  });
});

describe('invalid YAML', () => {
  it('is always a 4xx', async () => {
    using server = new TestServer();
    for (const text of ['a: *x', 'a: &x [*x]', '[1]: 2', '<<: 1', '{a: b: c', 'a: .inf', '- a']) {
      assert.equal((await create(server, text)).status, 400, text);
      const applied = await server.patch('apply', `${CONFIG_MAPS}/c?fieldManager=m`, text);
      assert.equal(applied.status, 400, text);
      assert.match(applied.body.message ?? '', /^error decoding YAML: /);
    }
    assert.deepEqual(server.errors, []);
  });
});
