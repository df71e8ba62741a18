import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import type { MetricsRegistry } from '../observe/metrics-registry.ts';
import { webhookMetrics } from '../observe/webhook-metrics.ts';
import type { WebhookServer } from '../webhook/webhook-server.ts';
import type { Webhooks } from '../webhook/webhooks.ts';
import { HealthChecks } from './health-checks.ts';
import type { ManagerOptions } from './manager-options.ts';
import {
  type Endpoint,
  type EndpointAnswer,
  type EndpointOptions,
  ProbeServer,
} from './probe-server.ts';

/** What {@link ManagerServers} serves. */
export interface ManagerServersOptions extends Pick<
  ManagerOptions,
  'health' | 'metrics' | 'webhooks'
> {
  readonly registry: MetricsRegistry;
  readonly handlers: Webhooks;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The time that reviews in progress have at the end. */
  readonly webhookGraceMs: number;
}

/** The servers of a manager, those that its options name: probes and metrics over HTTP, webhooks over TLS. */
export class ManagerServers implements AsyncDisposable {
  /** Of `/healthz`. */
  readonly health: HealthChecks = new HealthChecks('healthz');
  /** Of `/readyz`. */
  readonly ready: HealthChecks = new HealthChecks('readyz');
  readonly #options: ManagerServersOptions;
  #probes: readonly (readonly [keyof ManagerOptions, ProbeServer])[] = [];
  #webhooks: WebhookServer | undefined;

  constructor(options: ManagerServersOptions) {
    this.#options = options;
    if (options.webhooks === undefined) return;
    this.ready.add('webhooks', () => {
      if (this.#webhooks?.isListening !== true) throw new Error('webhooks are not served');
    });
  }

  /** The ports that are served. */
  get ports(): {
    readonly health?: number;
    readonly metrics?: number;
    readonly webhooks?: number;
  } {
    const { port: webhooks } = this.#webhooks ?? {};
    return {
      ...Object.fromEntries(this.#probes.map(([name, { port }]) => [name, port])),
      ...(webhooks !== undefined && { webhooks }),
    };
  }

  /** Rejects if a port is not free. */
  async start(): Promise<void> {
    const { health, metrics, registry } = this.#options;
    const probes: Endpoint = (path, query) => this.#probe(path, query);
    const scrape: Endpoint = async (path) => {
      if (path !== '/metrics') return undefined;
      const { contentType } = registry;
      return { status: 200, contentType, text: await (metrics?.text ?? (() => registry.text()))() };
    };
    const isShared = health !== undefined && metrics !== undefined && isSamePlace(health, metrics);
    if (health !== undefined) {
      const server = await ProbeServer.start(health, isShared ? [probes, scrape] : [probes]);
      this.#probes = [['health', server]];
    }
    if (metrics !== undefined && !isShared) {
      this.#probes = [...this.#probes, ['metrics', await ProbeServer.start(metrics, [scrape])]];
    }
    await this.#startWebhooks();
  }

  /** Ends the webhooks; probes and metrics are served until the disposal. */
  async closeWebhooks(): Promise<void> {
    await this.#webhooks?.close();
  }

  /** Ends probes and metrics. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#probes.map(([, server]) => server[Symbol.asyncDispose]()));
  }

  async #startWebhooks(): Promise<void> {
    const { webhooks, handlers, registry, clock, logger } = this.#options;
    const { webhookGraceMs: gracePeriodMs } = this.#options;
    if (webhooks === undefined) return;
    // Loaded when it is needed, because most controllers have no webhooks.
    const { WebhookServer: Server } = await import('../webhook/webhook-server.ts');
    const metrics = webhookMetrics(registry);
    this.#webhooks = new Server(handlers, { metrics, ...webhooks, clock, logger, gracePeriodMs });
    await this.#webhooks.start();
  }

  async #probe(path: string, query: URLSearchParams): Promise<EndpointAnswer | undefined> {
    const [, probe = '', ...rest] = path.split('/');
    const checks = probe === 'readyz' ? this.ready : this.health;
    if (!['healthz', 'livez', 'readyz'].includes(probe)) return undefined;
    const only = rest.join('/');
    const found = await checks.run({
      only: only === '' ? undefined : only,
      verbose: query.has('verbose'),
      exclude: query.getAll('exclude'),
    });
    return found && { ...found, contentType: 'text/plain; charset=utf-8' };
  }
}

function isSamePlace(health: EndpointOptions, metrics: EndpointOptions): boolean {
  return health.port === metrics.port && health.host === metrics.host && health.port !== 0;
}
