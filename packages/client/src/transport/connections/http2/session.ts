import type { Socket } from 'node:net';
import { connectionError, TransportError } from '../../transport-error.ts';
import type { TransportRequest } from '../../transport.ts';
import { addFields } from '../headers.ts';
import {
  FLAGS,
  FrameReader,
  type FrameReceiver,
  FRAMES,
  MAX_FRAME_BYTES,
  wrongPadding,
} from './frames.ts';
import { FrameWriter } from './frame-writer.ts';
import { HeaderDecoder } from './header-decoder.ts';
import { HeaderEncoder } from './header-encoder.ts';
import {
  ERROR_CODES,
  type ErrorName,
  errorName,
  isViolation,
  type Violation,
  violation,
} from './violation.ts';
import { ReceivedBytes, SharedSlab } from './received-bytes.ts';
import { checkTrailers, readHead } from './response-head.ts';
import { DEFAULT_WINDOW, MAX_WINDOW, readSettings, SETTINGS } from './settings.ts';
import { FIELD_OVERHEAD } from './static-table.ts';
import { Http2Stream, STREAM_WINDOW, type StreamOwner } from './stream.ts';

/** The most that the headers of one response may have, compressed or not. */
const MAX_HEADER_BYTES = 1024 * 1024;

/** Stream ids are odd and have 31 bits. */
const LAST_STREAM_ID = 2 ** 31 - 1;

/** The window of the session is returned to the server when this much of it is used. */
const RETURNED_BYTES = 2 ** 30;

/** The most answers to pings and settings that are kept for a server that does not read them. */
const MAX_QUEUED_ANSWERS = 10_000;

/** The most empty DATA frames in a row that do not end a stream: they cost the server nothing. */
const MAX_EMPTY_FRAMES = 1000;

export interface SessionOptions {
  /** Host and port, for `:authority` and errors. */
  readonly authority: string;
  readonly scheme: 'http' | 'https';
  /** The server allows this many streams from now on. */
  readonly onStreamLimit: (limit: number) => void;
  /** The server accepts no new streams. */
  readonly onGoaway: () => void;
  readonly onStreamEnd: () => void;
}

/** A header block of which more frames follow. */
interface OpenBlock {
  readonly streamId: number;
  readonly endStream: boolean;
  readonly fragments: Buffer[];
  size: number;
}

/** The client's side of an HTTP/2 connection (RFC 9113): its streams, windows and settings. */
export class Http2Session implements FrameReceiver, StreamOwner {
  readonly #socket: Socket;
  readonly #options: SessionOptions;
  readonly #writer: FrameWriter;
  readonly #reader: FrameReader;
  readonly #encoder = new HeaderEncoder();
  readonly #decoder = new HeaderDecoder(MAX_HEADER_BYTES);
  readonly #slab = new SharedSlab();
  readonly #streams = new Map<number, Http2Stream>();
  /** Streams whose body waits for a window, in order. */
  readonly #uploads = new Set<Http2Stream>();
  #nextId = 1;
  #maxFrame = MAX_FRAME_BYTES;
  #maxHeaderList = Infinity;
  #initialWindow = DEFAULT_WINDOW;
  #sendWindow = DEFAULT_WINDOW;
  #received = 0;
  #hasSettings = false;
  #emptyFrames = 0;
  /** Since nothing was left to be sent. */
  #answers = 0;
  #block: OpenBlock | undefined;
  /** The stream of the current DATA frame; undefined if its data is discarded. */
  #current: Http2Stream | undefined;
  #goaway: string | undefined;
  #pinged: (() => void) | undefined;
  #isOver = false;

