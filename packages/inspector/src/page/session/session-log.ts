import type {
  ObservedRecord,
  ObservedSnapshot,
  ObservedTrigger,
  ReconcileEndRecord,
  SessionHeader,
} from 'client-ts/observe';

import { applyRecord, applySnapshot, copyMachine, type Machine, machineOf } from './machine.ts';
import { completeMachine, snapshotOf } from './machine-snapshot.ts';

/** A request, from its start to its end. */
export interface RequestRow {
  readonly id: string;
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly startAt: number;
  /** The id of the reconcile that made it. */
  readonly reconcile: string | undefined;
  /** When the head of a stream came. It is open from then on, until `endAt`. */
  headAt: number | undefined;
  endAt: number | undefined;
  /** Undefined until the head, as everything below. */
  code: number | undefined;
  errorCode: string | undefined;
  retries: number | undefined;
  throttledMs: number | undefined;
  connection: string | undefined;
}

/** A reconcile, from its start to its end. */
export interface ReconcileRow {
  readonly id: string;
  readonly controller: string;
  readonly key: string;
  readonly attempt: number;
  readonly trigger: ObservedTrigger;
  readonly queuedMs: number | undefined;
  readonly startAt: number;
  /** Undefined while it runs, as everything below. */
  endAt: number | undefined;
  result: ReconcileEndRecord['result'] | undefined;
  error: string | undefined;
  errorCode: string | undefined;
  requeueAfterMs: number | undefined;
}

/** A position, its state, and how many snapshots are part of that. */
interface Place {
  position: number;
  readonly machine: Machine;
  snapshots: number;
}

/** Options of a {@link SessionLog}. */
export interface SessionLogOptions {
  /** How many records are kept; older ones become part of the state at its beginning. */
  readonly limit?: number | undefined;
}

/**
 * The records of a session in a bounded buffer, and the state of the program after each of them. A
 * position is a number of records, counted from the start of the session: the state at position `n` is
 * that after the first `n` records.
 */
export class SessionLog {
  readonly header: SessionHeader;
  /** In the order in which they started. */
  readonly requests: RequestRow[] = [];
  readonly reconciles: ReconcileRow[] = [];
  readonly #limit: number;
  readonly #records: ObservedRecord[] = [];
  readonly #openRequests = new Map<string, RequestRow>();
  readonly #openReconciles = new Map<string, ReconcileRow>();
  readonly #controllers = new Map<string, string>();
  #dropped = 0;
  /** The state before the first record that is kept. */
  readonly #base: Place;
  #cached: Place;
  #lastSeq: number;
  /** Snapshots of later states, in order. */
  readonly #snapshots: ObservedSnapshot[] = [];
  #latest: ObservedSnapshot;

  constructor(header: SessionHeader, { limit = 50_000 }: SessionLogOptions = {}) {
    this.header = header;
    this.#limit = limit;
    this.#lastSeq = header.snapshot.seq;
    this.#latest = header.snapshot;
    this.#base = { position: 0, machine: machineOf(header.snapshot), snapshots: 0 };
    this.#cached = this.#copyOfBase();
  }

  /** The first position whose state can be shown. */
  get start(): number {
    return this.#dropped;
  }

  /** The position after the last record. */
  get end(): number {
    return this.#dropped + this.#records.length;
  }

  /** The time of the first position. */
  get startAt(): number {
    return this.#base.machine.at;
  }

  /** The time of the last record. */
  get endAt(): number {
    return this.#records.at(-1)?.at ?? this.#base.machine.at;
  }

