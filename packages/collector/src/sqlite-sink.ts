import { nextTurn } from 'client-ts/internal';
import { compareResourceVersions, isResourceVersion } from 'client-ts/meta';
import type { CollectedEvent, InvolvedObject } from './collected-event.ts';
import type { CollectorSink, Gap, Position, Rejection } from './collector-sink.ts';
import {
  inTransaction,
  prepareWrite,
  type SqlDatabase,
  type SqlStatement,
} from './sqlite-database.ts';
import { openForWriting } from './sqlite-database.ts';

/** Options of a {@link SqliteSink}. */
export interface SqliteSinkOptions {
  readonly path: string;
  /** Removes events whose last state arrived longer ago. Default: never. */
  readonly maxAgeMs?: number | undefined;
  /** Removes the oldest arrivals when the file exceeds this size. Default: no limit. */
  readonly maxBytes?: number | undefined;
}

/** Events removed per transaction, so that writers and the event loop are not blocked. */
const PRUNE_CHUNK = 1000;

/**
 * Stores events in one SQLite file, with the position in the same transaction: after a crash it has
 * both or neither. Needs Node 22.16. Query it with {@link EventArchive}.
 */
export class SqliteSink implements CollectorSink {
  readonly name: string = 'sqlite';
  readonly #options: SqliteSinkOptions;
  readonly #database: SqlDatabase;
  readonly #find: SqlStatement;
  readonly #insert: SqlStatement;
  readonly #update: SqlStatement;
  readonly #indexText: SqlStatement;
  readonly #removeText: SqlStatement;
  readonly #setMeta: SqlStatement;

  constructor(options: SqliteSinkOptions) {
    this.#options = options;
    const database = openForWriting(options.path);
    this.#database = database;
    this.#find = database.prepare(
      'SELECT id, resource_version, message, reason FROM events WHERE uid = ?',
    );
    this.#insert = prepareWrite(
      database,
      `
      INSERT INTO events (resource_version, namespace, name, type, reason, message, object_kind,
        object_name, object, related, action, component, instance, count, first_seen, last_seen,
        created_at, received_at, uid)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#update = prepareWrite(
      database,
      `
      UPDATE events SET resource_version = ?, namespace = ?, name = ?, type = ?, reason = ?,
        message = ?, object_kind = ?, object_name = ?, object = ?, related = ?, action = ?,
        component = ?, instance = ?, count = ?, first_seen = ?, last_seen = ?, created_at = ?,
        received_at = ?
      WHERE uid = ?`,
    );
    this.#indexText = prepareWrite(
      database,
      'INSERT OR REPLACE INTO events_text (rowid, message, reason, object) VALUES (?, ?, ?, ?)',
    );
    this.#removeText = prepareWrite(database, 'DELETE FROM events_text WHERE rowid = ?');
    this.#setMeta = prepareWrite(
      database,
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    );
  }

  async write(
    batch: readonly CollectedEvent[],
    position: Position | undefined,
  ): Promise<readonly Rejection[]> {
    const rejections: Rejection[] = [];
    inTransaction(this.#database, () => {
      for (const event of batch) {
        try {
          this.#put(event);
        } catch (error) {
          // A value without an SQLite type. Nothing of this event was written yet.
          if (!(error instanceof TypeError)) throw error;
          rejections.push({ event, reason: error.message });
        }
      }
      if (position !== undefined) this.#setMeta.run('position', JSON.stringify(position));
    });
    return rejections;
  }

  async recordGap({ from, to, reason, dropped }: Gap): Promise<void> {
    const sql = 'INSERT INTO gaps (from_time, to_time, reason, dropped) VALUES (?, ?, ?, ?)';
    prepareWrite(this.#database, sql).run(from ?? null, to, reason, dropped ?? null);
  }

  async position(): Promise<Position | undefined> {
    const row = this.#database.prepare("SELECT value FROM meta WHERE key = 'position'").get();
    return row === undefined ? undefined : (JSON.parse(String(row['value'])) as Position);
  }

  async maintain(nowMs: number): Promise<void> {
    await this.prune(nowMs);
  }

  /** Removes events beyond the limits; returns how many. */
  async prune(nowMs: number): Promise<number> {
    const { maxAgeMs, maxBytes } = this.#options;
    let removed = 0;
    if (maxAgeMs !== undefined) {
      const isOld = (): number => this.#removeOldest('WHERE received_at < ?', [nowMs - maxAgeMs]);
      for (let chunk = isOld(); chunk > 0; chunk = isOld()) {
        removed += chunk;
        await nextTurn();
      }
    }
    const limit = maxBytes ?? Infinity;
    while (this.#bytesInUse() > limit) {
      const chunk = this.#removeOldest('', []);
      if (chunk === 0) break;
      removed += chunk;
      await nextTurn();
    }
    if (removed > 0) this.#database.exec('PRAGMA incremental_vacuum');
    return removed;
  }

  /** Closes the database. */
  async close(): Promise<void> {
    this.#database.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #put(event: CollectedEvent): void {
    const stored = this.#find.get(event.uid);
    if (stored !== undefined && !isNewer(event, String(stored['resource_version']))) return;
    const object = objectText(event.object);
    const values = [
      event.resourceVersion,
      event.namespace,
      event.name,
      event.type,
      event.reason,
      event.message,
      event.object.kind ?? '',
      event.object.name ?? '',
      JSON.stringify(event.object),
      event.related === undefined ? null : JSON.stringify(event.related),
      event.action ?? null,
      event.component ?? null,
      event.instance ?? null,
      event.count,
      Date.parse(event.firstSeen),
      Date.parse(event.lastSeen),
      Date.parse(event.createdAt),
      Date.parse(event.receivedAt),
      event.uid,
    ];
    if (stored === undefined) {
      const { lastInsertRowid } = this.#insert.run(...values);
      this.#indexText.run(lastInsertRowid, event.message, event.reason, object);
      return;
    }
    this.#update.run(...values);
    // Usually only the count and the time change, and the text need not be indexed again.
    if (stored['message'] === event.message && stored['reason'] === event.reason) return;
    this.#indexText.run(stored['id'] ?? null, event.message, event.reason, object);
  }

  #removeOldest(where: string, values: readonly number[]): number {
    const oldest = this.#database
      .prepare(`SELECT id FROM events ${where} ORDER BY received_at LIMIT ${PRUNE_CHUNK}`)
      .all(...values);
    const removeEvent = prepareWrite(this.#database, 'DELETE FROM events WHERE id = ?');
    inTransaction(this.#database, () => {
      for (const { id = null } of oldest) {
        this.#removeText.run(id);
        removeEvent.run(id);
      }
    });
    return oldest.length;
  }

  /** Without free pages. */
  #bytesInUse(): number {
    const pragma = (name: string): number =>
      Number(Object.values(this.#database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
    return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
  }
}

/** The text that is indexed for the object: `Pod default/web-0 spec.containers{web}`. */
function objectText({ kind = '', namespace, name = '', fieldPath }: InvolvedObject): string {
  const place = namespace === undefined ? name : `${namespace}/${name}`;
  return `${kind} ${place}${fieldPath === undefined ? '' : ` ${fieldPath}`}`;
}

function isNewer({ resourceVersion }: CollectedEvent, stored: string): boolean {
  if (!isResourceVersion(resourceVersion) || !isResourceVersion(stored)) return true;
  return compareResourceVersions(resourceVersion, stored) > 0;
}
