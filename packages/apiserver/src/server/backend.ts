import { randomBytes } from 'node:crypto';
import {
  checkChoice,
  type Clock,
  nextTurn,
  type Random,
  systemClock,
  systemRandom,
} from 'client-ts/internal';

import { Quotas } from '../admission/quota/quotas.ts';
import { AdmissionWebhooks } from '../admission/webhooks.ts';
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
import { EventExpiry } from '../controllers/event-expiry.ts';
import { keepInitialObjects } from '../bootstrap/initial-objects.ts';
import { publishAddress, type ServerAddress } from '../bootstrap/kubernetes-service.ts';
import {
  type ControllerName,
  type ControllerSelection,
  selectedControllers,
  startControllers,
} from '../controllers/controllers.ts';
import { keepRootCertificates } from '../controllers/namespace-furniture.ts';
import { CustomResourceController } from '../controllers/custom-resource-controller.ts';
import type { Core } from '../endpoints/exchange.ts';
import type { ReceivedRequest } from '../endpoints/received-request.ts';
import { FlowClassifier } from '../endpoints/flow-classifier.ts';
import { createHandler } from '../endpoints/handler.ts';
import { RequestMetrics } from '../endpoints/request-metrics.ts';
import { WatchGroups } from '../endpoints/watch-groups.ts';
import { Faults, type Identify } from '../faults/faults.ts';
import type { Handler } from '../http.ts';
import type { Kubelet } from '../kubelet.ts';
import { ServiceAllocators } from '../registry/allocators.ts';
import { builtIns } from '../registry/built-ins.ts';
import { Catalog } from '../registry/catalog.ts';
import type { Cluster } from '../registry/cluster.ts';
import type { RuntimeConfig } from '../registry/runtime-config.ts';
import { type AdmissionPluginSelection, selectedPlugins } from '../registry/admission-plugins.ts';
import { serviceRanges } from '../registry/service-ranges.ts';
import { loadModel } from '../schema/model.ts';
import type { KubernetesVersion } from '../schema/release.ts';
import { MemoryStore } from '../store/memory-store.ts';
import type { Store } from '../store/store.ts';
import { type FindService, serviceResolver } from '../webhook/service-resolver.ts';
import { type ResolveService, WebhookClient } from '../webhook/webhook-client.ts';
import { overWebSocket } from '../streams/web-socket-response.ts';
import type { Identity, Persistence } from './persistence.ts';
import { restoreAllocations } from './restore-allocations.ts';
import { PeriodicCompaction } from './periodic-compaction.ts';
import { ServerSnapshot } from './server-snapshot.ts';

