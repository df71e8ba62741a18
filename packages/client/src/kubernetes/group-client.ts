import { setKey } from '../lib/json.ts';
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

/** By module: reading the exports of one takes longer than making clients of them. */
const modules = new WeakMap<object, readonly NamedDescriptor[]>();

function descriptorsOf(
  module: Readonly<Record<string, ResourceDescriptor>>,
): readonly NamedDescriptor[] {
  let descriptors = modules.get(module);
  if (descriptors === undefined) modules.set(module, (descriptors = Object.entries(module)));
  return descriptors;
}

/**
 * Returns the clients of all resources of a module of `client-ts/api`. Its methods are its own, so that tests can
 * replace them. Controllers make one for each reconcile: a loop takes a third of the time of `Object.fromEntries`.
 */
function groupClient(
  rest: RESTClient,
  module: Readonly<Record<string, ResourceDescriptor>>,
): object {
  const methods: Record<string, unknown> = {};
  for (const [name, descriptor] of descriptorsOf(module)) {
    setKey(methods, name, (namespace?: string) => clientOf(rest, descriptor, namespace));
  }
  return methods;
}

/** Not a method: programs in JavaScript could call it. */
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
  let group = clients.get(descriptors);
  if (group === undefined) {
    group = groupClient(groups.rest, descriptors);
    clients.set(descriptors, group);
  }
  return group as GroupClient<Descriptors>;
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
