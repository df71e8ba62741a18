import { once } from 'node:events';
import { type AddressInfo, createServer, isIP, type Server, type Socket } from 'node:net';
import { guardCallback } from '../lib/callback.ts';
import { Deferred } from '../lib/deferred.ts';
import { messageOf } from '../lib/errors.ts';
import { describeError } from '../lib/logger.ts';
import { onAbort } from '../lib/signal.ts';
import { isNotFound } from '../meta/error-guards.ts';
import { checkObject, checkOptions } from '../rest/rest-error.ts';
import type { RESTClient } from '../rest/rest-client.ts';
import { pump } from './plumbing.ts';
import { PodDialer, type PodDialerOptions } from './pod-dialer.ts';
import type { ForwardTarget } from './pod-target.ts';
import { StreamsError } from './streams-error.ts';
import type { ForwardedConnection } from './tunnel.ts';

/** A port to forward. A number is both: the local port and the one of the pod. */
export type PortMapping =
  | number
  | {
      /** The port of the pod or Service, by number or name. */
      readonly remote: number | string;
      /** Default: as `remote`, if that is a number. 0 for a random port. */
      readonly local?: number | undefined;
    };

/** A port that is forwarded. */
export interface ForwardedPort {
  readonly address: string;
  readonly local: number;
  /** The port of the pod. */
  readonly remote: number;
}

/** Options of {@link portForward}. */
export interface PortForwardOptions extends PodDialerOptions {
  /**
   * The local addresses. `localhost` is 127.0.0.1 and ::1, of which one is enough; all others must
   * work. Default `['localhost']`.
   */
  readonly addresses?: readonly string[] | undefined;
  /** Called when a local connection is accepted. */
  readonly onConnection?: ((port: ForwardedPort) => void) | undefined;
  /** Called with the error of one connection; the others continue. Default: a warning in the log. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Forwards local ports to a pod. Resolves when they listen. Fails if the target does not exist, or a
 * port cannot be listened on. Each local connection has its own tunnel: one that is slow or breaks
 * affects no other.
 *
 * When the pod is gone, the port-forward ends and `closed` rejects, unless `reconnect` is set.
 *
 * ```ts
 * await using forward = await portForward(client.rest, { namespace: 'default', name: 'web-0' }, [{ local: 0, remote: 80 }]);
 * const response = await fetch(`http://localhost:${forward.ports[0].local}/`);
 * ```
 */
export async function portForward(
  rest: RESTClient,
  target: ForwardTarget,
  ports: readonly PortMapping[],
  options: PortForwardOptions = {},
): Promise<PortForwarder> {
  checkOptions(options);
  if (!Array.isArray(ports) || ports.length === 0)
    throw new StreamsError('STREAMS_OPTIONS', 'the ports must be an array with at least one port');
  const forwarder = new PortForwarder(rest, target, options);
  try {
    for (const mapping of ports) await forwarder.listen(mapping);
    return forwarder;
  } catch (error) {
    await forwarder.close();
    throw error;
  }
}

/** Ports that are forwarded to a pod, until it is closed. Made by {@link portForward}. */
export class PortForwarder implements AsyncDisposable {
  readonly #dialer: PodDialer;
  readonly #addresses: readonly string[];
  readonly #isReconnecting: boolean;
  readonly #onConnection: (port: ForwardedPort) => void;
  readonly #onError: (error: unknown) => void;
  readonly #servers = new Set<Server>();
  readonly #sockets = new Set<Socket>();
  readonly #ports: ForwardedPort[] = [];
  readonly #closed = new Deferred();
  readonly #abort: Disposable;

  constructor(rest: RESTClient, target: ForwardTarget, options: PortForwardOptions) {
    const { addresses = ['localhost'], reconnect = false, signal, onError } = options;
    this.#dialer = new PodDialer(rest, target, { reconnect });
    this.#addresses = addresses;
    this.#isReconnecting = reconnect;
    const { logger } = rest;
    const report = (error: unknown): void =>
      logger.warn(`port-forward to ${target.namespace}/${target.name}: ${describeError(error)}`, {
        event: 'port-forward.failed',
        namespace: target.namespace,
        pod: target.name,
      });
    this.#onError = guardCallback('onError of the port-forward', onError ?? report, logger);
    this.#onConnection = guardCallback('onConnection', options.onConnection, logger);
    this.#closed.promise.catch(() => undefined);
    this.#abort = onAbort(signal, () => void this.close());
  }

  /** The ports, in the order in which they were given; `localhost` has one entry per address. */
  get ports(): readonly ForwardedPort[] {
    return this.#ports;
  }

