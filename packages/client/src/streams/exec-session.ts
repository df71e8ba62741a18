import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Deferred } from '../lib/deferred.ts';
import type { FailedRequest } from '../meta/api-error.ts';
import { type ExecResult, parseExecStatus } from './exec-result.ts';
import { type OutputChannel, ReadOutput, SinkOutput } from './output-channel.ts';
import { sendAll, type StreamSink, type StreamSource, writeAll } from './plumbing.ts';
import { takesBorrowedBytes } from './sink-writer.ts';
import { StreamsError } from './streams-error.ts';
import type { WebSocketConnection } from './web-socket.ts';

/** The channels of the protocol: the first byte of every message. */
const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

const STDIN = Buffer.of(CHANNEL.stdin);

/** The protocols of exec and attach, best first. */
export const EXEC_PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const;

/** A writer may be this far ahead. */
const MAX_UNSENT_BYTES = 256 * 1024;

/** Larger than any Status of a server. */
const MAX_STATUS_BYTES = 1024 * 1024;

/** The size of a terminal, in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** What {@link ExecSession.output} returns. */
export interface ExecOutput extends ExecResult {
  readonly stdout: string;
  readonly stderr: string;
}

/** Which streams a session has, and what they are connected to. */
export interface ExecStreams {
  readonly stdin: StreamSource | boolean;
  readonly stdout: StreamSink | boolean;
  readonly stderr: StreamSink | boolean;
}

/**
 * A command in a container, or an attached container, over one WebSocket. A stream that was not
 * requested, or is written to a sink, has already ended.
 *
 * Nothing is read from the server faster than from `stdout` and `stderr`: read both, or request only
 * the one you read. A stream that is destroyed, as by leaving a `for await` loop, is discarded from
 * then on. Streams end with an error if the connection is lost; an error that no listener receives is
 * in {@link ExecSession.exited} too.
 */
export class ExecSession implements AsyncDisposable {
  /** Ending it ends the input of the command; with `v4.channel.k8s.io` the command does not see it. */
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly #connection: WebSocketConnection;
  readonly #request: FailedRequest;
  readonly #exited = new Deferred<ExecResult>();
  readonly #result: Promise<ExecResult>;
  readonly #ended = new Deferred();
  readonly #outputs: ReadonlyMap<number, OutputChannel>;
  /** Outputs whose readers are behind. */
  readonly #full = new Set<number>();
  /** The channel of the message whose parts arrive. */
  #channel: number | undefined;
  #closeSignal: Buffer = Buffer.alloc(0);
  #status = '';
  #isExited = false;

