import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { parseKubeConfig } from './parse.ts';
import { flattenKubeConfig, minifyKubeConfig, redactKubeConfig } from './view.ts';

const TEXT = JSON.stringify({
  'current-context': 'x',
  clusters: [
    {
      name: 'c',
      cluster: {
        server: 'https://me:s3cr3t@s',
        'proxy-url': 'http://u:s3cr3t/@p:1',
        'certificate-authority': 'ca.pem',
      },
    },
    { name: 'd', cluster: { server: 't', 'certificate-authority-data': 'Q0E=' } },
  ],
  users: [
    {
      name: 'u',
      user: {
        token: 's3cr3t',
        'client-key-data': 'czNjcjN0',
        'auth-provider': {
          name: 'oidc',
          config: { 'client-secret': 's3cr3t', 'client-id': 'me', custom: 's3cr3t' },
        },
      },
    },
    {
      name: 'e',
      user: {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1beta1',
          command: 'x',
          args: ['--token', 's3cr3t'],
          env: [{ name: 'PASS', value: 's3cr3t' }],
        },
      },
    },
  ],
  contexts: [
    { name: 'x', context: { cluster: 'c', user: 'u' } },
    { name: 'y', context: { cluster: 'd', user: 'e' } },
  ],
});

describe('views of a kubeconfig', () => {
  it('minifies to what one context needs', async () => {
    const config = await parseKubeConfig(TEXT, 'f');
    const small = minifyKubeConfig(config, 'y');
    assert.deepEqual(
      [...small.clusters.keys(), ...small.users.keys(), ...small.contexts.keys()],
      ['d', 'e', 'y'],
    );
    assert.equal(minifyKubeConfig(config).currentContext, 'x');
    assert.throws(() => minifyKubeConfig(config, 'z'), /there is no context "z"/);
  });

  it('flattens files into data', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'client-ts-'));
    t.after(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'ca.pem'), 'CA');
    const config = await parseKubeConfig(TEXT, join(folder, 'config'));
    const flat = await flattenKubeConfig(config);
    assert.equal(flat.clusters.get('c')?.certificateAuthorityData, 'Q0E=');
    assert.equal(flat.clusters.get('c')?.certificateAuthority, '');
  });

  it('redacts every secret and nothing else', async () => {
    const shown = inspect(redactKubeConfig(await parseKubeConfig(TEXT, 'f')), { depth: 10 });
    assert.doesNotMatch(shown, /s3cr3t|czNjcjN0|Q0E=/);
    assert.match(shown, /'client-id': 'me'/);
    assert.match(shown, /proxyUrl: 'http:\/\/REDACTED@p:1'/);
    assert.match(shown, /server: 't'/);
  });
});
