import { getKey } from 'client-ts/internal';
import type { CollectedEvent, InvolvedObject } from './collected-event.ts';
import type { Gap, Position } from './collector-sink.ts';
import type { SqlDatabase, SqlRow, SqlValue } from './sqlite-database.ts';
import { openForReading } from './sqlite-database.ts';

/** Selects events; all given conditions must hold. */
export interface EventQuery {
  /** Last seen at or after this time, in milliseconds since the epoch. */
  readonly sinceMs?: number | undefined;
  /** Last seen before this time. */
  readonly untilMs?: number | undefined;
  /** `Warning`, `Normal`; case-insensitive. */
  readonly type?: string | undefined;
  readonly reason?: string | undefined;
  readonly namespace?: string | undefined;
  /** `pod/web-0`, `deploy/web`, or only a name. */
  readonly object?: string | undefined;
  /** A substring of the message, the reason or the object's name; case-insensitive. */
  readonly grep?: string | undefined;
  /** Only the newest ones. Default: no limit. */
  readonly limit?: number | undefined;
}

/** The result of a query: events by last occurrence, newest last. */
export interface QueryResult {
  readonly events: readonly CollectedEvent[];
  /** Periods within the query in which events may be missing. */
  readonly gaps: readonly Gap[];
}

interface ObjectFilter {
  /** Lower case, singular; undefined for any kind. */
  readonly kind: string | undefined;
  readonly name: string;
}

const shortNames: ReadonlyMap<string, string> = new Map([
  ['cj', 'cronjob'],
  ['cm', 'configmap'],
  ['deploy', 'deployment'],
  ['ds', 'daemonset'],
  ['ep', 'endpoints'],
  ['hpa', 'horizontalpodautoscaler'],
  ['ing', 'ingress'],
  ['no', 'node'],
  ['ns', 'namespace'],
  ['pdb', 'poddisruptionbudget'],
  ['po', 'pod'],
  ['pv', 'persistentvolume'],
  ['pvc', 'persistentvolumeclaim'],
  ['rs', 'replicaset'],
  ['sa', 'serviceaccount'],
  ['sts', 'statefulset'],
  ['svc', 'service'],
]);

/**
 * Parses `KIND/NAME` or `NAME`. The kind may be plural, one of kubectl's short names, or qualified
 * with its group. It is not looked up: the cluster may no longer exist.
 */
function parseObject(text: string): ObjectFilter {
  const slash = text.indexOf('/');
  if (slash === -1) return { kind: undefined, name: text };
  const word = text.slice(0, slash).toLowerCase().replace(/\..*$/, '');
  return { kind: shortNames.get(word) ?? singular(word), name: text.slice(slash + 1) };
}

function singular(word: string): string {
  if (word === 'endpoints') return word;
  if (/(?:ss|ch|x)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

/** The text index contains substrings of at least this length. */
const SHORTEST_INDEXED = 3;

/**
 * Queries a database that a {@link SqliteSink} has written, also while it is being written.
 *
 * ```ts
 * using archive = new EventArchive('events.db');
 * const { events } = archive.query({ type: 'Warning', object: 'pod/web-0' });
 * ```
 */
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

  /** The number of events. */
  get size(): number {
    const row = this.#database.prepare('SELECT count(*) AS size FROM events').get();
    return Number(row?.['size']);
  }

  /** True if there is an event with this uid. */
  has(uid: string): boolean {
    return this.#database.prepare('SELECT 1 FROM events WHERE uid = ?').get(uid) !== undefined;
  }

  /** The position of the collector. */
  get position(): Position | undefined {
    const row = this.#database.prepare("SELECT value FROM meta WHERE key = 'position'").get();
    return row === undefined ? undefined : (JSON.parse(String(row['value'])) as Position);
  }

  /** Closes the database. */
  close(): void {
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
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
    // Quoted, it is literal text instead of a query; quotes within are doubled.
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
  // A database of version 1 has no arrival times.
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
