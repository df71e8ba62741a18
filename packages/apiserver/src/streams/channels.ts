import { Readable, Writable } from 'node:stream';

import type { Clock } from 'client-ts/internal';
import type { RawData, WebSocket } from 'ws';

import { IdleTimeout } from './idle-timeout.ts';

/** A frame with this channel closes the channel that follows it (`v5.channel.k8s.io`). */
const CLOSE_SIGNAL = 255;
const ZERO = '0'.charCodeAt(0);

/** Larger writes are split, so that a reader sees the start of a large one early. */
const MAX_FRAME_BYTES = 1024 * 1024;

/** The format of the messages of a {@link ChannelSocket}. */
export interface ChannelFormat {
  /** Messages are text: a digit and base64. */
  readonly isBase64: boolean;
  /** Clients can close a channel. */
  readonly hasCloseSignal: boolean;
  /** The number of channels. A frame for another one is ignored. */
  readonly channels: number;
}

/**
 * Several channels over one WebSocket: the first byte of each message is its channel. Back-pressure
 * works in both directions: a channel that is not read pauses the whole connection, as on a real
 * server.
 */
export class ChannelSocket implements Disposable {
  readonly #socket: WebSocket;
  readonly #format: ChannelFormat;
  readonly #idle: IdleTimeout;
  readonly #inputs = new Map<number, Readable>();
  readonly #listeners = new Map<number, (data: Buffer) => void>();

  constructor(socket: WebSocket, format: ChannelFormat, clock: Clock) {
    this.#socket = socket;
    this.#format = format;
    this.#idle = new IdleTimeout(clock, () => socket.terminate());
    socket.on('message', (data) => this.#receive(bufferOf(data)));
    socket.on('close', () => this.#ended());
  }

  /** Returns what the client sends on a channel. It ends when the client closes it, or is gone. */
  input(channel: number): Readable {
    const input = new Readable({ read: () => this.#socket.resume() });
    this.#inputs.set(channel, input);
    return input;
  }

  /** Calls the listener with the messages of a channel. */
  listen(channel: number, listener: (data: Buffer) => void): void {
    this.#listeners.set(channel, listener);
  }

  /** Returns a stream whose chunks are sent on a channel. Dropped once the client is gone. */
  output(channel: number): Writable {
    return new Writable({
      write: (chunk: Buffer, _, done) => void this.#forward(channel, chunk, done),
    });
  }

  async #forward(channel: number, chunk: Buffer, done: () => void): Promise<void> {
    await this.send(channel, chunk);
    done();
  }

  /** Sends data on a channel, and resolves when it is on its way. */
  async send(channel: number, data: Uint8Array): Promise<void> {
    for (let start = 0; start === 0 || start < data.length; start += MAX_FRAME_BYTES) {
      await this.#write(channel, data.subarray(start, start + MAX_FRAME_BYTES));
    }
  }

  /** Closes the connection after everything that was sent. */
  close(code = 1000): void {
    this[Symbol.dispose]();
    this.#socket.close(code);
  }

  [Symbol.dispose](): void {
    this.#idle[Symbol.dispose]();
    this.#inputs.clear();
    this.#listeners.clear();
    // A close frame is only seen by a socket that is read.
    this.#socket.resume();
  }

  #receive(data: Buffer): void {
    this.#idle.touch();
    const first = data[0];
    if (first === undefined) return;
    const { isBase64, hasCloseSignal, channels } = this.#format;
    if (hasCloseSignal && first === CLOSE_SIGNAL) {
      this.#closeChannel(data);
      return;
    }
    const channel = isBase64 ? first - ZERO : first;
    if (channel < 0 || channel >= channels) return;
    const payload = data.subarray(1);
    const content = isBase64 ? Buffer.from(payload.toString('latin1'), 'base64') : payload;
    this.#listeners.get(channel)?.(content);
    const input = this.#inputs.get(channel);
    if (input === undefined || input.destroyed || content.length === 0) return;
    if (!input.push(content)) this.#socket.pause();
  }

  /** An invalid signal ends the connection, as on a real server. */
  #closeChannel(data: Buffer): void {
    const channel = data[1];
    if (data.length !== 2 || channel === undefined || channel >= this.#format.channels) {
      this.#socket.terminate();
      return;
    }
    this.#inputs.get(channel)?.push(null);
    this.#inputs.delete(channel);
  }

  #ended(): void {
    for (const input of this.#inputs.values()) input.push(null);
    this[Symbol.dispose]();
  }

  #write(channel: number, data: Uint8Array): Promise<void> {
    this.#idle.touch();
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return Promise.resolve();
    const { isBase64 } = this.#format;
    const frame = isBase64
      ? `${channel}${Buffer.from(data).toString('base64')}`
      : Buffer.concat([Buffer.of(channel), data]);
    return new Promise((resolve) => {
      // A failed write is the end of the connection, which the signal of the request reports.
      socket.send(frame, { binary: !isBase64 }, () => resolve());
    });
  }
}

/** Returns a message as one buffer. */
export function bufferOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
