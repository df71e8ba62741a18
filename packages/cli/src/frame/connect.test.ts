import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { run } from '../run.ts';
import { testCli } from '../test-cli.ts';
import { testContext } from './test-context.ts';

test('flags alone are enough to connect', async (t) => {
  const { server, directory } = await testCli(t);
  const ca = join(directory, 'ca.crt');
  writeFileSync(ca, server.ca);
  const env = { KUBECACHEDIR: join(directory, 'cache') };
  const own = ['get', 'ns', '-o', 'name', '--server', server.url, '--token', server.token];
  for (const trust of [['--certificate-authority', ca], ['--insecure-skip-tls-verify']]) {
    const context = testContext({ env });
    assert.equal(await run([...own, ...trust], context), 0, context.errorText());
    assert.match(context.text(), /^namespace\/default$/m);
  }
  const context = testContext({ env });
  assert.equal(await run(own, context), 1);
  assert.match(
    context.errorText(),
    /^client-ts get: .*unknown CA\. Set the CA of the server with --certificate-authority/,
  );
  assert.doesNotMatch(context.errorText(), new RegExp(server.token));
});

test('a client certificate is read from the files of the flags', async (t) => {
  const cli = await testCli(t);
  const files = ['--client-certificate', 'own.crt', '--client-key', 'own.key'];
  const { code, err } = await cli.run('get', 'ns', ...files);
  assert.equal(code, 1);
  assert.match(err, /own\.(?:crt|key)/);
});

test('a missing kubeconfig is an error that names the ways to set one', async () => {
  const context = testContext();
  assert.equal(await run(['get', 'pods'], context), 1);
  assert.match(context.errorText(), /^client-ts get: no kubeconfig was found\. Use --kubeconfig/);
});

test('--as impersonates a user, with their permissions', async (t) => {
  const cli = await testCli(t, { authorization: 'rbac' });
  const refused = await cli.run('get', 'pods', '--as', 'bob');
  assert.equal(refused.code, 1);
  assert.match(
    refused.err,
    /^client-ts get: .*User "bob" cannot list resource "pods".*\. Grant the verb/,
  );
  const allowed = await cli.run('get', 'ns', '--as', 'bob', '--as-group', 'system:masters');
  assert.equal(allowed.code, 0, allowed.err);
});

test('context and namespace come from flags, else from the kubeconfig', async (t) => {
  const cli = await testCli(t);
  const unknown = await cli.run('get', 'pods', '--context', 'nope');
  assert.match(unknown.err, /nope/);
  assert.equal(unknown.code, 1);
  const elsewhere = await cli.run('get', 'pods', '-n', 'shop');
  assert.equal(elsewhere.err, 'No resources found in shop namespace.\n');
});

test('--request-timeout cancels a slow request', async (t) => {
  const cli = await testCli(t);
  await cli.run('api-resources');
  cli.server.faults.add({
    match: { resource: 'pods' },
    fault: { kind: 'stall', at: 'before-handling' },
  });
  const { code, err } = await cli.run('get', 'pods', '--request-timeout', '50ms');
  assert.equal(code, 1);
  assert.match(err, /^client-ts get: .*Raise --request-timeout/);
});

test('prints each server warning once', async (t) => {
  const cli = await testCli(t);
  const { err, code } = await cli.run('get', 'endpoints', '--chunk-size', '1', '-A');
  assert.equal(code, 0);
  assert.equal(err.match(/Warning: v1 Endpoints is deprecated/g)?.length, 1);
});
