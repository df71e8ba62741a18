import { createHash } from 'node:crypto';

import type { CachedObject } from 'client-ts/cache';
import { compareResourceVersions } from 'client-ts/meta';

/** One state of an object. Two states are the same if all of it is. */
export interface ObjectState {
  readonly version: string;
  readonly uid: string;
  /** Stands for everything else in the object. */
  readonly digest: string;
}

/** Something that the server did. A deletion has a version of its own, and the last content. */
export interface LogEntry {
  readonly type: 'delete' | 'put';
  readonly key: string;
  readonly state: ObjectState;
}

/** A call of a handler, with the version that the store had of the object during the call. */
export type HandlerCall = { readonly key: string; readonly stored: string | undefined } & (
  | { readonly type: 'add'; readonly state: ObjectState; readonly isInInitialList: boolean }
  | { readonly type: 'update'; readonly before: ObjectState; readonly state: ObjectState }
  | { readonly type: 'delete'; readonly state: ObjectState }
  | { readonly type: 'tombstone'; readonly state: ObjectState | undefined }
);

/**
 * What happened after one version and up to another was told by a list: of every object only the
 * last state, and nothing of those that came and went between. An empty `after` is the beginning.
 */
export interface Gap {
  readonly after: string;
  readonly upTo: string;
}

/** Where a handler begins. */
export interface HistoryStart {
  /** What the cache had. */
  readonly held: ReadonlyMap<string, ObjectState>;
  /** Whether the handler has to be told of it: false for one that goes on from there. */
  readonly isReplayed: boolean;
  /** How far the informer had read from the server. */
  readonly upTo: string;
}

/** What a handler was told, and what there was to tell. */
export interface History {
  /** Everything that the server did, in its order. */
  readonly log: readonly LogEntry[];
  readonly calls: readonly HandlerCall[];
  readonly start: HistoryStart;
  readonly gaps: readonly Gap[];
  /** Versions of entries that a watch should have brought, and that never arrived. */
  readonly missed: ReadonlySet<string>;
  /** Whether calls are in the order of the server, or only those for the same object. */
  readonly order: 'object' | 'server';
  /** Whether objects may be told again that have not changed. */
  readonly hasResyncs: boolean;
  /** Whether the handler was there to the end of the log. */
  readonly isWhole: boolean;
  /** How many calls had ended when the handler was said to be synced; undefined if it never was. */
  readonly syncedAfter: number | undefined;
}

/** An object as histories know it. */
export function stateOf(object: CachedObject): ObjectState {
  const { resourceVersion = '', uid = '' } = object.metadata ?? {};
  return { version: resourceVersion, uid, digest: digestOf(object) };
}

/**
 * The same for the same content, whatever encoding it came in and however its fields are ordered.
 * Kind and version are not counted: servers leave them out of the items of a list.
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

/** Orders versions; the empty one, which stands for the beginning, is before all others. */
function compare(left: string, right: string): number {
  if (left === '' || right === '') return left === right ? 0 : left === '' ? -1 : 1;
  return compareResourceVersions(left, right);
}

/** True if `left` comes before `right`. */
export function isOlder(left: string, right: string): boolean {
  return compare(left, right) < 0;
}

/** True unless `left` comes after `right`. */
export function isAtMost(left: string, right: string): boolean {
  return compare(left, right) <= 0;
}
