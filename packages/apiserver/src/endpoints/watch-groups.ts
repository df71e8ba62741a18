import type { Store } from '../store/store.ts';

/** A watch, as its group sees it. */
export interface GroupMember {
  /** Called in the turn after events, which begin with this revision. Must not throw. */
  resume(revision: number): void;
}

/** The membership of a watch in its group, until it is disposed. */
export interface Membership extends Disposable {
  /** A watch that waits has been resumed for all of its events up to this revision. */
  readonly resumedUpTo: number;
}

/** The watches of a store, grouped by what they watch. */
export class WatchGroups {
  readonly #store: Store;
  readonly #nextTurn: () => Promise<void>;
  readonly #groups = new Map<string, WatchGroup>();

  /** `nextTurn` resolves in the next turn of the event loop. */
  constructor(store: Store, nextTurn: () => Promise<void>) {
    this.#store = store;
    this.#nextTurn = nextTurn;
  }

  /** Adds a watch of the keys with a prefix, until it is disposed. */
  join(prefix: string, member: GroupMember): Membership {
    let group = this.#groups.get(prefix);
    if (group === undefined) {
      const follow = (listener: (revision: number) => void): Disposable =>
        this.#store.follow(prefix, ({ revision }) => listener(revision));
      this.#groups.set(prefix, (group = new WatchGroup(follow, this.#nextTurn)));
    }
    const joined = group;
    const store = this.#store;
    joined.add(member);
    return {
      get resumedUpTo() {
        return joined.first === undefined ? store.durableRevision : joined.first - 1;
      },
      [Symbol.dispose]: () => {
        if (joined.remove(member)) this.#groups.delete(prefix);
      },
    };
  }
}

/**
 * All watches of the same keys. Writes of one turn reach each watch in one chunk, because sending costs more than the events; and all
 * watches continue in one loop, because a listener, a promise and a timer of each would cost as much again.
 */
class WatchGroup {
  readonly #members = new Set<GroupMember>();
  readonly #subscription: Disposable;
  readonly #nextTurn: () => Promise<void>;
  #first: number | undefined;

  constructor(
    follow: (listener: (revision: number) => void) => Disposable,
    nextTurn: () => Promise<void>,
  ) {
    this.#nextTurn = nextTurn;
    this.#subscription = follow((revision) => {
      if (this.#first !== undefined) return;
      this.#first = revision;
      void this.#nextTurn().then(this.#resumeAll);
    });
  }

  /** The first event of this turn, for which the members will be resumed. */
  get first(): number | undefined {
    return this.#first;
  }

  add(member: GroupMember): void {
    this.#members.add(member);
  }

  /** Returns true if it was the last one; then the group is over. */
  remove(member: GroupMember): boolean {
    const isLast = this.#members.delete(member) && this.#members.size === 0;
    if (isLast) this.#subscription[Symbol.dispose]();
    return isLast;
  }

  readonly #resumeAll = (): void => {
    const first = this.#first ?? 0;
    this.#first = undefined;
    for (const member of this.#members) member.resume(first);
  };
}
