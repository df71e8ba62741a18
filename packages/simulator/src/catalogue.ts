import type { Deployment, DeploymentSpec } from 'client-ts/api/apps/v1';
import type { Node } from 'client-ts/api/core/v1';

import { type Fate, pick, wholeBetween } from './fate.ts';
import { simulatedLabel } from './world.ts';

/** What a shop on the web is made of. */
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

/** Room for so many pods is on each node; enough that most find a place, and not all always. */
const podsPerNode = 16;

/** The name of an application; numbers are added when the names are used up. */
export function applicationName(index: number): string {
  const name = applications[index % applications.length] ?? 'app';
  const round = Math.floor(index / applications.length);
  return round === 0 ? name : `${name}-${round + 1}`;
}

/** The image of an application in some version: `v1`, `v2`, or one that is not to be had. */
export function imageName(application: string, tag: string): string {
  return `registry.example/shop/${application}:${tag}`;
}

/** A deployment as somebody would write it. */
export function deploymentNamed(name: string, fate: Fate): Deployment {
  const random = fate.of('deployment', name);
  const labels = { app: name };
  const spec: DeploymentSpec = {
    replicas: wholeBetween(random, 2, 7),
    revisionHistoryLimit: 2,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        containers: [{ name, image: imageName(name, `v${wholeBetween(random, 1, 9)}`) }],
        terminationGracePeriodSeconds: 30,
      },
    },
  };
  return { metadata: { name, labels }, spec };
}

/** A node that has come up. */
export function nodeNamed(name: string, fate: Fate): Node & { metadata: { name: string } } {
  const random = fate.of('node', name);
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
      addresses: [{ type: 'InternalIP', address: `192.168.0.${wholeBetween(random, 10, 250)}` }],
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
