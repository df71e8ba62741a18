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
export function groupClient<
  Descriptors extends Readonly<Record<keyof Descriptors, ResourceDescriptor>>,
>(rest: RESTClient, descriptors: Descriptors): GroupClient<Descriptors> {
  const methods = descriptorsOf(descriptors).map(
    ([name, descriptor]) =>
      [name, (namespace?: string) => clientOf(rest, descriptor, namespace)] as const,
  );
  return Object.fromEntries(methods) as unknown as GroupClient<Descriptors>;
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