  constructor(socket: Socket, options: SessionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#reader = new FrameReader(this);
    this.#writer = new FrameWriter(socket);
    this.#writer.preface();
    this.#writer.settings([
      [SETTINGS.ENABLE_PUSH, 0],
      [SETTINGS.INITIAL_WINDOW_SIZE, STREAM_WINDOW],
      [SETTINGS.MAX_HEADER_LIST_SIZE, MAX_HEADER_BYTES],
    ]);
    // The sum over all streams is not limited.
    this.#writer.windowUpdate(0, MAX_WINDOW - DEFAULT_WINDOW);
  }

  get streams(): Iterable<Http2Stream> {
    return this.#streams.values();
  }

  get streamCount(): number {
    return this.#streams.size;
  }

  /** False after the server or this side has announced the end, and when the stream ids are used up. */
  get isOpen(): boolean {
    return !this.#isOver && this.#goaway === undefined && this.#nextId <= LAST_STREAM_ID;
  }

  /** Sends a request. Throws a {@link TransportError} if it cannot be sent. */
  open(request: TransportRequest): Http2Stream {
    const block = this.#encoder.encode(this.#fieldsOf(request));
    const id = this.#nextId;
    this.#nextId += 2;
    const endStream = (request.body?.length ?? 0) === 0;
    this.#writer.headers(id, block, { endStream, maxFrame: this.#maxFrame });
    const stream = new Http2Stream(request, this, {
      id,
      received: new ReceivedBytes(this.#slab),
      sendWindow: this.#initialWindow,
    });
    // Its signal may have aborted it.
    if (stream.isClosed) return stream;
    this.#streams.set(id, stream);
    this.#send(stream);
    return stream;
  }

  /** Calls `answered` when the server has answered, unless another ping follows before that. */
  ping(answered: () => void): void {
    this.#pinged = answered;
    this.#writer.ping(PING, false);
  }

  /** Handles what was read from the socket: the first `size` bytes, valid until this returns. */
  receive(bytes: Buffer, size: number): void {
    if (this.#isOver) return;
    try {
      this.#reader.receive(bytes, size);
    } catch (error) {
      if (!isViolation(error)) throw error;
      this.#broken(error);
    }
  }

  /** Ends the session: politely, for a session without streams. */
  close(reason: ErrorName = 'NO_ERROR'): void {
    if (this.#isOver || this.#socket.destroyed) return;
    this.#isOver = true;
    if (this.#goaway === undefined || reason !== 'NO_ERROR') {
      this.#writer.goaway(ERROR_CODES[reason]);
    }
    this.#writer.flush();
    // A server that does not read would never get the rest.
    if (this.#socket.writableNeedDrain) this.#socket.destroy();
    // Not half-closed: the server may never end its side.
    else this.#socket.end(() => this.#socket.destroy());
  }

  /** The socket is closed; `error` is the reason, if there is one. */
  closed(error: Error | undefined): void {
    this.#isOver = true;
    const { authority: server } = this.#options;
    const message = this.#goaway ?? 'the connection was closed';
    const cause = error ?? Object.assign(new Error(message), { code: 'ECONNRESET' });
    this.failAll(connectionError(cause, { server, mayHaveBeenHandled: true }));
  }

  cancel(stream: Http2Stream): void {
    this.#reset(stream, 'CANCEL');
  }

  returnWindow(stream: Http2Stream, bytes: number): void {
    this.#writer.windowUpdate(stream.id, bytes);
  }

  onDataStart(streamId: number, length: number): void {
    this.#checkOrder(FRAMES.DATA, 0, streamId);
    this.#emptyFrames = length === 0 ? this.#emptyFrames + 1 : 0;
    if (this.#emptyFrames > MAX_EMPTY_FRAMES) {
      throw violation('ENHANCE_YOUR_CALM', 'too many empty frames');
    }
    this.#received += length;
    if (this.#received >= RETURNED_BYTES) {
      this.#writer.windowUpdate(0, this.#received);
      this.#received = 0;
    }
    const stream = this.#streamOf(streamId);
    this.#current = stream;
    if (stream === undefined) return;
    if (!stream.hasHead)
      this.#malformed(stream, violation('PROTOCOL_ERROR', 'data before the head'));
    else if (!stream.takeWindow(length)) {
      const message = 'the server sent more than the window allows';
      this.#fail(stream, 'FLOW_CONTROL_ERROR', this.#protocolError(message));
    }
  }

  onData(bytes: Buffer, start: number, end: number): void {
    const stream = this.#current;
    if (stream === undefined || stream.isClosed) return;
    if (!stream.expect(end - start)) {
      this.#malformed(stream, violation('PROTOCOL_ERROR', 'the body is longer than announced'));
      return;
    }
    stream.received.append(bytes, start, end);
    stream.exchange.arrived();
  }

  onDataEnd(flags: number, padding: number): void {
    const stream = this.#current;
    this.#current = undefined;
    if (stream === undefined || stream.isClosed) return;
    if (padding > 0) stream.release(padding);
    if ((flags & FLAGS.END_STREAM) === 0) return;
    this.#emptyFrames = 0;
    this.#ended(stream);
  }

  onFrame(type: number, flags: number, streamId: number, payload: Buffer): void {
    this.#checkOrder(type, flags, streamId);
    switch (type) {
      case FRAMES.HEADERS:
        this.#onHeaders(flags, streamId, payload);
        break;
      case FRAMES.CONTINUATION:
        this.#onContinuation(flags, payload);
        break;
      case FRAMES.RST_STREAM:
        this.#onReset(streamId, payload);
        break;
      case FRAMES.SETTINGS:
        this.#onSettings(flags, streamId, payload);
        break;
      case FRAMES.PING:
        this.#onPing(flags, streamId, payload);
        break;
      case FRAMES.GOAWAY:
        this.#onGoaway(streamId, payload);
        break;
      case FRAMES.WINDOW_UPDATE:
        this.#onWindowUpdate(streamId, payload);
        break;
      case FRAMES.PUSH_PROMISE:
        throw violation('PROTOCOL_ERROR', 'the server pushed a stream');
      case FRAMES.PRIORITY:
        if (streamId === 0) throw noStream('PRIORITY');
        break;
      default:
      // Extensions that were not agreed on are ignored (RFC 9113, section 5.5).
    }
  }

  /** Settings come first, and nothing comes between the frames of a header block. */
  #checkOrder(type: number, flags: number, streamId: number): void {
    if (!this.#hasSettings && (type !== FRAMES.SETTINGS || (flags & FLAGS.ACK) !== 0)) {
      throw violation('PROTOCOL_ERROR', 'the server did not begin with its settings');
    }
    const isContinued = type === FRAMES.CONTINUATION && this.#block?.streamId === streamId;
    if ((this.#block !== undefined || type === FRAMES.CONTINUATION) && !isContinued) {
      throw violation('PROTOCOL_ERROR', 'the frames of a header block are not contiguous');
    }
  }

  /** Returns the stream, or undefined if it is closed. */
  #streamOf(streamId: number): Http2Stream | undefined {
    const stream = this.#streams.get(streamId);
    if (stream === undefined && (streamId % 2 === 0 || streamId >= this.#nextId)) {
      throw violation('PROTOCOL_ERROR', `a frame for stream ${streamId}, which is not open`);
    }
    return stream;
  }

  #onHeaders(flags: number, streamId: number, payload: Buffer): void {
    const isPadded = (flags & FLAGS.PADDED) !== 0;
    const priority = (flags & FLAGS.PRIORITY) === 0 ? 0 : 5;
    const start = (isPadded ? 1 : 0) + priority;
    const end = payload.length - (isPadded ? (payload[0] ?? 0) : 0);
    if (start > end) throw wrongPadding();
    this.#streamOf(streamId);
    const fragment = payload.subarray(start, end);
    const endStream = (flags & FLAGS.END_STREAM) !== 0;
    if ((flags & FLAGS.END_HEADERS) !== 0) this.#onBlock(streamId, endStream, fragment);
    else {
      const fragments = [Buffer.from(fragment)];
      this.#block = { streamId, endStream, fragments, size: payload.length };
    }
  }

  #onContinuation(flags: number, payload: Buffer): void {
    const block = this.#block as OpenBlock;
    block.fragments.push(Buffer.from(payload));
    // Empty frames count, too.
    block.size += payload.length + FIELD_OVERHEAD;
    if (block.size > MAX_HEADER_BYTES) {
      const message = `the headers of a response exceed ${MAX_HEADER_BYTES} bytes`;
      throw violation('ENHANCE_YOUR_CALM', message);
    }
    if ((flags & FLAGS.END_HEADERS) === 0) return;
    this.#block = undefined;
    this.#onBlock(block.streamId, block.endStream, Buffer.concat(block.fragments));
  }

  #onBlock(streamId: number, endStream: boolean, block: Buffer): void {
    // Also for a closed stream: the block changes the table of the decoder.
    const fields = this.#decoder.decode(block);
    const stream = this.#streams.get(streamId);
    if (stream === undefined) return;
    try {
      this.#onFields(stream, fields, endStream);
    } catch (error) {
      if (!isViolation(error)) throw error;
      this.#malformed(stream, error);
      return;
    }
    if (endStream) this.#ended(stream);
  }

  #onFields(stream: Http2Stream, fields: readonly string[], endStream: boolean): void {
    if (stream.hasHead) {
      checkTrailers(fields);
      if (!endStream) throw violation('PROTOCOL_ERROR', 'headers in the middle of the body');
      return;
    }
    const head = readHead(fields);
    if (head.status >= 200) stream.respond(head);
    else if (endStream || head.status === 101) {
      throw violation('PROTOCOL_ERROR', `the response has the status ${head.status}`);
    }
  }

  #onReset(streamId: number, payload: Buffer): void {
    if (streamId === 0) throw noStream('RST_STREAM');
    checkSize('RST_STREAM', payload, 4);
    const stream = this.#streamOf(streamId);
    if (stream === undefined) return;
    const code = payload.readUInt32BE(0);
    this.#remove(stream);
    if (code === ERROR_CODES.REFUSED_STREAM) stream.exchange.fail(this.#refused());
    else {
      const { authority: server } = this.#options;
      const cause = new Error(`the server reset the stream with ${errorName(code)}`);
      const message = `${server}: the HTTP/2 stream was reset`;
      stream.exchange.fail(
        new TransportError('TRANSPORT_CONNECTION_RESET', message, {
          cause,
          server,
          mayHaveBeenHandled: true,
        }),
      );
    }
    this.#options.onStreamEnd();
  }

  #onSettings(flags: number, streamId: number, payload: Buffer): void {
    if (streamId !== 0) throw noConnection('SETTINGS');
    if ((flags & FLAGS.ACK) !== 0) {
      checkSize('SETTINGS', payload, 0);
      return;
    }
    const settings = readSettings(payload);
    let limit = this.#hasSettings ? undefined : Infinity;
    this.#hasSettings = true;
    for (const [id, value] of settings) {
      if (id === SETTINGS.HEADER_TABLE_SIZE) this.#encoder.setCapacity(value);
      else if (id === SETTINGS.MAX_CONCURRENT_STREAMS) limit = value;
      else if (id === SETTINGS.INITIAL_WINDOW_SIZE) this.#changeWindows(value);
      else if (id === SETTINGS.MAX_FRAME_SIZE) this.#maxFrame = value;
      else if (id === SETTINGS.MAX_HEADER_LIST_SIZE) this.#maxHeaderList = value;
    }
    this.#answer();
    this.#writer.settingsAck();
    if (limit !== undefined) this.#options.onStreamLimit(limit);
  }

  /** The initial window applies to open streams, too; their windows may become negative. */
  #changeWindows(initial: number): void {
    const change = initial - this.#initialWindow;
    this.#initialWindow = initial;
    for (const stream of this.#streams.values()) {
      stream.sendWindow += change;
      if (stream.sendWindow > MAX_WINDOW) {
        throw violation('FLOW_CONTROL_ERROR', `the window of stream ${stream.id} overflows`);
      }
    }
    this.#sendMore();
  }

  #onPing(flags: number, streamId: number, payload: Buffer): void {
    if (streamId !== 0) throw noConnection('PING');
    checkSize('PING', payload, 8);
    if ((flags & FLAGS.ACK) === 0) {
      this.#answer();
      this.#writer.ping(payload, true);
    } else if (payload.equals(PING)) this.#pinged?.();
  }

  /** Answers must be read: a server that only sends pings must not fill the memory. */
  #answer(): void {
    // Not their size: requests may be queued before them.
    this.#answers = this.#writer.queued === 0 ? 1 : this.#answers + 1;
    if (this.#answers > MAX_QUEUED_ANSWERS) {
      throw violation('ENHANCE_YOUR_CALM', 'the server does not read the answers to its pings');
    }
  }

  /** Streams above the last one were not processed; the others go on. */
  #onGoaway(streamId: number, payload: Buffer): void {
    if (streamId !== 0) throw noConnection('GOAWAY');
    if (payload.length < 8) throw wrongSize('GOAWAY', payload);
    const last = payload.readUInt32BE(0) & LAST_STREAM_ID;
    const code = payload.readUInt32BE(4);
    const debug = payload.toString('latin1', 8, Math.min(payload.length, 8 + 200));
    const said = debug === '' ? '' : `: ${JSON.stringify(debug)}`;
    // Now, not when the last stream is over: Node's servers do not read any more then.
    if (this.#goaway === undefined) this.#writer.goaway(ERROR_CODES.NO_ERROR);
    this.#goaway = `the server ended the session with ${errorName(code)}${said}`;
    for (const stream of this.#streams.values()) {
      if (stream.id <= last) continue;
      this.#remove(stream);
      stream.exchange.fail(this.#refused());
    }
    this.#options.onGoaway();
  }

  #onWindowUpdate(streamId: number, payload: Buffer): void {
    checkSize('WINDOW_UPDATE', payload, 4);
    const bytes = payload.readUInt32BE(0) & MAX_WINDOW;
    if (streamId === 0) {
      this.#sendWindow += bytes;
      if (bytes === 0) throw violation('PROTOCOL_ERROR', 'a window is raised by nothing');
      if (this.#sendWindow > MAX_WINDOW) {
        throw violation('FLOW_CONTROL_ERROR', 'the window of the session overflows');
      }
      this.#sendMore();
      return;
    }
    const stream = this.#streamOf(streamId);
    if (stream === undefined) return;
    stream.sendWindow += bytes;
    if (bytes === 0) {
      this.#fail(stream, 'PROTOCOL_ERROR', this.#protocolError('a window is raised by nothing'));
    } else if (stream.sendWindow > MAX_WINDOW) {
      this.#fail(stream, 'FLOW_CONTROL_ERROR', this.#protocolError('the window overflows'));
    } else this.#send(stream);
  }

  #sendMore(): void {
    for (const stream of this.#uploads) {
      if (this.#sendWindow <= 0) return;
      this.#send(stream);
    }
  }

  /** Sends as much of the request's body as the windows allow. */
  #send(stream: Http2Stream): void {
    while (stream.upload !== undefined) {
      const { upload } = stream;
      const room = Math.min(this.#maxFrame, this.#sendWindow, stream.sendWindow);
      if (room <= 0) {
        this.#uploads.add(stream);
        return;
      }
      const size = Math.min(upload.length, room);
      this.#sendWindow -= size;
      stream.sendWindow -= size;
      stream.upload = size === upload.length ? undefined : upload.subarray(size);
      this.#writer.data(stream.id, upload.subarray(0, size), stream.upload === undefined);
    }
    this.#uploads.delete(stream);
  }

  /** The server has ended the stream. */
  #ended(stream: Http2Stream): void {
    const fault = stream.faultOfEnd();
    if (fault !== undefined) {
      this.#malformed(stream, violation('PROTOCOL_ERROR', fault));
      return;
    }
    // It does not need the rest of the request.
    if (stream.upload !== undefined) {
      this.#writer.resetStream(stream.id, ERROR_CODES.NO_ERROR);
    }
    this.#remove(stream);
    stream.exchange.complete();
    this.#options.onStreamEnd();
  }

  #malformed(stream: Http2Stream, cause: Violation): void {
    this.#fail(stream, 'PROTOCOL_ERROR', this.#protocolError(cause.message, cause));
  }

  #fail(stream: Http2Stream, reason: ErrorName, error: TransportError): void {
    stream.exchange.fail(error);
    this.#reset(stream, reason);
  }

  #reset(stream: Http2Stream, reason: ErrorName): void {
    if (stream.isClosed) return;
    this.#writer.resetStream(stream.id, ERROR_CODES[reason]);
    this.#remove(stream);
    this.#options.onStreamEnd();
  }

  #remove(stream: Http2Stream): void {
    stream.isClosed = true;
    stream.upload = undefined;
    this.#streams.delete(stream.id);
    this.#uploads.delete(stream);
  }

  /** The server broke the rules: nothing that follows can be trusted. */
  #broken(error: Violation): void {
    this.close(error.errorName);
    this.failAll(this.#protocolError(error.message, error));
  }

  /** Ends all streams with the error; what has arrived of their bodies can still be read. */
  failAll(error: TransportError): void {
    for (const stream of this.#streams.values()) {
      this.#remove(stream);
      stream.exchange.fail(error);
    }
    this.#options.onStreamEnd();
  }

  #protocolError(what: string, cause?: Error): TransportError {
    const { authority: server } = this.#options;
    const message = `${server}: the other side broke the rules of HTTP/2: ${what}`;
    return new TransportError('TRANSPORT_PROTOCOL', message, {
      cause,
      server,
      mayHaveBeenHandled: true,
    });
  }

  #refused(): TransportError {
    const { authority: server } = this.#options;
    const message = `${server}: the server refused the stream before processing it`;
    const cause = this.#goaway === undefined ? undefined : new Error(this.#goaway);
    return new TransportError('TRANSPORT_STREAM_REFUSED', message, { cause, server });
  }

  #fieldsOf({ method, path, headers, body }: TransportRequest): string[] {
    const { scheme, authority } = this.#options;
    if (!METHOD.test(method)) {
      const message = `the method ${JSON.stringify(method)} has characters not allowed`;
      throw new TransportError('TRANSPORT_REQUEST_INVALID', message);
    }
    const fields = [':method', method, ':scheme', scheme, ':authority', authority, ':path', path];
    addFields(fields, headers);
    if (body !== undefined) fields.push('content-length', String(body.length));
    if (this.#maxHeaderList === Infinity) return fields;
    let size = 0;
    for (const text of fields) size += text.length + FIELD_OVERHEAD / 2;
    if (size <= this.#maxHeaderList) return fields;
    const message = `${authority}: the headers have ${size} bytes, and the server accepts ${this.#maxHeaderList}`;
    throw new TransportError('TRANSPORT_REQUEST_INVALID', message, { server: authority });
  }
}

const METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The content of our pings. */
const PING = Buffer.from('liveness', 'latin1');

function noStream(frame: string): Violation {
  return violation('PROTOCOL_ERROR', `a ${frame} frame without a stream`);
}

function noConnection(frame: string): Violation {
  return violation('PROTOCOL_ERROR', `a ${frame} frame on a stream`);
}

function wrongSize(frame: string, payload: Buffer): Violation {
  return violation('FRAME_SIZE_ERROR', `a ${frame} frame has ${payload.length} bytes`);
}

function checkSize(frame: string, payload: Buffer, size: number): void {
  if (payload.length !== size) throw wrongSize(frame, payload);
}
