import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { ClientError } from 'client-ts/lib';

import { defaultKubeconfigPath, readKubeconfig } from './kubeconfig.ts';
import { testContext } from './test-context.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'client-ts-kubeconfig-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

const config = `
current-context: token
contexts:
  - { name: token, context: { cluster: one, user: token } }
  - { name: certificate, context: { cluster: two, user: certificate } }
  - { name: nobody, context: { cluster: two } }
  - { name: exec, context: { cluster: one, user: exec } }
  - { name: lost, context: { cluster: gone, user: token } }
  - { name: proxied, context: { cluster: proxied, user: token } }
clusters:
  - { name: one, cluster: { server: 'https://one.example:6443', certificate-authority-data: ${base64('the ca')} } }
  - { name: two, cluster: { server: 'https://two.example', certificate-authority: ca.crt, tls-server-name: other, insecure-skip-tls-verify: true } }
  - { name: proxied, cluster: { server: 'https://two.example', proxy-url: 'http://proxy' } }
users:
  - { name: token, user: { tokenFile: token.txt } }
  - { name: certificate, user: { client-certificate-data: ${base64('cert')}, client-key: me.key } }
  - { name: exec, user: { exec: { command: aws } } }
`;

test('a context gives server, authority and credentials, from data and from files', async () => {
  const path = file('config', config);
  file('token.txt', 'from-file\n');
  file('ca.crt', 'ca from file');
  file('me.key', 'key from file');
  assert.deepEqual(await readKubeconfig(path), {
    server: new URL('https://one.example:6443'),
    insecure: false,
    ca: 'the ca',
    token: 'from-file',
  });
  assert.deepEqual(await readKubeconfig(path, 'certificate'), {
    server: new URL('https://two.example'),
    insecure: true,
    ca: 'ca from file',
    tlsServerName: 'other',
    certificate: 'cert',
    key: 'key from file',
  });
  assert.equal((await readKubeconfig(path, 'nobody')).token, undefined);
});

test('what is missing or cannot be done is named, with the way out', async () => {
  const path = file('config', config);
  const cases: [context: string | undefined, text: string, message: RegExp][] = [
    ['other', config, /has no context other\. It has: token, certificate/],
    ['lost', config, /has no cluster gone/],
    ['exec', config, /lets user exec in by exec.*Use a context with a token/],
    ['proxied', config, /through a proxy/],
    [undefined, config.replace('current-context: token', ''), /no current-context.*--context/],
    [
      undefined,
      config.replace('https://one.example:6443', 'one'),
      /no valid server in cluster one/,
    ],
    [undefined, config, /cannot read the token .*token\.txt/],
    [undefined, '- a list', /is not a kubeconfig/],
    [undefined, 'token: "secret-token', /is not YAML/],
  ];
  for (const [context, text, message] of cases) {
    writeFileSync(path, text);
    await assert.rejects(readKubeconfig(path, context), (error) => {
      assert.ok(error instanceof ClientError);
      assert.match(`${error.message}. ${error.hint}`, message);
      assert.doesNotMatch(JSON.stringify([error.stack, String(error.cause)]), /secret-token/);
      return true;
    });
  }
  await assert.rejects(readKubeconfig(join(directory, 'none')), /cannot read the kubeconfig/);
});

test('the default is where kubectl looks', () => {
  const home = testContext({ homeDirectory: directory });
  assert.equal(defaultKubeconfigPath(home), join(directory, '.kube', 'config'));
  const one = testContext({ env: { KUBECONFIG: `a${delimiter}` } });
  assert.equal(defaultKubeconfigPath(one), 'a');
  const two = testContext({ env: { KUBECONFIG: `a${delimiter}b` } });
  assert.throws(() => defaultKubeconfigPath(two), /several files/);
});
