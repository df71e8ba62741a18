import type { Config } from '../transport/config.ts';
import {
  type AllNamespacesClient,
  type ClusterDescriptor,
  type NamespacedDescriptor,
  type ResourceClient,
} from '../rest/resource-client.ts';
import type { Logger } from '../lib/logger.ts';
import { RESTMapper } from '../discovery/rest-mapper.ts';
import type { ResourceDescriptor } from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import { type ConnectionOptions, RESTClient } from '../rest/rest-client.ts';
import { clientFor, type ClientFor, type ClientForOptions } from './client-for.ts';
import { GroupVersions } from './generated/group-versions.ts';
import { clientOf } from './group-client.ts';

/** Options of a {@link Clientset}. */
export type ClientsetOptions = ConnectionOptions;

/** A client that is made when the first request needs it. */
class RESTClientLater {
  readonly make: () => RESTClient;

  constructor(make: () => RESTClient) {
    this.make = make;
  }
}

/**
 * Returns a clientset whose `RESTClient` is made when it is first used. Controllers make one for each
 * reconcile, and most reconciles only take it out of their context.
 */
export function clientsetLater(make: () => RESTClient): Clientset {
  return new Clientset(new RESTClientLater(make) as unknown as RESTClient);
}

/**
 * Typed clients for every built-in resource, over one set of connections. Make one per server and
 * keep it. {@link Clientset.close}, or `await using`, closes its connections; nothing keeps the
 * process alive afterwards.
 *
 * ```ts
 * await using client = new Clientset(await loadConfig());
 * const pods = await client.coreV1.pods(client.namespace).list();
 * await client.appsV1.deployments('default').updateScale('web', { spec: { replicas: 3 } });
 * ```
 */
export class Clientset extends GroupVersions implements AsyncDisposable {
  #rest: RESTClient | RESTClientLater;
  readonly #owned: RESTClient | undefined;
  #mapper: RESTMapper | undefined;

  /** Opens connections for a config, or shares those of a `RESTClient`. */
  constructor(config: Config | RESTClient, options: ClientsetOptions = {}) {
    super();
    if (config instanceof RESTClientLater) {
      this.#rest = config;
      return;
    }
    const { rest, owned } = RESTClient.from(config, options);
    this.#rest = rest;
    this.#owned = owned;
  }

  /** For requests that the typed clients do not cover. */
  get rest(): RESTClient {
    const rest = this.#rest;
    if (rest instanceof RESTClient) return rest;
    const made = rest.make();
    this.#rest = made;
    return made;
  }

  /**
   * Returns the client of any resource, usually a custom one. Its methods and their types follow
   * from the type of the descriptor, generated or written by hand. For a built-in kind with fields of
   * your own, `withType<MyPod>()(pods)` returns its descriptor under another object type.
   */
  resource<D extends ClusterDescriptor>(descriptor: D): ResourceClient<D>;
  resource<D extends NamespacedDescriptor>(descriptor: D, namespace: string): ResourceClient<D>;
  resource<D extends NamespacedDescriptor>(descriptor: D): AllNamespacesClient<D>;
  resource(descriptor: ResourceDescriptor, namespace?: string): unknown {
    return clientOf(this.rest, descriptor, namespace);
  }

  /**
   * Returns the client for what an object says it is: of its `apiVersion` and `kind`, in its
   * namespace, or in {@link Clientset.namespace} if it is namespaced and names none. The type of a
   * built-in kind follows from the literals in the type of the object. Other kinds get the methods
   * of a dynamic client; {@link Clientset.mapper} finds their resource. Rejects with a
   * `NoMatchError` for a kind that the server does not have.
   *
   * ```ts
   * const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } } as const;
   * const deployments = await client.for(object);
   * await deployments.getScale('web');
   * ```
   */
  async for<const O extends Readonly<KubernetesObject>>(
    object: O,
    options: ClientForOptions = {},
  ): Promise<ClientFor<O>> {
    return await clientFor<ClientFor<O>>(this.rest, this.mapper, object, options);
  }

  /** Maps kinds to resources. Discovery is read on first use and again after a miss. */
  get mapper(): RESTMapper {
    this.#mapper ??= new RESTMapper(this.rest);
    return this.#mapper;
  }

  /**
   * The namespace of the kubeconfig's context or of the pod, `default` if there is none:
   * `client.coreV1.pods(client.namespace)`. Without a namespace, `pods()` means all namespaces.
   */
  get namespace(): string {
    return this.rest.namespace;
  }

  /** The logger of this client and of everything made with it. */
  get logger(): Logger {
    return this.rest.logger;
  }

  /** Closes the connections, unless they belong to a `RESTClient` that was passed in. */
  async close(): Promise<void> {
    await this.#owned?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
