import { createHash } from 'node:crypto';

import type { CachedObject } from 'client-ts/cache';
import { compareResourceVersions } from 'client-ts/meta';

/** One state of an object. Two states are equal if all fields are. */
export interface ObjectState {
  readonly version: string;
  readonly uid: string;
  /** A digest of the rest of the object. */
  readonly digest: string;
}

/** A write of the server. A deletion has its own version and the last content. */
export interface LogEntry {
  readonly type: 'delete' | 'put';
  readonly key: string;
  readonly state: ObjectState;
}

/** A call of a handler, with the version of the object in the store during the call. */
export type HandlerCall = { readonly key: string; readonly stored: string | undefined } & (
  | { readonly type: 'add'; readonly state: ObjectState; readonly isInInitialList: boolean }
  | { readonly type: 'update'; readonly before: ObjectState; readonly state: ObjectState }
  | { readonly type: 'delete'; readonly state: ObjectState }
  | { readonly type: 'tombstone'; readonly state: ObjectState | undefined }
);

/**
 * A range of versions that was delivered by a list: only the last state of every object, and
 * nothing of objects that were created and deleted in between. An empty `after` is the beginning.
 */
export interface Gap {
  readonly after: string;
  readonly upTo: string;
}

/** The starting point of a handler. */
export interface HistoryStart {
  /** The content of the cache. */
  readonly held: ReadonlyMap<string, ObjectState>;
  /** Whether the cache is delivered to the handler: false for one that continues from there. */
  readonly isReplayed: boolean;
  /** How far the informer had read from the server. */
  readonly upTo: string;
}

/** The calls of a handler, and the writes of the server. */
export interface History {
  /** All writes of the server, in order. */
  readonly log: readonly LogEntry[];
  readonly calls: readonly HandlerCall[];
  readonly start: HistoryStart;
  readonly gaps: readonly Gap[];
  /** Versions that a watch should have delivered and did not. */
  readonly missed: ReadonlySet<string>;
  /** Whether calls are in the order of the server, or only those for the same object. */
  readonly order: 'object' | 'server';
  /** Whether unchanged objects may be delivered again. */
  readonly hasResyncs: boolean;
  /** Whether the handler was registered until the end of the log. */
  readonly isWhole: boolean;
  /** How many calls had ended when the handler was reported synced; undefined if it never was. */
  readonly syncedAfter: number | undefined;
}

/** Returns the state of an object. */
export function stateOf(object: CachedObject): ObjectState {
  const { resourceVersion = '', uid = '' } = object.metadata ?? {};
  return { version: resourceVersion, uid, digest: digestOf(object) };
}

/**
 * Returns a digest that does not depend on encoding and field order. Kind and apiVersion are
 * ignored: servers omit them in list items.
 */
function digestOf({ apiVersion: _, kind: __, ...content }: CachedObject): string {
  return createHash('sha1').update(JSON.stringify(content, sorted)).digest('base64');
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}

/** Compares versions; the empty one, the beginning, is before all others. */
function compare(left: string, right: string): number {
  if (left === '' || right === '') return left === right ? 0 : left === '' ? -1 : 1;
  return compareResourceVersions(left, right);
}

/** True if `left` is before `right`. */
export function isOlder(left: string, right: string): boolean {
  return compare(left, right) < 0;
}

/** True unless `left` is after `right`. */
export function isAtMost(left: string, right: string): boolean {
  return compare(left, right) <= 0;
}
