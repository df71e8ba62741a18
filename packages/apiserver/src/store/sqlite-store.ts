import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';

import { DataError } from './data-error.ts';
import type { DurableStore, StoreBatch, StoredRevision, StoredState } from './durable-store.ts';
import {
  dataErrorOf,
  inTransaction,
  openDatabase,
  type SqlDatabase,
  type SqlStatement,
} from './sqlite.ts';

/** "k8ts": identifies databases of this server. */
const APPLICATION_ID = 0x6b387473;
const SCHEMA_VERSION = 1;

/**
 * A row per write, as in etcd: appending is all that a write costs. `previous` is the row that it
 * supersedes, so that compaction needs no index over the keys.
 */
const SCHEMA = `
  CREATE TABLE revisions (
    revision INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    created INTEGER NOT NULL,
    previous INTEGER,
    value TEXT
  );
  CREATE TABLE compactions (prefix TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** The directory and its files hold private keys and Secrets. */
const PRIVATE_DIRECTORY = 0o700;
const PRIVATE_FILE = 0o600;

/** The database in a data directory. */
const FILE_NAME = 'cluster.db';

interface Statements {
  readonly insert: SqlStatement;
  readonly compaction: SqlStatement;
  readonly superseded: SqlStatement;
  readonly deletions: SqlStatement;
  readonly setting: SqlStatement;
}

/**
 * Keeps the store in an SQLite database. A commit returns when its log is on the disk
 * (`synchronous=FULL`, write-ahead log), so that it survives the end of the process and of the
 * power. The database is locked for as long as it is open.
 *
 * SQLite works on this thread: a commit takes one `fsync`, during which nothing else happens.
 */
export class SqliteStore implements DurableStore {
  readonly #directory: string;
  readonly #path: string;
  #database: SqlDatabase | undefined;
  #statements: Statements | undefined;
  /** The newest compaction of each prefix: what is older has been removed. */
  readonly #compacted = new Map<string, number>();

  constructor(directory: string) {
    this.#directory = directory;
    this.#path = join(directory, FILE_NAME);
  }

  async open(): Promise<StoredState> {
    try {
      mkdirSync(this.#directory, { recursive: true, mode: PRIVATE_DIRECTORY });
      createPrivate(this.#path);
      this.#database = openDatabase(this.#path);
      lock(this.#database);
      inTransaction(this.#database, () => this.#createSchema(this.#existing()));
      this.#statements = prepareAll(this.#existing());
      return this.#read(this.#existing());
    } catch (error) {
      await this.close();
      throw dataErrorOf(error, this.#path);
    }
  }

  async commit({ revisions, compactions, settings }: StoreBatch): Promise<void> {
    const database = this.#existing();
    const { insert, setting } = this.#statements as Statements;
    try {
      inTransaction(database, () => {
        for (const { revision, key, createRevision, previousRevision, value } of revisions) {
          insert.run(revision, key, createRevision, previousRevision ?? null, value ?? null);
        }
        for (const { prefix, revision } of compactions) this.#compact(prefix, revision);
        for (const [name, value] of Object.entries(settings)) setting.run(name, value);
      });
    } catch (error) {
      throw dataErrorOf(error, this.#path);
    }
  }

  async close(): Promise<void> {
    this.#database?.close();
    this.#database = undefined;
  }

  #existing(): SqlDatabase {
    if (this.#database === undefined) {
      throw new DataError('APISERVER_DATA_CLOSED', `${JSON.stringify(this.#path)} is closed`);
    }
    return this.#database;
  }

  #createSchema(database: SqlDatabase): void {
    if (database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined) {
      database.exec(SCHEMA);
      return;
    }
    const quoted = JSON.stringify(this.#path);
    if (pragma(database, 'application_id') !== APPLICATION_ID) {
      throw new DataError('APISERVER_DATA_FOREIGN', `${quoted} is not a database of this server`);
    }
    const version = pragma(database, 'user_version');
    if (version > SCHEMA_VERSION) {
      const message = `${quoted} has version ${version}; this server knows up to ${SCHEMA_VERSION}`;
      throw new DataError('APISERVER_DATA_NEWER', message);
    }
  }

  #read(database: SqlDatabase): StoredState {
    const compactions = database
      .prepare('SELECT prefix, revision FROM compactions')
      .all()
      .map(({ prefix, revision }) => ({ prefix: String(prefix), revision: Number(revision) }));
    for (const { prefix, revision } of compactions) this.#compacted.set(prefix, revision);
    const settings = database.prepare('SELECT name, value FROM settings').all();
    // The newest write may be a deletion that is compacted.
    const newest = database
      .prepare(
        'SELECT max(revision) AS revision FROM (SELECT revision FROM revisions UNION ALL SELECT revision FROM compactions)',
      )
      .get()?.['revision'];
    return {
      revision: typeof newest === 'number' ? newest : undefined,
      compactions,
      settings: Object.fromEntries(settings.map(({ name, value }) => [name, String(value)])),
      revisions: this.#revisions(database),
    };
  }

  *#revisions(database: SqlDatabase): Generator<StoredRevision> {
    const rows = database.prepare(
      'SELECT revision, key, created, previous, value FROM revisions ORDER BY revision',
    );
    try {
      for (const { revision, key, created, previous, value } of rows.iterate()) {
        yield {
          revision: Number(revision),
          key: String(key),
          createRevision: Number(created),
          previousRevision: typeof previous === 'number' ? previous : undefined,
          value: typeof value === 'string' ? value : undefined,
        };
      }
    } catch (error) {
      throw dataErrorOf(error, this.#path);
    }
  }

  #compact(prefix: string, revision: number): void {
    const { compaction, superseded, deletions } = this.#statements as Statements;
    const last = this.#compacted.get(prefix) ?? 0;
    superseded.run(last, revision, prefix);
    deletions.run(last, revision, prefix);
    compaction.run(prefix, revision);
    this.#compacted.set(prefix, Math.max(last, revision));
  }
}

/** Locks the file for this connection, until it is closed or the process ends. */
function lock(database: SqlDatabase): void {
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  // Pages are copied from the log to the database every 16 MB, which takes two more `fsync`.
  database.exec('PRAGMA wal_autocheckpoint = 4000');
}

function prepareAll(database: SqlDatabase): Statements {
  return {
    insert: database.prepare(
      'INSERT INTO revisions (revision, key, created, previous, value) VALUES (?, ?, ?, ?, ?)',
    ),
    compaction: database.prepare(
      'INSERT INTO compactions VALUES (?, ?) ON CONFLICT DO UPDATE SET revision = max(revision, excluded.revision)',
    ),
    superseded: database.prepare(
      'DELETE FROM revisions WHERE revision IN (SELECT previous FROM revisions WHERE revision > ?1 AND revision <= ?2 AND previous IS NOT NULL AND substr(key, 1, length(?3)) = ?3)',
    ),
    deletions: database.prepare(
      'DELETE FROM revisions WHERE revision > ?1 AND revision <= ?2 AND value IS NULL AND substr(key, 1, length(?3)) = ?3',
    ),
    setting: database.prepare('INSERT OR REPLACE INTO settings VALUES (?, ?)'),
  };
}

function pragma(database: SqlDatabase, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}

/** Creates the file before SQLite would, world-readable; SQLite's side files get the same mode. */
function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', PRIVATE_FILE));
  } catch {
    // It exists or cannot be created: SQLite reports which.
  }
}
