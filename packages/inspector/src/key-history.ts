import type { ReconcileEndRecord } from 'client-ts/observe';
import { RecentMap } from './recent-map.ts';

/** Reconciles that are kept for each key. */
const MAX_PER_KEY = 50;

/** Keys of which reconciles are kept; those that were not reconciled for longest are dropped. */
const MAX_KEYS = 2000;

/** How many more there may be before some are dropped. */
const SLACK = 200;

/** A key in lists. */
export interface KnownKey {
  readonly key: string;
  readonly reconciles: number;
  readonly errors: number;
  readonly last: ReconcileEndRecord;
}

interface History {
  readonly key: string;
  reconciles: number;
  errors: number;
  records: ReconcileEndRecord[];
}

/** The reconciles of each key, which are kept longer than other records. */
export class KeyHistory {
  readonly #histories = new RecentMap<History>();

  add(record: ReconcileEndRecord): void {
    const { controller, key, result } = record;
    const history = this.#histories.use(controller, key, () => newHistory(key));
    history.reconciles += 1;
    if (result === 'error' || result === 'terminal' || result === 'timeout') history.errors += 1;
    history.records.push(record);
    if (history.records.length > 2 * MAX_PER_KEY) {
      history.records = history.records.slice(-MAX_PER_KEY);
    }
    const { size } = this.#histories;
    if (size <= MAX_KEYS + SLACK) return;
    let excess = size - MAX_KEYS;
    this.#histories.dropOldest(() => excess-- > 0);
  }

  /** Returns the reconciles of a key, the newest first. */
  of(controller: string, key: string): readonly ReconcileEndRecord[] {
    const { records = [] } = this.#histories.get(controller, key) ?? {};
    return records.slice(-MAX_PER_KEY).reverse();
  }

  /** Returns the keys of a controller that contain a text, the newest reconcile first. */
  keys(controller: string, text: string, limit: number): { keys: KnownKey[]; hasMore: boolean } {
    const matching = this.#histories.valuesOf(controller).filter(({ key }) => key.includes(text));
    const keys = matching.slice(0, limit).flatMap(({ key, reconciles, errors, records }) => {
      const last = records.at(-1);
      return last === undefined ? [] : [{ key, reconciles, errors, last }];
    });
    return { keys, hasMore: matching.length > limit };
  }
}

function newHistory(key: string): History {
  return { key, reconciles: 0, errors: 0, records: [] };
}
