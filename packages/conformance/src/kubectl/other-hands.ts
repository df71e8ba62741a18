import { type Clock, type JsonObject, sleep } from 'client-ts/lib';
import type { Transport } from 'client-ts/transport';
import { exchange } from '../http/exchange.ts';

const NAMESPACE = '/api/v1/namespaces/rec-kubectl';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Long enough for a CRD to be established on any server. */
const ESTABLISH_MS = 1_000;

async function post(admin: Transport, path: string, object: JsonObject): Promise<void> {
  await exchange(admin, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(object)),
  });
}

/**
 * What other clients did while the commands were recorded, and without which the answers differ:
 * by command and the position of the request that comes after it.
 */
export const otherHands: Readonly<
  Record<string, (admin: Transport, clock: Clock) => Promise<void>>
> = {
  'get-nodes 0': async (admin) => {
    await post(admin, '/api/v1/nodes', { metadata: { name: 'rec-knode' } });
    await post(admin, `${NAMESPACE}/pods/p2/binding`, {
      metadata: { name: 'p2' },
      target: { kind: 'Node', name: 'rec-knode' },
    });
  },

  'wait-create 8': (admin) =>
    post(admin, `${NAMESPACE}/configmaps`, { metadata: { name: 'later' } }),

  'wait-crd 0': async (admin, clock) => {
    const size = { type: 'integer', description: 'How big.' };
    const properties = { spec: { type: 'object', properties: { size } } };
    const schema = { type: 'object', properties };
    const spec: JsonObject = {
      group: 'k.rec.example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wgk'] },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    };
    await post(admin, CRDS, { metadata: { name: 'widgets.k.rec.example.com' }, spec });
    await sleep(clock, ESTABLISH_MS);
  },
};
