/**
 * The typed client for every built-in resource.
 *
 * @module
 */

export { Clientset, type ClientsetOptions } from './clientset.ts';
export type * from './generated/group-version-clients.ts';
export type { ClusterResource, NamespacedResource } from './group-client.ts';
