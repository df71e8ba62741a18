import { randomBytes } from 'node:crypto';

import {
  ApiServer,
  type ApiServerOptions,
  type Faults,
  type KubernetesVersion,
  type ServerSnapshot,
} from '@client-ts/apiserver';
import { checkChoice, checkNumbers, type Clock, nextTurn, OptionError } from 'client-ts/internal';
import { Clientset } from 'client-ts/kubernetes';
import { RESTClient } from 'client-ts/rest';
import type { Config } from 'client-ts/transport';
import type { Webhooks } from 'client-ts/webhook';

import { FakeKubelet } from '../kubelet/fake-kubelet.ts';
import type { WorkloadControllers } from '../workload-controllers.ts';
import { BedWebhooks, type TestBedWebhooks } from './bed-webhooks.ts';
import {
  type RecordedRequest,
  type RequestFilter,
  RequestLog,
  type WaitForRequestOptions,
} from './request-log.ts';
import { plant, readSeeds, type Seed } from './seeds.ts';
import { TestNamespace } from './bed-namespace.ts';

/** Options of {@link testBed}. */
export interface TestBedOptions {
  /** CRDs, which are served when the bed is ready. */
  readonly crds?: readonly Seed[] | undefined;
  /** Objects, with their `status`. */
  readonly objects?: readonly Seed[] | undefined;
  /**
   * `simulated`: Deployments, StatefulSets, DaemonSets and Jobs make pods that become ready or
   * complete, and Services get endpoints; see `WorkloadControllers`. They write no events. `none`
   * (default): objects stay as they are written.
   */
  readonly controllers?: 'none' | 'simulated' | undefined;
  /**
   * Admission and conversion webhooks: served on a local port, and registered with their CA. CRDs
   * get the conversions that these have.
   */
  readonly webhooks?: TestBedWebhooks | Webhooks | undefined;
  /** How many requests {@link TestBed.requests} remembers. Default 10,000. */
  readonly maxRequests?: number | undefined;
  /** The release of Kubernetes whose API the server has. Default: `1.36`. */
  readonly kubernetesVersion?: KubernetesVersion | undefined;
  /** The clock of the server and the simulated controllers. Default: the system clock. */
  readonly clock?: Clock | undefined;
  /** More options of the server. `authorization` is `rbac` unless set. */
  readonly server?: Omit<ApiServerOptions, 'clock' | 'kubernetesVersion' | 'onRequest'> | undefined;
}

/** Options of {@link TestBed.namespace}. */
export interface TestNamespaceOptions {
  /** The beginning of the name; a number follows. Default `test`. */
  readonly prefix?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** The user of the bed itself, whose requests are not recorded. */
const bedUser = 'system:client-ts:test-bed';

/**
 * An API server in this process with what a test needs around it: seeds, namespaces, users, the
 * requests it received, and a way back to the start.
 *
 * ```ts
 * await using bed = await testBed({ crds: ['crds/*.yaml'], controllers: 'simulated' });
 * await using namespace = await bed.namespace();
 * ```
 */
export class TestBed implements AsyncDisposable {
  /** The server itself. */
  readonly server: ApiServer;
  /** A config with the rights of an administrator, for the code under test. */
  readonly config: Config;
  /** A client with the rights of an administrator, for the test. */
  readonly client: Clientset;
  /** Injects failures into requests; see `Faults`. */
  readonly faults: Faults;
  readonly #log: RequestLog;
  readonly #owner: Clientset;
  readonly #clients: Clientset[] = [];
  readonly #webhooks: BedWebhooks | undefined;
  readonly #workloads: WorkloadControllers | undefined;
  readonly #seeded: ServerSnapshot;
  #namespaces = 0;

  private constructor(parts: BedParts) {
    this.server = parts.server;
    this.config = parts.server.config;
    this.faults = parts.server.faults;
    this.client = this.#opened(this.config);
    this.#log = parts.log;
    this.#owner = parts.owner;
    this.#webhooks = parts.webhooks;
    this.#workloads = parts.workloads;
    this.#seeded = parts.server.snapshot();
  }

  /** See {@link testBed}. */
  static async start(options: TestBedOptions = {}): Promise<TestBed> {
    checkOptions(options);
    const { clock, kubernetesVersion, maxRequests = 10_000, webhooks } = options;
    const log = new RequestLog(maxRequests);
    const token = randomBytes(24).toString('base64url');
    const server = await ApiServer.start({
      authorization: 'rbac',
      ...options.server,
      kubernetesVersion,
      clock,
      tokens: {
        ...options.server?.tokens,
        [token]: { name: bedUser, groups: ['system:masters'] },
      },
      onRequest: (request) => {
        if (request.user?.name !== bedUser) log.add(request);
      },
    });
    const owner = new Clientset(
      RESTClient.over(server.transport({ token }), { onWarning: () => undefined }),
    );
    let bedWebhooks: BedWebhooks | undefined;
    let workloads: WorkloadControllers | undefined;
    try {
      bedWebhooks = webhooks && (await BedWebhooks.start(webhooks));
      await whileTimeStands(plantAll(owner, options, bedWebhooks), clock);
      workloads = await whileTimeStands(startWorkloads(owner, options), clock);
      return new TestBed({ server, log, owner, webhooks: bedWebhooks, workloads });
    } catch (error) {
      await bedWebhooks?.[Symbol.asyncDispose]();
      await owner.close();
      await server.close();
      throw error;
    }
  }

  /** A kubeconfig with the rights of an administrator, for kubectl and other programs. */
  get kubeconfig(): string {
    return this.server.kubeconfig;
  }

