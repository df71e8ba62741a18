/** One write, as a {@link DurableStore} keeps it. */
export interface StoredRevision {
  /** Increases by one with every write. */
  readonly revision: number;
  /** `/group/resource/namespace/name`; without the namespace for objects that are in none. */
  readonly key: string;
  /** The object as JSON; undefined for a deletion. */
  readonly value: string | undefined;
  /** The revision that created the object. */
  readonly createRevision: number;
  /** The revision of the object that this write replaces or deletes; undefined for a creation. */
  readonly previousRevision: number | undefined;
}

/** The end of a history: states before this revision are no longer needed. */
export interface StoredCompaction {
  /** The prefix of the keys; `/` is all of them. */
  readonly prefix: string;
  readonly revision: number;
}

/** What is kept in one step: all of it, or nothing. */
export interface StoreBatch {
  /** In order of their revisions, without gaps. */
  readonly revisions: readonly StoredRevision[];
  /** Take effect after the writes. */
  readonly compactions: readonly StoredCompaction[];
  /** Keys, certificates and tokens to add or replace, by name. */
  readonly settings: Readonly<Record<string, string>>;
}

/** What a {@link DurableStore} has kept. */
export interface StoredState {
  /** The revision of the newest write; undefined for a new store. */
  readonly revision: number | undefined;
  readonly compactions: readonly StoredCompaction[];
  readonly settings: Readonly<Record<string, string>>;
  /**
   * In order: for each key the newest write up to the compaction, unless it is a deletion, and
   * every later one.
   */
  readonly revisions: AsyncIterable<StoredRevision> | Iterable<StoredRevision>;
}

/**
 * Keeps what the embedded server stores. The server reads it once, works on its own image in
 * memory, and writes every change through: it answers no request before the changes that the answer
 * could show are committed.
 *
 * There must be one server per store. {@link open} must fail if another one has it open.
 */
export interface DurableStore {
  /** Reads everything that was committed. Called once, before all other methods. */
  open(): Promise<StoredState>;
  /**
   * Resolves when the batch survives a crash. If it rejects, nothing of the batch may be kept: the
   * server undoes the writes. Never called before the previous call has settled.
   */
  commit(batch: StoreBatch): Promise<void>;
  /** Releases the store. Called once, after the last commit has settled. */
  close(): Promise<void>;
}
