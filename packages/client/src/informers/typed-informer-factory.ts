import type { Cached, CachedProjection } from '../rest/object-types.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import type { ObjectOf, ResourceDescriptor } from '../meta/resource.ts';
import type { ProjectionPath } from '../meta/projection.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { Described } from '../rest/resource-client.ts';
import {
  InformerFactory,
  type InformerOptions,
  type ResourceInformer,
} from './informer-factory.ts';

/** Returns the informer of one resource, of whole objects or of a projection of them. */
export interface InformerGetter<D extends ResourceDescriptor> {
  <Path extends ProjectionPath<ObjectOf<D>>>(
    options: ProjectedInformerOptions<ObjectOf<D>, Path>,
  ): ResourceInformer<CachedProjection<ObjectOf<D>, Path>>;
  (options?: InformerOptions<Cached<ObjectOf<D>>>): ResourceInformer<Cached<ObjectOf<D>>>;
}

/** {@link InformerOptions} with a projection: only these fields are kept. */
export interface ProjectedInformerOptions<
  T extends KubernetesObject,
  Path extends string,
> extends InformerOptions<CachedProjection<T, Path>> {
  readonly project: readonly Path[];
}

type DescribedClient = () => Described<ResourceDescriptor>;

/** A getter of an informer for each getter of a client. */
export type GroupInformers<Clients> = {
  readonly [Name in keyof Clients]: Clients[Name] extends () => Described<
    infer D extends ResourceDescriptor
  >
    ? InformerGetter<D>
    : never;
};

/** The base class of the generated getters. */
export abstract class TypedInformerFactory extends InformerFactory {
  /** The client that informers read with. */
  abstract readonly client: Clientset;

  abstract forResource(
    resource: ResourceDescriptor,
    options?: InformerOptions<Cached<KubernetesObject>>,
  ): ResourceInformer<Cached<KubernetesObject>>;

  /**
   * Returns getters for all resources of a group-version that can be listed and watched. Their
   * descriptors come from the clients, so no module of the API is loaded for it.
   */
  protected group<Clients extends Readonly<Record<keyof Clients, DescribedClient>>>(
    clients: Clients,
  ): GroupInformers<Clients> {
    const getters = Object.entries<DescribedClient>(clients)
      .map(([name, client]) => [name, client().descriptor] as const)
      .filter(([, { verbs }]) => verbs.includes('list') && verbs.includes('watch'))
      .map(([name, descriptor]) => [name, this.#getter(descriptor)] as const);
    return Object.fromEntries(getters) as unknown as GroupInformers<Clients>;
  }

  #getter(
    descriptor: ResourceDescriptor,
  ): (options?: InformerOptions<Cached<KubernetesObject>>) => unknown {
    return (options) => this.forResource(descriptor, options);
  }
}
