import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import type { Clock } from 'client-ts/internal';
import { newInternalError } from 'client-ts/meta';

import {
  type ApiResponse,
  BodyTooLargeError,
  BrokenResponseError,
  ConnectionResetError,
  discardBody,
  type Handler,
  IncompleteBodyError,
  isStream,
  type Peer,
} from '../http.ts';
import { pump } from './pump.ts';
import type { Wire } from './wire.ts';

export interface ServeOptions {
  readonly handler: Handler;
  readonly peer: Peer;
  /** In bytes. */
  readonly bodyLimit: number;
  /** How long the client may take to send its request body. */
  readonly requestTimeoutMs: number;
  readonly clock: Clock;
  /** Aborted when the client disconnects, and by the listener when the server stops. */
  readonly abort: AbortController;
  /** Resets the connection of the request. */
  readonly reset: () => void;
  /** Called with failures that are not caused by clients. */
  readonly onError: (error: unknown) => void;
}

/** One for all requests: an error of its own, with a stack, would cost more than the rest of the end. */
const CLIENT_GONE = new DOMException('The client closed the connection', 'AbortError');

/** Answers one request. Resolves when the response is sent or broken off; never rejects. */
export async function serve(wire: Wire, options: ServeOptions): Promise<void> {
  const { abort } = options;
  const gone = (): void => abort.abort(CLIENT_GONE);
  wire.output.on('close', gone);
  wire.output.on('error', gone);
  try {
    if ((await answer(wire, options, abort.signal)) === 'answered') await flushed(wire);
  } catch (error) {
    if (error instanceof ConnectionResetError) {
      // HTTP/2 flushes at the end of a turn of the event loop, so this waits for it.
      await setImmediate();
      options.reset();
    } else if (error instanceof BrokenResponseError) {
      wire.abort();
    } else {
      await answerFailure(wire, error, options);
    }
  } finally {
    wire.output.off('close', gone);
  }
}

async function answer(
  wire: Wire,
  options: ServeOptions,
  signal: AbortSignal,
): Promise<'answered' | 'upgraded'> {
  const url = originForm(wire.url);
  if (url === undefined) {
    const asksForServer = wire.method === 'OPTIONS' && wire.url === '*';
    await send(wire, asksForServer ? { status: 200, headers: {} } : badRequest(), signal);
    return 'answered';
  }
  const { method, headers } = wire;
  const declaredLength = Number(headers['content-length'] ?? 0);
  const body = new RequestBody(wire.input, declaredLength, options.bodyLimit);
  if (wire.hasBody) limitUpload(wire, body, options);
  const response = await options.handler({
    method,
    url,
    headers,
    peer: options.peer,
    signal,
    body: () => body.read(),
    bodyStream: wire.hasBody ? () => body.stream() : undefined,
    ...(wire.takeOver !== undefined && { canUpgrade: true }),
  });
  if (response.upgrade !== undefined) {
    await upgrade(wire, response.upgrade, options);
    return 'upgraded';
  }
  await send(wire, response, signal);
  body.discard();
  return 'answered';
}

/** Gives the connection to another protocol, and closes it afterwards. */
async function upgrade(
  wire: Wire,
  run: NonNullable<ApiResponse['upgrade']>,
  { abort, onError }: ServeOptions,
): Promise<void> {
  const connection = wire.takeOver?.();
  if (connection === undefined) return;
  const { socket } = connection;
  const gone = (): void => abort.abort();
  socket.once('close', gone);
  // Errors of a socket show as its end.
  socket.on('error', () => undefined);
  if (socket.destroyed) gone();
  try {
    await run(connection);
    if (!socket.destroyed) socket.end();
  } catch (error) {
    if (error instanceof ConnectionResetError) throw error;
    if (!abort.signal.aborted) onError(error);
    socket.destroy();
  } finally {
    socket.off('close', gone);
  }
}

/** Cuts off a request whose body does not arrive in time; its handler can still answer. */
function limitUpload(
  wire: Wire,
  body: RequestBody,
  { clock, requestTimeoutMs }: ServeOptions,
): void {
  const deadline = clock.schedule(
    requestTimeoutMs,
    () => {
      if (body.isStreamed) return;
      if (body.expire()) void flushed(wire).then(() => wire.abort());
      else wire.abort();
    },
    { background: true },
  );
  const arrived = (): void => deadline.cancel();
  wire.input.once('end', arrived).once('close', arrived);
}

/** Resolves when the response has been passed to the connection, or can no longer be. */
async function flushed({ output }: Wire): Promise<void> {
  if (output.writableFinished || output.destroyed) return;
  await new Promise<void>((resolve) => {
    output.once('finish', resolve).once('close', resolve);
  });
}

/** Reports an error that no handler has turned into a response, and sends a 500 if possible. */
async function answerFailure(wire: Wire, error: unknown, options: ServeOptions): Promise<void> {
  const { signal } = options.abort;
  // A handler that fails because its client disconnected is not an error.
  if (signal.aborted) {
    wire.abort();
    return;
  }
  options.onError(error);
  try {
    if (wire.isHeadSent) throw error;
    await send(wire, internalError(), signal);
    await flushed(wire);
  } catch {
    wire.abort();
  }
}

