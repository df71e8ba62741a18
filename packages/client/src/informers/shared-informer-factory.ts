import type { ListableResource } from '../cache/list-watch.ts';
import type { Cached, CachedProjection } from '../rest/object-types.ts';
import { untypedDescriptor } from '../rest/generic-client.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import {
  apiVersionOf,
  type GroupVersionResource,
  type ResourceDescriptor,
} from '../meta/resource.ts';
import type { ProjectionPath } from '../meta/projection.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { ClusterDescriptor, NamespacedDescriptor } from '../rest/resource-client.ts';
import { GroupVersionInformers } from './generated/group-version-informers.ts';
import type {
  FactoryDefaults,
  InformerFactoryOptions,
  InformerOptions,
  ResourceInformer,
} from './informer-factory.ts';
import type { ProjectedInformerOptions } from './typed-informer-factory.ts';

/**
 * Shared informers of built-in resources, and of any other resource with a descriptor: one watch and
 * one cache for each, however many parts of a program use it.
 *
 * ```ts
 * const factory = new SharedInformerFactory(client, { resyncPeriodMs: 30_000 });
 * const pods = factory.coreV1.pods();
 * pods.informer.addEventHandler({ onAdd: (pod) => console.log(pod.metadata.name) });
 * factory.start({ signal });
 * await factory.waitForCacheSync({ signal });
 * pods.lister.namespace('default').get('web-0');
 * ```
 *
 * Getters take options of their own, and {@link SharedInformerFactory.with} makes a factory with
 * other defaults. The same options return the same informer until its last user has released it.
 */
export class SharedInformerFactory extends GroupVersionInformers {
  readonly client: Clientset;

  /** `parent` is the factory whose informers this one shares; see {@link with}. */
  constructor(
    client: Clientset,
    options: InformerFactoryOptions = {},
    parent?: SharedInformerFactory,
  ) {
    super(client, options, parent);
    this.client = client;
  }

  /**
   * Returns a factory with other defaults that shares the informers of this one. Each is started and
   * shut down separately.
   */
  with(defaults: FactoryDefaults): SharedInformerFactory {
    return new SharedInformerFactory(this.client, defaults, this);
  }

  /** {@link SharedInformerFactory.with} for one namespace. */
  namespace(namespace: string): SharedInformerFactory {
    return this.with({ namespace });
  }

  /**
   * Returns the informer of any resource. A descriptor has the type, the kind and the scope of the
   * objects; without one, the resource is assumed to be namespaced if a namespace is set.
   */
  forResource<T extends KubernetesObject, Path extends ProjectionPath<T>>(
    resource: ResourceDescriptor<T>,
    options: ProjectedInformerOptions<T, Path>,
  ): ResourceInformer<CachedProjection<T, Path>>;
  forResource<T extends KubernetesObject>(
    resource: ResourceDescriptor<T>,
    options?: InformerOptions<Cached<T>>,
  ): ResourceInformer<Cached<T>>;
  forResource(
    resource: GroupVersionResource,
    options?: InformerOptions<Cached<KubernetesObject>>,
  ): ResourceInformer<Cached<KubernetesObject>>;
  forResource(resource: GroupVersionResource | ResourceDescriptor, options?: object): object {
    const client = (namespace: string): ListableResource<KubernetesObject> => {
      const descriptor =
        'scope' in resource ? resource : untypedDescriptor(resource, namespace || undefined);
      // The types are for callers that know the scope; lists and watches are the same for both.
      return namespace === ''
        ? this.client.resource(descriptor as ClusterDescriptor)
        : this.client.resource(descriptor as NamespacedDescriptor, namespace);
    };
    if (!('scope' in resource)) return this.inform({ resource, client }, options);
    const { scope, kind } = resource;
    const expectedKind = { apiVersion: apiVersionOf(resource), kind };
    return this.inform({ resource, scope, expectedKind, client }, options);
  }
}
