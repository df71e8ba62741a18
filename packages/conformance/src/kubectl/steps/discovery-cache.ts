import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { loadConfig } from 'client-ts/clientcmd';
import { CachedDiscoveryClient } from 'client-ts/discovery';
import type { Kubectl, Step } from '../kubectl.ts';

/** Discovery requests in the output of `-v=6`: `GET https://host/apis/apps/v1?timeout=32s`. */
const DISCOVERY = /\/apis?(?:\/[\w./-]+)?\?timeout=32s/;

/** The discovery cache, shared between kubectl and this library. */
export const cacheSteps: readonly Step[] = [
  {
    name: 'reads the discovery cache that the library wrote',
    run: async (kubectl) => {
      const command = ['get', 'deploy', '-v=6'];
      await rm(kubectl.cacheDirectory, { recursive: true, force: true });
      const { stderr: without } = await kubectl.run({}, ...command);
      assert.match(without, DISCOVERY, 'without a cache it has to ask');
      await rm(kubectl.cacheDirectory, { recursive: true, force: true });
      const { asked } = await discover(kubectl);
      assert.ok(asked >= 2);
      const { code, stderr } = await kubectl.run({}, ...command);
      assert.equal(code, 0, stderr);
      assert.doesNotMatch(stderr, DISCOVERY);
    },
  },
  {
    name: 'writes the discovery cache that the library reads',
    run: async (kubectl) => {
      await rm(kubectl.cacheDirectory, { recursive: true, force: true });
      await kubectl.ok('get', 'deploy');
      const { asked, groupVersions } = await discover(kubectl);
      assert.equal(asked, 0);
      assert.ok(groupVersions.includes('v1') && groupVersions.includes('apps/v1'));
    },
  },
];

/** Discovers with the library, from the cache or the server. */
async function discover(
  kubectl: Kubectl,
): Promise<{ readonly asked: number; readonly groupVersions: string[] }> {
  let asked = 0;
  const config = await loadConfig({ kubeconfig: kubectl.kubeconfig, env: {} });
  await using cache = CachedDiscoveryClient.forConfig(
    {
      ...config,
      middleware: [
        (request, next) => {
          asked += 1;
          return next(request);
        },
      ],
    },
    { cacheDirectory: kubectl.cacheDirectory },
  );
  const { resources } = await cache.serverResources();
  return { asked, groupVersions: resources.map(({ groupVersion }) => groupVersion) };
}
