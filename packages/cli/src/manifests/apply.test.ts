import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { run } from '../run.ts';
import { testCli } from '../test-cli.ts';

const manifest = (level: string): string => `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: shop, labels: { app: shop } }
data: { level: ${level} }
---
apiVersion: v1
kind: Namespace
metadata: { name: shop }
`;

test('applies, compares and deletes files, with the exit codes of kubectl', async (t) => {
  const cli = await testCli(t);
  const file = join(cli.directory, 'shop.yaml');
  writeFileSync(file, manifest('info'));
  assert.deepEqual(await cli.run('apply', '-f', 'shop.yaml'), {
    code: 0,
    out: 'namespace/shop created\nconfigmap/settings created\n',
    err: '',
  });
  assert.deepEqual(await cli.run('diff', '-f', 'shop.yaml'), { code: 0, out: '', err: '' });
  writeFileSync(file, manifest('debug'));
  const diff = await cli.run('diff', '-f', 'shop.yaml');
  assert.equal(diff.code, 1);
  assert.match(diff.out, /^--- live\/v1\.ConfigMap\.shop\.settings\n/);
  assert.match(diff.out, /\n-  level: info\n\+  level: debug\n/);
  const dry = await cli.run('apply', '-f', 'shop.yaml', '--dry-run=server');
  assert.match(dry.out, /^configmap\/settings configured \(server dry run\)$/m);
  const applied = await cli.run('apply', '-f', 'shop.yaml');
  assert.equal(applied.out, 'namespace/shop unchanged\nconfigmap/settings configured\n');
  const deleted = await cli.run('delete', '-f', 'shop.yaml');
  assert.deepEqual(deleted, {
    code: 0,
    out: 'configmap "settings" deleted from shop namespace\nnamespace "shop" deleted\n',
    err: '',
  });
  const again = await cli.run('delete', '-f', 'shop.yaml');
  assert.equal(again.code, 1);
  assert.match(again.err, /configmap "settings" not found/);
  assert.equal((await cli.run('delete', '-f', 'shop.yaml', '--ignore-not-found')).code, 0);
});

test('reports each object that fails, and applies the others', async (t) => {
  const cli = await testCli(t);
  const text = `
apiVersion: v1
kind: ConfigMap
metadata: { name: good }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: bad }
dada: {}
---
apiVersion: v1
kind: Nothing
metadata: { name: none }
`;
  const context = cli.context({ readInput: () => Promise.resolve(text) });
  assert.equal(await run(['apply', '-f', '-'], context), 1);
  assert.equal(context.text(), 'configmap/good created\n');
  assert.match(context.errorText(), /dada/);
  assert.match(context.errorText(), /no matches for kind "Nothing"/);
  const compared = cli.context({ readInput: () => Promise.resolve(text) });
  assert.equal(await run(['diff', '-f', '-'], compared), 2);
  assert.equal((await cli.run('apply')).code, 2);
  assert.equal((await cli.run('diff', '-f', 'none.yaml')).code, 2);
});

test('prunes by label', async (t) => {
  const cli = await testCli(t);
  const map = (name: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, labels: { app: a } }\n`;
  const file = join(cli.directory, 'a.yaml');
  writeFileSync(file, `${map('one')}---\n${map('two')}`);
  await cli.run('apply', '-f', 'a.yaml');
  writeFileSync(file, map('one'));
  const args = ['--prune', '-l', 'app=a', '--prune-allowlist', 'configmaps'];
  const pruned = await cli.run('apply', '-f', 'a.yaml', ...args);
  assert.equal(pruned.out, 'configmap/one unchanged\nconfigmap/two pruned\n');
  assert.equal((await cli.run('apply', '-f', 'a.yaml', '--prune')).code, 2);
});

test('deletes by name and by label', async (t) => {
  const cli = await testCli(t);
  for (const name of ['a', 'b', 'c']) {
    const metadata = { name, labels: { app: 'x' } };
    await cli.create('/api/v1/namespaces/default/configmaps', { metadata });
  }
  assert.equal(
    (await cli.run('delete', 'configmap/a')).out,
    'configmap "a" deleted from default namespace\n',
  );
  const some = await cli.run('delete', 'cm', '-l', 'app=x');
  assert.equal(
    some.out,
    'configmap "b" deleted from default namespace\nconfigmap "c" deleted from default namespace\n',
  );
  const missing = await cli.run('delete', 'cm', 'a');
  assert.equal(missing.code, 1);
  assert.match(missing.err, /configmaps "a" not found/);
  assert.equal((await cli.run('delete', 'cm', 'a', '--ignore-not-found')).code, 0);
  assert.equal((await cli.run('delete', 'cm')).code, 2);
  assert.equal((await cli.run('delete')).code, 2);
});
