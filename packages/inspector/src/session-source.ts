import type {
  ObservedSnapshot,
  ReconcileEndRecord,
  Session,
  SessionHeader,
} from 'client-ts/observe';
import { KeyHistory, type KnownKey } from './key-history.ts';
import { RecordStore } from './record-store.ts';
import type { SessionInfo, Source } from './source.ts';

/** A recorded session: everything is kept, and there are no objects. */
export class SessionSource implements Source {
  readonly info: SessionInfo;
  readonly header: SessionHeader;
  readonly records: RecordStore = new RecordStore({ bytes: Infinity, durationMs: Infinity });
  readonly #keys = new KeyHistory();

  constructor({ header, records }: Session) {
    const { program, startedAt } = header;
    this.header = header;
    this.info = { protocol: 1, program, startedAt, isLive: false, actions: false };
    for (const record of records) {
      this.records.add(record);
      if (record.type === 'reconcile.end') this.#keys.add(record);
    }
  }

  /** The caches were not recorded. */
  snapshot(): ObservedSnapshot {
    const { snapshot } = this.header;
    const informers = snapshot.informers.map((each) => ({ ...each, isSearchable: false }));
    return { ...snapshot, informers };
  }

  objects(): undefined {
    return undefined;
  }

  object(): undefined {
    return undefined;
  }

  indexValues(): undefined {
    return undefined;
  }

  reconciles(controller: string, key: string): readonly ReconcileEndRecord[] {
    return this.#keys.of(controller, key);
  }

  keys(controller: string, text: string, limit: number): { keys: KnownKey[]; hasMore: boolean } {
    return this.#keys.keys(controller, text, limit);
  }

  enqueue(): boolean {
    return false;
  }
}
