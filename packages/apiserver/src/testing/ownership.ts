import type { OwnerReference } from 'client-ts/meta';

import type { TestObject } from './test-object.ts';
import type { TestServer } from './test-server.ts';

/** The default collection of {@link givenConfigMap}. */
export const MAPS = '/api/v1/namespaces/default/configmaps';

export interface ConfigMapOptions {
  readonly namespace?: string | undefined;
  readonly finalizers?: readonly string[] | undefined;
}

/** Creates a ConfigMap with owners; the collector does not depend on the kind. */
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

/** Returns an owner reference. */
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

/** Returns the names of the ConfigMaps in a namespace, after controllers have settled. */
export async function configMapNames(server: TestServer, namespace = 'default'): Promise<string[]> {
  await server.settle();
  const { body } = await server.get(`/api/v1/namespaces/${namespace}/configmaps`);
  return (body.items ?? []).map(({ metadata }) => metadata.name ?? '');
}
