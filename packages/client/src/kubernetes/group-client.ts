import type { ResourceDescriptor } from '../meta/resource.ts';
import {
  type AllNamespacesClient,
  anyClient,
  type ClusterDescriptor,
  type NamespacedDescriptor,
  type ResourceClient,
} from '../rest/resource-client.ts';
import type { RESTClient } from '../rest/rest-client.ts';

/** Returns the client of a namespaced resource. */
export interface NamespacedResource<D extends NamespacedDescriptor> {
  /** In one namespace, with every verb of the resource. */
  (namespace: string): ResourceClient<D>;
  /** In all namespaces, to list and watch. */
  (): AllNamespacesClient<D>;
}

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

/** Returns the clients of all resources of a module of `client-ts/api`. */
export function groupClient<
  Descriptors extends Readonly<Record<keyof Descriptors, ResourceDescriptor>>,
>(rest: RESTClient, descriptors: Descriptors): GroupClient<Descriptors> {
  const methods = Object.entries<ResourceDescriptor>(descriptors).map(
    ([name, descriptor]) =>
      [name, (namespace?: string) => anyClient(rest, descriptor, namespace)] as const,
  );
  return Object.fromEntries(methods) as unknown as GroupClient<Descriptors>;
}
