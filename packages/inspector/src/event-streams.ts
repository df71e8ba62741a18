import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, ScheduledCall } from 'client-ts/internal';
import type { ObservedSnapshot } from 'client-ts/observe';
import type { Source } from './source.ts';

/** How often records are sent, a state, and a comment if nothing else was. */
const FLUSH_MS = 100;
const SNAPSHOT_MS = 1000;
const KEEP_ALIVE_MS = 15_000;

/** Records in one message. */
const MAX_BATCH = 2000;

/** Streams at the same time. */
const MAX_STREAMS = 32;

/** The part of a source that streams use. */
export type StreamSource = Pick<Source, 'records' | 'snapshot'>;

interface Stream {
  readonly response: ServerResponse;
  /** The last record that was sent. */
  seq: number;
  snapshotAt: number;
  lastSnapshot: string;
  writtenAt: number;
}

/**
 * Sends records to browsers as Server-Sent Events. A stream is a position in the records that are kept, not
 * a queue: a slow reader costs no memory, and gets the bounds of what it has missed.
 */
export class EventStreams implements Disposable {
  readonly #source: StreamSource;
  readonly #clock: Clock;
  readonly #streams = new Set<Stream>();
  #timer: ScheduledCall | undefined;
  #isOver = false;

  constructor(source: StreamSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
  }

  get size(): number {
    return this.#streams.size;
  }

  get isFull(): boolean {
    return this.#streams.size >= MAX_STREAMS;
  }

  /** Answers a request with a stream. The headers are set, except those of the stream itself. */
  open(request: IncomingMessage, response: ServerResponse, after: number | undefined): void {
    const lastId = Number(request.headers['last-event-id'] ?? Number.NaN);
    const seq = Number.isInteger(lastId) ? lastId : (after ?? this.#source.records.newest);
    const now = this.#clock.monotonic();
    const stream: Stream = {
      response,
      seq,
      snapshotAt: -Infinity,
      lastSnapshot: '',
      writtenAt: now,
    };
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write('retry: 1000\n\n');
    this.#streams.add(stream);
    const end = (): void => void this.#streams.delete(stream);
    response.once('close', end);
    response.once('error', end);
    this.#flush(stream, undefined);
    this.#schedule();
  }

  /** Tells all readers that nothing more comes. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#timer?.cancel();
    for (const { response } of this.#streams) response.end('event: end\ndata: {}\n\n');
    this.#streams.clear();
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isOver || this.#streams.size === 0) return;
    this.#timer = this.#clock.schedule(
      FLUSH_MS,
      () => {
        this.#timer = undefined;
        this.#flushAll();
        this.#schedule();
      },
      { background: true },
    );
  }

  #flushAll(): void {
    let snapshot: ObservedSnapshot | undefined;
    for (const stream of this.#streams) {
      // What is not read yet stays where it is: in the kernel, and in the records that are kept.
      if (!stream.response.writableNeedDrain) snapshot = this.#flush(stream, snapshot);
    }
  }

  /** Writes what is due to a stream. The state is computed once for all of them. */
  #flush(stream: Stream, shared: ObservedSnapshot | undefined): ObservedSnapshot | undefined {
    const now = this.#clock.monotonic();
    let snapshot = shared;
    if (now - stream.snapshotAt >= SNAPSHOT_MS) {
      stream.snapshotAt = now;
      snapshot ??= this.#source.snapshot();
      const { at: _, ...state } = snapshot;
      const shown = JSON.stringify(state);
      if (shown !== stream.lastSnapshot) this.#send(stream, 'snapshot', JSON.stringify(snapshot));
      stream.lastSnapshot = shown;
    }
    this.#sendRecords(stream);
    if (now - stream.writtenAt >= KEEP_ALIVE_MS) {
      stream.response.write(': still here\n\n');
      stream.writtenAt = now;
    }
    return snapshot;
  }

  #sendRecords(stream: Stream): void {
    const { records: store } = this.#source;
    const { records } = store.query({ after: stream.seq, limit: MAX_BATCH });
    const [first] = records;
    const last = records.at(-1);
    if (first === undefined || last === undefined) return;
    if (first.seq > stream.seq + 1) {
      this.#send(stream, 'gap', JSON.stringify({ after: stream.seq, before: first.seq }));
    }
    stream.seq = last.seq;
    this.#send(stream, 'records', JSON.stringify(records), last.seq);
  }

  #send(stream: Stream, event: string, data: string, id?: number): void {
    const idLine = id === undefined ? '' : `id: ${id}\n`;
    stream.response.write(`event: ${event}\n${idLine}data: ${data}\n\n`);
    stream.writtenAt = this.#clock.monotonic();
  }
}
