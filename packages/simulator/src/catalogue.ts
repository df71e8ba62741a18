import type { Deployment, DeploymentSpec } from 'client-ts/api/apps/v1';
import type { Node } from 'client-ts/api/core/v1';

import { type Chance, pick, integerBetween } from './chance.ts';
import { simulatedLabel } from './cluster.ts';

/** The applications of a web shop. */
const applications = [
  'web',
  'api',
  'cart',
  'search',
  'checkout',
  'mail',
  'billing',
  'reviews',
  'stock',
  'images',
  'login',
  'worker',
] as const;

/** The pod capacity of a node: most pods find a node, but not always all. */
const podsPerNode = 16;

/** The name of an application, with a number once the names are used up. */
export function applicationName(index: number): string {
  const name = applications[index % applications.length] ?? 'app';
  const round = Math.floor(index / applications.length);
  return round === 0 ? name : `${name}-${round + 1}`;
}

/** The image of an application in a version: `v1`, `v2`, or one that cannot be pulled. */
export function imageName(application: string, tag: string): string {
  return `registry.example/shop/${application}:${tag}`;
}

/** A deployment with random replicas. */
export function deploymentNamed(name: string, chance: Chance): Deployment {
  const random = chance.of('deployment', name);
  const labels = { app: name };
  const spec: DeploymentSpec = {
    replicas: integerBetween(random, 2, 7),
    revisionHistoryLimit: 2,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        containers: [{ name, image: imageName(name, `v${integerBetween(random, 1, 9)}`) }],
        terminationGracePeriodSeconds: 30,
      },
    },
  };
  return { metadata: { name, labels }, spec };
}

/** A ready node. */
export function nodeNamed(name: string, chance: Chance): Node & { metadata: { name: string } } {
  const random = chance.of('node', name);
  const resources = {
    cpu: pick(random, ['4', '8', '16']) ?? '4',
    memory: '16Gi',
    pods: `${podsPerNode}`,
  };
  return {
    metadata: {
      name,
      labels: {
        [simulatedLabel]: 'true',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'topology.kubernetes.io/zone': pick(random, ['zone-a', 'zone-b', 'zone-c']) ?? 'zone-a',
      },
    },
    status: {
      capacity: resources,
      allocatable: resources,
      addresses: [{ type: 'InternalIP', address: `192.168.0.${integerBetween(random, 10, 250)}` }],
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          message: 'kubelet is posting ready status',
        },
      ],
    },
  };
}
