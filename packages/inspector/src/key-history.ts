import type { ReconcileEndRecord } from 'client-ts/observe';

/** Reconciles that are kept for each key. */
const MAX_PER_KEY = 50;

/** Keys of which reconciles are kept; those that were not reconciled for longest are dropped. */
const MAX_KEYS = 2000;

/** A key in lists. */
export interface KnownKey {
  readonly key: string;
  readonly reconciles: number;
  readonly errors: number;
  readonly last: ReconcileEndRecord;
}

interface History {
  readonly controller: string;
  readonly key: string;
  reconciles: number;
  errors: number;
  records: ReconcileEndRecord[];
}

/** The reconciles of each key, which are kept longer than other records. */
export class KeyHistory {
  /** In the order of the last reconcile. */
  readonly #histories = new Map<string, History>();

  add(record: ReconcileEndRecord): void {
    const { controller, key, result } = record;
    const id = JSON.stringify([controller, key]);
    const known = this.#histories.get(id);
    const history = known ?? { controller, key, reconciles: 0, errors: 0, records: [] };
    history.reconciles += 1;
    if (result === 'error' || result === 'terminal' || result === 'timeout') history.errors += 1;
    history.records.push(record);
    if (history.records.length > 2 * MAX_PER_KEY) {
      history.records = history.records.slice(-MAX_PER_KEY);
    }
    this.#histories.delete(id);
    this.#histories.set(id, history);
    if (this.#histories.size <= MAX_KEYS) return;
    for (const oldest of this.#histories.keys()) {
      this.#histories.delete(oldest);
      break;
    }
  }

  /** Returns the reconciles of a key, the newest first. */
  of(controller: string, key: string): readonly ReconcileEndRecord[] {
    const history = this.#histories.get(JSON.stringify([controller, key]));
    return (history?.records ?? []).slice(-MAX_PER_KEY).reverse();
  }

  /** Returns the keys of a controller that contain a text, the newest reconcile first. */
  keys(controller: string, text: string, limit: number): { keys: KnownKey[]; hasMore: boolean } {
    const matching = [...this.#histories.values()]
      .reverse()
      .filter((history) => history.controller === controller && history.key.includes(text));
    const keys = matching.slice(0, limit).flatMap(({ key, reconciles, errors, records }) => {
      const last = records.at(-1);
      return last === undefined ? [] : [{ key, reconciles, errors, last }];
    });
    return { keys, hasMore: matching.length > limit };
  }
}
