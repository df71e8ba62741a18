/**
 * Factories of shared informers, and listers that read their caches.
 *
 * @module
 */

export type { Cached, CachedProjection } from '../rest/object-types.ts';
export { DynamicSharedInformerFactory } from './dynamic-shared-informer-factory.ts';
export type * from './generated/group-version-getters.ts';
export {
  type FactoryDefaults,
  InformerFactory,
  type InformerFactoryOptions,
  type InformerOptions,
  type ResourceInformer,
  type SharedIndexers,
} from './informer-factory.ts';
export { Lister, type ListerOptions, type ListerSelector, NamespaceLister } from './lister.ts';
export { MetadataSharedInformerFactory } from './metadata-shared-informer-factory.ts';
export { SharedInformerFactory } from './shared-informer-factory.ts';
export type { InformerGetter, ProjectedInformerOptions } from './typed-informer-factory.ts';
