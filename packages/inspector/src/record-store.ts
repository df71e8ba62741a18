import type { ObservedRecord } from 'client-ts/observe';

/** How much is kept. */
export interface Retention {
  /** About this many bytes of records. Default 32 MiB. */
  readonly bytes: number;
  /** Records older than this are dropped. Default 10 minutes. */
  readonly durationMs: number;
}

/** Which records are wanted. */
export interface RecordQuery {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
  readonly types?: ReadonlySet<string> | undefined;
}

/** A part of the records, in ascending order. */
export interface RecordPage {
  readonly records: readonly ObservedRecord[];
  /** The bounds of what is kept; 0 if that is nothing. */
  readonly oldest: number;
  readonly newest: number;
  readonly hasMore: boolean;
}

/**
 * Keeps the newest records, bounded in bytes and in time. Sequence numbers ascend, so that a record is
 * found by bisection.
 */
export class RecordStore {
  readonly #retention: Retention;
  #records: ObservedRecord[] = [];
  /** The records before this index are dropped. */
  #start = 0;
  #bytes = 0;

  constructor(retention: Retention) {
    this.#retention = retention;
  }

  get size(): number {
    return this.#records.length - this.#start;
  }

  /** About the size of what is kept. */
  get bytes(): number {
    return this.#bytes;
  }

  get oldest(): number {
    return this.#records[this.#start]?.seq ?? 0;
  }

  get newest(): number {
    return this.#records.at(-1)?.seq ?? 0;
  }

  add(record: ObservedRecord): void {
    this.#records.push(record);
    this.#bytes += bytesOf(record);
    const { bytes, durationMs } = this.#retention;
    for (
      let first = this.#records[this.#start];
      first !== undefined &&
      first !== record &&
      (this.#bytes > bytes || first.at < record.at - durationMs);
      first = this.#records[this.#start]
    ) {
      this.#bytes -= bytesOf(first);
      this.#start += 1;
    }
    // Shifting an array costs its length: in halves it costs one step per record.
    if (this.#start > 1024 && this.#start > this.#records.length / 2) {
      this.#records = this.#records.slice(this.#start);
      this.#start = 0;
    }
  }

  /** Returns the records after `after`; else the last ones before `before`, or the newest. */
  query({ after, before = Infinity, limit, types }: RecordQuery): RecordPage {
    const from = after === undefined ? this.#start : this.#indexAfter(after);
    const to = before === Infinity ? this.#records.length : this.#indexAfter(before - 1);
    const found: ObservedRecord[] = [];
    const isBackward = after === undefined;
    let hasMore = false;
    for (let count = 0; count < to - from; count += 1) {
      const record = this.#records[isBackward ? to - 1 - count : from + count] as ObservedRecord;
      if (types !== undefined && !types.has(record.type)) continue;
      hasMore = found.length === limit;
      if (hasMore) break;
      found.push(record);
    }
    const records = isBackward ? found.reverse() : found;
    return { records, oldest: this.oldest, newest: this.newest, hasMore };
  }

  /** Returns the records, oldest first. */
  *all(): Generator<ObservedRecord, void, undefined> {
    for (const record of this.#records.slice(this.#start)) yield record;
  }

  /** Returns the index of the first record after a number. */
  #indexAfter(seq: number): number {
    let low = this.#start;
    let high = this.#records.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#records[middle]?.seq ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** An estimate: exact sizes would cost the serialization of each record. */
function bytesOf(record: ObservedRecord): number {
  switch (record.type) {
    case 'queue.state':
      return 2500 + 80 * record.failing.length;
    case 'informer.events':
      return 400 + 150 * record.handlers.length;
    case 'reconcile.end':
      return 500 + 8 * record.requests.length + (record.error?.length ?? 0);
    case 'event.recorded':
      return 300 + record.note.length;
    default:
      return 400;
  }
}
