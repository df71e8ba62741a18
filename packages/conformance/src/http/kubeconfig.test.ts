import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  KubeconfigError,
  loadKubeconfig,
  readKubeconfig,
  withoutCredentials,
} from './kubeconfig.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function config(user: string, cluster = ''): string {
  return `
apiVersion: v1
kind: Config
current-context: here
contexts: [{ name: here, context: { cluster: c, user: u } }]
clusters: [{ name: c, cluster: { server: 'https://127.0.0.1:6443/base', ${cluster} } }]
users: [{ name: u, user: { ${user} } }]
`;
}

describe('a kubeconfig', () => {
  it('has the server, its CA and a token', async () => {
    const endpoint = await readKubeconfig(
      config('token: t', `certificate-authority-data: ${base64('CA')}`),
      '/',
    );
    assert.equal(endpoint.url.href, 'https://127.0.0.1:6443/base');
    assert.equal(endpoint.ca, 'CA');
    assert.equal(endpoint.authorization, 'Bearer t');
  });

  it('has client certificates and basic credentials', async () => {
    const certificate = `client-certificate-data: ${base64('C')}, client-key-data: ${base64('K')}`;
    const endpoint = await readKubeconfig(config(certificate), '/');
    assert.deepEqual(endpoint.clientCertificate, { certificate: 'C', key: 'K' });
    const basic = await readKubeconfig(config('username: a, password: b'), '/');
    assert.equal(basic.authorization, `Basic ${base64('a:b')}`);
    assert.deepEqual(Object.keys(withoutCredentials(endpoint)), ['url']);
  });

  it('resolves files relative to itself', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
    try {
      await writeFile(join(directory, 'ca.pem'), 'CA');
      await writeFile(join(directory, 'token'), 'secret\n');
      const file = join(directory, 'config');
      await writeFile(file, config('tokenFile: token', 'certificate-authority: ca.pem'));
      const endpoint = await loadKubeconfig(file);
      assert.equal(endpoint.ca, 'CA');
      assert.equal(endpoint.authorization, 'Bearer secret');
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('is rejected with the name of the invalid field', async () => {
    const refused = (text: string, field: RegExp): Promise<void> =>
      assert.rejects(
        readKubeconfig(text, '/'),
        (error) => error instanceof KubeconfigError && field.test(error.message),
      );
    await assert.rejects(loadKubeconfig('/nowhere/config'), KubeconfigError);
    await refused('[]', /mapping/);
    await refused('{}', /current-context/);
    await refused(config('exec: { command: x }'), /users\[\]\.user\.exec/);
    await refused('{ current-context: none, contexts: [] }', /contexts: .*"none"/);
  });
});
