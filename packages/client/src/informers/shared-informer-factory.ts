import type { CachedObject, ListableResource } from '../cache/list-watch.ts';
import { descriptorOfPlace } from '../dynamic/place-descriptor.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import {
  apiVersionOf,
  type GroupVersionResource,
  type ResourceDescriptor,
} from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { SelectorOptions } from '../rest/options.ts';
import type { ClusterDescriptor, NamespacedDescriptor } from '../rest/resource-client.ts';
import type { FactoryDefaults, InformerFactoryOptions } from './factory-options.ts';
import type { InformerOptions } from './informer-options.ts';
import { GroupVersionInformers } from './generated/group-version-informers.ts';
import type { Cached, ResourceInformer } from './resource-informer.ts';

/**
 * Informers of built-in resources, and of any other that a descriptor describes: one watch and one
 * cache for each, however many parts of a program use it.
 *
 * ```ts
 * const factory = new SharedInformerFactory(client, { resyncPeriod: 30_000 });
 * const pods = factory.coreV1.pods();
 * pods.informer.addEventHandler({ onAdd: (pod) => console.log(pod.metadata.name) });
 * factory.start(signal);
 * await factory.waitForCacheSync(signal);
 * pods.lister.namespace('default').get('web-0');
 * ```
 *
 * Getters take options of their own, and {@link SharedInformerFactory.with} makes a factory with
 * others. The same options give the same informer, as long as nobody has stopped using it.
 */
export class SharedInformerFactory extends GroupVersionInformers {
  readonly client: Clientset;

  constructor(client: Clientset, options: InformerFactoryOptions = {}) {
    super(client, options);
    this.client = client;
  }

  /** A factory with other defaults that shares the informers of this one; it is started by itself. */
  with(defaults: FactoryDefaults): SharedInformerFactory {
    return new SharedInformerFactory(this.client, this.optionsWith(defaults));
  }

  /** {@link SharedInformerFactory.with} for one namespace. */
  namespace(namespace: string): SharedInformerFactory {
    return this.with({ namespace });
  }

  /**
   * The informer of any resource. A descriptor says what its objects are, and whether it is in
   * namespaces at all; without one, a namespace is taken to be right.
   */
  forResource<T extends KubernetesObject>(
    resource: ResourceDescriptor<T>,
    options?: InformerOptions<Cached<T>>,
  ): ResourceInformer<Cached<T>>;
  forResource(
    resource: GroupVersionResource,
    options?: InformerOptions<Cached<KubernetesObject>>,
  ): ResourceInformer<Cached<KubernetesObject>>;
  forResource(
    resource: GroupVersionResource | ResourceDescriptor,
    options?: InformerOptions<Cached<KubernetesObject>>,
  ): ResourceInformer<Cached<KubernetesObject>> {
    const { client } = this;
    const reach = (namespace: string): ListableResource<CachedObject, SelectorOptions> => {
      const descriptor =
        'scope' in resource ? resource : descriptorOfPlace(resource, namespace || undefined);
      // Whether it is in namespaces is for the server to say; both ways lead to lists and watches.
      return namespace === ''
        ? client.resource(descriptor as ClusterDescriptor)
        : client.resource(descriptor as NamespacedDescriptor, namespace);
    };
    if (!('scope' in resource)) return this.inform({ resource, reach }, options);
    const { scope, kind } = resource;
    const expectedKind = { apiVersion: apiVersionOf(resource), kind };
    return this.inform({ resource, scope, expectedKind, reach }, options);
  }
}
