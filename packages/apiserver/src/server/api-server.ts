import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type Clock, type Random, systemClock, systemRandom } from 'client-ts/lib';
import type { Transport } from 'client-ts/transport';
import { createAuthenticator } from '../auth/authenticate.ts';
import { allowAll, createAuthorizer, withSystemMasters } from '../auth/authorize.ts';
import { CertificateAuthority } from '../auth/certificates.ts';
import { createRbacPolicy } from '../auth/rbac.ts';
import { ServiceAccountTokens } from '../auth/service-account-tokens.ts';
import { StaticTokens } from '../auth/tokens.ts';
import { SYSTEM_MASTERS, type UserInfo } from '../auth/user.ts';
import { bootstrap } from './bootstrap.ts';
import { builtIns } from '../registry/built-ins.ts';
import { CustomResourceController } from '../controllers/custom-resource-controller.ts';
import { Controllers } from '../controllers/controllers.ts';
import type { Core } from '../endpoints/exchange.ts';
import { createHandler } from '../endpoints/handler.ts';
import { Faults } from '../faults/faults.ts';
import type { Handler } from '../http.ts';
import { formatKubeconfig } from './kubeconfig.ts';
import { rbacLookup } from '../auth/rbac-lookup.ts';
import { ServiceAllocators } from '../registry/allocators.ts';
import { Catalog } from '../registry/catalog.ts';
import { MemoryStore } from '../store/memory-store.ts';
import type { Store } from '../store/store.ts';
import { Listener } from '../transport/listener.ts';
import { memoryTransport } from '../transport/memory.ts';

export interface ApiServerOptions {
  /** Default `127.0.0.1`: nobody but this machine can connect. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
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
  /** Compacts history this often, in milliseconds. Default: only when the limit is reached. */
  readonly compactionInterval?: number;
  /** Serve plain HTTP instead of TLS. For measurements only. */
  readonly insecure?: boolean;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Told of faults of the server itself. Default: written to standard error. */
  readonly onError?: (error: unknown) => void;
}

/** What a client has to know to connect. */
export interface ApiServerConfig {
  readonly server: string;
  /** PEM. */
  readonly certificateAuthorityData?: string;
  readonly token: string;
}

/**
 * A Kubernetes API server in this process: real HTTP, real TLS, real semantics, and nothing left
 * when it is disposed.
 *
 * ```ts
 * await using server = await ApiServer.start();
 * // server.url, server.ca, server.config, server.kubeconfig, or server.transport() without sockets
 * ```
 */
export class ApiServer implements AsyncDisposable {
  readonly url: string;
  /** The certificate of the CA that signed the server's own, as PEM. */
  readonly ca: string;
  readonly token: string;
  readonly config: ApiServerConfig;
  /** A kubeconfig with the administrator's credentials, as YAML. */
  readonly kubeconfig: string;
  /** Makes requests fail on purpose. */
  readonly faults: Faults;
  readonly #store: Store;
  readonly #handler: Handler;
  readonly #listener: Listener;
  readonly #authority: CertificateAuthority;
  readonly #stopping: AbortController;
  readonly #disposables: readonly Disposable[];

  private constructor(parts: ApiServerParts) {
    const { listener, authority, token, core, handler, faults, stopping, disposables } = parts;
    this.url = listener.url;
    this.ca = authority.certificate;
    this.token = token;
    this.config = {
      server: this.url,
      ...(this.url.startsWith('https:') && { certificateAuthorityData: this.ca }),
      token,
    };
    this.kubeconfig = formatKubeconfig(this.config);
    this.faults = faults;
    this.#store = core.store;
    this.#handler = handler;
    this.#listener = listener;
    this.#authority = authority;
    this.#stopping = stopping;
    this.#disposables = disposables;
  }

