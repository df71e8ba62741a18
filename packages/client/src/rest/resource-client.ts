import type { KubernetesObject } from '../meta/types.ts';
import type { ResourceDescriptor, Scope, Verb } from '../meta/resource.ts';
import type {
  CanCreate,
  CanDelete,
  CanDeleteCollection,
  CanGet,
  CanList,
  CanPatch,
  CanSubmit,
  CanUpdate,
  CanWatch,
  CanWatchAll,
  HasApproval,
  HasBinding,
  HasEphemeralContainers,
  HasEviction,
  HasFinalize,
  HasProxy,
  HasResize,
  HasScale,
  HasStatus,
  HasToken,
} from './client-methods.ts';
import { GenericClient } from './generic-client.ts';
import type { RESTClient } from './rest-client.ts';

/**
 * The client of one resource, in one namespace or in none. It has the verbs and subresources of its
 * descriptor; any other is a compile error.
 */
export type ResourceClient<D extends ResourceDescriptor> = {
  // One mapped type, so that errors and editors show its name instead of a dozen intersections.
  [Method in keyof MethodsOf<D>]: MethodsOf<D>[Method];
};

type MethodsOf<D extends ResourceDescriptor> =
  D extends ResourceDescriptor<infer T, Scope, infer V, infer Sub>
    ? Described<D> & Verbs<T, V, Sub> & Subresources<T, Sub>
    : never;

/**
 * The client of a namespaced resource in all namespaces. It lists and watches; the compiler says that
 * everything else needs a namespace.
 */
export type AllNamespacesClient<D extends ResourceDescriptor> = {
  [Method in keyof AnywhereOf<D>]: AnywhereOf<D>[Method];
};

type AnywhereOf<D extends ResourceDescriptor> =
  D extends ResourceDescriptor<infer T, Scope, infer V>
    ? Described<D> &
        Reads<T, V> &
        InNamespace<D> & {
          readonly [
            Method in Exclude<keyof MethodsOf<D>, Anywhere>
          ]: NotCallable<"give a namespace: pods('default') or pods().namespace('default')">;
        }
    : never;

type Anywhere =
  | 'descriptor'
  | keyof CanList<KubernetesObject>
  | keyof CanWatch<KubernetesObject>
  | keyof CanWatchAll<KubernetesObject>;

/** A method that cannot be called here, and what to do instead, for the message of the compiler. */
export interface NotCallable<Instead extends string> {
  readonly instead: Instead;
}

/** The resource of a client. */
export interface Described<D extends ResourceDescriptor> {
  readonly descriptor: D;
}

/** Leads from all namespaces to one. */
export interface InNamespace<D extends ResourceDescriptor> {
  namespace(namespace: string): ResourceClient<D>;
}

type Reads<T extends KubernetesObject, V extends Verb> = If<'list', V, CanList<T>> &
  If<'watch', V, CanWatch<T> & If<'list', V, CanWatchAll<T>>>;

type Verbs<T extends KubernetesObject, V extends Verb, Sub extends string> = Reads<T, V> &
  If<'get', V, CanGet<T>> &
  If<'create', V, 'get' extends V ? CanCreate<T> : CanSubmit<T>> &
  If<'update', V, CanUpdate<T>> &
  If<'patch', V, CanPatch<T, Sub>> &
  If<'delete', V, CanDelete<T>> &
  If<'deletecollection', V, CanDeleteCollection<T>>;

type Subresources<T extends KubernetesObject, Sub extends string> = If<
  'status',
  Sub,
  HasStatus<T>
> &
  If<'scale', Sub, HasScale> &
  If<'eviction', Sub, HasEviction> &
  If<'binding', Sub, HasBinding> &
  If<'token', Sub, HasToken> &
  If<'ephemeralcontainers', Sub, HasEphemeralContainers<T>> &
  If<'resize', Sub, HasResize<T>> &
  If<'finalize', Sub, HasFinalize<T>> &
  If<'approval', Sub, HasApproval<T>> &
  If<'proxy', Sub, HasProxy>;

type If<Wanted extends string, There extends string, Methods> = Wanted extends There
  ? Methods
  : unknown;

/** Descriptors of namespaced resources. */
export type NamespacedDescriptor = ResourceDescriptor<KubernetesObject, 'Namespaced'>;

/** Descriptors of cluster-scoped resources. */
export type ClusterDescriptor = ResourceDescriptor<KubernetesObject, 'Cluster'>;

/**
 * Returns the client of a resource, built-in or custom, from its descriptor. Without a namespace, a
 * namespaced resource can be listed and watched in all namespaces.
 */
export function resourceClient<D extends ClusterDescriptor>(
  rest: RESTClient,
  descriptor: D,
): ResourceClient<D>;
export function resourceClient<D extends NamespacedDescriptor>(
  rest: RESTClient,
  descriptor: D,
  namespace: string,
): ResourceClient<D>;
export function resourceClient<D extends NamespacedDescriptor>(
  rest: RESTClient,
  descriptor: D,
): AllNamespacesClient<D>;
export function resourceClient(
  rest: RESTClient,
  descriptor: ResourceDescriptor,
  namespace?: string,
): unknown {
  return anyClient(rest, descriptor, namespace);
}

/** {@link resourceClient} without its types, for callers that declare their own. */
export function anyClient(
  rest: RESTClient,
  descriptor: ResourceDescriptor,
  namespace: string | undefined,
): GenericClient<KubernetesObject> {
  return new GenericClient(rest, descriptor, namespace);
}

/** A descriptor whose objects have another type. */
export type WithType<D extends ResourceDescriptor, T extends KubernetesObject> =
  D extends ResourceDescriptor<KubernetesObject, infer S, infer V, infer Sub>
    ? ResourceDescriptor<T, S, V, Sub>
    : never;

/**
 * Returns a function that returns a descriptor under another object type, with its scope, verbs and
 * subresources: for a built-in kind with fields of your own, or of a newer server.
 *
 * ```ts
 * const myPods = withType<MyPod>()(pods);
 * const pod = await client.resource(myPods, 'default').get('web');
 * ```
 */
export function withType<T extends KubernetesObject>(): <D extends ResourceDescriptor>(
  descriptor: D,
) => WithType<D, T> {
  return (descriptor) => descriptor as unknown as WithType<typeof descriptor, T>;
}
