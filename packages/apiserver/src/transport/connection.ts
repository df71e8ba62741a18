import type { X509Certificate } from 'node:crypto';
import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

import { type Clock, nodeTls, type ScheduledCall } from 'client-ts/internal';

import { BoundedMap } from '../auth/bounded-map.ts';
import type { Peer } from '../http.ts';
import { peerCertificateOf } from './tls-session.ts';

/** How long a client may keep a connection without a complete request. */
export interface ConnectionLimits {
  readonly clock: Clock;
  /** From the accepted socket to the end of the TLS handshake. */
  readonly handshakeTimeoutMs: number;
  /** From the first byte of a request to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** Between two requests. */
  readonly idleTimeoutMs: number;
}

/**
 * One client connection, from the accepted socket to the last response.
 *
 * While no request is in flight a deadline runs, whatever the client sends: neither a byte of a
 * header per minute nor a flood of HTTP/2 pings extends it.
 */
export class Connection {
  readonly #raw: Socket;
  readonly #limits: ConnectionLimits;
  readonly #certificates: ClientCertificates;
  #socket: Socket;
  #session: ServerHttp2Session | undefined;
  #peer: Peer = {};
  #active = 0;
  #closing = false;
  #deadline: ScheduledCall | undefined;

  /** `raw` is the accepted TCP socket. With TLS, {@link secured} sets the socket on top of it. */
  constructor(raw: Socket, limits: ConnectionLimits, certificates: ClientCertificates) {
    this.#raw = raw;
    this.#certificates = certificates;
    this.#socket = raw;
    this.#limits = limits;
    this.#expectWithin(limits.handshakeTimeoutMs);
  }

  /** The identity that the connection proved when it was {@link secured}. */
  get peer(): Peer {
    return this.#peer;
  }

  /** True if both ends are those of another socket, which is then the same connection. */
  hasEndsOf(socket: Socket): boolean {
    const { remotePort, remoteAddress, localAddress } = this.#raw;
    if (remotePort === undefined || remotePort !== socket.remotePort) return false;
    return remoteAddress === socket.remoteAddress && localAddress === socket.localAddress;
  }

  /** Called when the connection is ready for requests. */
  secured(socket: Socket): void {
    this.#socket = socket;
    // Now and not with the first request: a handshake after this one could replace the certificate, but not the verdict about it.
    this.#peer = this.#certificates.peerOf(socket);
    this.#expectWithin(this.#limits.headersTimeoutMs);
  }

  /** Called when the connection uses HTTP/2. */
  upgraded(session: ServerHttp2Session): void {
    this.#session = session;
    this.#expectWithin(this.#limits.idleTimeoutMs);
    if (this.#closing) session.close();
  }

  requestStarted(): void {
    this.#active += 1;
    this.#expectNothing();
  }

  requestEnded(): void {
    this.#active -= 1;
    if (this.#closing) this.#closeIfIdle();
    if (this.#active > 0 || this.#raw.destroyed) return;
    const { idleTimeoutMs, headersTimeoutMs } = this.#limits;
    // Node closes idle HTTP/1.1 connections itself; this deadline covers the next request's
    // headers.
    this.#expectWithin(
      this.#session === undefined ? idleTimeoutMs + headersTimeoutMs : idleTimeoutMs,
    );
  }

  /** True if the next response should announce that it is the last. */
  get isClosing(): boolean {
    return this.#closing;
  }

  /** Finishes the requests in flight, accepts no new ones, and closes. */
  close(): void {
    this.#closing = true;
    // Sends GOAWAY; the session closes after its last stream.
    this.#session?.close();
    this.#closeIfIdle();
  }

  /** Leaves the client time to close the connection itself. */
  closeWithin(delayMs: number): void {
    this.#expectWithin(delayMs);
  }

  /** Called when the accepted socket is closed. */
  closed(): void {
    this.#expectNothing();
  }

  /** Resets the connection immediately. */
  reset(): void {
    // A socket before its handshake, or about to close, may not support a reset.
    if (this.#raw.destroyed) return;
    this.#raw.resetAndDestroy();
    this.#socket.destroy();
  }

  #closeIfIdle(): void {
    if (this.#active === 0 && this.#session === undefined) this.#socket.destroySoon();
  }

  /** Drops the connection unless a request, or the next stage, arrives in time. */
  #expectWithin(delayMs: number): void {
    this.#deadline?.cancel();
    this.#deadline = this.#limits.clock.schedule(delayMs, () => this.#expire(), {
      background: true,
    });
  }

  #expectNothing(): void {
    this.#deadline?.cancel();
    this.#deadline = undefined;
  }

  #expire(): void {
    // Sends GOAWAY first. All responses are already sent.
    this.#session?.destroy();
    this.#socket.destroy();
    this.#raw.destroy();
  }
}

type CertifiedPeer = NonNullable<Peer['certificate']>;

/** How many client certificates are remembered. */
const KNOWN_CERTIFICATES = 1000;

/**
 * Reads the identities in client certificates, and remembers them: clients connect with the same certificate again and again, and
 * reading its fields costs more than the rest of a request. The key is the whole certificate, so another one for the same user is
 * another entry. Whether a certificate is trusted is not remembered: Node decides that once for each connection, in its first handshake.
 */
export class ClientCertificates {
  readonly #known = new BoundedMap<string, CertifiedPeer>(KNOWN_CERTIFICATES);

  /** Returns the address, and the identity from a client certificate signed by a trusted CA. */
  peerOf(socket: Socket): Peer {
    if (!(socket instanceof nodeTls().TLSSocket)) return new SocketPeer(socket);
    const key = certificateKey(socket);
    const known = socket.authorized ? this.#known.get(key) : undefined;
    if (known !== undefined) return new SocketPeer(socket, known);
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined) return new SocketPeer(socket);
    if (!socket.authorized) return new SocketPeer(socket, 'untrusted');
    const identity = identityIn(certificate);
    if (key !== '') this.#known.set(key, identity);
    return new SocketPeer(socket, identity);
  }
}

/** The address takes a system call, and few requests need it. */
class SocketPeer implements Peer {
  readonly #socket: Socket;
  readonly certificate?: CertifiedPeer;
  readonly hasUntrustedCertificate: true | undefined;

  constructor(socket: Socket, certificate?: CertifiedPeer | 'untrusted') {
    this.#socket = socket;
    this.hasUntrustedCertificate = certificate === 'untrusted' || undefined;
    if (typeof certificate === 'object') this.certificate = certificate;
  }

  get address(): string | undefined {
    return this.#socket.remoteAddress;
  }
}

/** Returns the bytes of the client certificate as text; empty if they cannot be determined. */
function certificateKey(socket: TLSSocket): string {
  // Null after the socket is destroyed.
  const session = socket.getSession() as Buffer | null | undefined;
  const bytes = session ? peerCertificateOf(session) : undefined;
  return bytes?.toString('latin1') ?? '';
}

function identityIn(certificate: X509Certificate): CertifiedPeer {
  const { subject } = certificate.toLegacyObject();
  const [commonName = ''] = listOf(subject.CN);
  const sha256 = certificate.fingerprint256.replaceAll(':', '').toLowerCase();
  return { commonName, organizations: listOf(subject.O), sha256 };
}

/** Node returns a single value as a string and several as an array. */
function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}
