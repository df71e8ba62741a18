import { CollectorError } from './collector-error.ts';
import { inTransaction, openDatabase, type SqlDatabase } from './sqlite-module.ts';

/** "k8ev": tells a database of events from any other. */
const APPLICATION_ID = 0x6b386576;
const SCHEMA_VERSION = 1;

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
    last_seen INTEGER NOT NULL
  );
  CREATE INDEX events_by_time ON events (last_seen);
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

/** Opens the file to write, and makes it a database of events if it is new. */
export function openForWriting(path: string): SqlDatabase {
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
    checkIdentity(database, path);
    // A process that is killed loses nothing that was committed; a machine that loses its power
    // may lose the last moments, and with them the position, so that they are asked for again.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
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

function checkIdentity(database: SqlDatabase, path: string): void {
  const id = database.prepare('PRAGMA application_id').get()?.['application_id'];
  if (id !== APPLICATION_ID) throw foreign(`${path} is not a database of events`);
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version > SCHEMA_VERSION) {
    throw foreign(`${path} has version ${version}; this program knows up to ${SCHEMA_VERSION}`);
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
