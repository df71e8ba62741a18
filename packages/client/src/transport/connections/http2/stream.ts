import type { TransportRequest } from '../../transport.ts';
import { Exchange } from '../connection.ts';
import type { BodySource, IsEnough } from '../response-body.ts';
import type { ReceivedBytes } from './received-bytes.ts';
import type { ResponseHead } from './response-head.ts';

/**
 * The window of a stream: how much a server may send ahead of a slow consumer. See
 * docs/adr/0006-http-connections.md.
 */
export const STREAM_WINDOW: number = 1024 * 1024;

/** What was read is returned to the server when it is as much as this, in one frame. */
const RETURNED_BYTES = STREAM_WINDOW / 2;

/** The session of a stream. */
export interface StreamOwner {
  /** The consumer stopped reading, or the request was aborted. */
  cancel(stream: Http2Stream): void;
  /** The server may send this much more. */
  returnWindow(stream: Http2Stream, bytes: number): void;
}

/** What a stream has when it is opened. */
export interface StreamStart {
  readonly id: number;
  readonly received: ReceivedBytes;
  readonly sendWindow: number;
}

/** One request on a session, until both sides have ended it. */
export class Http2Stream implements BodySource {
  readonly id: number;
  readonly exchange: Exchange;
  readonly received: ReceivedBytes;
  /** What is left of the request's body; undefined after its last byte is sent. */
  upload: Uint8Array | undefined;
  /** What this side may send. */
  sendWindow: number;
  hasHead = false;
  isClosed = false;
  readonly #owner: StreamOwner;
  /** What the server may send, and what was read since that was last raised. */
  #receiveWindow = STREAM_WINDOW;
  #read = 0;
  /** The bytes of the body that are still to come, if the server said how many. */
  #expected: number | undefined;

  constructor(request: TransportRequest, owner: StreamOwner, start: StreamStart) {
    const { id, received, sendWindow } = start;
    this.id = id;
    this.received = received;
    this.upload = request.body?.length === 0 ? undefined : request.body;
    this.sendWindow = sendWindow;
    this.#owner = owner;
    this.exchange = new Exchange(request, () => owner.cancel(this));
  }

  /** The final head has arrived. */
  respond({ status, headers, length }: ResponseHead): void {
    this.hasHead = true;
    const { method } = this.exchange.request;
    const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
    this.#expected = hasBody ? length : 0;
    this.exchange.respond(status, headers, hasBody ? this : undefined);
  }

  /** Counts a DATA frame, with its padding. Returns false if the server may not send as much. */
  takeWindow(bytes: number): boolean {
    this.#receiveWindow -= bytes;
    return this.#receiveWindow >= 0;
  }

  /** Counts data of the body. Returns false if it is more than announced. */
  expect(bytes: number): boolean {
    if (this.#expected === undefined) return true;
    this.#expected -= bytes;
    return this.#expected >= 0;
  }

  /** Returns why the server must not end the stream now, if that is so. */
  faultOfEnd(): string | undefined {
    if (!this.hasHead) return 'the response has no head';
    return (this.#expected ?? 0) > 0 ? 'the body is shorter than announced' : undefined;
  }

  /** Returns what has arrived, in pieces; the server may send as much again. */
  read(): Uint8Array | null {
    const piece = this.received.take();
    if (piece !== null) this.release(piece.length);
    return piece;
  }

  holds(isEnough: IsEnough): boolean {
    return this.received.holds(isEnough);
  }

  reuse(): void {
    this.received.reuse();
  }

  /** Bytes that count against the window are not needed any more. */
  release(bytes: number): void {
    this.#read += bytes;
    if (this.isClosed || this.#read < RETURNED_BYTES) return;
    this.#receiveWindow += this.#read;
    this.#owner.returnWindow(this, this.#read);
    this.#read = 0;
  }
}
