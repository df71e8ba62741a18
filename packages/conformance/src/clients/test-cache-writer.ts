/**
 * A process that repeatedly reads discovery and writes it to a cache: `node test-cache-writer.js
 * <kubeconfig> <cache directory> <rounds>`
 */
import { loadConfig } from 'client-ts/clientcmd';
import { CachedDiscoveryClient } from 'client-ts/discovery';

const [, , kubeconfig = '', cacheDirectory = '', rounds = ''] = process.argv;
const config = await loadConfig({ kubeconfig, env: {} });
const onError = (error: unknown): never => {
  throw error;
};
await using cache = CachedDiscoveryClient.forConfig(config, { cacheDirectory, onError });
for (let round = 0; round < Number(rounds); round += 1) {
  cache.invalidate();
  const { failures, resources } = await cache.serverResources();
  if (failures.size > 0 || resources.length === 0) throw new Error('discovery is incomplete');
}