  /**
   * Returns a client that acts as a user, with what RBAC allows that user to do. Without groups, it
   * is only in `system:authenticated`. The bed closes it.
   */
  as(user: string, groups?: readonly string[]): Clientset {
    return this.#opened(this.configAs(user, groups));
  }

  /** Returns a config that acts as a user; see {@link as}. */
  configAs(user: string, groups?: readonly string[]): Config {
    return { ...this.config, impersonate: { user, groups } };
  }

  /** Returns a client that acts as a service account, which need not exist; see {@link as}. */
  asServiceAccount(namespace: string, name: string): Clientset {
    return this.#opened(this.configAsServiceAccount(namespace, name));
  }

  /** Returns a config that acts as a service account; see {@link asServiceAccount}. */
  configAsServiceAccount(namespace: string, name: string): Config {
    return this.configAs(`system:serviceaccount:${namespace}:${name}`);
  }

  /** Creates a namespace that no other test of this bed has. Disposing it deletes it. */
  async namespace({ prefix = 'test', labels }: TestNamespaceOptions = {}): Promise<TestNamespace> {
    this.#namespaces += 1;
    const name = `${prefix}-${this.#namespaces}`;
    await this.#owner.coreV1
      .namespaces()
      .create({ metadata: { name, ...(labels !== undefined && { labels: { ...labels } }) } });
    return new TestNamespace(this.#owner, name);
  }

  /**
   * Returns the requests that the server has answered, oldest first, without those of the
   * bed and its simulated controllers.
   */
  requests(filter?: RequestFilter): RecordedRequest[] {
    return this.#log.list(filter);
  }

  /** Forgets the requests so far. */
  clearRequests(): void {
    this.#log.clear();
  }

  /**
   * Resolves with the first request that matches, of those that are listed or of later ones. Rejects
   * with `SIMULATOR_REQUEST_TIMEOUT`, which names the newest requests.
   */
  async waitForRequest(
    filter: RequestFilter,
    options: WaitForRequestOptions = {},
  ): Promise<RecordedRequest> {
    return await this.#log.waitFor(filter, options);
  }

  /** Returns the objects of this moment, for {@link reset}. */
  snapshot(): ServerSnapshot {
    return this.server.snapshot();
  }

  /**
   * Makes the objects those of a snapshot again (default: those of the seeds), and forgets the
   * requests. Watches see the difference as ordinary events, so informers follow; versions never go
   * back. Neither finalizers nor webhooks are asked. Writes that are in flight when it is called may
   * come after it: stop the code under test before, or give each test a namespace.
   */
  async reset(snapshot: ServerSnapshot = this.#seeded): Promise<void> {
    const restore = (): void => {
      this.server.restore(snapshot);
      this.clearRequests();
    };
    if (this.#workloads === undefined) restore();
    else await this.#workloads.suspended(restore);
  }

  /** Closes the clients, the simulated controllers, the webhooks and the server. */
  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    await this.#workloads?.close();
    await this.#webhooks?.[Symbol.asyncDispose]();
    await this.#owner.close();
    await this.server.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #opened(config: Config): Clientset {
    const client = new Clientset(config);
    this.#clients.push(client);
    return client;
  }
}

/**
 * Starts a {@link TestBed}: resolves when the seeds are there, CRDs are served and webhooks are
 * registered. Each bed has a server of its own in this process; nothing is left if it fails.
 */
export async function testBed(options: TestBedOptions = {}): Promise<TestBed> {
  return await TestBed.start(options);
}

/** Refuses, from JavaScript, what would mean something else without a word. */
function checkOptions(options: TestBedOptions): void {
  const { controllers, crds, objects } = options;
  checkChoice('controllers', controllers, ['simulated', 'none']);
  checkNumbers(options, { maxRequests: 'countOrNone' });
  for (const [name, seeds] of Object.entries({ crds, objects })) {
    if (seeds !== undefined && !Array.isArray(seeds)) {
      throw new OptionError(name, 'is not an array: ["crds/*.yaml"], for example');
    }
  }
}

interface BedParts {
  readonly server: ApiServer;
  readonly log: RequestLog;
  readonly owner: Clientset;
  readonly webhooks: BedWebhooks | undefined;
  readonly workloads: WorkloadControllers | undefined;
}

async function startWorkloads(
  client: Clientset,
  { controllers, clock, server }: TestBedOptions,
): Promise<WorkloadControllers | undefined> {
  if (controllers !== 'simulated') return undefined;
  // Loaded by those who need it: it brings the informers and the work queues.
  const module = await import('../workload-controllers.ts');
  const kubelet = server?.kubelet instanceof FakeKubelet ? server.kubelet : undefined;
  return await module.WorkloadControllers.start({ client, clock, kubelet, events: false });
}

async function plantAll(
  client: Clientset,
  { crds = [], objects = [] }: TestBedOptions,
  webhooks: BedWebhooks | undefined,
): Promise<void> {
  const seeds = [...(await readSeeds('crds', crds)), ...(await readSeeds('objects', objects))];
  await plant(
    client,
    webhooks === undefined
      ? seeds
      : [...seeds.map((seed) => webhooks.converted(seed)), ...webhooks.configurations()],
  );
}

/** A clock that a test moves, such as `VirtualClock`. */
interface MovableClock extends Clock {
  advance(ms: number): Promise<void>;
}

/**
 * Waits for work of the server on a clock that stands still: runs what is due now, without letting
 * time pass.
 */
async function whileTimeStands<T>(work: Promise<T>, clock: Clock | undefined): Promise<T> {
  if (clock === undefined || !('advance' in clock)) return await work;
  const progress = { isOver: false };
  const over = (): void => {
    progress.isOver = true;
  };
  work.then(over, over);
  while (!progress.isOver) {
    await (clock as MovableClock).advance(0);
    await nextTurn();
  }
  return await work;
}
