import type { MicroTime, Open } from '../meta/types.ts';

/** Who leads, since when and for how long: what all candidates read and one of them writes. */
export interface LeaderElectionRecord {
  /** Empty if nobody leads, because the last leader has stepped down. */
  readonly holderIdentity: string;
  /** How long others must see no change before they may take over. 0 if the record does not say. */
  readonly leaseDurationSeconds: number;
  /** By the clock of the holder: for people to read, never compared with any other clock. */
  readonly acquireTime?: MicroTime | undefined;
  /** By the clock of the holder, as {@link LeaderElectionRecord.acquireTime}. */
  readonly renewTime?: MicroTime | undefined;
  /** How often leadership has gone from one holder to another. */
  readonly leaderTransitions: number;
  /** Of coordinated leader election; the server's business. */
  readonly strategy?: Open<'OldestEmulationVersion'> | undefined;
  /** Of coordinated leader election; the server's business. */
  readonly preferredHolder?: string | undefined;
}

/** What a candidate writes. Everything else of the lock stays as it is. */
export interface WrittenRecord {
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  /** Undefined keeps what is stored. */
  readonly acquireTime: MicroTime | undefined;
  readonly renewTime: MicroTime;
  readonly leaderTransitions: number;
}

/** How a lock is read or written. */
export interface LockOptions {
  /** Ends the request. Whether a write was done by then is unknown. */
  readonly signal?: AbortSignal;
}

/**
 * The thing that can be held by one only. {@link LeaseLock} is the one to use; others must promise:
 *
 * - `update` succeeds only if nobody has written since the last `get`, `create` or `update` of this
 *   lock, and otherwise fails with an error that `isConflict` knows,
 * - `create` succeeds only if there is no record, and `get` fails then with one that `isNotFound`
 *   knows,
 * - each gives the record as it is stored now.
 */
export interface ResourceLock {
  /** Who this candidate is; different for every candidate of the election. */
  readonly identity: string;
  get(options?: LockOptions): Promise<LeaderElectionRecord>;
  create(record: WrittenRecord, options?: LockOptions): Promise<LeaderElectionRecord>;
  update(record: WrittenRecord, options?: LockOptions): Promise<LeaderElectionRecord>;
  /** Tells the cluster, if anybody listens; must not throw. */
  recordEvent(what: string): void;
  /** What messages call it: `kube-system/my-controller`. */
  describe(): string;
}
