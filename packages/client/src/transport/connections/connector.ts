import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import type { ConnectionOptions, PeerCertificate, TLSSocket } from 'node:tls';
import type { Clock } from '../../lib/clock.ts';
import { onAbort } from '../../lib/signal.ts';
import { nodeTls } from '../../lib/node-modules.ts';
import { openHttpTunnel, openSocks5Tunnel } from '../proxy/tunnels.ts';
import type { HostAndPort, ProxySettings } from '../proxy/proxy-settings.ts';
import type { HandshakeSettings } from '../tls.ts';
import { connectionError, TransportError } from '../transport-error.ts';
import type { OpenSocket, Protocol } from './connection.ts';
import type { SocketReader } from './socket-reader.ts';

export interface ConnectorOptions {
  readonly target: HostAndPort;
  /** Host and port, for errors. */
  readonly authority: string;
  readonly proxy: ProxySettings | undefined;
  /** Returns the parameters of the handshake; undefined for plain HTTP. */
  readonly handshake: (() => Promise<HandshakeSettings>) | undefined;
  /** The protocols to offer, best first. */
  readonly protocols: readonly Protocol[];
  readonly clock: Clock;
  readonly connectMs: number;
  readonly handshakeMs: number;
}

/** The idle time before TCP keep-alive probes. */
const KEEP_ALIVE_MS = 30_000;

/** Opens connections to one server: through a proxy if there is one, and with TLS for https. */
export class Connector {
  readonly #options: ConnectorOptions;

  constructor(options: ConnectorOptions) {
    this.#options = options;
  }

