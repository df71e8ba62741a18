import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import type { Clock } from 'client-ts/internal';
import { newInternalError } from 'client-ts/meta';

import {
  type ApiResponse,
  BodyTooLargeError,
  ConnectionResetError,
  type Handler,
  IncompleteBodyError,
  type Peer,
} from '../http.ts';
import { leave, pump } from './pump.ts';
import type { Wire } from './wire.ts';

export interface ServeOptions {
  readonly handler: Handler;
  readonly peer: Peer;
  /** In bytes. */
  readonly bodyLimit: number;
  /** How long the client may take to send its request body. */
  readonly requestTimeoutMs: number;
  readonly clock: Clock;
  /** Aborted here when the client goes away, and by the listener when the server stops. */
  readonly abort: AbortController;
  /** Drops the connection that the request came on, without a goodbye. */
  readonly reset: () => void;
  /** Called with failures that are no client's fault. */
  readonly onError: (error: unknown) => void;
}

/** Answers one request. Resolves when the answer is on its way or broken off; never rejects. */
export async function serve(wire: Wire, options: ServeOptions): Promise<void> {
  const { abort } = options;
  const gone = (): void => abort.abort();
  wire.output.on('close', gone);
  wire.output.on('error', gone);
  try {
    await answer(wire, options, abort.signal);
    await flushed(wire);
  } catch (error) {
    if (error instanceof ConnectionResetError) {
      // HTTP/2 writes what it has at the end of a turn of the event loop; it shall get that far.
      await setImmediate();
      options.reset();
    } else {
      await lastResort(wire, error, options);
    }
  } finally {
    wire.output.off('close', gone);
  }
}

async function answer(wire: Wire, options: ServeOptions, signal: AbortSignal): Promise<void> {
  const url = originForm(wire.url);
  if (url === undefined) {
    const asksForServer = wire.method === 'OPTIONS' && wire.url === '*';
    await send(wire, asksForServer ? { status: 200, headers: {} } : badRequest(), signal);
    return;
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
  });
  await send(wire, response, signal);
  body.discard();
}

/** Cuts a request off whose body does not arrive in time; its reader still gets to answer. */
function limitUpload(
  wire: Wire,
  body: RequestBody,
  { clock, requestTimeoutMs }: ServeOptions,
): void {
  const deadline = clock.schedule(
    requestTimeoutMs,
    () => {
      if (body.expire()) void flushed(wire).then(() => wire.abort());
      else wire.abort();
    },
    { background: true },
  );
  const arrived = (): void => deadline.cancel();
  wire.input.once('end', arrived).once('close', arrived);
}

/** Resolves when the answer has been handed to the connection, or cannot be any more. */
async function flushed({ output }: Wire): Promise<void> {
  if (output.writableFinished || output.destroyed) return;
  await new Promise<void>((resolve) => {
    output.once('finish', resolve).once('close', resolve);
  });
}

/** A failure that no handler has turned into an answer: reported, and a 500 if it is not too late. */
async function lastResort(wire: Wire, error: unknown, options: ServeOptions): Promise<void> {
  const { signal } = options.abort;
  // A handler that fails because its client has gone is doing what it was asked to.
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

/** Go's web server counts what it can still hold back when the handler is done, and no more. */
const COUNTED_BYTES = 2048;

async function send(wire: Wire, response: ApiResponse, signal: AbortSignal): Promise<void> {
  const { output } = wire;
  const { status, headers, body } = response;
  if (output.destroyed) {
    if (isStream(body)) leave(body[Symbol.asyncIterator]());
    return;
  }
  if (isStream(body)) {
    wire.sendHead(status, headers, true);
    // Streams end for the client as they do for a real server that stops: complete, but short.
    if ((await pump(body, output, signal)) === 'stopped' && output.writableNeedDrain) wire.abort();
    else output.end();
    return;
  }
  const size = body?.length ?? 0;
  const mayHaveLength = status >= 200 && status !== 204 && status !== 304;
  // Longer answers go in chunks over HTTP/1.1, unless they say their length themselves.
  const isCounted = mayHaveLength && (wire.version === 2 || size <= COUNTED_BYTES);
  const length = { 'content-length': String(size) };
  wire.sendHead(status, isCounted ? { ...headers, ...length } : headers, false);
  if (body === undefined || wire.method === 'HEAD') output.end();
  else output.end(body);
}

function isStream(body: ApiResponse['body']): body is AsyncIterable<Uint8Array> {
  return body !== undefined && Symbol.asyncIterator in body;
}

/** Path and query of a request target; undefined if it is none. Proxies send a whole URL. */
function originForm(target: string): string | undefined {
  const path = target.startsWith('/') ? target : /^https?:\/\/[^/?#]+(\/.*)$/.exec(target)?.[1];
  // Escapes that are none are refused here, as by every web server; a query may hold anything.
  return path === undefined || /^[^?]*%(?![0-9a-fA-F]{2})/.test(path) ? undefined : path;
}

function badRequest(): ApiResponse {
  return {
    status: 400,
    headers: { 'content-type': 'text/plain; charset=utf-8', connection: 'close' },
    body: Buffer.from('400 Bad Request'),
  };
}

/** Says nothing of the cause, which is in the server's log. */
function internalError(): ApiResponse {
  const { status } = newInternalError('the server failed to answer the request');
  return {
    status: 500,
    headers: { 'cache-control': 'no-cache, private', 'content-type': 'application/json' },
    body: Buffer.from(`${JSON.stringify(status)}\n`),
  };
}

/** An upload that no handler wants is read and dropped up to this size; beyond, it is cut off. */
const DISCARD_LIMIT = 64 * 1024 * 1024;

/**
 * The body of one request, read when first asked for. The limit is checked against the declared
 * length and against what really comes.
 */
class RequestBody {
  readonly #input: Readable;
  readonly #declaredLength: number;
  readonly #limit: number;
  #reading: Promise<Uint8Array> | undefined;
  #fail: ((error: Error) => void) | undefined;

  constructor(input: Readable, declaredLength: number, limit: number) {
    this.#input = input;
    this.#declaredLength = declaredLength;
    this.#limit = limit;
  }

  /**
   * All of it; the same promise every time. Rejects with {@link BodyTooLargeError} or
   * {@link IncompleteBodyError}.
   */
  read(): Promise<Uint8Array> {
    this.#reading ??= this.#readAll();
    return this.#reading;
  }

  /** Fails a read that is under way; false if there is none. */
  expire(): boolean {
    if (this.#fail === undefined) return false;
    this.#fail(new IncompleteBodyError('timeout'));
    return true;
  }

  /**
   * Drops the rest. A client that is still sending when it is answered should get the answer and
   * keep its connection, so its upload is let through, within reason.
   */
  discard(): void {
    const input = this.#input;
    if (input.readableEnded || input.destroyed) return;
    let size = 0;
    input.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size > DISCARD_LIMIT) input.destroy();
    });
    // An upload that breaks off now is no news.
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
