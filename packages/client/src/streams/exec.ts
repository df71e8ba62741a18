import { pods } from '../api/core/v1.ts';
import { checkOptions, checkText } from '../rest/rest-error.ts';
import type { RESTClient } from '../rest/rest-client.ts';
import { EXEC_PROTOCOLS, ExecSession, type TerminalSize } from './exec-session.ts';
import type { StreamSink, StreamSource } from './plumbing.ts';
import { StreamsError } from './streams-error.ts';
import { openWebSocket } from './web-socket.ts';

/** A pod by its name. */
export interface PodReference {
  readonly namespace: string;
  readonly name: string;
}

/** Options of attach. */
export interface AttachOptions {
  /** Default: the container of the annotation `kubectl.kubernetes.io/default-container`, or the only one. */
  readonly container?: string | undefined;
  /**
   * True to write to `session.stdin`, or a source to send, after which the input ends. Default
   * false: the command has no input.
   */
  readonly stdin?: StreamSource | boolean | undefined;
  /** False to discard stdout, or where to write it. Default true: read `session.stdout`. */
  readonly stdout?: StreamSink | boolean | undefined;
  /** As `stdout`. A terminal has no stderr of its own. Default: true without `tty`. */
  readonly stderr?: StreamSink | boolean | undefined;
  /** True for a terminal. Default false. */
  readonly tty?: boolean | undefined;
  /** The size of the terminal, and later `session.resize()`. */
  readonly size?: TerminalSize | undefined;
  /** Closes the connection immediately. Pending promises reject with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of exec. */
export type ExecOptions = AttachOptions;

/**
 * Runs a command in a container. Resolves when the server has accepted it; rejects with its Status
 * if it has not. With a sink for stdout or stderr, `exited` also waits until everything is written.
 *
 * ```ts
 * const session = await exec(client.rest, { namespace: 'default', name: 'web-0' }, ['date', '-u']);
 * const { exitCode, stdout } = await session.output();
 * ```
 */
export async function exec(
  rest: RESTClient,
  pod: PodReference,
  command: readonly string[],
  options: ExecOptions = {},
): Promise<ExecSession> {
  if (!Array.isArray(command) || command.length === 0) {
    throw invalid('the command must be an array with at least one word');
  }
  for (const word of command) checkText(word, 'words of the command');
  return await open(rest, pod, { subresource: 'exec', command }, options);
}

/** Attaches to the main process of a container, as {@link exec} does to a command. */
export async function attach(
  rest: RESTClient,
  pod: PodReference,
  options: AttachOptions = {},
): Promise<ExecSession> {
  return await open(rest, pod, { subresource: 'attach', command: [] }, options);
}

interface Call {
  readonly subresource: 'attach' | 'exec';
  readonly command: readonly string[];
}

async function open(
  rest: RESTClient,
  { namespace, name }: PodReference,
  { subresource, command }: Call,
  options: AttachOptions,
): Promise<ExecSession> {
  checkOptions(options);
  const { container, stdin = false, stdout = true, tty = false, size, signal } = options;
  const { stderr = !tty } = options;
  if (tty && stderr !== false) {
    throw invalid('stderr cannot be requested with tty: a terminal has one output');
  }
  const channels = { stdin: stdin !== false, stdout: stdout !== false, stderr: stderr !== false };
  if (!channels.stdin && !channels.stdout && !channels.stderr) {
    throw invalid('at least one of stdin, stdout and stderr is needed');
  }
  const request = rest
    .get()
    .resource(pods)
    .namespace(namespace)
    .name(name)
    .subresource(subresource)
    .params({ container, tty, ...channels, command });
  const { path } = request;
  const connection = await openWebSocket(request, {
    protocols: EXEC_PROTOCOLS,
    clock: rest.clock,
    signal,
  });
  const failed = { verb: 'GET', path, ...(rest.server !== '' && { server: rest.server }) };
  const session = new ExecSession(connection, failed, { stdin, stdout, stderr });
  if (size !== undefined) session.resize(size);
  return session;
}

function invalid(message: string): StreamsError {
  return new StreamsError('STREAMS_OPTIONS', message);
}
