import { DataError } from './data-error.ts';

export type SqlValue = number | string | null;

/** The part of `StatementSync` of `node:sqlite` that is used here. */
export interface SqlStatement {
  run(...values: readonly SqlValue[]): unknown;
  get(...values: readonly SqlValue[]): Readonly<Record<string, SqlValue>> | undefined;
  all(...values: readonly SqlValue[]): Readonly<Record<string, SqlValue>>[];
  iterate(...values: readonly SqlValue[]): Iterable<Readonly<Record<string, SqlValue>>>;
}

/** The part of `DatabaseSync` of `node:sqlite` that is used here. */
export interface SqlDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqlStatement;
  close(): void;
}

interface SqliteModule {
  readonly DatabaseSync: new (path: string) => SqlDatabase;
}

/**
 * Opens a file with Node's SQLite, which is loaded only now. Its types are declared above because
 * the package is compiled against Node 20, which has none.
 */
export function openDatabase(path: string): SqlDatabase {
  const sqlite = process.getBuiltinModule('node:sqlite' as string) as SqliteModule | undefined;
  if (sqlite === undefined) {
    const message = `Node ${process.versions.node} has no SQLite, which the option data needs`;
    throw new DataError('APISERVER_DATA_UNSUPPORTED', message);
  }
  return new sqlite.DatabaseSync(path);
}

/** Runs `work` in a transaction: after an error nothing of it is kept. */
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

/** Primary result codes of SQLite. */
const BUSY = 5;
const READ_ONLY = 8;
const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;

/** Returns the typed error for a failure of SQLite or the file system. */
export function dataErrorOf(cause: unknown, path: string): DataError {
  if (cause instanceof DataError) return cause;
  const quoted = JSON.stringify(path);
  const { message, errcode = 0, code } = cause as Error & { errcode?: number; code?: string };
  switch (errcode & 0xff) {
    case BUSY:
      return new DataError('APISERVER_DATA_IN_USE', `${quoted} is in use by another server`, {
        cause,
      });
    case READ_ONLY:
      return new DataError('APISERVER_DATA_READ_ONLY', `${quoted} is read-only`, { cause });
    case FULL:
      return new DataError('APISERVER_DATA_FULL', `the disk of ${quoted} is full`, { cause });
    case CORRUPT:
    case NOT_A_DATABASE:
      return new DataError('APISERVER_DATA_CORRUPT', `${quoted} is damaged: ${message}`, { cause });
    default:
  }
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') {
    return new DataError('APISERVER_DATA_READ_ONLY', `${quoted} cannot be written: ${message}`, {
      cause,
    });
  }
  if (code === 'ENOSPC') {
    return new DataError('APISERVER_DATA_FULL', `the disk of ${quoted} is full`, { cause });
  }
  return new DataError('APISERVER_DATA_FAILED', `${quoted} failed: ${message}`, { cause });
}
