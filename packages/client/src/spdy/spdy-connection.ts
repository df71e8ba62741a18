import type { Duplex } from 'node:stream';

import { messageOf } from '../lib/index.ts';
import {
  CONTROL,
  controlFrame,
  dataHeader,
  FLAG_FIN,
  FrameReader,
  readId,
  type Received,
  words,
} from './frames.ts';
import { HeaderDecoder, HeaderEncoder, type SpdyHeaders } from './headers.ts';
import { SpdyError } from './spdy-error.ts';
import { SpdyStream, type StreamWires } from './spdy-stream.ts';

/** Options of a {@link SpdyConnection}. */
export interface SpdyConnectionOptions {
  readonly role: 'client' | 'server';
  /** Called with every stream that the other side opens; throws to refuse it. */
  readonly onStream?: ((stream: SpdyStream) => void) | undefined;
  /** How many streams may be open at the same time; the other side's further ones are refused. */
  readonly maxStreams?: number | undefined;
  /** Called whenever something is received. */
  readonly onActivity?: (() => void) | undefined;
}

const MAX_STREAMS = 4096;
const PROTOCOL_ERROR = 1;
const REFUSED_STREAM = 3;
const CANCEL = 5;
/** Larger writes are sent in several frames, so that streams take turns. */
const FRAME_BYTES = 256 * 1024;

/**
 * A SPDY/3.1 connection over a byte stream, as container runtimes speak it: without windows, so that
 * a stream which is not read holds up the whole connection. It owns the byte stream and closes it.
 */
export class SpdyConnection implements Disposable {
  /** Resolves when the connection is over, for whatever reason. */
  readonly closed: Promise<void>;
  readonly #transport: Duplex;
  readonly #options: SpdyConnectionOptions;
  readonly #encoder = new HeaderEncoder();
  readonly #decoder = new HeaderDecoder();
  readonly #streams = new Map<number, SpdyStream>();
  readonly #pings = new Map<number, () => void>();
  #nextId: number;
  #nextPing: number;
  #lastReceived = 0;
  /** No streams are opened any more. */
  #isGoing = false;

  constructor(transport: Duplex, options: SpdyConnectionOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#nextId = options.role === 'client' ? 1 : 2;
    this.#nextPing = this.#nextId;
    transport.on('error', () => undefined);
    this.closed = this.#run();
  }

  /** Opens a stream. Data can be sent immediately; `accepted` says whether the other side wants it. */
  open(headers: SpdyHeaders): SpdyStream {
    if (this.#isGoing || this.#transport.destroyed) throw new SpdyError('the connection is closed');
    const id = this.#nextId;
    this.#nextId += 2;
    const stream = this.#add(id, headers);
    this.#send(
      controlFrame(
        CONTROL.synStream,
        0,
        words(id, 0),
        Buffer.alloc(2),
        this.#encoder.encode(headers),
      ),
    );
    return stream;
  }