  /** Starts a server and resolves when it answers. */
  static async start(options: ApiServerOptions = {}): Promise<ApiServer> {
    const { clock = systemClock, random = systemRandom } = options;
    const onError = options.onError ?? reportError;
    const store = new MemoryStore(
      options.historyLimit === undefined ? {} : { historyLimit: options.historyLimit },
    );
    const catalog = new Catalog(store, builtIns(options.versions ?? 'all'));
    const policy = withSystemMasters(
      options.authorization === 'rbac'
        ? createRbacPolicy(rbacLookup({ catalog, store }))
        : allowAll,
    );
    const token = options.token ?? randomBytes(24).toString('base64url');
    const tokens = new StaticTokens(options.tokens);
    tokens.add(token, { name: 'admin', groups: [SYSTEM_MASTERS] });
    const serviceAccountTokens = new ServiceAccountTokens({
      clock,
      random,
      currentUid: (namespace, name) =>
        catalog.registry('', 'serviceaccounts')?.find(namespace, name)?.value.metadata?.uid,
    });
    const core: Core = {
      store,
      catalog,
      clock,
      random,
      allocators: new ServiceAllocators({ random }),
      policy,
      tokenAuthenticators: [tokens, serviceAccountTokens],
      serviceAccountTokens,
      pause: () => setImmediate(),
    };
    bootstrap(core);
    const faults = new Faults({ clock, random });
    const handler = faults.wrap(
      createHandler({
        core,
        authenticate: createAuthenticator({
          tokens: core.tokenAuthenticators,
          policy,
          anonymous: options.anonymous ?? false,
        }),
        authorize: createAuthorizer(policy),
        onError,
      }),
    );
    // Clients check certificates against the real time, whatever clock the server runs on.
    const authority = new CertificateAuthority({ clock: systemClock });
    const stopping = new AbortController();
    const listener = await Listener.start(handler, {
      host: options.host ?? '127.0.0.1',
      port: options.port ?? 0,
      authority,
      signal: stopping.signal,
      insecure: options.insecure ?? false,
    });
    // Definitions become resources inside a real server too, whatever runs beside it.
    const disposables: Disposable[] = [new CustomResourceController(core)];
    if (options.controllers ?? true) disposables.push(new Controllers(core));
    return new ApiServer({
      listener,
      authority,
      token,
      core,
      handler,
      faults,
      stopping,
      disposables,
    });
  }

  /** The same server without sockets, as the administrator or as somebody else. */
  transport(options: { readonly token?: string } = {}): Transport {
    return memoryTransport(this.#handler, { token: options.token ?? this.token });
  }

  /** A client certificate for a user, signed by the server's CA. */
  async issueClientCertificate(user: {
    readonly commonName: string;
    readonly organizations?: readonly string[];
  }): Promise<{ readonly certificate: string; readonly key: string }> {
    return await this.#authority.issueClientCertificate(user);
  }

  /**
   * Forgets history now, so that older versions answer 410. With `keepWatchCache`, only what a
   * real server serves without its watch cache forgets: Events, as after a compaction of etcd.
   */
  compact({ revision, keepWatchCache = false }: CompactOptions = {}): void {
    this.#store.compact({
      ...(revision !== undefined && { revision }),
      ...(keepWatchCache && { prefix: '//events/' }),
    });
  }

  /** Stops listening and drops every connection; state is kept. See {@link resume}. */
  async stopServing(): Promise<void> {
    await this.#listener.stopServing();
  }

  /** Listens again on the same port. */
  async resume(): Promise<void> {
    await this.#listener.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    for (const disposable of this.#disposables) disposable[Symbol.dispose]();
    await this.#listener[Symbol.asyncDispose]();
  }
}

export interface CompactOptions {
  readonly revision?: number;
  readonly keepWatchCache?: boolean;
}

interface ApiServerParts {
  readonly listener: Listener;
  readonly authority: CertificateAuthority;
  readonly token: string;
  readonly core: Core;
  readonly handler: Handler;
  readonly faults: Faults;
  readonly stopping: AbortController;
  readonly disposables: readonly Disposable[];
}

function reportError(error: unknown): void {
  process.stderr.write(
    `client-ts apiserver: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
}
