import type { InformerChange } from 'client-ts/cache';
import type { QueueAddRecord, ReconcileStartRecord } from 'client-ts/observe';

/** Changes that are kept for one object, and for all together. */
const MAX_PER_OBJECT = 20;
const MAX_CHANGES = 1000;

/** Keys that are kept for one object, and for all together. */
const MAX_TRIGGERED = 100;
const MAX_ALL_TRIGGERED = 5000;

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
  reconcile?: number;
}

interface Kept {
  changes: KeptChange[];
  triggered: TriggeredKey[];
}

/**
 * The last changes of objects, and the keys that they have triggered. Bounded: the objects that have
 * not changed for longest are dropped first.
 */
export class ObjectHistory {
  /** In the order of the last change. */
  readonly #objects = new Map<string, Kept>();
  #changes = 0;
  #triggered = 0;

  change(informer: string, at: number, { type, key, before, after }: InformerChange): void {
    const kept = this.#touch(informer, key);
    kept.changes.push({ at, event: type, before, after });
    this.#changes += 1;
    if (kept.changes.length > MAX_PER_OBJECT) {
      kept.changes.shift();
      this.#changes -= 1;
    }
    this.#trim();
  }

  queued({ at, queue, key, trigger }: QueueAddRecord): void {
    if (trigger.kind !== 'change') return;
    const { informer, handler, resourceVersion } = trigger;
    const kept = this.#touch(informer, trigger.key);
    kept.triggered.push({ at, handler, queue, key, resourceVersion });
    this.#triggered += 1;
    if (kept.triggered.length > MAX_TRIGGERED) {
      kept.triggered.shift();
      this.#triggered -= 1;
    }
    this.#trim();
  }

  /** Connects a reconcile with what triggered it. */
  started({ id, controller, key, trigger }: ReconcileStartRecord): void {
    if (trigger.kind !== 'change') return;
    const kept = this.#objects.get(idOf(trigger.informer, trigger.key));
    for (const triggered of kept?.triggered ?? []) {
      if (triggered.queue === controller && triggered.key === key) triggered.reconcile ??= id;
    }
  }

  /** Returns what is known of an object, the newest first. */
  of(
    informer: string,
    key: string,
  ): { readonly changes: readonly KeptChange[]; readonly triggered: readonly TriggeredKey[] } {
    const { changes = [], triggered = [] } = this.#objects.get(idOf(informer, key)) ?? {};
    return { changes: [...changes].reverse(), triggered: [...triggered].reverse() };
  }

  #touch(informer: string, key: string): Kept {
    const id = idOf(informer, key);
    const kept = this.#objects.get(id) ?? { changes: [], triggered: [] };
    this.#objects.delete(id);
    this.#objects.set(id, kept);
    return kept;
  }

  #trim(): void {
    for (const [id, { changes, triggered }] of this.#objects) {
      if (this.#changes <= MAX_CHANGES && this.#triggered <= MAX_ALL_TRIGGERED) return;
      this.#objects.delete(id);
      this.#changes -= changes.length;
      this.#triggered -= triggered.length;
    }
  }
}

function idOf(informer: string, key: string): string {
  return JSON.stringify([informer, key]);
}
