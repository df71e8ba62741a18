/**
 * The typed client for every built-in resource.
 *
 * @module
 */

export type { ClientFor, ClientForOptions } from './client-for.ts';
export { Clientset, type ClientsetOptions } from './clientset.ts';
export type { BuiltInKinds } from './generated/built-in-kinds.ts';
export type * from './generated/group-version-clients.ts';
export type { ClusterResource, NamespacedResource } from './group-client.ts';
