import type { ResourceDescriptor } from '../meta/resource.ts';
import type { pods } from '../api/core/v1.ts';
import {
  type AllNamespacesClient,
  anyClient,
  type ClusterDescriptor,
  type NamespacedDescriptor,
  type ResourceClient,
} from '../rest/resource-client.ts';
import type { RESTClient } from '../rest/rest-client.ts';
import { checkResource } from '../rest/rest-error.ts';
import { type AllPodsClient, type PodClient, podClient } from '../streams/pod-client.ts';

/** Returns the client of a namespaced resource. */
export interface NamespacedResource<D extends NamespacedDescriptor> {
  /** In one namespace, with every verb of the resource. */
  (namespace: string): NamespacedClient<D>;
  /** In all namespaces, to list and watch. */
  (): AnywhereClient<D>;
}

/** Pods have logs and other streams, too. */
type NamespacedClient<D extends NamespacedDescriptor> = D extends typeof pods
  ? PodClient
  : ResourceClient<D>;

type AnywhereClient<D extends NamespacedDescriptor> = D extends typeof pods
  ? AllPodsClient
  : AllNamespacesClient<D>;

/** Returns the client of a cluster-scoped resource. */
export type ClusterResource<D extends ClusterDescriptor> = () => ResourceClient<D>;

/** A method for each descriptor of a module, under its name. */
export type GroupClient<Descriptors> = {
  readonly [Name in keyof Descriptors]: Descriptors[Name] extends NamespacedDescriptor
    ? NamespacedResource<Descriptors[Name]>
    : Descriptors[Name] extends ClusterDescriptor
      ? ClusterResource<Descriptors[Name]>
      : never;
};

type NamedDescriptor = readonly [name: string, descriptor: ResourceDescriptor];

/** By module: reading the exports of one takes longer than making a client of them. */
const modules = new WeakMap<object, readonly NamedDescriptor[]>();

function descriptorsOf(
  module: Readonly<Record<string, ResourceDescriptor>>,
): readonly NamedDescriptor[] {
  const known = modules.get(module);
  if (known !== undefined) return known;
  const descriptors = Object.entries(module);
  modules.set(module, descriptors);
  return descriptors;
}

/** Returns the clients of all resources of a module of `client-ts/api`. */
function groupClient<Descriptors extends Readonly<Record<keyof Descriptors, ResourceDescriptor>>>(
  rest: RESTClient,
  descriptors: Descriptors,
): GroupClient<Descriptors> {
  const methods = descriptorsOf(descriptors).map(
    ([name, descriptor]) =>
      [name, (namespace?: string) => clientOf(rest, descriptor, namespace)] as const,
  );
  return Object.fromEntries(methods) as unknown as GroupClient<Descriptors>;
}

/** Not a method: it is not for the users of a client. */
let clientsOf: (groups: GroupClients) => Map<object, object>;

/**
 * Keeps the clients of group-versions. In one field for all, which a client has only when it is used:
 * controllers make a client for each reconcile.
 */
export abstract class GroupClients {
  /** The client that sends the requests of all of them. */
  abstract readonly rest: RESTClient;
  #clients: Map<object, object> | undefined;

  static {
    clientsOf = (groups) => (groups.#clients ??= new Map());
  }
}

/** Returns the clients of a module of `client-ts/api`, which are made on first use. */
export function groupOf<
  Descriptors extends Readonly<Record<keyof Descriptors, ResourceDescriptor>>,
>(groups: GroupClients, descriptors: Descriptors): GroupClient<Descriptors> {
  const clients = clientsOf(groups);
  const known = clients.get(descriptors);
  if (known !== undefined) return known as GroupClient<Descriptors>;
  const made = groupClient(groups.rest, descriptors);
  clients.set(descriptors, made);
  return made;
}

/** Returns the client of a resource, with the streams of pods. */
export function clientOf(
  rest: RESTClient,
  descriptor: ResourceDescriptor,
  namespace: string | undefined,
): unknown {
  checkResource(descriptor);
  const { group, resource } = descriptor;
  const isPods = group === '' && resource === 'pods';
  return (isPods ? podClient : anyClient)(rest, descriptor, namespace);
}
