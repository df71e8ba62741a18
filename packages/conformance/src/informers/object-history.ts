import {
  type Gap,
  type HandlerCall,
  type History,
  isAtMost,
  isOlder,
  type LogEntry,
  type ObjectState,
} from './history.ts';

/** A valid call: its version, and whether a watch delivered it. */
export type Followed =
  | { readonly isLive: boolean; readonly version: string }
  | { readonly problem: string };

/** The history of one object, and how far it has been delivered to a handler. */
export class ObjectHistory {
  readonly key: string;
  readonly #entries: readonly LogEntry[];
  readonly #history: Pick<History, 'gaps' | 'missed' | 'start'>;
  /** The first entry that has not been delivered. */
  #next: number;
  /** The last delivered state; undefined if the object does not exist for the handler. */
  #held: ObjectState | undefined;
  #hasBegun: boolean;

  constructor(
    entries: readonly LogEntry[],
    key: string,
    history: Pick<History, 'gaps' | 'missed' | 'start'>,
  ) {
    this.key = key;
    this.#entries = entries;
    this.#history = history;
    const { held, isReplayed } = history.start;
    const first = held.get(key);
    this.#hasBegun = first !== undefined;
    this.#held = isReplayed ? undefined : first;
    const later = entries.findIndex(({ state }) => isOlder(first?.version ?? '', state.version));
    this.#next = later === -1 ? entries.length : later;
  }

  /** Accepts the object as it was in the cache when the handler was added. */
  replay(state: ObjectState): string | undefined {
    const held = this.#history.start.held.get(this.key);
    if (this.#held !== undefined) return 'is replayed twice';
    if (held === undefined || !isSame(held, state)) return 'is replayed in another state';
    this.#held = state;
    return undefined;
  }

  /** Accepts a resync: the same state again. */
  again({ before, state }: Extract<HandlerCall, { type: 'update' }>): string | undefined {
    const held = this.#held;
    return held !== undefined && isSame(held, before) && isSame(held, state)
      ? undefined
      : `is resynced at ${state.version}, though it is at ${held?.version ?? 'its end'}`;
  }

  follow(call: HandlerCall): Followed {
    const problem = this.#unfitting(call);
    if (problem !== undefined) return { problem };
    const position = call.type === 'tombstone' ? this.#unseenDeletion() : this.#find(call);
    if (typeof position === 'string') return { problem: position };
    const lost = this.#skip(position);
    const { state, type } = this.#entries[position] as LogEntry;
    this.#next = position + 1;
    this.#held = type === 'put' ? state : undefined;
    if (lost !== undefined) return { problem: lost };
    return { isLive: !this.#isUnseen(state.version), version: state.version };
  }

  isDeletedAfter(version: string): boolean {
    return this.#entries.some(
      ({ type, state }) => type === 'delete' && isOlder(version, state.version),
    );
  }

  /** True if `version` is a state of the object after a deletion after `last`. */
  isCreatedAgainBy(version: string, last: string): boolean {
    return this.#entries.some(
      ({ type, state }) =>
        type === 'delete' && isAtMost(last, state.version) && isOlder(state.version, version),
    );
  }

  /** Returns what is missing at the end. */
  finish(): string | undefined {
    const lost = this.#skip(this.#entries.length);
    if (lost !== undefined) return lost;
    const last = this.#entries.at(-1);
    const expected = last === undefined ? this.#history.start.held.get(this.key) : present(last);
    if (this.#held?.version === expected?.version) return undefined;
    return `is known at ${this.#held?.version ?? 'no version'}, and is at ${expected?.version ?? 'no version'}`;
  }

  #unfitting(call: HandlerCall): string | undefined {
    const held = this.#held;
    if (call.type === 'add') return held === undefined ? undefined : 'is added twice';
    if (held === undefined) return `has ${call.type} and was not added`;
    if (call.type === 'update' && !isSame(call.before, held)) {
      return `is updated from ${call.before.version}, though it was at ${held.version}`;
    }
    if (call.type === 'tombstone' && (call.state === undefined || !isSame(call.state, held))) {
      return `has a tombstone at ${call.state?.version ?? 'no version'}, though it was at ${held.version}`;
    }
    return undefined;
  }

  #find({ type, state }: Exclude<HandlerCall, { type: 'tombstone' }>): number | string {
    const wanted = type === 'delete' ? 'delete' : 'put';
    const position = this.#entries.findIndex((entry) => entry.state.version === state.version);
    const entry = this.#entries[position];
    if (entry === undefined || entry.type !== wanted) return `never had ${type} ${state.version}`;
    if (!isSame(entry.state, state)) return `at ${state.version} is not what the server had`;
    return position < this.#next ? `goes back to ${state.version}` : position;
  }

  #unseenDeletion(): number | string {
    const position = this.#entries.findIndex(
      ({ type, state }, index) =>
        type === 'delete' && index >= this.#next && this.#isUnseen(state.version),
    );
    return position === -1 ? 'has a tombstone without an unobserved deletion' : position;
  }

  /** Skips entries that may be left out; the first that may not is lost. */
  #skip(upTo: number): string | undefined {
    const begin = this.#hasBegun ? this.#next : this.#begin(upTo);
    this.#hasBegun = true;
    let lost: string | undefined;
    for (let position = begin; position < upTo; position += 1) {
      const { type, state } = this.#entries[position] as LogEntry;
      if (!this.#mayBeLeftOut(position)) lost ??= `missed ${type} ${state.version}`;
    }
    return lost;
  }

  /**
   * Objects that were deleted before the handler was added are not in the cache and are not
   * delivered.
   */
  #begin(upTo: number): number {
    const end = this.#history.start.upTo;
    for (let position = upTo; position > 0; position -= 1) {
      const { type, state } = this.#entries[position - 1] as LogEntry;
      if (type === 'delete' && isAtMost(state.version, end)) return position;
    }
    return 0;
  }

  #mayBeLeftOut(position: number): boolean {
    const { type, state } = this.#entries[position] as LogEntry;
    if (this.#history.missed.has(state.version)) return true;
    if (type === 'delete' && this.#held === undefined) return true;
    const later = this.#entries[position + 1]?.state.version;
    return (
      later !== undefined && this.#gapsAt(state.version).some(({ upTo }) => isAtMost(later, upTo))
    );
  }

  #isUnseen(version: string): boolean {
    return this.#history.missed.has(version) || this.#gapsAt(version).length > 0;
  }

  #gapsAt(version: string): readonly Gap[] {
    return this.#history.gaps.filter(
      ({ after, upTo }) => isOlder(after, version) && isAtMost(version, upTo),
    );
  }
}

function present({ type, state }: LogEntry): ObjectState | undefined {
  return type === 'put' ? state : undefined;
}

function isSame(left: ObjectState, right: ObjectState): boolean {
  return left.version === right.version && left.uid === right.uid && left.digest === right.digest;
}
