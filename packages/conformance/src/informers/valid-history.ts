import { type HandlerCall, type History, isAtMost, isOlder, type LogEntry } from './history.ts';
import { ObjectHistory } from './object-history.ts';

/**
 * Returns what is wrong with a history; empty if the guarantees of informers allow it:
 *
 * - first the cache, as additions; then every change once, per object in the order of the server
 * - nothing is missing except states that were overwritten before a list, or that never arrived
 * - no step back, also across lists; an update starts from the last delivered state
 * - an observed deletion has the last state; an unobserved one is a tombstone with the last
 *   delivered state
 * - the store is never behind a call; nothing of the initial list comes after the sync
 * - at the end the handler knows the state of the server
 */
export function historyProblems(history: History): string[] {
  return new HistoryCheck(history).run();
}

class HistoryCheck {
  readonly #history: History;
  readonly #objects = new Map<string, ObjectHistory>();
  readonly #problems: string[] = [];
  /** The newest version that a watch delivered. */
  #newest = '';
  #isPastInitial = false;

  constructor(history: History) {
    this.#history = history;
    const { start, log } = history;
    const entries = new Map<string, LogEntry[]>();
    for (const entry of log) {
      const known = entries.get(entry.key);
      if (known === undefined) entries.set(entry.key, [entry]);
      else known.push(entry);
    }
    for (const key of new Set([...start.held.keys(), ...entries.keys()])) {
      this.#objects.set(key, new ObjectHistory(entries.get(key) ?? [], key, history));
    }
  }

  run(): string[] {
    const { calls, start, isWhole, syncedAfter } = this.#history;
    const replayed = start.isReplayed ? start.held.size : 0;
    for (const [position, call] of calls.entries()) {
      const problem = position < replayed ? this.#replay(call) : this.#follow(call);
      const flaw = problem ?? this.#behind(call) ?? this.#misplaced(call, position, syncedAfter);
      if (flaw !== undefined) this.#problems.push(`call ${position + 1}: ${call.key} ${flaw}`);
    }
    if (isWhole) this.#finish();
    return this.#problems;
  }

  /** The cache is delivered in any order, before anything else. */
  #replay(call: HandlerCall): string | undefined {
    const held = this.#history.start.held.get(call.key);
    if (call.type !== 'add' || !call.isInInitialList) return `: ${call.type} before the replay`;
    if (held === undefined) return 'is replayed and was not in the cache';
    return this.#objects.get(call.key)?.replay(call.state);
  }

  #follow(call: HandlerCall): string | undefined {
    const object = this.#objects.get(call.key);
    if (object === undefined) return 'never existed on the server';
    if (call.type === 'update' && call.before.version === call.state.version) {
      return this.#history.hasResyncs ? object.again(call) : 'is delivered twice';
    }
    const outcome = object.follow(call);
    if ('problem' in outcome) return outcome.problem;
    if (this.#history.order === 'object' || !outcome.isLive) return undefined;
    const { version } = outcome;
    if (isAtMost(version, this.#newest)) return `at ${version} comes after ${this.#newest}`;
    this.#newest = version;
    return undefined;
  }

  /** A read of the store within a call sees at least the delivered state. */
  #behind({ type, key, stored, state }: HandlerCall): string | undefined {
    const object = this.#objects.get(key);
    if (type === 'add' || type === 'update') {
      if (stored === undefined) {
        return object?.isDeletedAfter(state.version) === true
          ? undefined
          : `at ${state.version} is not in the store`;
      }
      return isOlder(stored, state.version)
        ? `at ${state.version} is in the store at ${stored}`
        : undefined;
    }
    if (stored === undefined) return undefined;
    return object?.isCreatedAgainBy(stored, state?.version ?? '') === true
      ? undefined
      : `is deleted and in the store at ${stored}`;
  }

  #misplaced(
    call: HandlerCall,
    position: number,
    syncedAfter: number | undefined,
  ): string | undefined {
    const isInitial = call.type === 'add' && call.isInInitialList;
    if (!isInitial) {
      this.#isPastInitial = true;
      return undefined;
    }
    if (syncedAfter !== undefined && position >= syncedAfter) return 'is initial after the sync';
    return this.#history.order === 'server' && this.#isPastInitial
      ? 'is initial after others were not'
      : undefined;
  }

  #finish(): void {
    if (this.#history.syncedAfter === undefined) this.#problems.push('it never synced');
    for (const object of this.#objects.values()) {
      const problem = object.finish();
      if (problem !== undefined) this.#problems.push(`at the end: ${object.key} ${problem}`);
    }
  }
}
