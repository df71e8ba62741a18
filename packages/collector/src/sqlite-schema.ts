import { chmodSync, closeSync, openSync } from 'node:fs';
import { CollectorError } from './collector-error.ts';
import { PRIVATE_FILE } from './durable-file.ts';
import { inTransaction, openDatabase, type SqlDatabase } from './sqlite-module.ts';

/** "k8ev": tells a database of events from any other. */
const APPLICATION_ID = 0x6b386576;
const SCHEMA_VERSION = 2;

/**
 * Times are milliseconds since the epoch. The text index keeps no text, only where it is: substrings of
 * three letters and more, so that `BackOff` finds `ImagePullBackOff`.
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
 * Version 2 knows when events arrived. For those of version 1 that is what their authors claimed, up to
 * now: then the oldest are still removed first, and no claim about the future keeps an event for ever.
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

/** Opens the file to write, makes it a database of events if it is new, and brings an old one up to date. */
export function openForWriting(path: string): SqlDatabase {
  createPrivate(path);
  const database = open(path);
  try {
    // Pages that become free can be given back; it must be said before the first table is made.
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
      // Version 1 created files that everyone could read. Later changes of the mode are the owner's.
      chmodSync(path, PRIVATE_FILE);
    }
    // FULL: a committed batch survives a power loss. The segment that held its events is removed after the
    // commit, and the position has counted them as safe since they were on disk, so that with NORMAL
    // they would be lost. It costs one fsync for each batch (numbers: docs/adr/0008-event-store.md).
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    // In a large file a new event touches pages all over its indices; 16 MB hold most of them.
    database.exec('PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 4000');
    return database;
  } catch (error) {
    database.close();
    throw asForeign(error, path);
  }
}

/** Opens the file to ask questions, also while a collector writes to it. */
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

/** Returns the version of the schema. Throws if the file is something else. */
function checkIdentity(database: SqlDatabase, path: string): number {
  const id = database.prepare('PRAGMA application_id').get()?.['application_id'];
  if (id !== APPLICATION_ID) throw foreign(`${path} is not a database of events`);
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version > SCHEMA_VERSION) {
    throw foreign(`${path} has version ${version}; this program knows up to ${SCHEMA_VERSION}`);
  }
  return version;
}

/** SQLite would create it for everyone to read; the files beside it get the mode of this one. */
function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', PRIVATE_FILE));
  } catch {
    // It is there, or cannot be created: SQLite opens it, or says why it cannot.
  }
}

function foreign(message: string, cause?: unknown): CollectorError {
  return new CollectorError('COLLECTOR_DATABASE_FOREIGN', message, { cause });
}

/** SQLite's own words for a file that is something else, or not there. */
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