  /**
   * Rejects with a {@link TransportError}, or with the reason of the signal. The reader is attached to
   * the socket.
   */
  async open(signal: AbortSignal, reader?: SocketReader): Promise<OpenSocket> {
    const { authority: server, handshake, proxy } = this.#options;
    let raw: Socket | undefined;
    try {
      const settings = await handshake?.();
      if (reader !== undefined && settings !== undefined && proxy === undefined) {
        return await this.#openTls(settings, signal, reader);
      }
      raw = await this.#openTcp(signal);
      const bytesRead = countOf(raw);
      const way = await this.#throughProxy(raw, settings, signal);
      const secured = settings && (await this.#secure(way, settings, signal));
      const socket = secured ?? way;
      reader?.attach(socket);
      return { socket, protocol: protocolOf(secured), bytesRead, reader };
    } catch (error) {
      raw?.destroy();
      if (signal.aborted) throw signal.reason;
      throw connectionError(error, { server, mayHaveBeenHandled: false });
    }
  }

  async #openTcp(signal: AbortSignal): Promise<Socket> {
    signal.throwIfAborted();
    const { proxy, authority: server, connectMs } = this.#options;
    const socket = connectTcp(this.#tcpOptions());
    try {
      await untilEvent(socket, 'connect', this.#waitOptions(connectMs, 'no connection', signal));
    } catch (error) {
      if (signal.aborted || proxy === undefined) throw error;
      throw connectionError(error, { server, mayHaveBeenHandled: false, proxy: proxy.name });
    }
    return socket;
  }

  #tcpOptions(): TcpNetConnectOpts {
    const { target, proxy } = this.#options;
    const { host, port } = proxy ?? target;
    return {
      host,
      port,
      // Several addresses are tried in turn (happy eyeballs).
      autoSelectFamily: true,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
    };
  }

  /** Node reads into a given buffer only if TCP and TLS are one socket. */
  async #openTls(
    settings: HandshakeSettings,
    signal: AbortSignal,
    reader: SocketReader,
  ): Promise<OpenSocket> {
    signal.throwIfAborted();
    const { connectMs, handshakeMs } = this.#options;
    const { onread } = reader;
    const options = { ...this.#tlsOptions(settings), ...this.#tcpOptions(), onread };
    const socket = nodeTls().connect(options);
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
    reader.attach(socket);
    await untilEvent(socket, 'connect', this.#waitOptions(connectMs, 'no connection', signal));
    await untilEvent(socket, 'secureConnect', this.#waitOptions(handshakeMs, 'no TLS', signal));
    return { socket, protocol: protocolOf(socket), bytesRead: countOf(socket), reader };
  }

  async #throughProxy(
    raw: Socket,
    settings: HandshakeSettings | undefined,
    signal: AbortSignal,
  ): Promise<Socket> {
    const { proxy, target, authority: server, clock, connectMs } = this.#options;
    if (proxy === undefined) return raw;
    using _abort = onAbort(signal, () => raw.destroy());
    let isLate = false;
    using _timeout = clock.schedule(connectMs, () => {
      isLate = true;
      raw.destroy();
    });
    try {
      const socket = proxy.kind === 'https' ? await this.#secureProxy(raw, settings, signal) : raw;
      if (proxy.kind === 'socks5') await openSocks5Tunnel(socket, target, proxy);
      else await openHttpTunnel(socket, target, proxy, signal);
      return socket;
    } catch (error) {
      if (signal.aborted) throw error;
      if (isLate) throw this.#timeout(connectMs, `the proxy ${proxy.name} did not answer`);
      throw connectionError(error, { server, mayHaveBeenHandled: false, proxy: proxy.name });
    }
  }

  /** Proxies may have certificates of public CAs or of the cluster's CA. */
  async #secureProxy(
    raw: Socket,
    settings: HandshakeSettings | undefined,
    signal: AbortSignal,
  ): Promise<TLSSocket> {
    const { proxy, handshakeMs } = this.#options;
    const host = proxy?.host ?? '';
    const { connect, rootCertificates } = nodeTls();
    const socket = connect({
      socket: raw,
      host,
      ...sniFor(host),
      checkServerIdentity: (_, certificate) => checkIdentity(host, host, certificate),
      ca: [...rootCertificates, ...(settings?.ca ?? [])],
      rejectUnauthorized: settings?.insecure !== true,
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['http/1.1'],
    });
    await untilEvent(socket, 'secureConnect', this.#waitOptions(handshakeMs, 'no TLS', signal));
    return socket;
  }

  async #secure(way: Socket, settings: HandshakeSettings, signal: AbortSignal): Promise<TLSSocket> {
    const { handshakeMs } = this.#options;
    const socket = nodeTls().connect({ ...this.#tlsOptions(settings), socket: way });
    await untilEvent(socket, 'secureConnect', this.#waitOptions(handshakeMs, 'no TLS', signal));
    return socket;
  }

  #tlsOptions({ context, insecure, serverName }: HandshakeSettings): ConnectionOptions {
    const { target, authority, protocols } = this.#options;
    const name = serverName ?? target.host;
    return {
      secureContext: context,
      ...sniFor(name),
      checkServerIdentity: (_, certificate) => checkIdentity(authority, name, certificate),
      rejectUnauthorized: !insecure,
      ALPNProtocols: [...protocols],
    };
  }

  #waitOptions(timeoutMs: number, what: string, signal: AbortSignal): WaitOptions {
    const { clock } = this.#options;
    return { clock, timeoutMs, signal, timeoutError: () => this.#timeout(timeoutMs, what) };
  }

  #timeout(timeoutMs: number, what: string): TransportError {
    const { authority: server } = this.#options;
    const message = `${server}: ${what} within ${timeoutMs / 1000} s`;
    return new TransportError('TRANSPORT_TIMEOUT', message, { server });
  }
}

/** SNI contains host names only, not addresses. */
function sniFor(name: string): { readonly servername?: string } {
  return isIP(name) === 0 ? { servername: name } : {};
}

/**
 * Checks that a certificate is for `name`. As in Go, only subject alternative names count; Node
 * would also accept the common name of a certificate without them.
 */
function checkIdentity(
  server: string,
  name: string,
  certificate: PeerCertificate,
): Error | undefined {
  if ((certificate.subjectaltname ?? '') === '') {
    const message = `${server}: its certificate has no subject alternative name`;
    const hint = 'Use a certificate with subject alternative names; its common name is ignored.';
    return new TransportError('TRANSPORT_TLS_NAME', message, { server, hint });
  }
  // An empty common name matches nothing.
  const subject = { ...certificate.subject, CN: '' };
  return nodeTls().checkServerIdentity(name, { ...certificate, subject });
}

/** Returns what the handshake negotiated. */
function protocolOf(socket: TLSSocket | undefined): Protocol {
  return socket?.alpnProtocol === 'h2' ? 'h2' : 'http/1.1';
}

function countOf(socket: Socket): () => number {
  return () => socket.bytesRead;
}

export interface WaitOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Returns the error for a timeout. */
  readonly timeoutError: () => TransportError;
  readonly signal: AbortSignal;
}

/**
 * Resolves when the socket emits `event`. Rejects on an error, a close, an abort or a timeout, and
 * then destroys the socket.
 */
export async function untilEvent(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  { clock, timeoutMs, timeoutError, signal }: WaitOptions,
): Promise<void> {
  // Errors are reported to the request that uses the socket; this listener prevents a crash.
  socket.on('error', () => undefined);
  using cleanUp = new Listeners(socket);
  try {
    await new Promise<void>((resolve, reject) => {
      cleanUp.on(event, () => resolve());
      cleanUp.on('error', reject);
      cleanUp.on('close', () => {
        reject(Object.assign(new Error('closed by the other side'), { code: 'ECONNRESET' }));
      });
      cleanUp.add(clock.schedule(timeoutMs, () => reject(timeoutError())));
      cleanUp.add(onAbort(signal, () => reject(signal.reason as Error)));
    });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Listeners that are removed together. */
class Listeners implements Disposable {
  readonly #socket: Socket;
  readonly #disposables: Disposable[] = [];

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  on(event: string, listener: (error: Error) => void): void {
    this.#socket.on(event, listener);
    this.add({ [Symbol.dispose]: () => this.#socket.off(event, listener) });
  }

  add(disposable: Disposable): void {
    this.#disposables.push(disposable);
  }

  [Symbol.dispose](): void {
    for (const disposable of this.#disposables) disposable[Symbol.dispose]();
  }
}
