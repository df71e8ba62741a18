import { ApiServer } from '@client-ts/apiserver';
import { configMaps, secrets } from 'client-ts/api/core/v1';
import { Manager } from 'client-ts/controller';
import { inspect } from '@client-ts/inspector';

/** A secret that must never reach the page. */
export const CANARY = 'canary-9d41c7';

/**
 * A program that can be inspected: for each ConfigMap `x` its controller writes `x-copy`, and it fails for
 * `broken` with a token in the message.
 */
export async function startProgram() {
  const server = await ApiServer.start();
  const manager = new Manager(server.config);
  manager.controller('copy', {
    for: configMaps,
    onError: () => undefined,
    watches: [{ resource: secrets, mapTo: () => [] }],
    reconcile: async (map, { client }) => {
      const { namespace = 'default', name } = map.metadata;
      if (name.endsWith('-copy')) return;
      if (name === 'broken') throw new Error(`cannot log in with Bearer ${CANARY}`);
      const copy = { metadata: { name: `${name}-copy` }, data: { from: name } };
      await client.coreV1.configMaps(namespace).apply(copy, { fieldManager: 'copy', force: true });
    },
  });
  const page = await inspect({
    manager,
    program: 'copy operator',
    actions: true,
    discovery: false,
  });
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  return {
    page,
    maps: manager.client.coreV1.configMaps('default'),
    secrets: manager.client.coreV1.secrets('default'),
    async close() {
      stop.abort();
      await running.catch(() => undefined);
      await page.close();
      await manager.close();
      await server.close();
    },
  };
}
