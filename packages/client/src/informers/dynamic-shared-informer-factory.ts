import type { Cached, CachedProjection } from '../rest/object-types.ts';
import type { DynamicClient } from '../dynamic/dynamic-client.ts';
import type { Unstructured } from '../dynamic/unstructured.ts';
import {
  apiVersionOf,
  type GroupVersionResource,
  type ResourceDescriptor,
} from '../meta/resource.ts';
import {
  type FactoryDefaults,
  InformerFactory,
  type InformerFactoryOptions,
  type InformerOptions,
  type ResourceInformer,
} from './informer-factory.ts';
import type { ProjectedInformerOptions } from './typed-informer-factory.ts';

/**
 * Informers of resources whose types are not known at compile time; objects are plain JSON.
 *
 * ```ts
 * const factory = new DynamicSharedInformerFactory(dynamic, { namespace: 'default' });
 * const widgets = factory.forResource({ group: 'example.com', version: 'v1', resource: 'widgets' });
 * ```
 */
export class DynamicSharedInformerFactory extends InformerFactory {
  readonly #client: DynamicClient;

  /** `parent` is the factory whose informers this one shares; see {@link with}. */
  constructor(
    client: DynamicClient,
    options: InformerFactoryOptions = {},
    parent?: DynamicSharedInformerFactory,
  ) {
    super(client, options, parent);
    this.#client = client;
  }

  /**
   * Returns a factory with other defaults that shares the informers of this one. Each is started and
   * shut down separately.
   */
  with(defaults: FactoryDefaults): DynamicSharedInformerFactory {
    return new DynamicSharedInformerFactory(this.#client, defaults, this);
  }

  /** {@link DynamicSharedInformerFactory.with} for one namespace. */
  namespace(namespace: string): DynamicSharedInformerFactory {
    return this.with({ namespace });
  }

  /**
   * Returns the informer of a resource. A descriptor, such as a `RESTMapper` returns, has the kind
   * and the scope; without one, the resource is assumed to be namespaced if a namespace is set.
   */
  forResource<const Path extends string>(
    resource: GroupVersionResource | ResourceDescriptor,
    options: ProjectedInformerOptions<Unstructured, Path>,
  ): ResourceInformer<CachedProjection<Unstructured, Path>>;
  forResource(
    resource: GroupVersionResource | ResourceDescriptor,
    options?: InformerOptions<Cached<Unstructured>>,
  ): ResourceInformer<Cached<Unstructured>>;
  forResource(resource: GroupVersionResource | ResourceDescriptor, options?: object): object {
    const client = (namespace: string) => this.#client.resource(resource).namespace(namespace);
    if (!('scope' in resource)) return this.inform({ resource, client }, options);
    const { scope, kind } = resource;
    const expectedKind = { apiVersion: apiVersionOf(resource), kind };
    return this.inform({ resource, scope, expectedKind, client }, options);
  }
}
