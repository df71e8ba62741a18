import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import { pods } from '../api/core/v1.ts';
import { Backoff } from '../lib/backoff.ts';
import { type ScheduledCall, sleep } from '../lib/clock.ts';
import { anySignal } from '../lib/signal.ts';
import { isNotFound } from '../meta/error-guards.ts';
import { checkOptions } from '../rest/rest-error.ts';
import type { RESTClient } from '../rest/rest-client.ts';
import { nodeHttp } from '../lib/node-modules.ts';
import { fetchThrough, plainRequest } from './dialer-fetch.ts';
import {
  type ForwardTarget,
  type ResolvedTarget,
  resolvePort,
  resolveTarget,
} from './pod-target.ts';
import { StreamsError } from './streams-error.ts';
import { type ForwardedConnection, Tunnel, TUNNEL_PROTOCOLS } from './tunnel.ts';
import { openWebSocket } from './web-socket.ts';

/** Options of {@link PodDialer}. */
export interface PodDialerOptions {
  /**
   * True to look for another pod when the pod is gone: the next ready one of a Service or workload,
   * or the one of the same name. Default false: connections then fail.
   */
  readonly reconnect?: boolean | undefined;
  /** Closes the dialer. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link PodDialer.connect}. */
export interface DialOptions {
  readonly signal?: AbortSignal | undefined;
}

/** An unused tunnel is kept for this time. */
const IDLE_MS = 30_000;

const PING_MS = 10_000;

/** The delays between attempts to find another pod, and their number. */
const RECONNECT = { initialMs: 250, maxMs: 5000, steps: 12 };

/**
 * Opens connections to the ports of a pod, through the API server and without a local port. Every
 * connection has a tunnel of its own, so that a slow or broken one affects no other; a tunnel that
 * has become free is used again.
 *
 * ```ts
 * await using dialer = new PodDialer(client.rest, { kind: 'Service', namespace: 'default', name: 'web' });
 * http.get('http://web/healthz', { agent: dialer.agent(80) }, (response) => response.pipe(process.stdout));
 * ```
 */
export class PodDialer implements AsyncDisposable {
  readonly #rest: RESTClient;
  readonly #target: ForwardTarget;
  readonly #isReconnecting: boolean;
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;
  readonly #tunnels = new Set<Tunnel>();
  readonly #idle = new Map<Tunnel, ScheduledCall>();
  /** Of `fetch`, by port. */
  readonly #agents = new Map<number, Agent>();
  #resolved: Promise<ResolvedTarget> | undefined;

  constructor(rest: RESTClient, target: ForwardTarget, options: PodDialerOptions = {}) {
    checkOptions(options);
    this.#rest = rest;
    this.#target = target;
    this.#isReconnecting = options.reconnect ?? false;
    const either = anySignal([options.signal, this.#closing.signal]);
    this.#signal = either.signal;
    this.#signal.addEventListener('abort', () => {
      either[Symbol.dispose]();
      this.#closeTunnels();
    });
  }

  /**
   * Connects to a port of the pod, by number or by the name of a container's port; of a Service, by its
   * number or name there. The connection is a stream in both directions. Whether the program in the
   * pod listens is known when the first bytes come, or the connection fails.
   */
  async connect(port: number | string, options: DialOptions = {}): Promise<Duplex> {
    checkOptions(options);
    using either = anySignal([options.signal, this.#signal]);
    const backoff = new Backoff({ ...RECONNECT, clock: this.#rest.clock });
    for (;;) {
      try {
        return await this.#connect(port, either.signal);
      } catch (error) {
        this.#resolved = undefined;
        const isGone = isNotFound(error) || isWithoutPod(error);
        if (!this.#isReconnecting || !isGone || backoff.isExhausted) throw error;
      }
      await sleep(this.#rest.clock, backoff.next(), { signal: either.signal });
    }
  }

  /**
   * Returns the number of a port of the pod. Rejects if there is no such pod, or no such port: a check
   * before the first connection.
   */
  async resolve(port: number | string): Promise<number> {
    return resolvePort(await this.#resolve(), port);
  }

  /**
   * Returns an agent for `node:http` whose requests go to this port of the pod, whatever host their
   * URL names.
   */
  agent(port: number | string): Agent {
    const agent = new (nodeHttp().Agent)({ keepAlive: true });
    const createConnection = async (
      _: unknown,
      callback: (error: Error | null, stream?: Duplex) => void,
    ): Promise<void> => {
      try {
        const stream = await this.connect(port);
        process.nextTick(callback, null, stream);
      } catch (error) {
        process.nextTick(callback, error);
      }
    };
    // Node takes a stream that is returned; everything else means that the callback will be called.
    return Object.assign(agent, {
      createConnection: (...call: Parameters<typeof createConnection>): undefined =>
        void createConnection(...call),
    });
  }

  /**
   * Sends an HTTP request to the pod: `dialer.fetch('http://web:8080/healthz')`. The port of the URL
   * is that of the pod or Service, the host only the `Host` header. Takes and returns what the global
   * `fetch` does, but follows no redirects and decompresses nothing.
   */
  async fetch(input: Request | URL | string, init?: RequestInit): Promise<Response> {
    const { request, port } = plainRequest(input, init);
    let agent = this.#agents.get(port);
    if (agent === undefined) {
      agent = this.agent(port);
      this.#agents.set(port, agent);
    }
    return await fetchThrough(request, agent);
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    this.#closing.abort(new StreamsError('STREAMS_CLOSED', 'the port-forward is closed'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #connect(port: number | string, signal: AbortSignal): Promise<ForwardedConnection> {
    signal.throwIfAborted();
    const resolved = await this.#resolve();
    const number = resolvePort(resolved, port);
    const idle = this.#takeIdle();
    if (idle !== undefined) return idle.connect(number);
    const { namespace = '', name = '' } = resolved.pod.metadata ?? {};
    const request = this.#rest.get().resource(pods).namespace(namespace).name(name);
    const connection = await openWebSocket(request.subresource('portforward'), {
      protocols: TUNNEL_PROTOCOLS,
      clock: this.#rest.clock,
      pingMs: PING_MS,
      // Of the dialer only: the connection outlives the attempt to open it.
      signal: this.#signal,
      openSignal: signal,
    });
    const tunnel = new Tunnel(
      connection,
      (free) => this.#keep(free),
      (ended) => this.#forget(ended),
    );
    this.#tunnels.add(tunnel);
    return tunnel.connect(number);
  }

  #resolve(): Promise<ResolvedTarget> {
    this.#resolved ??= resolveTarget(this.#rest, this.#target, { signal: this.#signal });
    return this.#resolved;
  }

  #takeIdle(): Tunnel | undefined {
    const [first] = this.#idle;
    if (first === undefined) return undefined;
    const [tunnel, expiry] = first;
    expiry.cancel();
    this.#idle.delete(tunnel);
    return tunnel;
  }

  #keep(tunnel: Tunnel): void {
    const expiry = this.#rest.clock.schedule(IDLE_MS, () => tunnel.destroy(), { background: true });
    this.#idle.set(tunnel, expiry);
  }

  #forget(tunnel: Tunnel): void {
    this.#tunnels.delete(tunnel);
    this.#idle.get(tunnel)?.cancel();
    this.#idle.delete(tunnel);
  }

  #closeTunnels(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    for (const tunnel of this.#tunnels) tunnel.destroy(this.#signal.reason);
  }
}

function isWithoutPod(error: unknown): boolean {
  return error instanceof StreamsError && error.code === 'STREAMS_NO_POD';
}
