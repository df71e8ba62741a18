import assert from 'node:assert/strict';
import { test } from 'node:test';

import { testCli } from '../test-cli.ts';

test('prints the response of the server unchanged', async (t) => {
  const cli = await testCli(t);
  await cli.create('/api/v1/namespaces', { metadata: { name: 'shop' } });
  const { code, out } = await cli.run('get', '--raw', '/api/v1/namespaces/shop');
  assert.equal(code, 0);
  const { kind, metadata } = JSON.parse(out) as { kind: string; metadata: { name: string } };
  assert.deepEqual([kind, metadata.name], ['Namespace', 'shop']);
  assert.deepEqual(await cli.run('get', '--raw', '/readyz'), { code: 0, out: 'ok', err: '' });
});

test('passes the query on', async (t) => {
  const cli = await testCli(t);
  await cli.create('/api/v1/namespaces', { metadata: { name: 'shop', labels: { a: 'b' } } });
  const { out } = await cli.run('get', '--raw', '/api/v1/namespaces?labelSelector=a%3Db&limit=5');
  const { items } = JSON.parse(out) as { items: { metadata: { name: string } }[] };
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ['shop'],
  );
});

test('fails with the message of the server', async (t) => {
  const cli = await testCli(t);
  const { code, out, err } = await cli.run('get', '--raw', '/api/v1/namespaces/none');
  assert.equal(code, 1);
  assert.equal(out, '');
  assert.match(err, /namespaces "none" not found/);
});

test('refuses names beside --raw, and what is no path', async (t) => {
  const cli = await testCli(t);
  const both = await cli.run('get', 'pods', '--raw', '/version');
  assert.match(both.err, /--raw cannot be combined with TYPE or NAME/);
  const url = await cli.run('get', '--raw', 'https://example.com/');
  assert.match(url.err, /needs a path that begins with one slash/);
  const neither = await cli.run('get');
  assert.match(neither.err, /TYPE is required/);
  assert.equal(neither.code, both.code);
});
