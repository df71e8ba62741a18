import type { Config } from '../transport/config.ts';
import {
  type AllNamespacesClient,
  anyClient,
  type ClusterDescriptor,
  type NamespacedDescriptor,
  type ResourceClient,
} from '../rest/resource-client.ts';
import type { Logger } from '../lib/logger.ts';
import type { ResourceDescriptor } from '../meta/resource.ts';
import { RESTClient, type RESTClientOptions } from '../rest/rest-client.ts';
import { GroupVersions } from './generated/group-versions.ts';

/** How a {@link Clientset} speaks. */
export type ClientsetOptions = Pick<
  RESTClientOptions,
  'clock' | 'codec' | 'logger' | 'maxRetries' | 'retryBackoff' | 'transport'
>;

/**
 * Typed clients for every built-in resource, over one set of connections. Make one for each server
 * and keep it: `await using` closes it, and nothing of it keeps the process alive afterwards.
 *
 * ```ts
 * await using client = new Clientset(await loadConfig());
 * const pods = await client.coreV1.pods('default').list();
 * await client.appsV1.deployments('default').updateScale('web', { spec: { replicas: 3 } });
 * ```
 */
export class Clientset extends GroupVersions implements AsyncDisposable {
  /** For requests that the typed clients do not cover. */
  readonly rest: RESTClient;

  constructor(config: Config, options: ClientsetOptions = {}) {
    super();
    this.rest = new RESTClient(config, options);
  }

  /**
   * The client of any resource, most of all of a custom one: what it can do and what it gives
   * follows from the type of the descriptor, generated or written by hand.
   */
  resource<D extends ClusterDescriptor>(descriptor: D): ResourceClient<D>;
  resource<D extends NamespacedDescriptor>(descriptor: D, namespace: string): ResourceClient<D>;
  resource<D extends NamespacedDescriptor>(descriptor: D): AllNamespacesClient<D>;
  resource(descriptor: ResourceDescriptor, namespace?: string): unknown {
    return anyClient(this.rest, descriptor, namespace);
  }

  /** Where this client, and everything that is made with it, logs. */
  get logger(): Logger {
    return this.rest.logger;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.rest[Symbol.asyncDispose]();
  }
}
