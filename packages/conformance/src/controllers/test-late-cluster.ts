import { ApiServer } from '@client-ts/apiserver';
import type { CachedResource, ControllerCacheOptions } from 'client-ts/controller';
import { ControllerCache } from 'client-ts/controller';
import { seededRandom } from 'client-ts/internal';
import { Clientset } from 'client-ts/kubernetes';
import { VirtualClock } from 'client-ts/testing';

import { silentLogger } from '../informers/test-silent-logger.ts';

/** How late watch events are, in milliseconds of the virtual clock. */
export const LATE_MS = 5000;

/**
 * An embedded server on a virtual clock whose watch events arrive late, a cache on it, and the client
 * of another program.
 */
export class LateCluster implements AsyncDisposable {
  readonly server: ApiServer;
  readonly clock: VirtualClock;
  readonly other: Clientset;
  readonly cache: ControllerCache;
  readonly #stop = new AbortController();

  private constructor(
    server: ApiServer,
    clock: VirtualClock,
    cache: ControllerCache,
    other: Clientset,
  ) {
    this.server = server;
    this.clock = clock;
    this.cache = cache;
    this.other = other;
  }

  /** Starts the server and a synced cache of these resources. */
  static async start(
    resources: readonly CachedResource[],
    options: Omit<ControllerCacheOptions, 'client' | 'resources'> & { readonly seed?: number } = {},
  ): Promise<LateCluster> {
    const clock = new VirtualClock();
    const random = seededRandom(options.seed ?? 1);
    const server = await ApiServer.start({ clock, random });
    const types = ['ADDED', 'MODIFIED', 'DELETED'];
    server.faults.add({
      match: { verb: 'watch' },
      fault: { kind: 'delay-events', ms: LATE_MS, types },
    });
    const connect = (): Clientset =>
      new Clientset(
        { server: server.url, logger: silentLogger },
        { transport: server.transport(), clock },
      );
    const cache = new ControllerCache({ client: connect(), resources, clock, random, ...options });
    const cluster = new LateCluster(server, clock, cache, connect());
    cache.start({ signal: cluster.#stop.signal });
    const synced = cache.waitForCacheSync();
    await clock.advance(10 * LATE_MS);
    await synced;
    return cluster;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.cache.close();
    await this.server[Symbol.asyncDispose]();
  }
}
