import type { ObservedSnapshot, ReconcileEndRecord, SessionHeader } from 'client-ts/observe';
import type { KnownKey } from './key-history.ts';
import type { TriggeredKey } from './object-history.ts';
import type { RecordPage, RecordQuery, RecordStore, Retention } from './record-store.ts';

/** What is inspected: the answer of `/api/session`. */
export interface SessionInfo {
  readonly protocol: 1;
  readonly program: string;
  readonly pid?: number;
  readonly startedAt: number;
  readonly isLive: boolean;
  readonly actions: boolean;
  readonly retention?: Retention;
}

/** A query of the cache of an informer. */
export interface ObjectQuery {
  readonly informer: string;
  readonly text: string;
  readonly labels: string;
  readonly index: string | undefined;
  readonly value: string | undefined;
  readonly limit: number;
  /** Continues behind this key. */
  readonly after: string | undefined;
}

/** An object in lists. */
export interface FoundObject {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A change of an object as text. */
export interface ShownChange {
  readonly at: number;
  readonly event: 'add' | 'delete' | 'update';
  readonly from: string;
  readonly to: string;
  readonly diff: string;
}

/** An object: the answer of `/api/object`. */
export interface ShownObject {
  readonly informer: string;
  readonly key: string;
  readonly resourceVersion: string;
  readonly yaml: string | null;
  readonly isRedacted: boolean;
  readonly changes: readonly ShownChange[];
  readonly triggered: readonly TriggeredKey[];
}

/** The values of an index. */
export interface IndexValues {
  readonly values: readonly { readonly value: string; readonly count: number }[];
  readonly hasMore: boolean;
}

/** What the server shows: a running program or a recorded session. */
export interface Source {
  readonly info: SessionInfo;
  readonly header: SessionHeader;
  readonly records: Pick<RecordStore, 'all' | 'newest' | 'oldest'> & {
    query(query: RecordQuery): RecordPage;
  };
  snapshot(): ObservedSnapshot;
  /** Undefined if the informer is not known or cannot be searched. */
  objects(
    query: ObjectQuery,
  ): { items: readonly FoundObject[]; total: number; hasMore: boolean } | undefined;
  object(informer: string, key: string): ShownObject | undefined;
  indexValues(
    informer: string,
    index: string,
    text: string,
    limit: number,
  ): IndexValues | undefined;
  reconciles(controller: string, key: string): readonly ReconcileEndRecord[];
  keys(controller: string, text: string, limit: number): { keys: KnownKey[]; hasMore: boolean };
  /** Adds a key to a queue; false if there is no such queue. */
  enqueue(queue: string, key: string): boolean;
}
