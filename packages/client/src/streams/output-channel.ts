import { Readable, type Writable } from 'node:stream';
import { type Flow, SinkWriter } from './sink-writer.ts';
import { ownBytes, TurnBatch } from './turn-batch.ts';

/** A reader that is this far behind stops the connection. */
const MAX_UNREAD_BYTES = 256 * 1024;

/** An output of a command. */
export interface OutputChannel {
  /** Resolves when everything is written to the sink, if there is one; rejects if that fails. */
  readonly written: Promise<void>;
  /** Bytes have arrived; they are not kept. */
  receive(bytes: Buffer): void;
  /** Hands out what has arrived in this turn. */
  flush(): void;
  /** Nothing more will arrive. */
  finish(): void;
  /** The connection was lost. */
  fail(error: unknown): void;
}

/** An output that is read from a stream. The flow is paused while the reader is behind. */
export class ReadOutput implements OutputChannel {
  readonly stream: Readable;
  readonly written: Promise<void> = Promise.resolve();
  readonly #batch: TurnBatch;
  #isFinished = false;

  constructor(flow: Flow) {
    this.#batch = new TurnBatch((bytes, release) => {
      if (!this.stream.push(ownBytes(bytes, release))) flow.pause();
    });
    this.stream = new Readable({
      highWaterMark: MAX_UNREAD_BYTES,
      read: () => flow.resume(),
      destroy: (error, callback) => {
        this.#batch.clear();
        flow.resume();
        callback(error);
      },
    });
    // Without a listener, an error that is also in the result would end the process.
    this.stream.on('error', () => undefined);
  }

  receive(bytes: Buffer): void {
    if (!this.#isFinished && !this.stream.destroyed) this.#batch.add(bytes);
  }

  flush(): void {
    this.#batch.flush();
  }

  finish(): void {
    if (this.#isFinished || this.stream.destroyed) return;
    this.#isFinished = true;
    this.#batch.flush();
    this.stream.push(null);
  }

  fail(error: unknown): void {
    if (this.#isFinished) return;
    this.#batch.flush();
    this.stream.destroy(error as Error);
  }
}

/** An output that is written to a socket or file. The flow is paused while that is behind. */
export class SinkOutput implements OutputChannel {
  readonly #writer: SinkWriter;
  #isFinished = false;

  constructor(flow: Flow, sink: Writable) {
    this.#writer = new SinkWriter(sink, flow);
  }

  get written(): Promise<void> {
    return this.#writer.written;
  }

  receive(bytes: Buffer): void {
    if (!this.#isFinished) this.#writer.write(bytes);
  }

  flush(): void {
    this.#writer.flush();
  }

  finish(): void {
    this.#isFinished = true;
    this.#writer.end();
  }

  fail(): void {
    this.finish();
  }
}