  /** `request` names the session in errors. */
  constructor(connection: WebSocketConnection, request: FailedRequest, streams: ExecStreams) {
    this.#connection = connection;
    this.#request = request;
    const { stdin, stdout, stderr } = streams;
    this.stdin = stdin === false ? new Writable().on('error', ignored).end() : this.#input();
    const outputs = {
      stdout: this.#output(CHANNEL.stdout, stdout),
      stderr: this.#output(CHANNEL.stderr, stderr),
    };
    this.stdout = streamOf(outputs.stdout);
    this.stderr = streamOf(outputs.stderr);
    this.#outputs = new Map([
      [CHANNEL.stdout, outputs.stdout],
      [CHANNEL.stderr, outputs.stderr],
    ]);
    connection.start({
      onPart: (part, isFirst, isLast) => this.#receive(part, isFirst, isLast),
      onEnd: (end) => this.#end(end),
    });
    if (typeof stdin !== 'boolean') {
      // A command may end without reading its input.
      sendAll(stdin, this.stdin).catch((error: unknown) => connection.destroy(error));
    }
    this.#result = this.#withSinks([
      [outputs.stdout, stdout],
      [outputs.stderr, stderr],
    ]);
    this.#result.catch(ignored);
  }

  /** The protocol in use: `v5.channel.k8s.io`, or `v4.channel.k8s.io` with older servers. */
  get protocol(): string {
    return this.#connection.protocol;
  }

  /**
   * Resolves with the exit code when the command has ended, whatever the code is. Rejects with an
   * `ApiError` if the server could not run the command, with `STREAMS_CONNECTION_LOST` if the
   * connection ended first, and with the reason of the signal after an abort.
   */
  get exited(): Promise<ExecResult> {
    return this.#result;
  }

  /** Sets the size of the command's terminal. */
  resize({ columns, rows }: TerminalSize): void {
    const size = JSON.stringify({ Width: columns, Height: rows });
    this.#connection.send(Buffer.of(CHANNEL.resize), Buffer.from(size));
  }

  /**
   * Reads both streams to their end and returns them as text with the exit code. Rejects with
   * `STREAMS_OUTPUT_TOO_LARGE`, and closes the session, if they have more than `maxBytes` together;
   * default 16 MiB.
   */
  async output(options: { readonly maxBytes?: number | undefined } = {}): Promise<ExecOutput> {
    const { maxBytes = 16 * 1024 * 1024 } = options;
    let left = maxBytes;
    const limited = async function* (stream: Readable): AsyncGenerator<Uint8Array, void> {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        left -= chunk.length;
        if (left < 0) {
          const message = `the output of the command is larger than ${maxBytes} bytes`;
          throw new StreamsError('STREAMS_OUTPUT_TOO_LARGE', message);
        }
        yield chunk;
      }
    };
    try {
      const [stdout, stderr, result] = await Promise.all([
        text(limited(this.stdout)),
        text(limited(this.stderr)),
        this.exited,
      ]);
      return { ...result, stdout, stderr };
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Closes the connection and resolves when it is closed. A command that still runs loses its streams. */
  async close(): Promise<void> {
    this.#connection.destroy();
    await this.#ended.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The result, after everything is written to the sinks. */
  async #withSinks(
    outputs: readonly (readonly [OutputChannel, StreamSink | boolean])[],
  ): Promise<ExecResult> {
    const written = outputs.map(async ([output, sink]) => {
      const isPiped = output instanceof ReadOutput && typeof sink !== 'boolean';
      const writing = isPiped ? writeAll(output.stream, sink) : output.written;
      await writing.catch((error: unknown) => {
        this.#connection.destroy(error);
        // The end of the connection has its own error.
        if (this.#isExited) throw error;
      });
    });
    const [result] = await Promise.all([this.#exited.promise, ...written]);
    return result;
  }

  #input(): Writable {
    const connection = this.#connection;
    const stdin = new Writable({
      highWaterMark: MAX_UNSENT_BYTES,
      write: (chunk: Buffer, _, callback) => connection.sendAll(() => STDIN, chunk, callback),
      final: (callback) => {
        if (connection.protocol === EXEC_PROTOCOLS[0]) {
          connection.send(Buffer.of(CHANNEL.close, CHANNEL.stdin));
        }
        callback();
      },
    });
    return stdin.on('error', ignored);
  }

  #output(channel: number, wanted: StreamSink | boolean): OutputChannel {
    const flow = {
      pause: () => {
        this.#full.add(channel);
        this.#connection.pause();
      },
      resume: () => {
        if (this.#full.delete(channel) && this.#full.size === 0) this.#connection.resume();
      },
    };
    if (typeof wanted !== 'boolean' && takesBorrowedBytes(wanted)) {
      return new SinkOutput(flow, wanted);
    }
    const output = new ReadOutput(flow);
    if (!wanted) output.finish();
    return output;
  }

  /** The first byte of a message is its channel; the rest belongs to it as it comes. */
  #receive(part: Buffer, isFirst: boolean, isLast: boolean): void {
    const channel = isFirst ? part[0] : this.#channel;
    if (channel !== this.#channel) this.#flush();
    this.#channel = channel;
    const payload = isFirst ? part.subarray(1) : part;
    const output = channel === undefined ? undefined : this.#outputs.get(channel);
    if (output !== undefined) output.receive(payload);
    else if (channel === CHANNEL.error) this.#receiveStatus(payload);
    else if (channel === CHANNEL.close) this.#closeChannel(payload, isFirst, isLast);
    else {
      const what = channel === undefined ? 'without a channel' : `on channel ${channel}`;
      this.#fail(`the server sent a message ${what}`);
    }
  }

  /** Keeps the order in which the bytes of different channels have arrived. */
  #flush(): void {
    for (const output of this.#outputs.values()) output.flush();
  }

  #closeChannel(payload: Buffer, isFirst: boolean, isLast: boolean): void {
    this.#closeSignal = isFirst
      ? Buffer.from(payload)
      : Buffer.concat([this.#closeSignal, payload]);
    const [closed, ...more] = this.#closeSignal;
    if (more.length > 0 || (isLast && closed === undefined)) {
      this.#fail('the server sent an invalid close signal');
      return;
    }
    const output = closed === undefined ? undefined : this.#outputs.get(closed);
    if (isLast) output?.finish();
  }

  #receiveStatus(payload: Buffer): void {
    if (this.#isExited) return;
    this.#status += payload.toString('latin1');
    if (this.#status.length > MAX_STATUS_BYTES) {
      this.#fail('the server sent a Status of more than a megabyte');
      return;
    }
    let outcome: ReturnType<typeof parseExecStatus>;
    try {
      outcome = parseExecStatus(Buffer.from(this.#status, 'latin1').toString(), this.#request);
    } catch (error) {
      this.#connection.destroy(error);
      return;
    }
    if (outcome === undefined) return;
    this.#isExited = true;
    if ('error' in outcome) this.#exited.reject(outcome.error);
    else this.#exited.resolve(outcome.result);
    // Everything else has been sent before the Status.
    for (const output of this.#outputs.values()) output.finish();
    this.#connection.close();
  }

  #fail(message: string): void {
    this.#connection.destroy(new StreamsError('STREAMS_PROTOCOL', message));
  }

  /** After the Status, nothing that happens to the connection matters. */
  #end({ error = lost(this.#status) }: { readonly error?: unknown }): void {
    if (!this.#isExited) {
      this.#exited.reject(error);
      for (const output of this.#outputs.values()) output.fail(error);
    }
    this.stdin.destroy();
    this.#ended.resolve();
  }
}

function lost(status: string): StreamsError {
  if (status !== '') {
    return new StreamsError('STREAMS_PROTOCOL', 'the server sent a Status that is not JSON');
  }
  const message = 'the connection was closed before the command ended';
  return new StreamsError('STREAMS_CONNECTION_LOST', message);
}

/** A stream that has ended, if the output is not read from one. */
function streamOf(output: OutputChannel): Readable {
  return output instanceof ReadOutput ? output.stream : Readable.from([]);
}

/** Without a listener, an error that is also in the result would end the process. */
function ignored(): void {}
