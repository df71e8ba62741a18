import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { defaultCacheDirectory, discoveryCacheDirectory } from './cache-directory.ts';

describe('the cache directory', () => {
  it('is the one that kubectl uses', () => {
    assert.equal(defaultCacheDirectory({}), join(homedir(), '.kube', 'cache'));
    assert.equal(defaultCacheDirectory({ KUBECACHEDIR: '/var/kube' }), '/var/kube');
    assert.equal(defaultCacheDirectory({ KUBECACHEDIR: '' }), join(homedir(), '.kube', 'cache'));
  });

  const servers: readonly (readonly [string, string])[] = [
    ['https://127.0.0.1:6443', '127.0.0.1_6443'],
    ['http://localhost:8080', 'localhost_8080'],
    ['https://[::1]:6443', '___1__6443'],
    ['https://rancher.example.com/k8s/clusters/c-m-1', 'rancher.example.com/k8s/clusters/c_m_1'],
    ['kubernetes.default.svc', 'kubernetes.default.svc'],
    ['https://host/a/../../../..', 'host/a/__/__/__/__'],
    ['https://../..', '__/__'],
    ['https://host/./b', 'host/_/b'],
    ['..', '__'],
  ];
  for (const [server, name] of servers) {
    it(`has the name ${name} for ${server}`, () => {
      assert.equal(discoveryCacheDirectory(server, 'cache'), join('cache', 'discovery', name));
    });
  }
});
