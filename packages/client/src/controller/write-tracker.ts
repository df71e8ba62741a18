import type { CachedObject } from '../cache/list-watch.ts';
import { metaNamespaceKeyFunc, splitMetaNamespaceKey, uidOf } from '../cache/store.ts';
import { codecFor } from '../codec/codec.ts';
import { MEDIA_TYPES } from '../codec/media-types.ts';
import type { Clock } from '../lib/clock.ts';
import { withDeadline } from '../lib/deadline.ts';
import { deepFreeze } from '../lib/deep-freeze.ts';
import { describeError, type Logger } from '../lib/logger.ts';
import { isBeingDeleted, nameOf, namespaceOf } from '../meta/object.ts';
import { isResourceVersion } from '../meta/resource-version.ts';
import { isStatus } from '../meta/status.ts';
import type { KubernetesObject, Status } from '../meta/types.ts';
import type {
  ObservedWrite,
  WriteAnswer,
  WriteObserver,
  WriteOutcome,
} from '../rest/write-observer.ts';
import type { CacheView, ViewMember } from './cache-view.ts';
import { ControllerError } from './controller-error.ts';
import type { OwnVersions } from './own-versions.ts';
import { versionIn } from './write-overlay.ts';

/** Options of {@link WriteTracker}. */
export interface WriteTrackerOptions {
  /** The views of a resource, in any version of its group. */
  readonly viewsOf: (write: ObservedWrite) => Iterable<CacheView>;
  readonly ownVersions: OwnVersions;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long a write waits for an informer, or for a read of the server. */
  readonly waitTimeoutMs: number;
  /** Called after each write. */
  readonly onRecorded: () => void;
}

/** A write that the server has done. */
export interface AcceptedWrite {
  readonly write: ObservedWrite;
  /** True if the cache sees the writes of this resource. */
  readonly isCached: boolean;
  /** What the cache showed when the write was sent; undefined if it had no such object. */
  readonly before: CachedObject | undefined;
  /** The version of the object in the answer; empty if it has none. */
  readonly version: string;
  /** Returns the object in the answer; undefined if it has none. */
  readonly answer: () => CachedObject | undefined;
  /** Returns an answer in the form that the cache has; undefined if it is not cached. */
  readonly cachedForm: (answer: CachedObject) => CachedObject | undefined;
}

/** Called for each {@link AcceptedWrite}, when the cache has recorded it. */
export type AcceptedWriteListener = (write: AcceptedWrite) => void;

/** A write, and what a view showed when it was sent. */
interface TrackedWrite {
  readonly write: ObservedWrite;
  readonly view: CacheView;
  readonly member: ViewMember;
  /** Undefined if the server chooses the name, and for collections. */
  readonly key: string | undefined;
  readonly shown: CachedObject | undefined;
}

/** Subresources whose answer is the whole object. */
const WHOLE: ReadonlySet<string> = new Set([
  '',
  'approval',
  'ephemeralcontainers',
  'finalize',
  'resize',
  'status',
]);

/**
 * Records the writes of a client in the views of a cache. What the answer does not contain (the object
 * after an eviction or a scale, the members of a deleted collection, a kind in another version) is read
 * from the server before the write resolves.
 */
export class WriteTracker {
  readonly #options: WriteTrackerOptions;

  constructor(options: WriteTrackerOptions) {
    this.#options = options;
  }

  /** Returns the observer of the client of one writer. */
  observer(writer: string, onAccepted?: AcceptedWriteListener): WriteObserver {
    return (write) => {
      const tracked = this.#tracked(write);
      if (tracked.length === 0 && onAccepted === undefined) return undefined;
      const settled = (outcome: WriteOutcome): void => {
        if (tracked.length > 0) this.#options.onRecorded();
        if (outcome.type === 'accepted') onAccepted?.(acceptedWrite(write, tracked[0], outcome));
      };
      return (outcome) => {
        // Most answers contain everything: there is nothing to wait for.
        const waits: Promise<void>[] = [];
        for (const one of tracked) {
          const wait = this.#recordGuarded(one, outcome, writer);
          if (wait !== undefined) waits.push(wait);
        }
        if (waits.length === 0) return settled(outcome);
        return Promise.all(waits).then(() => settled(outcome));
      };
    };
  }

