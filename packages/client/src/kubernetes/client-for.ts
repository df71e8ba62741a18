import type { DiscoveryOptions } from '../discovery/documents.ts';
import type { RESTMapper } from '../discovery/rest-mapper.ts';
import { DynamicClient, type DynamicResourceClient } from '../dynamic/dynamic-client.ts';
import { namespaceOf } from '../meta/object.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { ResourceClient } from '../rest/resource-client.ts';
import type { RESTClient } from '../rest/rest-client.ts';
import { checkObject, checkOptions, invalidRequest } from '../rest/rest-error.ts';
import type { BuiltInKinds } from './generated/built-in-kinds.ts';

/** Options of `Clientset.for`. */
export interface ClientForOptions extends DiscoveryOptions {
  /** The namespace of an object that does not name one. Default: that of the client. */
  readonly namespace?: string | undefined;
}

/** The client that `Clientset.for` returns for an object of this type. */
export type ClientFor<O extends Readonly<KubernetesObject>> =
  NamedKind<O> extends keyof BuiltInKinds
    ? ResourceClient<BuiltInKinds[NamedKind<O>]>
    : DynamicResourceClient;

/** `apps/v1/Deployment`, if the type of the object has the literals. */
type NamedKind<O extends Readonly<KubernetesObject>> =
  `${NonNullable<O['apiVersion']>}/${NonNullable<O['kind']>}`;

/** Returns the client for what an object says it is. */
export async function clientFor<Client>(
  rest: RESTClient,
  mapper: RESTMapper,
  object: Readonly<KubernetesObject>,
  options: ClientForOptions,
): Promise<Client> {
  checkObject(object, 'the object');
  checkOptions(options);
  const { namespace = rest.namespace, signal } = options;
  const { apiVersion = '', kind = '' } = object;
  if (apiVersion === '' || kind === '') {
    throw invalidRequest(
      `${apiVersion === '' ? 'apiVersion' : 'kind'} is empty in an object that needs a client`,
      'Items of a typed list have neither; use the client that listed them.',
    );
  }
  const descriptor = await mapper.mapping({ apiVersion, kind }, { signal });
  const client = new DynamicClient(rest).resource(descriptor);
  const placed =
    descriptor.scope === 'Namespaced' ? client.namespace(namespaceOf(object) || namespace) : client;
  return placed as Client;
}