  /** Resolves after {@link close} or an abort; rejects when the pod is gone. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** The dialer of the connections, which needs no local port. */
  get dialer(): PodDialer {
    return this.#dialer;
  }

  /** Forwards another port. */
  async listen(mapping: PortMapping): Promise<void> {
    checkMapping(mapping);
    const { remote, local = remote } = typeof mapping === 'number' ? { remote: mapping } : mapping;
    if (typeof local !== 'number' || !Number.isInteger(local) || local < 0 || local > 65_535) {
      const message = `the local port ${JSON.stringify(local)} is not a number from 0 to 65535`;
      throw new StreamsError('STREAMS_OPTIONS', message);
    }
    const number = await this.#dialer.resolve(remote);
    let port = local;
    for (const address of this.#addresses) {
      port = await (address === 'localhost'
        ? this.#listenLocally(port, remote, number)
        : this.#listenOn(address, port, remote, number));
    }
  }

  /** Closes the ports and all connections. */
  async close(): Promise<void> {
    await this.#end();
    this.#closed.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** One family is enough: machines may lack the other. */
  async #listenLocally(local: number, remote: number | string, number: number): Promise<number> {
    const failures: unknown[] = [];
    let port = local;
    for (const address of ['127.0.0.1', '::1']) {
      try {
        port = await this.#listenOn(address, port, remote, number);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length === 2) throw failures[0];
    return port;
  }

  async #listenOn(
    address: string,
    local: number,
    remote: number | string,
    number: number,
  ): Promise<number> {
    if (isIP(address) === 0) {
      const message = `the address ${JSON.stringify(address)} is neither localhost nor an IP address`;
      throw new StreamsError('STREAMS_OPTIONS', message);
    }
    // Half-open, so that the pod can answer after the end of a request.
    const server = createServer({ allowHalfOpen: true, noDelay: true });
    try {
      server.listen({ port: local, host: address, exclusive: true });
      await once(server, 'listening');
    } catch (cause) {
      const message = `cannot listen on ${address} port ${local}: ${messageOf(cause)}`;
      throw new StreamsError('STREAMS_LISTEN', message, { cause });
    }
    this.#servers.add(server);
    const port = { address, local: (server.address() as AddressInfo).port, remote: number };
    this.#ports.push(port);
    server.on('connection', (socket) => void this.#serve(socket, port, remote));
    return port.local;
  }

  async #serve(socket: Socket, port: ForwardedPort, remote: number | string): Promise<void> {
    this.#sockets.add(socket);
    const left = new AbortController();
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.#sockets.delete(socket);
      left.abort(new StreamsError('STREAMS_CLOSED', 'the local connection was closed'));
    });
    this.#onConnection(port);
    try {
      const connection = await this.#dialer.connect(remote, { signal: left.signal });
      // A Duplex for users of a dialer.
      join(socket, connection as ForwardedConnection, this.#onError);
    } catch (error) {
      socket.resetAndDestroy();
      if (left.signal.aborted) return;
      this.#onError(error);
      if (isNotFound(error) && !this.#isReconnecting) await this.#lost(error);
    }
  }

  async #lost(error: unknown): Promise<void> {
    this.#closed.reject(error);
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#abort[Symbol.dispose]();
    for (const socket of this.#sockets) socket.destroy();
    const closing = Array.from(this.#servers, (server) => {
      const closed = once(server, 'close');
      server.close();
      return closed;
    });
    this.#servers.clear();
    await Promise.all([...closing, this.#dialer.close()]);
  }
}

/** What the compiler checks in TypeScript. */
function checkMapping(mapping: unknown): void {
  if (typeof mapping === 'number') return;
  checkObject(mapping, 'a port');
  const remote: unknown = Reflect.get(mapping as object, 'remote');
  if (typeof remote === 'number' || typeof remote === 'string') return;
  throw new StreamsError('STREAMS_OPTIONS', 'a port needs a remote: a number or a name');
}

/** Connects two streams in both directions, with half-closes, until both are closed. */
function join(
  socket: Socket,
  remote: ForwardedConnection,
  onError: (error: unknown) => void,
): void {
  if (socket.destroyed) {
    remote.destroy();
    return;
  }
  remote.on('error', (error) => {
    // A local connection that was closed first, as at the end of the port-forward, is no failure.
    if (!socket.destroyed) onError(error);
    socket.resetAndDestroy();
  });
  // A reset of one side is one of the other; a regular end has been passed on.
  socket.once('close', () => {
    if (!remote.writableFinished || !remote.readableEnded) remote.destroy();
  });
  remote.once('close', () => {
    if (!socket.writableEnded) socket.destroy();
  });
  pump(socket, remote);
  remote.writeTo(socket);
}