  /** Resolves when the other side has answered a ping, or the connection is over. */
  async ping(): Promise<void> {
    const id = this.#nextPing;
    this.#nextPing += 2;
    const answered = new Promise<void>((resolve) => this.#pings.set(id, resolve));
    this.#send(controlFrame(CONTROL.ping, 0, words(id)));
    await Promise.race([answered, this.closed]);
  }

  /** Ends the connection and all its streams, after what was sent. */
  close(): void {
    if (!this.#isGoing) this.#send(controlFrame(CONTROL.goAway, 0, words(this.#lastReceived, 0)));
    this.#isGoing = true;
    this.#failAll('the connection was closed');
    if (!this.#transport.destroyed) this.#transport.end(() => this.#transport.destroy());
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #run(): Promise<void> {
    const reader = new FrameReader();
    let reason = 'the connection has ended';
    try {
      for await (const chunk of this.#transport as AsyncIterable<Buffer>) {
        this.#options.onActivity?.();
        reader.push(chunk);
        for (let part = reader.next(); part !== undefined; part = reader.next()) {
          await this.#receive(part);
        }
      }
    } catch (error) {
      reason = messageOf(error);
    } finally {
      this.#isGoing = true;
      this.#failAll(reason);
      this.#decoder.close();
      for (const answered of this.#pings.values()) answered();
      this.#transport.destroy();
    }
  }

  async #receive(part: Received): Promise<void> {
    if (part.kind === 'data') {
      await this.#streams.get(part.stream)?.receive(part.data, part.isLast);
      return;
    }
    const { type, flags, payload } = part;
    switch (type) {
      case CONTROL.synStream:
        await this.#opened(payload, flags);
        return;
      case CONTROL.synReply:
        await this.#replied(payload, flags);
        return;
      case CONTROL.headers:
        // Decoded although nothing uses them: all header blocks share one compressed stream.
        await this.#decoder.decode(payload.subarray(4));
        return;
      case CONTROL.rstStream:
        this.#streams.get(readId(payload))?.fail('the other side has reset the stream');
        return;
      case CONTROL.ping:
        this.#pinged(payload);
        return;
      case CONTROL.goAway:
        this.#isGoing = true;
        this.#endIfDone();
        return;
      default:
      // Settings, windows and unknown frames change nothing here.
    }
  }

  async #opened(payload: Buffer, flags: number): Promise<void> {
    const id = readId(payload);
    const headers = await this.#decoder.decode(payload.subarray(10));
    const isTheirs = id % 2 === (this.#options.role === 'client' ? 0 : 1);
    if (!isTheirs || id <= this.#lastReceived) {
      this.#reset(id, PROTOCOL_ERROR);
      throw new SpdyError(`the other side opened stream ${id}, which is not its next`);
    }
    this.#lastReceived = id;
    const { maxStreams = MAX_STREAMS, onStream } = this.#options;
    if (this.#isGoing || onStream === undefined || this.#streams.size >= maxStreams) {
      this.#reset(id, REFUSED_STREAM);
      return;
    }
    const stream = this.#add(id, headers);
    stream.accept();
    // Before the handler, which may send data.
    this.#send(controlFrame(CONTROL.synReply, 0, words(id), this.#encoder.encode({})));
    try {
      onStream(stream);
      if ((flags & FLAG_FIN) !== 0) await stream.receive(Buffer.alloc(0), true);
    } catch (error) {
      stream.destroy(error as Error);
    }
  }

  async #replied(payload: Buffer, flags: number): Promise<void> {
    const stream = this.#streams.get(readId(payload));
    await this.#decoder.decode(payload.subarray(4));
    stream?.accept();
    if ((flags & FLAG_FIN) !== 0) await stream?.receive(Buffer.alloc(0), true);
  }

  #pinged(payload: Buffer): void {
    const id = readId(payload);
    const isOurs = id % 2 === (this.#options.role === 'client' ? 1 : 0);
    if (!isOurs) {
      this.#send(controlFrame(CONTROL.ping, 0, words(id)));
      return;
    }
    this.#pings.get(id)?.();
    this.#pings.delete(id);
  }

  #add(id: number, headers: SpdyHeaders): SpdyStream {
    const stream = new SpdyStream(id, headers, this.#wires);
    this.#streams.set(id, stream);
    return stream;
  }

  readonly #wires: StreamWires = {
    data: (id, chunk, isLast, done) => this.#sendData(id, chunk, isLast, done),
    reset: (id) => this.#reset(id, CANCEL),
    closed: (id) => {
      this.#streams.delete(id);
      if (this.#isGoing) this.#endIfDone();
    },
  };

  #sendData(id: number, chunk: Buffer, isLast: boolean, done: () => void): void {
    const transport = this.#transport;
    if (transport.destroyed || transport.writableEnded) {
      done();
      return;
    }
    transport.cork();
    let position = 0;
    do {
      const part = chunk.subarray(position, position + FRAME_BYTES);
      position += part.length;
      const isEnd = position >= chunk.length;
      transport.write(
        dataHeader(id, part.length, isLast && isEnd),
        isEnd && part.length === 0 ? done : undefined,
      );
      if (part.length > 0) transport.write(part, isEnd ? done : undefined);
    } while (position < chunk.length);
    transport.uncork();
  }

  #reset(id: number, status: number): void {
    this.#send(controlFrame(CONTROL.rstStream, 0, words(id, status)));
  }

  #send(frame: Buffer): void {
    if (!this.#transport.destroyed && !this.#transport.writableEnded) this.#transport.write(frame);
  }

  #endIfDone(): void {
    if (this.#streams.size === 0 && !this.#transport.destroyed) {
      this.#transport.end(() => this.#transport.destroy());
    }
  }

  #failAll(reason: string): void {
    for (const stream of this.#streams.values()) stream.abandon(reason);
  }
}
