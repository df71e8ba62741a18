import type { X509Certificate } from 'node:crypto';
import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';

import { type Clock, nodeTls, type ScheduledCall } from 'client-ts/internal';

import { BoundedMap } from '../auth/bounded-map.ts';
import type { Peer } from '../http.ts';

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
  #peer: Peer | undefined;
  #active = 0;
  #closing = false;
  #deadline: ScheduledCall | undefined;

  /** `raw` is the accepted TCP socket. With TLS, {@link secured} sets the socket on top of it. */
  constructor(raw: Socket, limits: ConnectionLimits, certificates: ClientCertificates) {
    this.#raw = raw;
    this.#certificates = certificates;
    this.#socket = raw;
    this.#limits = limits;
    raw.on('close', () => this.#deadline?.cancel());
    this.#expectWithin(limits.handshakeTimeoutMs);
  }

  /** The identity that the connection proves, determined once. */
  get peer(): Peer {
    this.#peer ??= this.#certificates.peerOf(this.#socket);
    return this.#peer;
  }

  /** Called when the connection is ready for requests. */
  secured(socket: Socket): void {
    this.#socket = socket;
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
    this.#deadline?.cancel();
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
 * reading its fields costs more than the rest of a request. The key is the fingerprint of the whole certificate, so another one for
 * the same user is another entry. Whether a certificate is trusted is not remembered: TLS decides that for each connection.
 */
export class ClientCertificates {
  readonly #known = new BoundedMap<string, CertifiedPeer>(KNOWN_CERTIFICATES);

  /** Returns the address, and the identity from a client certificate signed by a trusted CA. */
  peerOf(socket: Socket): Peer {
    const address = socket.remoteAddress;
    if (!(socket instanceof nodeTls().TLSSocket)) return { address };
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined) return { address };
    if (!socket.authorized) return { address, hasUntrustedCertificate: true };
    return { address, certificate: this.#read(certificate) };
  }

  #read(certificate: X509Certificate): CertifiedPeer {
    const { fingerprint256 } = certificate;
    let peer = this.#known.get(fingerprint256);
    if (peer === undefined) {
      const { subject } = certificate.toLegacyObject();
      const [commonName = ''] = listOf(subject.CN);
      const sha256 = fingerprint256.replaceAll(':', '').toLowerCase();
      peer = { commonName, organizations: listOf(subject.O), sha256 };
      this.#known.set(fingerprint256, peer);
    }
    return peer;
  }
}

/** Node returns a single value as a string and several as an array. */
function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}
