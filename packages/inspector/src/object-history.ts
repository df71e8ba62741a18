import type { InformerChange } from 'client-ts/cache';
import type { QueueAddRecord, ReconcileStartRecord, WatchEventRecord } from 'client-ts/observe';
import { RecentMap } from './recent-map.ts';

/** Changes that are kept for one object, and for all together. */
const MAX_PER_OBJECT = 20;
const MAX_CHANGES = 1000;

/** Keys that are kept for one object, and for all together. */
const MAX_TRIGGERED = 100;
const MAX_ALL_TRIGGERED = 5000;

/** How much more than that there may be before some is dropped: a tenth. */
const SLACK = 1.1;

/** A change of an object, with its states. */
export interface KeptChange {
  readonly at: number;
  readonly event: 'add' | 'delete' | 'update';
  readonly before: InformerChange['before'];
  readonly after: InformerChange['after'];
}

/** A key that a handler has enqueued because of an object. */
export interface TriggeredKey {
  readonly at: number;
  readonly handler: string;
  readonly queue: string;
  readonly key: string;
  readonly resourceVersion: string;
  /** The reconcile that handled it; undefined until one has started. */
  reconcile: number | undefined;
}

interface Kept {
  readonly changes: KeptChange[];
  readonly triggered: TriggeredKey[];
}

/**
 * The last changes of objects, and the keys that they have triggered. Bounded: the objects that have
 * not changed for longest are dropped first.
 */
export class ObjectHistory {
  readonly #objects = new RecentMap<Kept>();
  #changes = 0;
  #triggered = 0;

  change({ informer, key, at, event }: WatchEventRecord, { before, after }: InformerChange): void {
    const { changes } = this.#objects.use(informer, key, newObject);
    changes.push({ at, event, before, after });
    if (changes.length > MAX_PER_OBJECT) changes.shift();
    else this.#changes += 1;
    if (this.#changes > SLACK * MAX_CHANGES) this.#trim();
  }

  queued({ at, queue, key, trigger }: QueueAddRecord): void {
    if (trigger.kind !== 'change') return;
    const { informer, handler, resourceVersion } = trigger;
    const { triggered } = this.#objects.use(informer, trigger.key, newObject);
    triggered.push({ at, handler, queue, key, resourceVersion, reconcile: undefined });
    if (triggered.length > MAX_TRIGGERED) triggered.shift();
    else this.#triggered += 1;
    if (this.#triggered > SLACK * MAX_ALL_TRIGGERED) this.#trim();
  }

  /** Connects a reconcile with what triggered it. */
  started({ id, controller, key, trigger }: ReconcileStartRecord): void {
    if (trigger.kind !== 'change') return;
    const triggered = this.#objects.get(trigger.informer, trigger.key)?.triggered ?? [];
    for (let index = triggered.length - 1; index >= 0; index -= 1) {
      const each = triggered[index];
      if (each === undefined || each.queue !== controller || each.key !== key) continue;
      // What was added before it has been connected too.
      if (each.reconcile !== undefined) return;
      each.reconcile = id;
    }
  }

  /** Returns what is known of an object, the newest first. */
  of(
    informer: string,
    key: string,
  ): { readonly changes: readonly KeptChange[]; readonly triggered: readonly TriggeredKey[] } {
    const { changes = [], triggered = [] } = this.#objects.get(informer, key) ?? {};
    return { changes: [...changes].reverse(), triggered: [...triggered].reverse() };
  }

  #trim(): void {
    this.#objects.dropOldest(({ changes, triggered }) => {
      if (this.#changes <= MAX_CHANGES && this.#triggered <= MAX_ALL_TRIGGERED) return false;
      this.#changes -= changes.length;
      this.#triggered -= triggered.length;
      return true;
    });
  }
}

function newObject(): Kept {
  return { changes: [], triggered: [] };
}
