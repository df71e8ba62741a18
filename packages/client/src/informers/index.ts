export { DynamicSharedInformerFactory } from './dynamic-shared-informer-factory.ts';
export type { FactoryDefaults, InformerFactoryOptions } from './factory-options.ts';
export type * from './generated/group-version-getters.ts';
export { InformerFactory } from './informer-factory.ts';
export type { InformerMachinery, InformerOptions } from './informer-options.ts';
export { InformerRegistry } from './informer-registry.ts';
export { Lister, type ListerOptions, type ListerSelector, NamespaceLister } from './lister.ts';
export { MetadataSharedInformerFactory } from './metadata-shared-informer-factory.ts';
export type {
  Cached,
  InformerGetter,
  ResourceInformer,
  SharedIndexers,
} from './resource-informer.ts';
export { SharedInformerFactory } from './shared-informer-factory.ts';
