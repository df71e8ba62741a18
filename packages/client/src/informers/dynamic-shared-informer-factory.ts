import type { DynamicClient } from '../dynamic/dynamic-client.ts';
import type { Unstructured } from '../dynamic/unstructured.ts';
import {
  apiVersionOf,
  type GroupVersionResource,
  type ResourceDescriptor,
} from '../meta/resource.ts';
import type { FactoryDefaults, InformerFactoryOptions } from './factory-options.ts';
import type { InformerOptions } from './informer-options.ts';
import { InformerFactory } from './informer-factory.ts';
import type { Cached, ResourceInformer } from './resource-informer.ts';

/**
 * Informers of resources that are known only while the program runs; objects are plain JSON.
 *
 * ```ts
 * const factory = new DynamicSharedInformerFactory(dynamic, { namespace: 'default' });
 * const widgets = factory.forResource({ group: 'example.com', version: 'v1', resource: 'widgets' });
 * ```
 */
export class DynamicSharedInformerFactory extends InformerFactory {
  readonly #client: DynamicClient;

  constructor(client: DynamicClient, options: InformerFactoryOptions = {}) {
    super(client, options);
    this.#client = client;
  }

  /** A factory with other defaults that shares the informers of this one; it is started by itself. */
  with(defaults: FactoryDefaults): DynamicSharedInformerFactory {
    return new DynamicSharedInformerFactory(this.#client, this.optionsWith(defaults));
  }

  /** {@link DynamicSharedInformerFactory.with} for one namespace. */
  namespace(namespace: string): DynamicSharedInformerFactory {
    return this.with({ namespace });
  }

  /**
   * The informer of a resource. A descriptor, such as a `RESTMapper` finds, says what its objects
   * are, and whether it is in namespaces at all; without one, a namespace is taken to be right.
   */
  forResource(
    resource: GroupVersionResource | ResourceDescriptor,
    options?: InformerOptions<Cached<Unstructured>>,
  ): ResourceInformer<Cached<Unstructured>> {
    const reach = (namespace: string) => this.#client.resource(resource).namespace(namespace);
    if (!('scope' in resource)) return this.inform({ resource, reach }, options);
    const { scope, kind } = resource;
    const expectedKind = { apiVersion: apiVersionOf(resource), kind };
    return this.inform({ resource, scope, expectedKind, reach }, options);
  }
}
