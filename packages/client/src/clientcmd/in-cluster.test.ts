import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ConfigError } from './config-error.ts';
import { inClusterConfig, inClusterNamespace } from './in-cluster.ts';

const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };

describe('inClusterConfig', () => {
  it('uses the mounted service account', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'client-ts-'));
    t.after(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'token'), 'abc\n');
    await writeFile(join(folder, 'namespace'), 'web');
    assert.deepEqual(await inClusterConfig({ env, folder }), {
      server: 'https://[fd00::1]:443',
      namespace: 'web',
      auth: { token: 'abc', tokenFile: join(folder, 'token') },
    });
    await writeFile(join(folder, 'ca.crt'), 'CA');
    const config = await inClusterConfig({ env, folder });
    assert.deepEqual(config.tls, { caFile: join(folder, 'ca.crt') });
    const told = await inClusterNamespace({ env: { POD_NAMESPACE: 'told' }, folder });
    assert.equal(told, 'told');
  });

  it('fails outside of a pod, and without a token', async () => {
    const code = async (options: object): Promise<string> =>
      await inClusterConfig(options).then(
        () => 'accepted',
        (error: unknown) => (error as ConfigError).code,
      );
    assert.equal(await code({ env: {} }), 'CONFIG_NOT_IN_CLUSTER');
    assert.equal(await code({ env, folder: join(tmpdir(), 'nothing-here') }), 'CONFIG_UNREADABLE');
  });
});
