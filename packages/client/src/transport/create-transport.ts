import { type Clock, systemClock } from '../lib/clock.ts';
import { type Environment, systemEnvironment } from '../lib/environment.ts';
import { loggerOf } from '../lib/logger.ts';
import { type Random, systemRandom } from '../lib/random.ts';
import { anySignal } from '../lib/signal.ts';
import {
  checkConfig,
  compose,
  type Config,
  hostOf,
  type Middleware,
  type Next,
  timingOf,
  type TransportTiming,
} from './config.ts';
import { Connections } from './connections/connections.ts';
import { configuredCredentials } from './credentials.ts';
import { authentication } from './layers/authentication.ts';
import { observeBody } from './layers/body.ts';
import { compression } from './layers/compression.ts';
import { defaultUserAgent, headerDefaults, impersonation } from './layers/headers.ts';
import { retry } from './layers/retry.ts';
import { throttle } from './layers/throttle.ts';
import { timeout } from './layers/timeout.ts';
import type { KeyPair } from './tls.ts';
import { connectionError, TransportError } from './transport-error.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** Options of {@link createTransport}. */
export interface TransportOptions {
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  /** The environment variables for proxies and those of client-go. Default: those of the process. */
  readonly env?: Environment | undefined;
  readonly timing?: Partial<TransportTiming> | undefined;
}

/**
 * Creates a transport for a config. Create one, use it for all requests, and dispose it at the end:
 * it keeps its connections open, so that a thousand requests cost one TLS handshake.
 *
 * A request passes these layers, from the caller inward: `timeoutMs`, the middleware of the config,
 * impersonation, user agent, compression, retries, rate limit, credentials, `attemptMiddleware`,
 * connection. Headers of the request take precedence over all of them.
 *
 * Throws a {@link TransportError} with the code `TRANSPORT_CONFIG` for an invalid config. For https, TLS is prepared
 * immediately, but files are read when the first request needs them.
 *
 * ```ts
 * await using transport = createTransport({ server: 'https://127.0.0.1:6443', tls: { ca }, auth: { token } });
 * const { status, body } = await transport.request({ method: 'GET', path: '/version', headers: {} });
 * for await (const chunk of body) process.stdout.write(chunk);
 * ```
 */
export function createTransport(config: Config, options: TransportOptions = {}): Transport {
  return new ConfiguredTransport(config, options);
}

class ConfiguredTransport implements Transport {
  readonly #closing = new AbortController();
  readonly #innermost: Transport;
  readonly #send: Next;

  constructor(config: Config, options: TransportOptions) {
    const { clock = systemClock, env = systemEnvironment() } = options;
    const server = checkConfig(config);
    const timing = timingOf(options.timing ?? {}, env);
    let useCertificate = (_pair: KeyPair | undefined): Promise<void> | undefined => undefined;
    if (server === undefined) {
      this.#innermost = new BorrowedTransport(config.transport as Transport, config.server);
    } else {
      const connections = new Connections(server, config, { clock, timing, env });
      useCertificate = (pair) => connections.useCertificate(pair);
      this.#innermost = connections;
    }
    const source = configuredCredentials(config.auth ?? {}, { clock, ...timing });
    const layers = this.#outerLayers(config, options, clock);
    if (source !== undefined) layers.push(authentication({ source, useCertificate }));
    layers.push(...(config.attemptMiddleware ?? []));
    this.#send = compose(layers, (request) => this.#innermost.request(request));
  }

  request(request: TransportRequest): Promise<TransportResponse> {
    const { signal } = this.#closing;
    return signal.aborted ? Promise.reject(signal.reason as Error) : this.#send(request);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new TransportError('TRANSPORT_CLOSED', 'the transport is closed'));
    await this.#innermost[Symbol.asyncDispose]();
  }

  #outerLayers(config: Config, options: TransportOptions, clock: Clock): Middleware[] {
    const { random = systemRandom } = options;
    const { signal: closing } = this.#closing;
    const { timeoutMs, impersonate, qps, maxRetries = 10, retryBackoff } = config;
    const userAgent = config.userAgent ?? defaultUserAgent();
    const server = hostOf(config.server);
    const scheme = /^http:/i.test(config.server) ? 'http' : 'https';
    const logger = loggerOf(config.logger);
    return [
      ...(timeoutMs === undefined ? [] : [timeout({ clock, timeoutMs, server })]),
      ...(config.middleware ?? []),
      ...(impersonate === undefined ? [] : [impersonation(impersonate)]),
      headerDefaults({ 'user-agent': userAgent }),
      ...(config.compression === false ? [] : [compression]),
      retry({ clock, random, maxRetries, retryBackoff, server, scheme, logger, closing }),
      ...(qps === undefined
        ? []
        : [throttle({ clock, qps, burst: config.burst ?? Math.ceil(2 * qps), closing })]),
    ];
  }
}

/**
 * Wraps a transport that the config provides: closing the wrapper aborts its own requests and
 * leaves the wrapped transport open. Errors of Node become a {@link TransportError}.
 */
export class BorrowedTransport implements Transport {
  readonly #transport: Transport;
  readonly #server: string;
  readonly #closing = new AbortController();

  /** `server` is the name of the server in errors. */
  constructor(transport: Transport, server: string) {
    this.#transport = transport;
    this.#server = server;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    this.#closing.signal.throwIfAborted();
    const either = anySignal([request.signal, this.#closing.signal]);
    const over = (): void => either[Symbol.dispose]();
    try {
      const response = await this.#transport.request({ ...request, signal: either.signal });
      const translate = (error: unknown): unknown => this.#translate(error, either.signal);
      return observeBody(response, { over, translate });
    } catch (error) {
      over();
      throw this.#translate(error, either.signal);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new TransportError('TRANSPORT_CLOSED', 'the transport is closed'));
  }

  #translate(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason;
    const isSystemError = error instanceof Error && 'code' in error;
    return isSystemError
      ? connectionError(error, { server: this.#server, mayHaveBeenHandled: true })
      : error;
  }
}
