export {
  apiVersionOf,
  type GroupKind,
  groupKindName,
  type GroupResource,
  groupResourceName,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  type ObjectOf,
  parseApiVersion,
  type ResourceDescriptor,
  type Scope,
  type SubresourceDescriptor,
  type Verb,
} from './resource.ts';
export type * from './types.ts';
