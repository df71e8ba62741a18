import { randomBytes } from 'node:crypto';
import { type Clock, nextTurn, type Random, systemClock, systemRandom } from 'client-ts/internal';

import { createAuthenticator } from '../auth/authenticate.ts';
import {
  type AccessPolicy,
  allowAll,
  createAuthorizer,
  withSystemMasters,
} from '../auth/authorize.ts';
import { createRbacPolicy, rbacLookup } from '../auth/rbac.ts';
import { ServiceAccountTokens } from '../auth/service-account-tokens.ts';
import { StaticTokens } from '../auth/tokens.ts';
import { SYSTEM_MASTERS, type UserInfo } from '../auth/user.ts';
import { startControllers } from '../controllers/controllers.ts';
import { CustomResourceController } from '../controllers/custom-resource-controller.ts';
import type { Core } from '../endpoints/exchange.ts';
import { createHandler } from '../endpoints/handler.ts';
import { Faults } from '../faults/faults.ts';
import type { Handler } from '../http.ts';
import { ServiceAllocators } from '../registry/allocators.ts';
import { builtIns } from '../registry/built-ins.ts';
import { Catalog } from '../registry/catalog.ts';
import type { Cluster } from '../registry/cluster.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { bootstrap } from './bootstrap.ts';
import { PeriodicCompaction } from './periodic-compaction.ts';

/** How the server behaves, however it is reached. */
export interface BackendOptions {
  /** The administrator's bearer token. Default: a random one. */
  readonly token?: string;
  /** Further users by their tokens. */
  readonly tokens?: Readonly<Record<string, UserInfo>>;
  /** Lets requests without credentials in, as `system:anonymous`. Default false. */
  readonly anonymous?: boolean;
  /** `allow` (default): whoever is known may do everything. `rbac`: as Roles and bindings say. */
  readonly authorization?: 'allow' | 'rbac';
  /** Garbage collection and the life cycle of namespaces. Default true. */
  readonly controllers?: boolean;
  /** `all` (default): every version of the model. `stable`: no alpha and beta versions. */
  readonly versions?: 'all' | 'stable';
  /** How many writes stay available to watches and snapshots. Default 50,000. */
  readonly historyLimit?: number;
  /**
   * Forgets history this often, in milliseconds, up to what was new the last time: every version
   * stays available for one interval at least. Default: only when `historyLimit` is reached.
   */
  readonly compactionInterval?: number;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Told of faults of the server itself. Default: written to standard error. */
  readonly onError?: (error: unknown) => void;
}

/** Everything of a server but its sockets: the state, the loops that work on it, and the API. */
export class Backend implements Disposable {
  readonly core: Core;
  /** The API, with the faults that were asked for. */
  readonly handler: Handler;
  readonly faults: Faults;
  /** The administrator's. */
  readonly token: string;
  /** Told of faults of the server itself, which no client can mend. */
  readonly onError: (error: unknown) => void;
  readonly #running: readonly Disposable[];

  constructor(options: BackendOptions = {}) {
    const { authorization = 'allow', anonymous = false, onError = reportError } = options;
    this.onError = onError;
    const cluster = createCluster(options);
    const policy = withSystemMasters(
      authorization === 'rbac' ? createRbacPolicy(rbacLookup(cluster)) : allowAll,
    );
    this.token = options.token ?? randomBytes(24).toString('base64url');
    const staticTokens = new StaticTokens(options.tokens);
    staticTokens.add(this.token, { name: 'admin', groups: [SYSTEM_MASTERS] });
    this.core = createCore(cluster, policy, staticTokens);
    bootstrap(cluster);

    const { clock, random, store } = cluster;
    const tokens = this.core.tokenAuthenticators;
    const authenticate = createAuthenticator({ tokens, policy, anonymous });
    const authorize = createAuthorizer(policy);
    this.faults = new Faults({ clock, random });
    this.handler = this.faults.wrap(
      createHandler({ core: this.core, authenticate, authorize, onError }),
      (request, info) => authenticate(request, info).name,
    );

    // Definitions become resources inside a real server too, whatever runs beside it.
    const running: Disposable[] = [new CustomResourceController(cluster, onError)];
    if (options.controllers ?? true) running.push(...startControllers(cluster, onError));
    if (options.compactionInterval !== undefined) {
      running.push(new PeriodicCompaction(store, clock, options.compactionInterval));
    }
    this.#running = running;
  }

  /** Stops all loops; no timer is left. Requests are still answered. */
  [Symbol.dispose](): void {
    for (const loop of this.#running) loop[Symbol.dispose]();
  }
}

function createCluster({
  clock = systemClock,
  random = systemRandom,
  versions = 'all',
  historyLimit,
}: BackendOptions): Cluster {
  const store = new MemoryStore(historyLimit === undefined ? {} : { historyLimit });
  const catalog = new Catalog(store, builtIns(versions));
  return { store, catalog, clock, random, allocators: new ServiceAllocators({ random }) };
}

function createCore(cluster: Cluster, policy: AccessPolicy, staticTokens: StaticTokens): Core {
  const { clock, random, catalog } = cluster;
  const serviceAccountTokens = new ServiceAccountTokens({
    clock,
    random,
    currentUid: (namespace, name) =>
      catalog.registry('', 'serviceaccounts')?.find(namespace, name)?.value.metadata?.uid,
  });
  return {
    ...cluster,
    policy,
    tokenAuthenticators: [staticTokens, serviceAccountTokens],
    serviceAccountTokens,
    pause: nextTurn,
  };
}

function reportError(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`client-ts apiserver: ${text}\n`);
}
