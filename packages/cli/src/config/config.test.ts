import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

import { testContext } from '../frame/test-context.ts';
import { run } from '../run.ts';

const kubeconfig = `# mine
apiVersion: v1
kind: Config
current-context: a
clusters:
- name: c2
  cluster: {server: "https://2.2.3.4:6443"}
- name: c1
  cluster: {server: "https://1.2.3.4:6443", certificate-authority-data: Zm9v}
users:
- name: u2
  user: {token: secret}
- name: u1
  user: {client-certificate-data: Zm9v, client-key-data: Zm9v}
contexts:
- name: b
  context: {cluster: c2, user: u2, namespace: shop}
- name: a
  context: {cluster: c1, user: u1}
`;

interface ConfigTest {
  readonly file: string;
  readonly other: string;
  readonly config: (
    ...args: readonly string[]
  ) => Promise<readonly [code: number, out: string, err: string]>;
}

/** Two kubeconfig files, of which only the first exists. */
function setUp(t: TestContext, content: string | undefined = kubeconfig): ConfigTest {
  const directory = mkdtempSync(join(tmpdir(), 'client-ts-cli-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'one');
  const other = join(directory, 'two');
  if (content !== '') writeFileSync(file, content);
  return {
    file,
    other,
    config: async (...args) => {
      const context = testContext({
        env: { KUBECONFIG: `${file}:${other}` },
        homeDirectory: directory,
        workingDirectory: directory,
      });
      const code = await run(['config', ...args], context);
      return [code, context.text(), context.errorText()];
    },
  };
}

test('prints contexts, clusters and users as kubectl does', async (t) => {
  const { config } = setUp(t);
  const cases: [args: string, out: string][] = [
    [
      'get-contexts',
      'CURRENT   NAME   CLUSTER   AUTHINFO   NAMESPACE\n' +
        '*         a      c1        u1         \n' +
        '          b      c2        u2         shop\n',
    ],
    ['get-contexts -o name', 'a\nb\n'],
    ['get-contexts --no-headers', '*     a     c1    u1    \n      b     c2    u2    shop\n'],
    ['current-context', 'a\n'],
    ['get-clusters', 'NAME\nc1\nc2\n'],
    ['get-users', 'NAME\nu1\nu2\n'],
  ];
  for (const [args, out] of cases) {
    assert.deepEqual(await config(...args.split(' ')), [0, out, ''], args);
  }
  assert.deepEqual(await config('get-contexts', 'b', 'nope'), [
    1,
    'CURRENT   NAME   CLUSTER   AUTHINFO   NAMESPACE\n          b      c2        u2         shop\n',
    'client-ts config: context nope not found. client-ts config get-contexts lists them.\n',
  ]);
});

test('view hides credentials unless they are asked for', async (t) => {
  const { config } = setUp(t);
  const [, out] = await config('view');
  assert.equal(
    out,
    `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: DATA+OMITTED
    server: https://1.2.3.4:6443
  name: c1
- cluster:
    server: https://2.2.3.4:6443
  name: c2
contexts:
- context:
    cluster: c1
    user: u1
  name: a
- context:
    cluster: c2
    namespace: shop
    user: u2
  name: b
current-context: a
kind: Config
users:
- name: u1
  user:
    client-certificate-data: DATA+OMITTED
    client-key-data: DATA+OMITTED
- name: u2
  user:
    token: REDACTED
`,
  );
  const minified = await config('view', '--minify', '--raw', '--context', 'b');
  assert.equal(
    minified[1],
    `apiVersion: v1
clusters:
- cluster:
    server: https://2.2.3.4:6443
  name: c2
contexts:
- context:
    cluster: c2
    namespace: shop
    user: u2
  name: b
current-context: b
kind: Config
users:
- name: u2
  user:
    token: secret
`,
  );
  assert.match((await config('view', '--flatten'))[1], /token: secret/);
  assert.equal((await config('view', '-o', 'jsonpath={.contexts[*].name}'))[1], 'a b');
});

test('view prints an empty kubeconfig, and reads no file that does not exist', async (t) => {
  const { config } = setUp(t, '');
  const empty =
    'apiVersion: v1\nclusters: null\ncontexts: null\ncurrent-context: ""\nkind: Config\nusers: null\n';
  assert.deepEqual(await config('view'), [0, empty, '']);
  const [code, , err] = await config('current-context');
  assert.equal(code, 1);
  assert.match(err, /^client-ts config: current-context is not set\./);
});

test('changes contexts with the messages of kubectl, and keeps comments', async (t) => {
  const { file, config } = setUp(t);
  const cases: [args: string, out: string, err?: string][] = [
    ['use-context b', 'Switched to context "b".\n'],
    ['set-context --current --namespace x', 'Context "b" modified.\n'],
    ['set-context n --cluster c1 --user u1', 'Context "n" created.\n'],
    ['rename-context n m', 'Context "n" renamed to "m".\n'],
    ['rename-context b z', 'Context "b" renamed to "z".\n'],
    ['get-contexts -o name', 'a\nm\nz\n'],
    ['current-context', 'z\n'],
    ['delete-context m', `deleted context m from ${file}\n`],
    [
      'delete-context z',
      `deleted context z from ${file}\n`,
      'warning: this removed your active context, use "client-ts config use-context" to select a different one\n',
    ],
  ];
  for (const [args, out, err = ''] of cases) {
    assert.deepEqual(await config(...args.split(' ')), [0, out, err], args);
  }
  assert.match(readFileSync(file, 'utf8'), /^# mine\n/);
});

test('changes an entry in its own file', async (t) => {
  const { file, other, config } = setUp(t);
  writeFileSync(other, 'contexts:\n- name: far\n  context:\n    cluster: c1\n');
  assert.equal((await config('set-context', 'far', '--namespace', 'shop'))[0], 0);
  assert.equal(
    readFileSync(other, 'utf8'),
    'contexts:\n  - name: far\n    context:\n      cluster: c1\n      namespace: shop\n',
  );
  assert.equal(readFileSync(file, 'utf8'), kubeconfig);
});

test('refuses what kubectl refuses', async (t) => {
  const { file, config } = setUp(t);
  const cases: [args: string, code: number, err: string][] = [
    ['use-context nope', 1, 'no context exists with the name: "nope".'],
    ['rename-context nope x', 1, `cannot rename the context "nope", it's not in ${file}.`],
    [
      'rename-context a b',
      1,
      `cannot rename the context "a", the context "b" already exists in ${file}.`,
    ],
    ['delete-context nope', 1, `cannot delete context nope, not in ${file}.`],
    ['set-context', 2, 'you must specify a non-empty context name or --current'],
    ['set-context a --current', 2, 'you cannot specify both a context name and --current'],
    ['use-context', 2, 'NAME is required by config use-context'],
    ['rename-context a', 2, 'NEW_NAME is required by config rename-context'],
    ['current-context a', 2, 'unexpected argument a'],
    ['bogus', 2, 'SUBCOMMAND must be one of '],
    ['use-context b --raw', 2, '--raw is not a flag of config use-context'],
  ];
  for (const [args, code, message] of cases) {
    const [got, , err] = await config(...args.split(' '));
    assert.equal(got, code, args);
    assert.ok(err.startsWith(`client-ts config: ${message}`), err);
  }
  assert.equal(readFileSync(file, 'utf8'), kubeconfig);
});
