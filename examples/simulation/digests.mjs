/**
 * Prints the digests of the traces of some seeds. They are the same on every release of Node, and on
 * every machine: simulation.test.mjs compares them.
 */
import { configMaps, secrets } from 'client-ts/api/core/v1';
import { simulate } from 'client-ts/testing';

const namespace = 'default';
const seeds = 12;

for (let seed = 1; seed <= seeds; seed += 1) {
  const { digest, steps } = await simulate({
    seed,
    replicas: 2,
    manager:
      seed % 3 === 0
        ? { sharding: { name: 'copies', namespace, shards: 4 } }
        : { leaderElection: { name: 'copies', namespace } },
    controllers: (manager) =>
      manager.controller('copies', {
        for: { resource: configMaps, namespace, labelSelector: 'copied' },
        owns: [{ resource: secrets, namespace }],
        concurrency: 3,
        async reconcile({ metadata: { name }, data }, { apply, event }) {
          await apply(secrets, { metadata: { name }, stringData: { ...data } });
          event('Normal', 'Copied', 'the secret is up to date');
        },
      }),
    world: { actions },
  });
  console.log(`${seed} ${digest} ${steps}`);
}

/**
 * @param {import('client-ts/wait').Random} random
 * @returns {import('client-ts/testing').WorldAction[]}
 */
function actions(random) {
  return ['a', 'b', 'c', 'a', 'b'].map((name) => {
    const value = String(random.next());
    const metadata = { name, labels: { copied: 'yes' } };
    return {
      name: `write ${name}`,
      run: (client) =>
        client.coreV1
          .configMaps(namespace)
          .apply({ metadata, data: { value } }, { fieldManager: 'user' }),
    };
  });
}