  /** Reads from the server what is not known of a view. Rejects if that fails. */
  async settle(view: CacheView, signal: AbortSignal | undefined): Promise<void> {
    for (const member of view.members) {
      const { overlay } = member;
      const keys = overlay.listKeys().filter((key) => overlay.isUncertain(key));
      await Promise.all(keys.map((key) => this.#settleKey(view, member, key, signal)));
      if (overlay.needsVersion) await this.confirm(view, member, signal);
      if (overlay.floor !== '') await member.informer.reached(overlay.floor, { signal });
    }
  }

  /** Compares the own writes with the current version of the server. */
  async confirm(
    view: CacheView,
    member: ViewMember,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const confirm = member.overlay.confirmation();
    const { version } = await readServer(view, member, { signal });
    confirm(version);
  }

  #tracked(write: ObservedWrite): TrackedWrite[] {
    const { namespace, name, verb } = write;
    const tracked: TrackedWrite[] = [];
    for (const view of this.#options.viewsOf(write)) {
      if (view.consistency === 'eventual') continue;
      const isEverywhere = verb === 'deletecollection' && namespace === '';
      const member = view.memberFor(namespace);
      const members = isEverywhere ? view.members : member === undefined ? [] : [member];
      for (const one of members) {
        const key = name === undefined ? undefined : keyOf(namespace, name);
        const shown = key === undefined ? undefined : shownIn(one, key);
        tracked.push({ write, view, member: one, key, shown });
      }
    }
    return tracked;
  }

  /** A transform that throws costs this object in this view: the informer cannot cache it either. */
  #recordGuarded(
    tracked: TrackedWrite,
    outcome: WriteOutcome,
    writer: string,
  ): Promise<void> | undefined {
    const report = (error: unknown): void => {
      const { resource } = tracked.view.descriptor;
      this.#options.logger.warn(`a write of ${resource} is not cached: ${describeError(error)}`, {
        event: 'cache.write.unseen',
        resource,
      });
    };
    try {
      return this.#record(tracked, outcome, writer)?.catch(report);
    } catch (error) {
      report(error);
      return undefined;
    }
  }

  /** Returns a promise if the answer does not contain everything, or the informer is waited for. */
  #record(tracked: TrackedWrite, outcome: WriteOutcome, writer: string): Promise<void> | undefined {
    const { member, key, write } = tracked;
    if (outcome.type === 'refused') return undefined;
    if (outcome.type === 'unknown') {
      if (key !== undefined) member.overlay.doubt(key);
      else if (write.verb === 'deletecollection') member.overlay.doubtAll();
      return undefined;
    }
    const { result } = outcome;
    const answer = peekedIn(result);
    const isKnown = answer !== undefined && this.#recordAnswer(tracked, { answer, result }, writer);
    const isWaiting = tracked.view.consistency === 'wait' && member.informer.isRunning;
    if (isKnown && !isWaiting) return undefined;
    return this.#inTime(write.signal, async (signal) => {
      if (!isKnown) await this.#recordFromServer(tracked, answer, signal);
      if (isWaiting) await this.#waitFor(tracked, answer, signal);
    });
  }

  /** Returns false if the answer does not contain the state of the object. */
  #recordAnswer(
    tracked: TrackedWrite,
    { answer, result }: { readonly answer: CachedObject; readonly result: WriteAnswer },
    writer: string,
  ): boolean {
    const { write, view, member, key, shown } = tracked;
    const { descriptor, options } = view;
    if (write.verb === 'deletecollection' || !WHOLE.has(write.subresource)) return false;
    if (isStatus(answer)) {
      const { details } = answer as Status;
      const uid = details?.uid ?? (shown === undefined ? '' : uidOf(shown));
      return write.verb === 'delete' && this.#bury(tracked, uid);
    }
    const isOther = write.resource.version !== descriptor.version || isPartialFor(view, answer);
    if (isOther) return false;
    const version = versionIn(answer);
    this.#recordVersion(tracked, answer, writer);
    if (isGone(answer)) return write.verb !== 'delete' && this.#bury(tracked, uidOf(answer));
    if (write.verb === 'delete' && !isPending(answer)) return false;
    // Only the server knows whether they match.
    if (options.fieldSelector !== undefined || options.shardSelector !== undefined) return false;
    const place = key ?? metaNamespaceKeyFunc(answer);
    if (!view.selects(answer)) member.overlay.absent(place, version);
    else member.overlay.put(place, answer, () => cachedLater(view, result));
    return true;
  }

  /** Returns false if neither the informer nor an own write had shown the object. */
  #bury({ member, key, shown }: TrackedWrite, uid: string): boolean {
    if (key === undefined || shown === undefined || uid === '' || uidOf(shown) !== uid)
      return false;
    member.overlay.bury(key, uid);
    return true;
  }

  /** A version that a write without effect returned may be of another writer. */
  #recordVersion({ write, view, shown }: TrackedWrite, answer: CachedObject, writer: string): void {
    const before = shown === undefined ? '' : versionIn(shown);
    const version = versionIn(answer);
    if (version === '' || version === before) return;
    const isCreation = write.verb === 'create' && write.subresource === '';
    if (isCreation || (before !== '' && requiredVersion(write.body) === before)) {
      this.#options.ownVersions.add(writer, view.descriptor, answer);
    }
  }

  async #recordFromServer(
    { view, member, key: known, write }: TrackedWrite,
    answer: CachedObject | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { overlay } = member;
    if (write.verb === 'deletecollection') {
      overlay.doubtAll();
      await this.settle(view, signal);
      return;
    }
    const named = answer !== undefined && nameOf(answer) !== '' ? answer : undefined;
    const key = known ?? (named && keyOf(namespaceOf(named), nameOf(named)));
    if (key === undefined) return;
    overlay.doubt(key);
    await this.#settleKey(view, member, key, signal);
  }

  async #settleKey(
    view: CacheView,
    member: ViewMember,
    key: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const settle = member.overlay.settlement(key);
    const { object, version } = await readServer(view, member, { key, signal });
    settle(object && view.selects(object) ? view.cachedFormOf(object) : undefined, version);
  }

  /** The answer to a deletion has no version: after each change, the store is asked whether it shows it. */
  async #waitFor(
    { member, key }: TrackedWrite,
    answer: CachedObject | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { informer, overlay } = member;
    const isGoneNow = answer === undefined || isStatus(answer) || isGone(answer);
    const version = isGoneNow ? '' : versionIn(answer);
    if (version !== '') return await informer.reached(version, { signal });
    if (key === undefined) return undefined;
    while (!overlay.isShown(key)) {
      const { resourceVersion } = informer.indexer;
      const next = isResourceVersion(resourceVersion) ? BigInt(resourceVersion) + 1n : 1;
      await informer.reached(String(next), { signal });
    }
    return undefined;
  }

  /** Bounded, and its failure is no failure of the write: reads stay right, or throw. */
  async #inTime(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const { clock, waitTimeoutMs: timeoutMs, logger } = this.#options;
    const reason = (): Error =>
      new ControllerError(
        'CONTROLLER_CACHE_BEHIND',
        `the cache has not caught up with a write within ${timeoutMs} ms`,
      );
    using limited = withDeadline(signal, { clock, timeoutMs, reason });
    try {
      await work(limited.signal);
    } catch (error) {
      if (signal?.aborted === true) return;
      logger.warn(`the cache after a write: ${describeError(error)}`, { event: 'cache.behind' });
    }
  }
}

