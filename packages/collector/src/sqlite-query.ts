import { getKey } from 'client-ts/internal';
import type { CollectedEvent, InvolvedObject } from './collected-event.ts';
import { type EventQuery, parseObject, type QueryResult } from './event-query.ts';
import type { Gap, Position } from './event-sink.ts';
import type { SqlDatabase, SqlRow, SqlValue } from './sqlite-module.ts';
import { openForReading } from './sqlite-schema.ts';

/** The text index knows substrings from this length on. */
const SHORTEST_INDEXED = 3;

/** Answers questions about a database of events, also while a collector writes to it. */
export class EventArchive implements Disposable {
  readonly #database: SqlDatabase;

  constructor(path: string) {
    this.#database = openForReading(path);
  }

  query(query: EventQuery): QueryResult {
    const { where, values } = conditions(query);
    const limit = query.limit === undefined ? '' : `LIMIT ${Math.trunc(query.limit)}`;
    const rows = this.#database
      .prepare(`SELECT * FROM events ${where} ORDER BY last_seen DESC, id DESC ${limit}`)
      .all(...values);
    return { events: rows.map(eventOf).toReversed(), gaps: this.#gaps(query) };
  }

  /** How many events there are. */
  get size(): number {
    const row = this.#database.prepare('SELECT count(*) AS size FROM events').get();
    return Number(row?.['size']);
  }

  /** True if there is an event with this uid. */
  has(uid: string): boolean {
    return this.#database.prepare('SELECT 1 FROM events WHERE uid = ?').get(uid) !== undefined;
  }

  /** How far the collector has come. */
  get position(): Position | undefined {
    const row = this.#database.prepare("SELECT value FROM meta WHERE key = 'position'").get();
    return row === undefined ? undefined : (JSON.parse(String(row['value'])) as Position);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #gaps({ sinceMs = 0, untilMs = Infinity }: EventQuery): Gap[] {
    const rows = this.#database.prepare('SELECT * FROM gaps ORDER BY id').all();
    return rows.map(gapOf).filter(({ from, to }) => {
      const start = from === undefined ? 0 : Date.parse(from);
      return Date.parse(to) >= sinceMs && start < untilMs;
    });
  }
}

function conditions(query: EventQuery): { where: string; values: SqlValue[] } {
  const clauses: string[] = [];
  const values: SqlValue[] = [];
  const add = (clause: string, ...given: readonly SqlValue[]): void => {
    clauses.push(clause);
    values.push(...given);
  };
  if (query.sinceMs !== undefined) add('last_seen >= ?', query.sinceMs);
  if (query.untilMs !== undefined) add('last_seen < ?', query.untilMs);
  if (query.type !== undefined) add('type = ? COLLATE NOCASE', query.type);
  if (query.reason !== undefined) add('reason = ? COLLATE NOCASE', query.reason);
  if (query.namespace !== undefined) add('namespace = ?', query.namespace);
  if (query.object !== undefined) {
    const { kind, name } = parseObject(query.object);
    add('object_name = ?', name);
    if (kind !== undefined) add('object_kind = ? COLLATE NOCASE', kind);
  }
  if (query.grep !== undefined && query.grep !== '') addText(query.grep, add);
  return { where: clauses.length === 0 ? '' : `WHERE ${clauses.join(' AND ')}`, values };
}

function addText(text: string, add: (clause: string, ...given: readonly SqlValue[]) => void): void {
  if (Array.from(text).length >= SHORTEST_INDEXED) {
    // In quotes it is text and no query language; a quote within is written twice.
    const quoted = `"${text.replaceAll('"', '""')}"`;
    add('id IN (SELECT rowid FROM events_text WHERE events_text MATCH ?)', quoted);
    return;
  }
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const like = [`message`, `reason`, `object_name`].map((column) => `${column} LIKE ? ESCAPE '\\'`);
  add(`(${like.join(' OR ')})`, pattern, pattern, pattern);
}

function eventOf(row: SqlRow): CollectedEvent {
  const text = (column: string): string => String(getKey(row, column) ?? '');
  const optional = (column: string): string | undefined =>
    getKey(row, column) === null ? undefined : text(column);
  const related = optional('related');
  // A database of version 1 does not say when events arrived.
  const time = (column: string, claim: string): string =>
    new Date(Number(getKey(row, column) ?? getKey(row, claim))).toISOString();
  return {
    uid: text('uid'),
    resourceVersion: text('resource_version'),
    namespace: text('namespace'),
    name: text('name'),
    type: text('type'),
    reason: text('reason'),
    message: text('message'),
    object: JSON.parse(text('object')) as InvolvedObject,
    ...(related !== undefined && { related: JSON.parse(related) as InvolvedObject }),
    ...(row['action'] !== null && { action: text('action') }),
    ...(row['component'] !== null && { component: text('component') }),
    ...(row['instance'] !== null && { instance: text('instance') }),
    count: Number(row['count']),
    firstSeen: time('first_seen', 'first_seen'),
    lastSeen: time('last_seen', 'last_seen'),
    createdAt: time('created_at', 'first_seen'),
    receivedAt: time('received_at', 'last_seen'),
  };
}

function gapOf(row: SqlRow): Gap {
  return {
    from: row['from_time'] === null ? undefined : String(row['from_time']),
    to: String(row['to_time']),
    reason: String(row['reason']),
    ...(row['dropped'] !== null && { dropped: Number(row['dropped']) }),
  };
}
