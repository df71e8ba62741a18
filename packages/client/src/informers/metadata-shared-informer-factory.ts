import type { Cached } from '../rest/object-types.ts';
import type { GroupVersionResource, ResourceDescriptor } from '../meta/resource.ts';
import type { MetadataClient } from '../metadata/metadata-client.ts';
import type { PartialObjectMetadata } from '../metadata/partial-object.ts';
import {
  type FactoryDefaults,
  InformerFactory,
  type InformerFactoryOptions,
  type InformerOptions,
  type ResourceInformer,
} from './informer-factory.ts';

/**
 * Informers that cache only the metadata of objects, at a fraction of the memory: for controllers
 * that need names, labels and owners.
 *
 * ```ts
 * const factory = new MetadataSharedInformerFactory(metadata);
 * const pods = factory.forResource({ group: '', version: 'v1', resource: 'pods' });
 * ```
 */
export class MetadataSharedInformerFactory extends InformerFactory {
  readonly #client: MetadataClient;

  /** `parent` is the factory whose informers this one shares; see {@link with}. */
  constructor(
    client: MetadataClient,
    options: InformerFactoryOptions = {},
    parent?: MetadataSharedInformerFactory,
  ) {
    super(client, options, parent);
    this.#client = client;
  }

  /**
   * Returns a factory with other defaults that shares the informers of this one. Each is started and
   * shut down separately.
   */
  with(defaults: FactoryDefaults): MetadataSharedInformerFactory {
    return new MetadataSharedInformerFactory(this.#client, defaults, this);
  }

  /** {@link MetadataSharedInformerFactory.with} for one namespace. */
  namespace(namespace: string): MetadataSharedInformerFactory {
    return this.with({ namespace });
  }

  /** Returns the informer of a resource. */
  forResource(
    resource: GroupVersionResource | ResourceDescriptor,
    options?: InformerOptions<Cached<PartialObjectMetadata>>,
  ): ResourceInformer<Cached<PartialObjectMetadata>> {
    const client = (namespace: string) => this.#client.resource(resource).namespace(namespace);
    const scope = 'scope' in resource ? { scope: resource.scope } : {};
    return this.inform({ resource, client, ...scope }, options);
  }
}
