import { finished } from 'node:stream/promises';

import { abortable, anySignal, type Clock, messageOf, onAbort } from 'client-ts/internal';
import { newInternalError, type Status } from 'client-ts/meta';
import type { SpdyStream } from 'client-ts/spdy';

import type { UpgradableConnection } from '../http.ts';
import type { ContainerProcess, ProcessStreams } from '../kubelet.ts';
import { ChannelSocket } from './channels.ts';
import { acceptSpdy, serveSpdy } from './spdy.ts';
import { RemoteTerminal } from './terminal.ts';
import { acceptWebSocket, requestedProtocols } from './websocket.ts';

/** The streams that a client asks for. */
export interface WantedStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** Options of {@link serveCommand}. */
export interface ServeCommandOptions {
  /** Finds the process; its rejection is reported to the client. */
  readonly open: () => Promise<ContainerProcess>;
  readonly wanted: WantedStreams;
  /** `exec` reports the exit code; `attach` only that the process has ended. */
  readonly kind: 'attach' | 'exec';
  readonly clock: Clock;
  /** Aborts when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
}

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const ERROR = 3;
const RESIZE = 4;

const V5 = 'v5.channel.k8s.io';
const CHANNELS = 5;

/** The subprotocols before version 5, which real servers leave to the kubelet. */
const OLD_PROTOCOLS = [
  '',
  'v4.channel.k8s.io',
  'v4.base64.channel.k8s.io',
  'channel.k8s.io',
  'base64.channel.k8s.io',
];

/** True if the client of a WebSocket request asks for version 5 of the protocol. */
export function wantsVersion5(header: string | undefined): boolean {
  return requestedProtocols(header).includes(V5);
}

/** Runs a process over a WebSocket, with the channel protocols of `exec` and `attach`. */
export async function serveCommand(
  connection: UpgradableConnection,
  options: ServeCommandOptions,
): Promise<void> {
  const isV5 = wantsVersion5(connection.request.headers['sec-websocket-protocol']);
  const accepted = await acceptWebSocket(connection, isV5 ? [V5] : OLD_PROTOCOLS);
  if (accepted === undefined) return;
  const { socket, protocol } = accepted;
  const isBase64 = protocol.includes('base64');
  const hasStatus = isV5 || protocol.startsWith('v4.');
  const { clock, signal, wanted } = options;
  using channels = new ChannelSocket(
    socket,
    { isBase64, hasCloseSignal: isV5, channels: CHANNELS },
    clock,
  );
  using _stop = onAbort(signal, () => socket.close(1001));
  // Announces to the client that the connection is ready.
  const first = wanted.stdout ? STDOUT : wanted.stderr ? STDERR : ERROR;
  await channels.send(first, new Uint8Array());
  const status = await run(channels, options);
  const text = hasStatus ? JSON.stringify(status) : plainText(status);
  if (text !== '') await channels.send(ERROR, Buffer.from(text));
  channels.close();
}

/** The streams of a command over SPDY, by their type. */
type CommandStreams = Map<string, SpdyStream>;

/** Protocols inside of SPDY, newest first. The first two can change the size of a terminal. */
const SPDY_PROTOCOLS = [
  'v4.channel.k8s.io',
  'v3.channel.k8s.io',
  'v2.channel.k8s.io',
  'channel.k8s.io',
];

/** How long a client may take to open all streams. */
const STREAMS_TIMEOUT_MS = 30_000;

/** Runs a process over SPDY: a stream for each input and output. */
export async function serveSpdyCommand(
  connection: UpgradableConnection,
  options: ServeCommandOptions,
): Promise<void> {
  const protocol = acceptSpdy(connection, SPDY_PROTOCOLS);
  if (protocol === undefined) return;
  const { wanted, clock } = options;
  const canResize = wanted.tty && SPDY_PROTOCOLS.indexOf(protocol) < 2 && protocol !== '';
  const expected = [
    'error',
    ...(wanted.stdin ? ['stdin'] : []),
    ...(wanted.stdout ? ['stdout'] : []),
    ...(wanted.stderr && !wanted.tty ? ['stderr'] : []),
    ...(canResize ? ['resize'] : []),
  ];
  const streams: CommandStreams = new Map();
  const stop = new AbortController();
  using ending = anySignal([options.signal, stop.signal]);
  using late = clock.schedule(STREAMS_TIMEOUT_MS, () => stop.abort(), { background: true });
  const receive = (stream: SpdyStream): void => {
    const { streamtype: type = '' } = stream.headers;
    if (!expected.includes(type) || streams.has(type)) {
      throw new TypeError(`unexpected stream type: ${JSON.stringify(type)}`);
    }
    streams.set(type, stream);
    if (streams.size < expected.length) return;
    late.cancel();
    void runOnSpdy(streams, protocol, options).then(() => stop.abort());
  };
  await serveSpdy(connection.socket, receive, { clock, signal: ending.signal });
}

async function runOnSpdy(
  streams: CommandStreams,
  protocol: string,
  { open, kind, wanted, signal }: ServeCommandOptions,
): Promise<void> {
  const terminal = new RemoteTerminal();
  streams.get('resize')?.on('data', (data: Buffer) => terminal.receive(data));
  const status = await runProcess(
    open,
    {
      stdin: streams.get('stdin'),
      stdout: streams.get('stdout'),
      stderr: streams.get('stderr'),
      ...(wanted.tty && { terminal }),
      signal,
    },
    kind,
  );
  const error = streams.get('error');
  const text = protocol === 'v4.channel.k8s.io' ? JSON.stringify(status) : plainText(status);
  await new Promise<void>((resolve) => {
    error?.once('close', resolve);
    error?.end(text, () => resolve());
  });
}

async function run(
  channels: ChannelSocket,
  { open, wanted, kind, signal }: ServeCommandOptions,
): Promise<Status> {
  const terminal = new RemoteTerminal();
  channels.listen(RESIZE, (data) => terminal.receive(data));
  const streams: ProcessStreams = {
    ...(wanted.stdin && { stdin: channels.input(STDIN) }),
    ...(wanted.stdout && { stdout: channels.output(STDOUT) }),
    ...(wanted.stderr && !wanted.tty && { stderr: channels.output(STDERR) }),
    ...(wanted.tty && { terminal }),
    signal,
  };
  return await runProcess(open, streams, kind);
}

/** Runs a process to its end. Returns the Status of its result; never rejects. */
export async function runProcess(
  open: () => Promise<ContainerProcess>,
  streams: ProcessStreams,
  kind: 'attach' | 'exec',
): Promise<Status> {
  const { stdin, stdout, stderr } = streams;
  let process: ContainerProcess;
  try {
    process = await open();
  } catch (error) {
    return internalError(`unable to upgrade connection: ${messageOf(error)}`);
  }
  try {
    const code = await abortable(process(streams), streams.signal);
    for (const output of [stdout, stderr]) {
      if (output === undefined) continue;
      if (!output.writableEnded) output.end();
      await finished(output, { readable: false });
    }
    return code === 0 || kind === 'attach' ? SUCCESS : exitStatus(code);
  } catch (error) {
    const action = kind === 'exec' ? 'executing command in' : 'attaching to';
    return internalError(`error ${action} container: ${messageOf(error)}`);
  } finally {
    stdin?.destroy();
  }
}

/** A Status in a stream has no type. */
function internalError(message: string): Status {
  const { kind: _kind, apiVersion: _version, ...status } = newInternalError(message).status;
  return status;
}

const SUCCESS: Status = { metadata: {}, status: 'Success' };

function exitStatus(code: number): Status {
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: command terminated with exit code ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

/** Before version 4 the error channel carries only the message of a failure. */
function plainText({ status, message = '' }: Status): string {
  return status === 'Success' ? '' : message;
}
