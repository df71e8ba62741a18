import { JsonFrames, LengthDelimitedFrames, MEDIA_TYPES, mediaTypeEssence } from 'client-ts/codec';
import { onAbort } from 'client-ts/internal';
import type { WebSocket } from 'ws';

import {
  type ApiRequest,
  type ApiResponse,
  type Handler,
  isStream,
  type UpgradableConnection,
} from '../http.ts';
import { acceptWebSocket, requestedProtocols } from './websocket.ts';

/** The subprotocols of a byte stream: binary messages, or text messages with base64. */
const BASE64 = 'base64.binary.k8s.io';
const BYTE_PROTOCOLS = ['', 'binary.k8s.io', BASE64];

/** True if the request asks for a WebSocket. */
export function isWebSocketRequest({ canUpgrade, headers }: ApiRequest): boolean {
  return canUpgrade === true && textOf(headers['upgrade']).toLowerCase() === 'websocket';
}

/** Returns the handler, which sends its streams over a WebSocket if the client asks for one. */
export function overWebSocket(handler: Handler): Handler {
  return async (request) => {
    const response = await handler(request);
    const { webSocket, body, status, headers } = response;
    if (webSocket === undefined || status !== 200 || !isStream(body)) return response;
    if (!isWebSocketRequest(request)) return response;
    const { signal } = request;
    const upgrade: NonNullable<ApiResponse['upgrade']> =
      webSocket === 'events'
        ? (connection) => sendEvents(connection, body, textOf(headers['content-type']), signal)
        : (connection) => sendBytes(connection, body, signal);
    return { status: 101, headers: {}, upgrade };
  };
}

type Body = AsyncIterable<Uint8Array>;

/**
 * A message per event: text for JSON, binary otherwise. Browsers send an `origin`, and a real server
 * refuses requests without one. It accepts any single subprotocol, and none changes the messages.
 */
async function sendEvents(
  connection: UpgradableConnection,
  body: Body,
  contentType: string,
  signal: AbortSignal,
): Promise<void> {
  const { headers } = connection.request;
  const protocols = requestedProtocols(headers['sec-websocket-protocol']);
  const origin = headers.origin ?? '';
  const refusal =
    origin === '' || origin === 'null'
      ? '403 Forbidden'
      : protocols.length > 1
        ? '400 Bad Request'
        : undefined;
  if (refusal !== undefined) {
    connection.socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
    await leave(body);
    return;
  }
  const isBinary = mediaTypeEssence(contentType) === MEDIA_TYPES.protobuf;
  const frames = isBinary ? new LengthDelimitedFrames() : new JsonFrames();
  await send(connection, [...protocols, ''], body, signal, function* (chunk) {
    frames.push(chunk);
    for (let frame = frames.next(); frame !== undefined; frame = frames.next()) {
      yield isBinary ? frame : `${Buffer.from(frame).toString()}\n`;
    }
  });
}

/** The bytes in messages as they come, after an empty one that announces them. */
async function sendBytes(
  connection: UpgradableConnection,
  body: Body,
  signal: AbortSignal,
): Promise<void> {
  const [first] = requestedProtocols(connection.request.headers['sec-websocket-protocol']);
  const isText = first === BASE64;
  const encode = (chunk: Uint8Array): Uint8Array | string =>
    isText ? Buffer.from(chunk).toString('base64') : chunk;
  const all = async function* (): AsyncGenerator<Uint8Array> {
    yield new Uint8Array();
    yield* body;
  };
  await send(connection, BYTE_PROTOCOLS, all(), signal, (chunk) => [encode(chunk)]);
}

async function send(
  connection: UpgradableConnection,
  protocols: readonly string[],
  body: Body,
  signal: AbortSignal,
  encode: (chunk: Uint8Array) => Iterable<Uint8Array | string>,
): Promise<void> {
  const accepted = await acceptWebSocket(connection, protocols);
  if (accepted === undefined) {
    await leave(body);
    return;
  }
  const { socket } = accepted;
  using _stop = onAbort(signal, () => socket.close(1001));
  for await (const chunk of body) {
    for (const message of encode(chunk)) await sendMessage(socket, message);
    if (socket.readyState !== socket.OPEN) break;
  }
  // Like a real server, closes the connection without waiting for the client's close frame.
  socket.close(1000);
}

async function sendMessage(socket: WebSocket, message: Uint8Array | string): Promise<void> {
  if (socket.readyState !== socket.OPEN) return;
  await new Promise<void>((resolve) => {
    socket.send(message, () => resolve());
  });
}

async function leave(body: Body): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

function textOf(value: readonly string[] | string | undefined): string {
  return (typeof value === 'string' ? value : value?.[0]) ?? '';
}
