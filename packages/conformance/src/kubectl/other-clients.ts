import assert from 'node:assert/strict';
import { type Clock, type JsonObject, sleep } from 'client-ts/internal';
import type { Transport } from 'client-ts/transport';
import { exchange } from '../http/exchange.ts';

const NAMESPACE = '/api/v1/namespaces/rec-kubectl';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Long enough for a CRD to be established on any server. */
const ESTABLISH_MS = 1_000;

async function send(
  admin: Transport,
  { method = 'POST', type = 'application/json' }: { method?: string; type?: string },
  path: string,
  object: JsonObject,
): Promise<void> {
  const { status } = await exchange(admin, {
    method,
    path,
    headers: { 'content-type': type },
    body: Buffer.from(JSON.stringify(object)),
  });
  assert.ok(status < 300, `${method} ${path}: ${status}`);
}

function post(admin: Transport, path: string, object: JsonObject): Promise<void> {
  return send(admin, {}, path, object);
}

function merge(admin: Transport, path: string, object: JsonObject): Promise<void> {
  return send(admin, { method: 'PATCH', type: 'application/merge-patch+json' }, path, object);
}

const LONG_AGO = '2024-01-02T03:04:05Z';

function event(name: string, fields: JsonObject): JsonObject {
  return {
    metadata: { name },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: 'rec-kubectl', name: 'p1' },
    message: 'm',
    firstTimestamp: LONG_AGO,
    lastTimestamp: LONG_AGO,
    ...fields,
  };
}

/**
 * What other clients did while the commands were recorded, which affects the responses: by command
 * and the index of the request that follows.
 */
export const otherClients: Readonly<
  Record<string, (admin: Transport, clock: Clock) => Promise<void>>
> = {
  'get-watch-events 0': (admin) =>
    merge(admin, `${NAMESPACE}/configmaps/conf`, { data: { w: '1' } }),

  'get-nodes 0': async (admin) => {
    const labels = { 'kubernetes.io/hostname': 'rec-knode' };
    await post(admin, '/api/v1/nodes', { metadata: { name: 'rec-knode', labels } });
    const capacity = { cpu: '4', memory: '8Gi', pods: '110' };
    const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady' };
    const times = { lastHeartbeatTime: LONG_AGO, lastTransitionTime: LONG_AGO };
    await merge(admin, '/api/v1/nodes/rec-knode/status', {
      status: {
        capacity,
        allocatable: capacity,
        conditions: [{ ...ready, ...times }],
        nodeInfo: {
          architecture: 'amd64',
          bootID: '',
          containerRuntimeVersion: '',
          kernelVersion: '',
          kubeProxyVersion: '',
          kubeletVersion: 'v1.36.4',
          machineID: '',
          operatingSystem: 'linux',
          osImage: '',
          systemUUID: '',
        },
      },
    });
    await post(admin, `${NAMESPACE}/pods/p2/binding`, {
      metadata: { name: 'p2' },
      target: { kind: 'Node', name: 'rec-knode' },
    });
  },

  'wait-create 8': (admin) =>
    post(admin, `${NAMESPACE}/configmaps`, { metadata: { name: 'later' } }),

  'get-events 0': async (admin) => {
    const events = `${NAMESPACE}/events`;
    await post(admin, events, event('p1.1', { type: 'Normal', reason: 'Scheduled', count: 1 }));
    await post(admin, events, event('p1.2', { type: 'Warning', reason: 'Failed', count: 2 }));
  },

  'wait-crd 0': async (admin, clock) => {
    const size = { type: 'integer', description: 'How big.' };
    const properties = { spec: { type: 'object', properties: { size } } };
    const schema = { type: 'object', properties };
    const spec: JsonObject = {
      group: 'k.rec.example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wgk'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
        },
      ],
    };
    await post(admin, CRDS, { metadata: { name: 'widgets.k.rec.example.com' }, spec });
    await sleep(clock, ESTABLISH_MS);
  },
};
