import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';

import type { Peer } from '../http.ts';
import { peerOf } from './peer.ts';

/** One client connection, from the accepted socket to the last answer on it. */
export class Connection {
  readonly #raw: Socket;
  #socket: Socket;
  #session: ServerHttp2Session | undefined;
  #peer: Peer | undefined;
  #active = 0;
  #closing = false;

  /** `raw` is the accepted TCP socket. With TLS, {@link secured} tells of the socket on top. */
  constructor(raw: Socket) {
    this.#raw = raw;
    this.#socket = raw;
  }

  /** Who is at the other end; found out once. */
  get peer(): Peer {
    this.#peer ??= peerOf(this.#socket);
    return this.#peer;
  }

  secured(socket: Socket): void {
    this.#socket = socket;
  }

  /** The connection speaks HTTP/2. */
  upgraded(session: ServerHttp2Session): void {
    this.#session = session;
    if (this.#closing) session.close();
  }

  requestStarted(): void {
    this.#active += 1;
  }

  requestEnded(): void {
    this.#active -= 1;
    if (this.#closing) this.#closeIfIdle();
  }

  get isIdle(): boolean {
    return this.#active === 0;
  }

  /** True when the next answer should say that it is the last. */
  get isClosing(): boolean {
    return this.#closing;
  }

  /** Lets what is under way finish, takes nothing new, and goes. */
  close(): void {
    this.#closing = true;
    // Sends GOAWAY; the session goes by itself after its last stream.
    this.#session?.close();
    this.#closeIfIdle();
  }

  /** Goes at once: the other end sees a reset, not an end. */
  reset(): void {
    // A socket that has not been secured yet, or is on its way out, may be past resetting.
    if (this.#raw.destroyed) return;
    this.#raw.resetAndDestroy();
    this.#socket.destroy();
  }

  #closeIfIdle(): void {
    if (this.#active === 0 && this.#session === undefined) this.#socket.destroySoon();
  }
}