  /** The `seq` of the last record, or of the snapshot before the first. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Appends a record. Records that the log holds already, by `seq`, are ignored. */
  push(record: ObservedRecord): void {
    if (record.seq <= this.#lastSeq) return;
    this.#lastSeq = record.seq;
    this.#records.push(record);
    this.#addRow(record);
    if (this.#records.length > this.#limit * 1.1) this.#trim(this.#records.length - this.#limit);
  }

  /** The record that leads from `position` to the position after it. */
  record(position: number): ObservedRecord | undefined {
    return this.#records[position - this.#dropped];
  }

  /** The records between two positions. */
  slice(from: number, to: number): readonly ObservedRecord[] {
    return this.#records.slice(Math.max(0, from - this.#dropped), Math.max(0, to - this.#dropped));
  }

  /** The position after the last record that is not later than `time`. */
  positionAt(time: number): number {
    let low = 0;
    let high = this.#records.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#records[middle]?.at ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    return this.#dropped + low;
  }

  /**
   * The state at a position. The same object is brought forward as positions grow: it is valid until the
   * next call.
   */
  machineAt(position: number): Machine {
    const wanted = Math.min(Math.max(position, this.start), this.end);
    if (this.#cached.position > wanted || this.#cached.position < this.start) {
      this.#cached = this.#copyOfBase();
    }
    this.#advance(this.#cached, wanted);
    completeMachine(this.#cached.machine, this.#latest);
    return this.#cached.machine;
  }

  /** Takes in a snapshot: it becomes part of the states from its `seq` on. */
  refresh(snapshot: ObservedSnapshot): void {
    if (snapshot.seq < this.#latest.seq) return;
    this.#latest = snapshot;
    if (this.#snapshots.at(-1)?.seq === snapshot.seq) {
      this.#snapshots.pop();
      this.#cached.snapshots = Math.min(this.#cached.snapshots, this.#snapshots.length);
    }
    this.#snapshots.push(snapshot);
  }

  /** The controller of a reconcile; undefined if it is not known, or no longer. */
  controllerOf(reconcile: string): string | undefined {
    return this.#controllers.get(reconcile);
  }

  /** The session as it is kept: the text of a file that can be opened later. */
  export(): string {
    const header: SessionHeader =
      this.#dropped === 0
        ? this.header
        : {
            ...this.header,
            startedAt: this.startAt,
            snapshot: snapshotOf(this.#base.machine, (this.#records[0]?.seq ?? 1) - 1),
          };
    return [header, ...this.#records].map((line) => `${JSON.stringify(line)}\n`).join('');
  }

  #addRow(record: ObservedRecord): void {
    if (isRequest(record)) {
      const id = String(record.id);
      const row = this.#openRequests.get(id) ?? this.#startRequest(id, record);
      if (record.type === 'request.start') return;
      if (record.type === 'request.head') row.headAt = record.at;
      else {
        this.#openRequests.delete(id);
        row.endAt = record.at;
        row.errorCode = record.errorCode;
        if (record.openMs !== undefined) row.headAt ??= record.at - record.openMs;
      }
      row.code = record.code;
      row.retries = record.retries;
      row.throttledMs = record.throttledMs;
      row.connection = record.connection;
    } else if (record.type === 'reconcile.start' || record.type === 'reconcile.end') {
      const id = String(record.id);
      const row = this.#openReconciles.get(id) ?? this.#startReconcile(id, record);
      if (record.type === 'reconcile.start') return;
      this.#openReconciles.delete(id);
      row.endAt = record.at;
      row.result = record.result;
      row.error = record.error;
      row.errorCode = record.errorCode;
      row.requeueAfterMs = record.requeueAfterMs;
    }
  }

  #startRequest(id: string, record: RequestRecord): RequestRow {
    const { verb, resource, namespace, name } = record;
    const row: RequestRow = {
      id,
      verb,
      resource,
      namespace,
      name,
      startAt: record.at - elapsedMs(record),
      reconcile: record.reconcile === undefined ? undefined : String(record.reconcile),
      headAt: undefined,
      endAt: undefined,
      code: undefined,
      errorCode: undefined,
      retries: undefined,
      throttledMs: undefined,
      connection: undefined,
    };
    this.requests.push(row);
    this.#openRequests.set(id, row);
    return row;
  }

  #startReconcile(
    id: string,
    record: Extract<ObservedRecord, { type: 'reconcile.end' | 'reconcile.start' }>,
  ): ReconcileRow {
    const isStart = record.type === 'reconcile.start';
    const row: ReconcileRow = {
      id,
      controller: record.controller,
      key: record.key,
      attempt: record.attempt,
      trigger: record.trigger,
      queuedMs: isStart ? record.queuedMs : undefined,
      startAt: isStart ? record.at : record.at - record.durationMs,
      endAt: undefined,
      result: undefined,
      error: undefined,
      errorCode: undefined,
      requeueAfterMs: undefined,
    };
    this.reconciles.push(row);
    this.#controllers.set(id, row.controller);
    this.#openReconciles.set(id, row);
    return row;
  }

  #copyOfBase(): Place {
    return { ...this.#base, machine: copyMachine(this.#base.machine) };
  }

  #advance(place: Place, to: number): void {
    for (; place.position < to; place.position += 1) {
      const record = this.record(place.position);
      if (record === undefined) continue;
      this.#applySnapshots(place, record.seq - 1);
      applyRecord(place.machine, record);
    }
    const next = this.record(to);
    this.#applySnapshots(place, next === undefined ? this.#lastSeq : next.seq - 1);
  }

  #applySnapshots(place: Place, until: number): void {
    for (let next = this.#snapshots[place.snapshots]; next !== undefined && next.seq <= until;) {
      applySnapshot(place.machine, next);
      place.snapshots += 1;
      next = this.#snapshots[place.snapshots];
    }
  }

  #trim(count: number): void {
    this.#advance(this.#base, this.#dropped + count);
    this.#snapshots.splice(0, this.#base.snapshots);
    this.#cached.snapshots = Math.max(0, this.#cached.snapshots - this.#base.snapshots);
    this.#base.snapshots = 0;
    this.#records.splice(0, count);
    this.#dropped += count;
    const before = this.startAt;
    dropUntil(this.requests, before);
    for (const { id } of dropUntil(this.reconciles, before)) this.#controllers.delete(id);
  }
}

/** Removes and returns the rows that had ended. A watch at the front is open for as long as the program runs. */
function dropUntil<Row extends { readonly endAt: number | undefined }>(
  rows: Row[],
  time: number,
): readonly Row[] {
  const dropped: Row[] = [];
  let kept = 0;
  for (const row of rows) {
    if (row.endAt !== undefined && row.endAt < time) dropped.push(row);
    else rows[kept++] = row;
  }
  rows.length = kept;
  return dropped;
}

type RequestRecord = Extract<ObservedRecord, { readonly verb: string }>;

function isRequest(record: ObservedRecord): record is RequestRecord {
  return 'verb' in record;
}

/** Returns how long before a record its request has started. */
function elapsedMs(record: RequestRecord): number {
  if (record.type === 'request.start') return 0;
  return record.latencyMs + (record.type === 'request.end' ? (record.openMs ?? 0) : 0);
}