/** Options of the server that do not depend on how clients connect. */
export interface BackendOptions {
  /** The administrator's bearer token. Default: a random token. */
  readonly token?: string | undefined;
  /** More users, by their bearer tokens. */
  readonly tokens?: Readonly<Record<string, UserInfo>> | undefined;
  /**
   * Accepts requests without credentials, as `system:anonymous`. The default roles allow it health
   * checks and the version. Default: true with `rbac`, false with `allow`.
   */
  readonly anonymous?: boolean | undefined;
  /**
   * `rbac` (default): roles decide, and the administrator may do everything. `allow`: every
   * authenticated user may do everything.
   */
  readonly authorization?: 'allow' | 'rbac' | undefined;
  /**
   * The controllers of kube-controller-manager that the server runs itself: `false` leaves them to
   * a real one, `['*', '-serviceaccount-controller']` switches one off. Default: `['*']`, all but
   * `root-ca-certificate-publisher-controller`.
   */
  readonly controllers?: ControllerSelection | undefined;
  /**
   * Admission plugins to switch on, or off with a `-` before the name: `['ServiceAccount',
   * '-DefaultTolerationSeconds']`. All are on by default but `ServiceAccount`, with which pods get a service account, by
   * default `default`, and its token; one that does not exist is refused.
   */
  readonly admissionPlugins?: AdmissionPluginSelection | undefined;
  /**
   * The release of Kubernetes whose API the server has: its resources, fields and OpenAPI documents.
   * Defaults and validation are those of 1.36. Default: `1.36`.
   */
  readonly kubernetesVersion?: KubernetesVersion | undefined;
  /**
   * Switches API versions on and off, like `--runtime-config` of kube-apiserver: `{ 'api/all': true
   * }`. Default: stable versions are on, beta and alpha ones off.
   */
  readonly runtimeConfig?: RuntimeConfig | undefined;
  /** How many writes stay available to watches and old resourceVersions. Default: 50,000. */
  readonly historyLimit?: number | undefined;
  /**
   * Compacts the history at this interval, each time up to the newest revision of the time before:
   * every version stays readable for at least one interval. Default: compacts only when
   * `historyLimit` is reached.
   */
  readonly compactionIntervalMs?: number | undefined;
  /** How long Events are kept after they were last written. Default: one hour. */
  readonly eventTtlMs?: number | undefined;
  /** Default: the system clock. */
  readonly clock?: Clock | undefined;
  /** The source of uids and generated names. Default: the system's randomness. */
  readonly random?: Random | undefined;
  /**
   * Returns where the service of a webhook listens, because services lead nowhere here. Default:
   * only services of type ExternalName can be reached.
   */
  readonly resolveService?: ResolveService | undefined;
  /**
   * The nodes, which answer for the logs, commands and ports of pods. Default: none; then requests
   * for them fail as on a real server that cannot reach a node.
   */
  readonly kubelet?: Kubelet | undefined;
  /**
   * Called with each request when its answer is known, before it is sent. Requests that a fault ends
   * are not received.
   */
  readonly onRequest?: ((request: ReceivedRequest) => void) | undefined;
  /** Called with defects of the server itself. Default: writes them to standard error. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A server without sockets: the store, the controllers and the API handler. */
export class Backend implements Disposable {
  readonly core: Core;
  /** The API handler, with fault injection. */
  readonly handler: Handler;
  readonly faults: Faults;
  /** The administrator's bearer token. */
  readonly token: string;
  /** Called with defects of the server itself. */
  readonly onError: (error: unknown) => void;
  readonly #definitions: CustomResourceController;
  readonly #controllers: ReadonlySet<ControllerName>;
  readonly #running: Disposable[];

