import { CollectorError } from './collector-error.ts';

/** What a statement takes and gives. */
export type SqlValue = Uint8Array | bigint | number | string | null;

/** A row by the names of its columns. */
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
 * Opens a database with the SQLite that comes with Node. Its types are spelled out above because the
 * library is compiled for Node 20, which has none. Full-text search came with Node 22.16.
 */
export function openDatabase(
  path: string,
  { readOnly = false }: { readonly readOnly?: boolean } = {},
): SqlDatabase {
  const sqlite = process.getBuiltinModule('node:sqlite' as string) as SqliteModule | undefined;
  if (sqlite === undefined) throw missing('has no SQLite');
  const database = new sqlite.DatabaseSync(path, { readOnly });
  // Before anything else: others may be reading, or mending what a killed process has left.
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
 * A statement that changes something. The text index writes rows of its own, whose numbers are too large
 * for JavaScript, and every later statement reports the last of them: so they are read as bigints.
 */
export function prepareWrite(database: SqlDatabase, sql: string): SqlStatement {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}

/** Does `work` as one transaction: all of it is kept, or nothing. */
export function inTransaction<T>(database: SqlDatabase, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // After some errors SQLite has rolled back by itself, and says so.
    try {
      database.exec('ROLLBACK');
    } catch {
      // The first error is the one to hear of.
    }
    throw error;
  }
}
