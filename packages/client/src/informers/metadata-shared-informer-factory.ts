import type { GroupVersionResource, ResourceDescriptor } from '../meta/resource.ts';
import type { MetadataClient } from '../metadata/metadata-client.ts';
import type { PartialObjectMetadata } from '../metadata/partial-object.ts';
import type { FactoryDefaults, InformerFactoryOptions } from './factory-options.ts';
import type { InformerOptions } from './informer-options.ts';
import { InformerFactory } from './informer-factory.ts';
import type { Cached, ResourceInformer } from './resource-informer.ts';

/**
 * Informers that keep the metadata of objects and nothing else of them: for those who only look at
 * names, labels and owners, at a fraction of the memory.
 *
 * ```ts
 * const factory = new MetadataSharedInformerFactory(metadata);
 * const pods = factory.forResource({ group: '', version: 'v1', resource: 'pods' });
 * ```
 */
export class MetadataSharedInformerFactory extends InformerFactory {
  readonly #client: MetadataClient;

  constructor(client: MetadataClient, options: InformerFactoryOptions = {}) {
    super(client, options);
    this.#client = client;
  }

  /** A factory with other defaults that shares the informers of this one; it is started by itself. */
  with(defaults: FactoryDefaults): MetadataSharedInformerFactory {
    return new MetadataSharedInformerFactory(this.#client, this.optionsWith(defaults));
  }

  /** {@link MetadataSharedInformerFactory.with} for one namespace. */
  namespace(namespace: string): MetadataSharedInformerFactory {
    return this.with({ namespace });
  }

  /** The informer of a resource; its kind need not be known. */
  forResource(
    resource: GroupVersionResource | ResourceDescriptor,
    options?: InformerOptions<Cached<PartialObjectMetadata>>,
  ): ResourceInformer<Cached<PartialObjectMetadata>> {
    const reach = (namespace: string) => this.#client.resource(resource).namespace(namespace);
    const scope = 'scope' in resource ? { scope: resource.scope } : {};
    return this.inform({ resource, reach, ...scope }, options);
  }
}