  constructor(options: BackendOptions = {}, persistence?: Persistence) {
    const { authorization = 'rbac', onError = reportError } = options;
    // From JavaScript: anything else would allow everything.
    checkChoice('authorization', authorization, ['rbac', 'allow']);
    const { anonymous = authorization === 'rbac', controllers = true } = options;
    this.onError = onError;
    const cluster = createCluster(options, persistence?.store);
    const policy = withSystemMasters(
      authorization === 'rbac' ? createRbacPolicy(rbacLookup(cluster)) : allowAll,
    );
    const { identity } = persistence ?? {};
    this.token = options.token ?? identity?.token ?? randomBytes(24).toString('base64url');
    const staticTokens = new StaticTokens(options.tokens);
    staticTokens.add(this.token, { name: 'admin', groups: [SYSTEM_MASTERS] });
    this.#controllers = selectedControllers(controllers);
    const counts = this.#controllers.has('resourcequota-controller');
    const quotas = new Quotas(cluster, { counts, onError });
    this.core = createCore(cluster, policy, staticTokens, quotas, options.kubelet, identity);
    const running: Disposable[] = [quotas, restoreAllocations(cluster)];

    const { clock, random, store } = cluster;
    const tokens = this.core.tokenAuthenticators;
    const authenticate = createAuthenticator({ tokens, policy, anonymous });
    const authorize = createAuthorizer(policy);
    this.faults = new Faults({ clock, random });
    const { onRequest } = options;
    const handler = createHandler({ core: this.core, authenticate, authorize, onError, onRequest });
    const identify: Identify = (request, info) => authenticate(request, info).name;
    this.handler = overWebSocket(this.faults.wrap(handler, identify));

    // A real server does these things itself, without a controller manager.
    this.#definitions = new CustomResourceController(cluster, onError);
    running.push(this.#definitions, ...keepInitialObjects(cluster, this.#controllers, onError));
    running.push({ [Symbol.dispose]: () => cluster.webhooks.close() });
    running.push(...startControllers(cluster, this.#controllers, onError));
    running.push(new EventExpiry(cluster, { ttlMs: options.eventTtlMs, onError }));
    if (options.compactionIntervalMs !== undefined) {
      running.push(new PeriodicCompaction(store, clock, options.compactionIntervalMs));
    }
    this.#running = running;
  }

  /**
   * Publishes the address of this server: the Service `kubernetes` leads to the address,
   * and every namespace has the certificate of the CA.
   */
  publish(address: ServerAddress, certificate: string): void {
    publishAddress(this.core, address);
    if (!this.#controllers.has('root-ca-certificate-publisher-controller')) return;
    this.#running.push(keepRootCertificates(this.core, certificate, this.onError));
  }

  /** Returns the objects of this moment, for {@link restore}. */
  snapshot(): ServerSnapshot {
    return new ServerSnapshot(this.core);
  }

  /** See {@link ServerSnapshot.restore}. */
  restore(snapshot: ServerSnapshot): void {
    snapshot.restore(this.core);
    this.#definitions.flush();
  }

  /** Stops all controllers and cancels every timer. The handler still answers requests. */
  [Symbol.dispose](): void {
    for (const loop of this.#running) loop[Symbol.dispose]();
  }
}

function createCluster(
  {
    clock = systemClock,
    random = systemRandom,
    kubernetesVersion,
    runtimeConfig,
    historyLimit,
    resolveService,
    admissionPlugins = [],
    authorization = 'rbac',
    onError = reportError,
  }: BackendOptions,
  store: Store = new MemoryStore({ historyLimit, onListenerError: onError }),
): Cluster {
  const catalog = new Catalog(store, builtIns(loadModel(kubernetesVersion), runtimeConfig));
  const findService: FindService = (namespace, name) =>
    catalog.registry('', 'services')?.find(namespace, name)?.value;
  const webhooks = new WebhookClient({
    clock,
    resolve: serviceResolver(findService, resolveService),
    beforeCall: () => store.durable(),
  });
  const allocators = new ServiceAllocators({ random, ...serviceRanges(store) });
  const plugins = selectedPlugins(admissionPlugins);
  const enforcesRoles = authorization === 'rbac';
  return { store, catalog, clock, random, allocators, plugins, enforcesRoles, webhooks };
}

function createCore(
  cluster: Cluster,
  policy: AccessPolicy,
  staticTokens: StaticTokens,
  quotas: Quotas,
  kubelet: Kubelet | undefined,
  identity: Identity | undefined,
): Core {
  const { clock, random, catalog } = cluster;
  const serviceAccountTokens = new ServiceAccountTokens({
    clock,
    random,
    key: identity?.serviceAccountKey,
    currentUid: (namespace, name) =>
      catalog.registry('', 'serviceaccounts')?.find(namespace, name)?.value.metadata?.uid,
  });
  const flows = new FlowClassifier(cluster.store);
  return {
    ...cluster,
    policy,
    tokenAuthenticators: [staticTokens, serviceAccountTokens],
    serviceAccountTokens,
    admission: new AdmissionWebhooks({ cluster, client: cluster.webhooks, random, policy }),
    quotas,
    kubelet,
    metrics: new RequestMetrics({ ...cluster, flows }),
    flows,
    pause: nextTurn,
    watches: new WatchGroups(cluster.store, nextTurn),
  };
}

export function reportError(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`client-ts apiserver: ${text}\n`);
}
