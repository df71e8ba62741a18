/**
 * Three classic mistakes of operators, each beside a version that is right. The guide "find the bug
 * by seed" explains them.
 */
import { secrets } from 'client-ts/api/core/v1';
import { cached, type Manager } from 'client-ts/controller';
import { defineResource } from 'client-ts/crd';
import { isControlledBy, isNotFound } from 'client-ts/meta';
import {
  always,
  builtInInvariants,
  converges,
  type Invariant,
  noHotLoop,
  noOrphan,
  type SimulationSubject,
  type WorldAction,
} from 'client-ts/testing';

const namespace = 'default';

/** A site, whose certificate is in a Secret. */
export const sites = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Site',
  subresources: { status: {} },
  schema: {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { host: { type: 'string' } } },
      status: {
        type: 'object',
        properties: { phase: { type: 'string' }, published: { type: 'string' } },
      },
    },
  },
});

const ownSecrets = cached(secrets, { namespace });

/** Users create a site, change it and delete it. */
function actions(): WorldAction[] {
  const at = (host: string) => ({ spec: { host } });
  return [
    {
      name: 'create the site shop',
      run: (client) =>
        client
          .resource(sites, namespace)
          .create({ metadata: { name: 'shop' }, ...at('shop.example.com') }),
    },
    {
      name: 'move the site shop',
      run: (client) =>
        client.resource(sites, namespace).patch('shop', at('www.example.com'), { type: 'merge' }),
    },
    {
      name: 'delete the site shop',
      run: (client) => client.resource(sites, namespace).delete('shop'),
    },
  ];
}

const world = { resources: [sites], actions };

/** A mistake, and the same without it. */
export interface PlantedBug {
  readonly broken: SimulationSubject;
  readonly mended: SimulationSubject;
}

function plantedBug(
  invariants: readonly Invariant[],
  broken: (manager: Manager) => void,
  mended: (manager: Manager) => void,
  rest: Pick<SimulationSubject, 'manager'> = {},
): PlantedBug {
  return {
    broken: { ...rest, world, controllers: broken, invariants },
    mended: {
      ...rest,
      world,
      controllers: mended,
      invariants: [...builtInInvariants(), ...invariants],
    },
  };
}

const oneSecret = always('a site has one secret', (state) =>
  state.list(sites).flatMap((site) => {
    const own = state.list(secrets).filter((secret) => isControlledBy(secret, site));
    return own.length < 2 ? [] : [`${site.metadata?.name} has ${own.length}`];
  }),
);

/** It looks into a cache that is behind, finds no Secret, and creates a second one. */
export const doubleCreate: PlantedBug = plantedBug(
  [oneSecret],
  (manager) =>
    void manager.controller('site', {
      for: { resource: sites, namespace },
      owns: [ownSecrets],
      async reconcile(site, { cache, create }) {
        const own = cache.list(ownSecrets).filter((secret) => isControlledBy(secret, site));
        if (own.length > 0) return;
        await create(secrets, { metadata: { generateName: `${site.metadata.name}-` } });
      },
    }),
  (manager) =>
    void manager.controller('site', {
      for: { resource: sites, namespace },
      owns: [ownSecrets],
      // A name of its own: the server accepts it once.
      async reconcile({ metadata }, { apply }) {
        await apply(secrets, { metadata: { name: `${metadata.name}-tls` } });
      },
    }),
  // What client-go does: caches do not see the writes of their own process.
  { manager: { cache: { defaults: { consistency: 'eventual' } } } },
);

const label = 'example.com/site';
const noSecretLeft = noOrphan({
  ownerOf: ({ metadata }) => {
    const name = metadata?.labels?.[label];
    return name === undefined ? undefined : { kind: 'Site', name };
  },
});

/** It cleans up when it sees a deletion. A process that is down does not see it. */
export const missedDelete: PlantedBug = plantedBug(
  [noSecretLeft],
  (manager) =>
    void manager.controller('site', {
      for: { resource: sites, namespace },
      async reconcile({ metadata: { name } }, { client }) {
        const metadata = { name: `${name}-tls`, labels: { [label]: name } };
        await client.coreV1.secrets(namespace).apply({ metadata }, { fieldManager: 'site' });
      },
      async onDeleted({ name }) {
        await manager.client.coreV1.secrets(namespace).delete(`${name}-tls`);
      },
    }),
  (manager) =>
    void manager.controller('site', {
      for: { resource: sites, namespace },
      // The site stays until its finalizer has run, in this process or the next one.
      finalizer: 'example.com/secret',
      async reconcile({ metadata: { name } }, { client }) {
        const metadata = { name: `${name}-tls`, labels: { [label]: name } };
        await client.coreV1.secrets(namespace).apply({ metadata }, { fieldManager: 'site' });
      },
      async finalize({ metadata: { name } }, { client }) {
        await client.coreV1.secrets(namespace).delete(`${name}-tls`).catch(ignoreNotFound);
      },
    }),
);

/** Two controllers write the same field of the status, each as it sees fit. */
export const statusFight: PlantedBug = plantedBug(
  [converges(), noHotLoop()],
  (manager) => {
    manager.controller('certificates', {
      for: { resource: sites, namespace },
      reconcile: (_site, { status }) => status({ phase: 'Secured' }),
    });
    manager.controller('publisher', {
      for: { resource: sites, namespace },
      reconcile: (_site, { status }) => status({ phase: 'Published' }),
    });
  },
  (manager) => {
    manager.controller('certificates', {
      for: { resource: sites, namespace },
      reconcile: (_site, { status }) => status({ phase: 'Secured' }),
    });
    manager.controller('publisher', {
      for: { resource: sites, namespace },
      // A field has one writer.
      reconcile: (_site, { status }) => status({ published: 'yes' }),
    });
  },
);

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
