import { chmodSync, closeSync, openSync } from 'node:fs';
import { CollectorError } from './collector-error.ts';
import { PRIVATE_FILE } from './durable-file.ts';

/** A value of a column or parameter. */
export type SqlValue = Uint8Array | bigint | number | string | null;

/** A row by column name. */
export type SqlRow = Record<string, SqlValue>;

/** The part of `StatementSync` of `node:sqlite` that is used here. */
export interface SqlStatement {
  run(...values: readonly SqlValue[]): {
    readonly changes: bigint | number;
    readonly lastInsertRowid: bigint | number;
  };
  get(...values: readonly SqlValue[]): SqlRow | undefined;
  all(...values: readonly SqlValue[]): SqlRow[];
  setReadBigInts(enabled: boolean): void;
}

/** The part of `DatabaseSync` of `node:sqlite` that is used here. */
export interface SqlDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqlStatement;
  close(): void;
}

interface SqliteModule {
  readonly DatabaseSync: new (
    path: string,
    options?: { readonly readOnly?: boolean },
  ) => SqlDatabase;
}

/**
 * Opens a database with Node's SQLite. Its types are declared above because the package is compiled
 * against Node 20, which has none. Full-text search needs Node 22.16.
 */
export function openDatabase(
  path: string,
  { readOnly = false }: { readonly readOnly?: boolean } = {},
): SqlDatabase {
  const sqlite = process.getBuiltinModule('node:sqlite' as string) as SqliteModule | undefined;
  if (sqlite === undefined) throw missing('has no SQLite');
  const database = new sqlite.DatabaseSync(path, { readOnly });
  // First of all: other processes may be reading, or recovering after a crash.
  database.exec('PRAGMA busy_timeout = 10000');
  const options = database.prepare('PRAGMA compile_options').all();
  if (!options.some(({ compile_options: option }) => option === 'ENABLE_FTS5')) {
    database.close();
    throw missing('has an SQLite without full-text search');
  }
  return database;
}

function missing(what: string): CollectorError {
  return new CollectorError('COLLECTOR_SQLITE_MISSING', `Node ${process.version} ${what}`);
}

/**
 * Prepares a statement that writes. The text index inserts rows with ids beyond the range of
 * JavaScript numbers, which later statements report: so ids are read as bigints.
 */
export function prepareWrite(database: SqlDatabase, sql: string): SqlStatement {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}

/** Runs `work` in a transaction. */
export function inTransaction<T>(database: SqlDatabase, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // After some errors SQLite has already rolled back, and fails here.
    try {
      database.exec('ROLLBACK');
    } catch {
      // The first error is thrown.
    }
    throw error;
  }
}

/** "k8ev": identifies event databases. */
const APPLICATION_ID = 0x6b386576;
const SCHEMA_VERSION = 2;

/**
 * Times are milliseconds since the epoch. The text index contains no text, only positions of
 * substrings of three characters, so that `BackOff` finds `ImagePullBackOff`.
 */
const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    resource_version TEXT NOT NULL,
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    reason TEXT NOT NULL,
    message TEXT NOT NULL,
    object_kind TEXT NOT NULL,
    object_name TEXT NOT NULL,
    object TEXT NOT NULL,
    related TEXT,
    action TEXT,
    component TEXT,
    instance TEXT,
    count INTEGER NOT NULL,
    first_seen INTEGER NOT NULL,
    last_seen INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    received_at INTEGER NOT NULL
  );
  CREATE INDEX events_by_time ON events (last_seen);
  CREATE INDEX events_by_arrival ON events (received_at);
  CREATE INDEX events_by_object ON events (object_name, object_kind);
  CREATE VIRTUAL TABLE events_text USING fts5 (
    message, reason, object, content = '', contentless_delete = 1, tokenize = 'trigram'
  );
  CREATE TABLE gaps (
    id INTEGER PRIMARY KEY,
    from_time TEXT,
    to_time TEXT NOT NULL,
    reason TEXT NOT NULL,
    dropped INTEGER
  );
`;

/**
 * Version 2 added arrival times. For rows of version 1 these are the authors' times, limited to
 * now: the oldest are still removed first, and a time in the future keeps no event forever.
 */
const FROM_VERSION_1 = `
  ALTER TABLE events ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE events ADD COLUMN received_at INTEGER NOT NULL DEFAULT 0;
  UPDATE events SET
    created_at = min(first_seen, unixepoch() * 1000),
    received_at = min(last_seen, unixepoch() * 1000),
    last_seen = min(last_seen, unixepoch() * 1000);
  CREATE INDEX events_by_arrival ON events (received_at);
  PRAGMA user_version = 2;
`;

/** Opens a database for writing; creates or migrates it if needed. */
export function openForWriting(path: string): SqlDatabase {
  createPrivate(path);
  const database = open(path);
  try {
    // Allows free pages to be returned; must be set before the first table is created.
    database.exec('PRAGMA auto_vacuum = INCREMENTAL');
    inTransaction(database, () => {
      if (isEmpty(database)) {
        database.exec(SCHEMA);
        database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
        database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
      }
    });
    if (checkIdentity(database, path) < SCHEMA_VERSION) {
      inTransaction(database, () => database.exec(FROM_VERSION_1));
      // Version 1 created world-readable files. Later changes of the mode are up to the owner.
      chmodSync(path, PRIVATE_FILE);
    }
    // FULL: a committed batch survives a power loss. The segment of its events is removed after the
    // commit, and the position counts them as safe, so that NORMAL could lose them. It costs one
    // fsync per batch (measured in docs/adr/0008-event-store.md).
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    // An event touches pages all over the indices of a large file; 16 MB hold most of them.
    database.exec('PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 4000');
    return database;
  } catch (error) {
    database.close();
    throw asForeign(error, path);
  }
}

/** Opens a database for reading, also while a collector writes to it. */
export function openForReading(path: string): SqlDatabase {
  const database = open(path, { readOnly: true });
  try {
    checkIdentity(database, path);
    return database;
  } catch (error) {
    database.close();
    throw asForeign(error, path);
  }
}

function open(path: string, options: { readonly readOnly?: boolean } = {}): SqlDatabase {
  try {
    return openDatabase(path, options);
  } catch (error) {
    throw asForeign(error, path);
  }
}

function isEmpty(database: SqlDatabase): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
}

/** Returns the version of the schema. Throws if the file is not an event database. */
function checkIdentity(database: SqlDatabase, path: string): number {
  const id = database.prepare('PRAGMA application_id').get()?.['application_id'];
  if (id !== APPLICATION_ID) throw foreign(`${path} is not a database of events`);
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version > SCHEMA_VERSION) {
    throw foreign(`${path} has version ${version}; this program knows up to ${SCHEMA_VERSION}`);
  }
  return version;
}

/** Creates the file before SQLite would, world-readable; SQLite's side files get the same mode. */
function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', PRIVATE_FILE));
  } catch {
    // It exists or cannot be created: SQLite reports which.
  }
}

function foreign(message: string, cause?: unknown): CollectorError {
  return new CollectorError('COLLECTOR_DATABASE_FOREIGN', message, { cause });
}

/** SQLite's messages for a file that is not a database or does not exist. */
function asForeign(error: unknown, path: string): unknown {
  const message = error instanceof Error ? error.message : '';
  if (/file is not a database/.test(message)) {
    return foreign(`${path} is not a database of events`, error);
  }
  if (/unable to open database file/.test(message)) {
    return new CollectorError('COLLECTOR_DATABASE_UNOPENED', `${path} cannot be opened`, {
      cause: error,
    });
  }
  return error;
}
