import assert from 'node:assert/strict';
import { test } from 'node:test';

import { testCli } from '../test-cli.ts';

const secret = 'c2VjcmV0LXZhbHVl';

test('logs each request with -v 6, and nothing without', async (t) => {
  const cli = await testCli(t);
  const quiet = await cli.run('get', '--raw', '/readyz', '-v', '5');
  assert.equal(quiet.err, '');
  const { out, err } = await cli.run('get', '--raw', '/readyz', '-v=6');
  assert.equal(out, 'ok');
  assert.match(err, /^GET https?:\/\/[^ ]+\/readyz 200 in \d+ ms$/m);
  assert.doesNotMatch(err, /headers:|body:/);
});

test('logs failures with their status', async (t) => {
  const cli = await testCli(t);
  const { err } = await cli.run('get', '--raw', '/api/v1/namespaces/none', '--v=6');
  assert.match(err, /\/api\/v1\/namespaces\/none 404 in \d+ ms/);
});

test('masks credentials in headers', async (t) => {
  const cli = await testCli(t);
  const { err } = await cli.run('get', '--raw', '/version', '-v7', '--token', 'hush-hush');
  assert.match(err, /^Request headers:$/m);
  assert.match(err, /^ {4}authorization: <masked>$/im);
  assert.match(err, /^Response headers:$/m);
  assert.doesNotMatch(err, /hush-hush/);
});

test('cuts bodies at level 8 and shows them whole at level 9', async (t) => {
  const cli = await testCli(t);
  const path = '/openapi/v3/api/v1';
  const cut = await cli.run('get', '--raw', path, '-v8');
  assert.match(cut.err, /^Response body: \{.*\[truncated\]$/m);
  assert.ok(cut.err.length < cut.out.length);
  const whole = await cli.run('get', '--raw', path, '-v9');
  assert.ok(whole.err.length > whole.out.length);
  assert.doesNotMatch(whole.err, /\[truncated\]/);
});

test('leaves out the bodies of secrets', async (t) => {
  const cli = await testCli(t);
  await cli.create('/api/v1/namespaces/default/secrets', {
    metadata: { name: 'key' },
    data: { key: secret },
  });
  const { out, err } = await cli.run('get', 'secret', 'key', '-o', 'json', '-v9');
  assert.ok(out.includes(secret));
  assert.match(err, /Response body: <masked>, \d+ bytes/);
  assert.ok(!err.includes(secret));
});
