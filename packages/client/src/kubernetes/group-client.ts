import type { ResourceDescriptor } from '../meta/resource.ts';
import {
  type AllNamespacesClient,
  anyClient,
  type ClusterDescriptor,
  type NamespacedDescriptor,
  type ResourceClient,
} from '../rest/resource-client.ts';
import type { RESTClient } from '../rest/rest-client.ts';

/** Gives the client of a resource that lives in namespaces. */
export interface NamespacedResource<D extends NamespacedDescriptor> {
  /** In one namespace, with everything that the resource can do. */
  (namespace: string): ResourceClient<D>;
  /** In all namespaces, to list and to watch. */
  (): AllNamespacesClient<D>;
}

/** Gives the client of a resource that lives in no namespace. */
export type ClusterResource<D extends ClusterDescriptor> = () => ResourceClient<D>;

/** A method for each descriptor, under its name. */
export type GroupClient<Descriptors> = {
  readonly [Name in keyof Descriptors]: Descriptors[Name] extends NamespacedDescriptor
    ? NamespacedResource<Descriptors[Name]>
    : Descriptors[Name] extends ClusterDescriptor
      ? ClusterResource<Descriptors[Name]>
      : never;
};

/** The clients of all resources that a module of `client-ts/api` describes. */
export function groupClient<
  Descriptors extends Readonly<Record<keyof Descriptors, ResourceDescriptor>>,
>(rest: RESTClient, descriptors: Descriptors): GroupClient<Descriptors> {
  const methods = Object.entries<ResourceDescriptor>(descriptors).map(
    ([name, descriptor]) =>
      [name, (namespace?: string) => anyClient(rest, descriptor, namespace)] as const,
  );
  return Object.fromEntries(methods) as unknown as GroupClient<Descriptors>;
}
