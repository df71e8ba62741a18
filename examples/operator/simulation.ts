import { Clientset } from 'client-ts';
import { pods } from 'client-ts/api/core/v1';
import {
  builtInInvariants,
  eventually,
  type SimulationState,
  type SimulationSubject,
  type WorldAction,
} from 'client-ts/testing';
import type { Random } from 'client-ts/wait';

import { isReconciled } from './demo.ts';
import { runKubelet } from './kubelet.ts';
import { addWebSetController, electionOf } from './operator.ts';
import { WEB_SET_LABEL } from './pods.ts';
import { type WebSet, webSets } from './web-set.ts';

const namespace = 'default';
const NAMES = ['anna', 'bert'];

/** Two replicas of the operator, a kubelet, and users who change WebSets and delete pods. */
export const operatorSimulation: SimulationSubject = {
  replicas: 2,
  manager: { leaderElection: electionOf(namespace, 30_000) },
  controllers: (manager, { identity, logger }) =>
    addWebSetController(manager, { namespace, identity, log: (line) => logger.info(line) }),
  world: {
    resources: [webSets],
    actions,
    programs: [
      async ({ config, clock, random, signal }) => {
        await using client = new Clientset(config, { clock, random });
        await runKubelet({ client, namespace, startMs: () => 200, signal, clock, random });
      },
    ],
  },
  invariants: [
    ...builtInInvariants(),
    eventually('each WebSet has its pods, all ready', (state) => [
      ...state.list(webSets).flatMap((webSet) => problemsOf(webSet as WebSet, state)),
      ...strayPods(state),
    ]),
  ],
};

/** Returns what the users of the cluster do. */
function actions(random: Random): WorldAction[] {
  const below = (limit: number): number => Math.floor(random.next() * limit);
  const template = (): WebSet['spec']['template'] => ({
    spec: { containers: [{ name: 'web', image: `example.com/web:${below(3)}` }] },
  });
  const merge = { type: 'merge' } as const;
  const any = (): WorldAction => {
    const name = NAMES[below(NAMES.length)] ?? '';
    const replicas = below(4);
    const change = template();
    switch (below(5)) {
      case 0:
        return {
          name: `delete ${name}`,
          run: (client) => client.resource(webSets, namespace).delete(name),
        };
      case 1:
        return {
          name: `change the image of ${name}`,
          run: (client) =>
            client.resource(webSets, namespace).patch(name, { spec: { template: change } }, merge),
        };
      case 2:
        return {
          name: `delete a pod of ${name}`,
          run: (client) => client.coreV1.pods(namespace).delete(`${name}-0`),
        };
      case 3:
        return {
          name: `scale ${name} to ${replicas}`,
          run: (client) =>
            client.resource(webSets, namespace).patch(name, { spec: { replicas } }, merge),
        };
      default:
        return create(name, replicas, change);
    }
  };
  const create = (
    name: string,
    replicas: number,
    podTemplate: WebSet['spec']['template'],
  ): WorldAction => ({
    name: `create ${name} with ${replicas} pods`,
    run: (client) =>
      client
        .resource(webSets, namespace)
        .create({ metadata: { name }, spec: { replicas, template: podTemplate } }),
  });
  const first = NAMES.map((name) => ({ ...create(name, 1 + below(3), template()), atMs: 100 }));
  return [...first, ...Array.from({ length: 2 + below(4) }, any)];
}

function problemsOf(webSet: WebSet, state: SimulationState): string[] {
  const { name, uid } = webSet.metadata ?? {};
  const own = state
    .list(pods)
    .filter(({ metadata }) => metadata?.ownerReferences?.some((owner) => owner.uid === uid));
  const wanted = webSet.spec.replicas ?? 1;
  if (own.length !== wanted) return [`${name} has ${own.length} pods instead of ${wanted}`];
  return isReconciled(webSet) ? [] : [`the status of ${name} is ${JSON.stringify(webSet.status)}`];
}

/** Returns pods whose WebSet is gone. */
function strayPods(state: SimulationState): string[] {
  const names = new Set(state.list(webSets).map(({ metadata }) => metadata?.name));
  return state
    .list(pods)
    .filter(({ metadata }) => !names.has(metadata?.labels?.[WEB_SET_LABEL]))
    .map(({ metadata }) => `${metadata?.name} belongs to no WebSet`);
}
