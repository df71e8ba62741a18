export { DiscoveryClient } from './discovery/discovery-client.ts';
export { RESTMapper } from './discovery/rest-mapper.ts';
export { DynamicClient } from './dynamic/dynamic-client.ts';
export { fromUnstructured, toUnstructured, type Unstructured } from './dynamic/unstructured.ts';
export { MetadataClient } from './metadata/metadata-client.ts';
export { Clientset, type ClientsetOptions } from './kubernetes/clientset.ts';
export * from './meta/index.ts';
