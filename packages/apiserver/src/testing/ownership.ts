import type { OwnerReference } from 'client-ts/meta';

import type { TestObject } from './test-object.ts';
import type { TestServer } from './test-server.ts';

/** Where {@link givenConfigMap} puts things unless told otherwise. */
export const MAPS = '/api/v1/namespaces/default/configmaps';

export interface ConfigMapOptions {
  readonly namespace?: string;
  readonly finalizers?: readonly string[];
}

/** A ConfigMap with owners; the kinds do not matter to the collector. */
export async function givenConfigMap(
  server: TestServer,
  name: string,
  owners: readonly OwnerReference[] = [],
  { namespace = 'default', finalizers = [] }: ConfigMapOptions = {},
): Promise<TestObject> {
  return await server.given('post', `/api/v1/namespaces/${namespace}/configmaps`, {
    metadata: { name, ownerReferences: owners, finalizers },
  });
}

/** A reference to an owner, as its dependents carry it. */
export function ownedBy(owner: TestObject, blockOwnerDeletion?: boolean): OwnerReference {
  const { kind = '', apiVersion = '', metadata } = owner;
  const { name = '', uid = '' } = metadata;
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }),
  };
}

/** The names of the ConfigMaps of a namespace, after everything has settled. */
export async function configMapNames(server: TestServer, namespace = 'default'): Promise<string[]> {
  await server.settle();
  const { body } = await server.get(`/api/v1/namespaces/${namespace}/configmaps`);
  return (body.items ?? []).map(({ metadata }) => metadata.name ?? '');
}
