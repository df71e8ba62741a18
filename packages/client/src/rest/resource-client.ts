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
 * The client of one resource, in one namespace or in none. It has the verbs and subresources that
 * its descriptor has; any other is a compile error.
 */
export type ResourceClient<D extends ResourceDescriptor> =
  D extends ResourceDescriptor<infer T, Scope, infer V, infer Sub>
    ? Described<D> & Verbs<T, V, Sub> & Subresources<T, Sub>
    : never;

/**
 * The client of a namespaced resource in all namespaces: it lists and watches. Whatever else the
 * resource can do needs a namespace; calling it is a compile error that says so.
 */
export type AllNamespacesClient<D extends ResourceDescriptor> =
  D extends ResourceDescriptor<infer T, Scope, infer V>
    ? Described<D> &
        Reads<T, V> &
        InNamespace<D> & {
          readonly [
            Method in Exclude<keyof ResourceClient<D>, Everywhere>
          ]: NotCallable<"give a namespace: pods('default') or pods().namespace('default')">;
        }
    : never;

type Everywhere = 'descriptor' | keyof CanList<KubernetesObject> | keyof CanWatch<KubernetesObject>;

/** A method that cannot be called here, and what to do instead, for the message of the compiler. */
export interface NotCallable<Instead extends string> {
  readonly instead: Instead;
}

/** What a client knows about itself. */
export interface Described<D extends ResourceDescriptor> {
  readonly descriptor: D;
}

/** Leads from all namespaces to one. */
export interface InNamespace<D extends ResourceDescriptor> {
  namespace(namespace: string): ResourceClient<D>;
}

type Reads<T extends KubernetesObject, V extends Verb> = If<'list', V, CanList<T>> &
  If<'watch', V, CanWatch<T>>;

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

/** Descriptors of resources that live in namespaces. */
export type NamespacedDescriptor = ResourceDescriptor<KubernetesObject, 'Namespaced'>;

/** Descriptors of resources that live in none. */
export type ClusterDescriptor = ResourceDescriptor<KubernetesObject, 'Cluster'>;

/**
 * The client of a resource, built-in or custom, from its descriptor. A namespaced resource without
 * a namespace is listed and watched in all of them; for anything else, name one.
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

/** The same without its types, for those who have others to offer. */
export function anyClient(
  rest: RESTClient,
  descriptor: ResourceDescriptor,
  namespace: string | undefined,
): GenericClient<KubernetesObject> {
  return new GenericClient(rest, descriptor, namespace);
}