interface ServerState {
  readonly object: CachedObject | undefined;
  /** At which the object was read, or there was none. */
  readonly version: string;
}

/**
 * Reads one object, or only the version, from the server. A list with one name has the version at
 * which there is no such object, which a GET does not, and applies the selectors of the view.
 */
async function readServer(
  { options }: CacheView,
  { client, namespace }: ViewMember,
  { key, signal }: { readonly key?: string; readonly signal: AbortSignal | undefined },
): Promise<ServerState> {
  const { labelSelector, fieldSelector, shardSelector } = options;
  const place = key === undefined ? undefined : splitMetaNamespaceKey(key);
  const byName = place === undefined ? '' : `metadata.name=${place.name}`;
  const fields = [byName, String(fieldSelector ?? '')].filter((text) => text !== '');
  const { items, metadata } = await client(place?.namespace ?? namespace).list({
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fields.length > 0 && { fieldSelector: fields.join(',') }),
    ...(shardSelector !== undefined && { shardSelector }),
    limit: 1,
    readOnly: true,
    signal,
  });
  return { object: items[0], version: metadata?.resourceVersion ?? '' };
}

function keyOf(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

function acceptedWrite(
  write: ObservedWrite,
  tracked: TrackedWrite | undefined,
  outcome: { readonly result: WriteAnswer },
): AcceptedWrite {
  const isWhole = WHOLE.has(write.subresource);
  const peeked = isWhole ? peekedIn(outcome.result) : undefined;
  return {
    write,
    isCached: tracked !== undefined,
    before: tracked?.shown,
    version: peeked === undefined || isStatus(peeked) ? '' : versionIn(peeked),
    answer: () => {
      const answer = isWhole ? ownAnswer(outcome.result) : undefined;
      return answer === undefined || isStatus(answer) ? undefined : answer;
    },
    cachedForm: (answer) => {
      if (tracked === undefined) return undefined;
      const { view } = tracked;
      const isOther = write.resource.version !== view.descriptor.version;
      if (isOther || isPartialFor(view, answer) || !view.selects(answer)) return undefined;
      return view.cachedFormOf(answer);
    },
  };
}

/** An object that cannot be read is as unknown as none: the write is recorded all the same. */
function shownIn({ overlay }: ViewMember, key: string): CachedObject | undefined {
  try {
    return overlay.get(key);
  } catch {
    return undefined;
  }
}

/** The object that the caller gets, to look at. Undefined if the body is not an object. */
function peekedIn(result: WriteAnswer): CachedObject | undefined {
  try {
    return result.peek<KubernetesObject>();
  } catch {
    return undefined;
  }
}

/** An object to keep, decoded again: that of the caller may be changed. */
function ownAnswer(result: WriteAnswer): CachedObject | undefined {
  try {
    return deepFreeze(result.into<KubernetesObject>());
  } catch {
    return undefined;
  }
}

/**
 * Returns a function that returns the object of an answer as a view caches it. It is decoded when it
 * is first read, which is mostly never: the informer is faster. Until then a copy of the bytes is kept:
 * those of the answer are the caller's too, and part of a larger buffer of the connection. A transform
 * may throw, and then there is nothing to cache: it is called now.
 */
function cachedLater(view: CacheView, result: WriteAnswer): () => CachedObject {
  if (view.options.transform !== undefined) {
    const object = view.cachedFormOf(result.into<KubernetesObject>());
    return () => object;
  }
  const codec = codecFor(result.contentType ?? MEDIA_TYPES.json);
  let kept: CachedObject | Uint8Array = new Uint8Array(result.raw());
  return () => {
    if (!(kept instanceof Uint8Array)) return kept;
    kept = view.cachedFormOf(codec.decode<KubernetesObject>(kept));
    return kept;
  };
}

/** True for an answer that has less than the view caches. */
function isPartialFor({ options }: CacheView, { kind }: CachedObject): boolean {
  return kind === 'PartialObjectMetadata' && options.metadataOnly !== true;
}

/** True if the object waits for finalizers or the end of its grace period. */
function isPending(object: CachedObject): boolean {
  if (!isBeingDeleted(object)) return false;
  const { finalizers = [], deletionGracePeriodSeconds = 0 } = object.metadata ?? {};
  const { spec } = object as { readonly spec?: { readonly finalizers?: readonly string[] } };
  return (
    finalizers.length > 0 || deletionGracePeriodSeconds > 0 || (spec?.finalizers ?? []).length > 0
  );
}

/** True if this write has removed the last finalizer: the server then deletes the object. */
function isGone(object: CachedObject): boolean {
  return isBeingDeleted(object) && !isPending(object);
}

/** The version that a write required; undefined if it would have replaced any. */
function requiredVersion(body: object | undefined): string | undefined {
  const { metadata } = (body ?? {}) as KubernetesObject;
  return metadata?.resourceVersion;
}
