import type {
  ElectionRecord,
  ObservedHandler,
  ObservedInformerPhase,
  QueueStateRecord,
} from './observed-record.ts';

/** An informer in an {@link ObservedSnapshot}. */
export interface ObservedInformer {
  /** Unique in the process; the name in records. */
  readonly informer: string;
  /** As in `deployments.apps`; empty if it is not known. */
  readonly resource: string;
  /** Host and port; empty if it is not known. */
  readonly server: string;
  readonly state: ObservedInformerPhase;
  readonly since?: number;
  readonly reason?: string;
  readonly resourceVersion: string;
  /**
   * How many versions the newest change that any informer has read from this server is ahead.
   * Versions count the changes of all resources: a quiet resource stays behind until its next
   * bookmark, about a minute.
   */
  readonly behind: number;
  /** The number of changes that were read and are not in the store yet. */
  readonly lag: number;
  /** When the watch last delivered an event or a bookmark: milliseconds since the epoch; 0 for never. */
  readonly lastEventAt: number;
  readonly objects: number;
  /** The size of the objects as JSON, estimated from a sample. */
  readonly bytes: number;
  /** The names of the indices. */
  readonly indices: readonly string[];
  /** Totals since the feed started. */
  readonly events: { readonly added: number; readonly updated: number; readonly deleted: number };
  readonly relists: number;
  readonly watchRestarts: number;
  /** Per second, over the last interval. */
  readonly eventsPerSecond: number;
  readonly handlers: readonly ObservedHandler[];
  /** Whether the objects can be searched and read. */
  readonly isSearchable: boolean;
}

/** A queue in an {@link ObservedSnapshot}: its last state. */
export type ObservedQueue = Omit<QueueStateRecord, 'at' | 'seq' | 'type'>;

/** A controller in an {@link ObservedSnapshot}. */
export interface ObservedController {
  readonly controller: string;
  /** The informers that fill its queue. */
  readonly informers: readonly string[];
  /** 0 if it is not known. */
  readonly workers: number;
  /** The keys that are being reconciled. */
  readonly active: readonly string[];
  /** Totals since the feed started. */
  readonly reconciles: number;
  readonly errors: number;
  /** Seconds, since the feed started. */
  readonly duration: QueueStateRecord['work'];
}

/** An open connection to a server, in an {@link ObservedSnapshot}. */
export interface ObservedConnection {
  /** As in `h2 #3 127.0.0.1:6443`. */
  readonly connection: string;
  readonly server: string;
  readonly openedAt: number;
}

/** The state of a program, as far as a feed knows it: plain JSON. */
export interface ObservedSnapshot {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The last record that is part of this state; records after it continue it. */
  readonly seq: number;
  readonly informers: readonly ObservedInformer[];
  readonly queues: readonly ObservedQueue[];
  readonly controllers: readonly ObservedController[];
  readonly connections: readonly ObservedConnection[];
  /** The last record of each lease. */
  readonly elections: readonly ElectionRecord[];
  readonly totals: {
    readonly requests: number;
    readonly failedRequests: number;
    readonly openRequests: number;
    readonly recordedEvents: number;
    readonly guardWarnings: number;
    /** Records that were counted but not kept, because there were too many. */
    readonly unrecorded: number;
  };
}

/** The first line of the file of a session. The other lines are records, one in each. */
export interface SessionHeader {
  readonly clientTs: 'session';
  readonly version: 1;
  /** The name of the program, for people. */
  readonly program: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The state before the first record. */
  readonly snapshot: ObservedSnapshot;
}
