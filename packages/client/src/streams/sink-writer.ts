import { WriteStream } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { Deferred } from '../lib/deferred.ts';
import { StreamsError } from './streams-error.ts';
import { TurnBatch } from './turn-batch.ts';

/** A sink that is this far behind is full. */
const MAX_UNWRITTEN_BYTES = 256 * 1024;

/** Stops and continues what fills a stream. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/**
 * True for the streams of Node that have no use for bytes once they are written: sockets, pipes,
 * terminals and files. Any other stream may keep what is written to it.
 */
export function takesBorrowedBytes(sink: object): sink is Writable {
  if (sink instanceof Socket || sink instanceof WriteStream) return true;
  // `process.stdout`, if it is a file.
  return typeof Reflect.get(sink, 'fd') === 'number';
}

/** Writes bytes to a socket or file from memory that is used again, and leaves the sink open. */
export class SinkWriter {
  readonly #sink: Writable;
  readonly #flow: Flow;
  readonly #batch = new TurnBatch((batch, release) => this.#write(batch, release));
  readonly #done = new Deferred();
  #unwritten = 0;
  #isFull = false;
  #hasEnded = false;

  /** The flow is paused while the sink is behind. */
  constructor(sink: Writable, flow: Flow) {
    this.#sink = sink;
    this.#flow = flow;
    this.#done.promise.catch(() => undefined);
    sink.on('error', this.#failed).on('close', this.#closed);
  }

  /** Resolves when everything is written after {@link end}; rejects when the sink fails or closes. */
  get written(): Promise<void> {
    return this.#done.promise;
  }

  /** True while the flow is paused. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Writes bytes, which it does not keep. */
  write(part: Buffer): void {
    this.#batch.add(part);
  }

  /** Writes what has arrived in this turn. */
  flush(): void {
    this.#batch.flush();
  }

  /** Nothing more will be written. */
  end(): void {
    this.#batch.flush();
    this.#hasEnded = true;
    this.#settleIfDone();
  }

  #write(batch: Buffer, release: () => void): void {
    const { length } = batch;
    this.#unwritten += length;
    if (!this.#isFull && this.#unwritten >= MAX_UNWRITTEN_BYTES) {
      this.#isFull = true;
      this.#flow.pause();
    }
    this.#sink.write(batch, (error) => {
      release();
      this.#unwritten -= length;
      // The sink emits the error, too; its listener stays for that.
      if (error) return this.#failed(error);
      if (this.#isFull && this.#unwritten <= MAX_UNWRITTEN_BYTES / 2) {
        this.#isFull = false;
        this.#flow.resume();
      }
      this.#settleIfDone();
    });
  }

  #settleIfDone(): void {
    if (!this.#hasEnded || this.#unwritten > 0) return;
    this.#sink.off('error', this.#failed).off('close', this.#closed);
    this.#done.resolve();
  }

  readonly #failed = (error: unknown): void => this.#done.reject(error);

  readonly #closed = (): void => {
    const message = 'the sink was closed before everything was written to it';
    this.#done.reject(new StreamsError('STREAMS_CLOSED', message));
  };
}