/** Go's web server only counts responses that fit its buffer when the handler is done. */
const COUNTED_BYTES = 2048;

async function send(wire: Wire, response: ApiResponse, signal: AbortSignal): Promise<void> {
  const { output } = wire;
  const { status, headers, body } = response;
  if (output.destroyed) {
    discardBody(response);
    return;
  }
  if (isStream(body)) {
    wire.sendHead(status, headers, true);
    if (wire.method === 'HEAD') {
      discardBody(response);
      output.end();
      return;
    }
    // Streams end like those of a real server that stops: cleanly.
    if ((await pump(body, wire, signal)) === 'stopped' && wire.sink.writableNeedDrain) wire.abort();
    else output.end();
    return;
  }
  const size = body?.length ?? 0;
  const isHead = wire.method === 'HEAD' && body === undefined;
  const mayHaveLength = status >= 200 && status !== 204 && status !== 304 && !isHead;
  // Longer responses are chunked over HTTP/1.1, unless they set their length themselves.
  const isCounted = mayHaveLength && (wire.version === 2 || size <= COUNTED_BYTES);
  const length = { 'content-length': String(size) };
  wire.sendHead(status, isCounted ? { ...length, ...headers } : headers, false);
  if (body === undefined || wire.method === 'HEAD') output.end();
  else output.end(body);
}

/** Returns path and query of a request target; undefined if invalid. Proxies send a whole URL. */
function originForm(target: string): string | undefined {
  const path = target.startsWith('/') ? target : /^https?:\/\/[^/?#]+(\/.*)$/.exec(target)?.[1];
  // Invalid escapes are rejected, as by every web server; a query may contain anything.
  return path === undefined || /^[^?]*%(?![0-9a-fA-F]{2})/.test(path) ? undefined : path;
}

function badRequest(): ApiResponse {
  return {
    status: 400,
    headers: { 'content-type': 'text/plain; charset=utf-8', connection: 'close' },
    body: Buffer.from('400 Bad Request'),
  };
}

/** Does not reveal the cause, which is in the server's log. */
function internalError(): ApiResponse {
  const { status } = newInternalError('the server failed to answer the request');
  return {
    status: 500,
    headers: { 'cache-control': 'no-cache, private', 'content-type': 'application/json' },
    body: Buffer.from(`${JSON.stringify(status)}\n`),
  };
}

/** An unread upload is drained up to this size, then cut off. */
const DISCARD_LIMIT = 64 * 1024 * 1024;

/**
 * The body of one request, read on first use. The limit applies to the declared length and to the
 * actual size.
 */
class RequestBody {
  readonly #input: Readable;
  readonly #declaredLength: number;
  readonly #limit: number;
  #reading: Promise<Uint8Array> | undefined;
  #fail: ((error: Error) => void) | undefined;
  #isStreamed = false;

  constructor(input: Readable, declaredLength: number, limit: number) {
    this.#input = input;
    this.#declaredLength = declaredLength;
    this.#limit = limit;
  }

  /**
   * Reads the whole body; returns the same promise every time. Rejects with {@link
   * BodyTooLargeError} or {@link IncompleteBodyError}.
   */
  read(): Promise<Uint8Array> {
    this.#reading ??= this.#readAll();
    return this.#reading;
  }

  /** Returns the body as it arrives, which may take any time. What is not read is discarded. */
  stream(): AsyncIterable<Uint8Array> {
    this.#isStreamed = true;
    return this.#input.iterator({ destroyOnReturn: false });
  }

  /** True if the body is passed on as it arrives. */
  get isStreamed(): boolean {
    return this.#isStreamed;
  }

  /** Fails a pending read; false if there is none. */
  expire(): boolean {
    if (this.#fail === undefined) return false;
    this.#fail(new IncompleteBodyError('timeout'));
    return true;
  }

  /**
   * Drains the rest. A client that is still sending when it is answered should get the response and
   * keep its connection, so its upload is read, up to a limit.
   */
  discard(): void {
    const input = this.#input;
    if (input.readableEnded || input.destroyed) return;
    let size = 0;
    input.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size > DISCARD_LIMIT) input.destroy();
    });
    // Errors of an upload no longer matter.
    input.on('error', () => undefined);
  }

  #readAll(): Promise<Uint8Array> {
    const input = this.#input;
    return new Promise((resolve, reject) => {
      if (this.#declaredLength > this.#limit) {
        reject(new BodyTooLargeError(this.#limit));
        return;
      }
      const chunks: Uint8Array[] = [];
      let size = 0;
      const settle = (finish: () => void): void => {
        input.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
        this.#fail = undefined;
        finish();
      };
      const fail = (error: Error): void => settle(() => reject(error));
      const onData = (chunk: Uint8Array): void => {
        size += chunk.length;
        if (size > this.#limit) fail(new BodyTooLargeError(this.#limit));
        else chunks.push(chunk);
      };
      const onEnd = (): void => settle(() => resolve(joined(chunks)));
      const onGone = (): void => fail(new IncompleteBodyError('aborted'));
      this.#fail = fail;
      input.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
      if (input.destroyed) onGone();
    });
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}
