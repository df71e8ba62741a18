import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { type Clock, messageOf, onAbort } from 'client-ts/internal';
import type { SpdyStream } from 'client-ts/spdy';

import type { UpgradableConnection } from '../http.ts';
import { ChannelSocket } from './channels.ts';
import { acceptSpdy, serveSpdy } from './spdy.ts';
import { acceptWebSocket, requestedProtocols } from './websocket.ts';
import { WebSocketDuplex } from './websocket-duplex.ts';

/** Options of {@link servePortForward}. */
export interface PortForwardOptions {
  /** Opens a connection to a port of the pod. */
  readonly connect: (port: number, signal: AbortSignal) => Promise<Duplex>;
  /** The name of the pod, for messages. */
  readonly pod: string;
  /** The ports of the query, which the protocol without SPDY forwards. */
  readonly ports: readonly number[];
  readonly clock: Clock;
  /** Aborts when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
}

/** The subprotocol of SPDY tunnelled through a WebSocket. */
const TUNNEL = 'SPDY/3.1+portforward.k8s.io';
const CHANNEL_PROTOCOLS = ['', 'v4.channel.k8s.io', 'v4.base64.channel.k8s.io'];
/** How long the second stream of a pair may take to come. */
const PAIR_TIMEOUT_MS = 30_000;

/** Forwards ports over SPDY, without a tunnel. */
export async function serveSpdyPortForward(
  connection: UpgradableConnection,
  options: PortForwardOptions,
): Promise<void> {
  if (acceptSpdy(connection, ['portforward.k8s.io']) === undefined) return;
  await forwardSpdy(connection.socket, options);
}

/** True if the client of a WebSocket request asks for the tunnel. */
export function wantsTunnel(header: string | undefined): boolean {
  return requestedProtocols(header).includes(TUNNEL);
}

/** Forwards ports over a WebSocket: with the SPDY tunnel of kubectl, or with channels. */
export async function servePortForward(
  connection: UpgradableConnection,
  options: PortForwardOptions,
): Promise<void> {
  const isTunnel = wantsTunnel(connection.request.headers['sec-websocket-protocol']);
  const accepted = await acceptWebSocket(connection, isTunnel ? [TUNNEL] : CHANNEL_PROTOCOLS);
  if (accepted === undefined) return;
  const { socket, protocol } = accepted;
  using _stop = onAbort(options.signal, () => socket.close(1001));
  if (isTunnel) {
    await forwardSpdy(new WebSocketDuplex(socket), options);
    return;
  }
  const channels = options.ports.length * 2;
  const format = { isBase64: protocol.includes('base64'), hasCloseSignal: false, channels };
  using multiplexed = new ChannelSocket(socket, format, options.clock);
  await Promise.all(
    options.ports.map((port, index) => forwardChannel(multiplexed, port, index * 2, options)),
  );
  multiplexed.close();
}

/** One connection per port: its data on a channel, its errors on the next. */
async function forwardChannel(
  channels: ChannelSocket,
  port: number,
  channel: number,
  options: PortForwardOptions,
): Promise<void> {
  const prefix = Buffer.alloc(2);
  prefix.writeUInt16LE(port);
  const input = channels.input(channel);
  await channels.send(channel, prefix);
  await channels.send(channel + 1, prefix);
  try {
    const target = await options.connect(port, options.signal);
    await Promise.all([pipeline(input, target), pipeline(target, channels.output(channel))]);
  } catch (error) {
    await channels.send(channel + 1, Buffer.from(failureText(port, options, error)));
  }
}

/** The streams of one forwarded connection. */
interface StreamPair {
  data?: SpdyStream;
  error?: SpdyStream;
  readonly timeout: Disposable;
}

/** Serves the SPDY protocol of `portforward.k8s.io` on a byte stream. */
async function forwardSpdy(transport: Duplex, options: PortForwardOptions): Promise<void> {
  const pairs = new Map<string, StreamPair>();
  const receive = (stream: SpdyStream): void => {
    const kind = checkStream(stream);
    const id = stream.headers['requestid'] ?? String(kind === 'data' ? stream.id - 2 : stream.id);
    const pair = pairs.get(id) ?? newPair(id);
    if (pair[kind] !== undefined) throw new TypeError(`${kind} stream already assigned`);
    pair[kind] = stream;
    if (pair.data === undefined || pair.error === undefined) return;
    pairs.delete(id);
    pair.timeout[Symbol.dispose]();
    void forwardPair(pair.data, pair.error, options);
  };
  const newPair = (id: string): StreamPair => {
    const expire = (): void => {
      pairs.delete(id);
      pair.error?.destroy();
      pair.data?.destroy();
    };
    const timer = options.clock.schedule(PAIR_TIMEOUT_MS, expire, { background: true });
    const pair: StreamPair = { timeout: { [Symbol.dispose]: () => timer.cancel() } };
    pairs.set(id, pair);
    return pair;
  };
  await serveSpdy(transport, receive, options);
  for (const pair of pairs.values()) pair.timeout[Symbol.dispose]();
}

/** Returns the type of a stream. Throws if it does not say what to forward. */
function checkStream({ headers }: SpdyStream): 'data' | 'error' {
  const { port = '', streamtype: kind = '' } = headers;
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 0xffff) {
    throw new TypeError(`unable to parse ${JSON.stringify(port)} as a port`);
  }
  if (kind === 'data' || kind === 'error') return kind;
  throw new TypeError(`invalid stream type ${JSON.stringify(kind)}`);
}

async function forwardPair(
  data: SpdyStream,
  error: SpdyStream,
  options: PortForwardOptions,
): Promise<void> {
  // The client sends nothing on it; read, so that its end is seen.
  error.resume();
  const port = Number(data.headers['port']);
  try {
    const target = await options.connect(port, options.signal);
    target.on('error', () => undefined);
    await Promise.all([pipeline(data, target, { end: true }), pipeline(target, data)]);
    error.end();
  } catch (failure) {
    // kubectl resets its stream after the end of the answer; that is not a failure to report.
    error.end(data.isReset ? undefined : failureText(port, options, failure));
    data.destroy();
  }
}

function failureText(port: number, { pod }: PortForwardOptions, error: unknown): string {
  return `error forwarding port ${port} to pod ${pod}, uid : ${messageOf(error)}`;
}
