import type { Event as CoreEvent } from 'client-ts/api/core/v1';
import type { Event as EventsEvent } from 'client-ts/api/events/v1';
import type { DeepReadonly, ObjectMeta } from 'client-ts/meta';

/** The object of an event, or an object related to it. */
export interface InvolvedObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly fieldPath?: string | undefined;
}

/**
 * A collected event, the same whether it was read as core/v1 or as events.k8s.io/v1, which are two
 * views of one object. Plain JSON.
 */
export interface CollectedEvent {
  /** The identity: a later state with the same uid updates the event. */
  readonly uid: string;
  /** Orders the states of an event. */
  readonly resourceVersion: string;
  readonly namespace: string;
  readonly name: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly object: InvolvedObject;
  readonly related?: InvolvedObject | undefined;
  readonly action?: string | undefined;
  /** The component that reported it, and its host. */
  readonly component?: string | undefined;
  readonly instance?: string | undefined;
  /** How often the event occurred. */
  readonly count: number;
  /** Times are in UTC with milliseconds. These two are set by the author of the event. */
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** When the server first stored the event: the same for all states of an event. */
  readonly createdAt: string;
  /** When the collector received this state. */
  readonly receivedAt: string;
}

/** An Event of either API, as a watch returns it. */
export type ServerEvent = DeepReadonly<CoreEvent> | DeepReadonly<EventsEvent>;

/** The clock skew within a cluster that is tolerated. */
const SKEW_MS = 5 * 60_000;

/**
 * Converts an Event of either API; undefined for one without a uid, which no server stores.
 *
 * New-style events have their time in `eventTime` and their count in `series`, old ones have
 * `firstTimestamp`, `lastTimestamp` and `count`; servers convert only part of it. Authors of events
 * choose these fields freely: a time in the future becomes the time of arrival, and a value of the
 * wrong type becomes a string, so that one event cannot fail a batch.
 */
export function collectedEvent(event: ServerEvent, nowMs: number): CollectedEvent | undefined {
  const metadata: DeepReadonly<ObjectMeta> = event.metadata ?? {};
  const { uid, resourceVersion, namespace, name, creationTimestamp } = metadata;
  if (uid === undefined) return undefined;
  const old = 'involvedObject' in event ? fromCore(event) : fromEvents(event);
  const firstSeen = old.first ?? event.eventTime ?? creationTimestamp ?? epoch;
  const lastSeen = event.series?.lastObservedTime ?? old.last ?? firstSeen;
  const receivedAt = new Date(nowMs).toISOString();
  return {
    uid: textOf(uid) ?? '',
    resourceVersion: textOf(resourceVersion) ?? '0',
    namespace: textOf(namespace) ?? '',
    name: textOf(name) ?? '',
    type: textOf(event.type) ?? '',
    reason: textOf(event.reason) ?? '',
    message: textOf(old.message) ?? '',
    object: referenceOf(old.object),
    ...(event.related != null && { related: referenceOf(event.related) }),
    ...text('action', event.action),
    ...text('component', old.component ?? old.source?.component),
    ...text('instance', event.reportingInstance ?? old.source?.host),
    count: countOf(event.series?.count, old.count),
    firstSeen: timeOf(firstSeen, nowMs),
    lastSeen: timeOf(lastSeen, nowMs),
    createdAt: creationTimestamp == null ? receivedAt : timeOf(creationTimestamp, nowMs),
    receivedAt,
  };
}

const epoch = '1970-01-01T00:00:00Z';

/** The fields that the two APIs name differently. */
interface OldFields {
  readonly object: InvolvedObject | undefined;
  readonly message: string | undefined;
  readonly first: string | null | undefined;
  readonly last: string | null | undefined;
  readonly count: number | undefined;
  readonly component: string | undefined;
  readonly source: { readonly component?: string; readonly host?: string } | undefined;
}

function fromCore(event: DeepReadonly<CoreEvent>): OldFields {
  return {
    object: event.involvedObject,
    message: event.message,
    first: event.firstTimestamp,
    last: event.lastTimestamp,
    count: event.count,
    component: event.reportingComponent === '' ? undefined : event.reportingComponent,
    source: event.source,
  };
}

function fromEvents(event: DeepReadonly<EventsEvent>): OldFields {
  return {
    object: event.regarding,
    message: event.note,
    first: event.deprecatedFirstTimestamp,
    last: event.deprecatedLastTimestamp,
    count: event.deprecatedCount,
    component: event.reportingController === '' ? undefined : event.reportingController,
    source: event.deprecatedSource,
  };
}

function referenceOf(object: InvolvedObject | null | undefined): InvolvedObject {
  const { apiVersion, kind, namespace, name, uid, fieldPath } = object ?? {};
  return {
    ...text('apiVersion', apiVersion),
    ...text('kind', kind),
    ...text('namespace', namespace),
    ...text('name', name),
    ...text('uid', uid),
    ...text('fieldPath', fieldPath),
  };
}

function text<Key extends string>(key: Key, value: unknown): Partial<Record<Key, string>> {
  const given = textOf(value);
  return given === undefined || given === '' ? {} : ({ [key]: given } as Record<Key, string>);
}

/**
 * Returns strings as they are and anything else as JSON: not every server sends what the types
 * promise.
 */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A lone surrogate is not a character, and search servers reject it.
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}

function countOf(...claims: readonly unknown[]): number {
  const counts = claims.filter((claim) => Number.isSafeInteger(claim));
  return Math.max(1, ...(counts as number[]));
}

/**
 * One format for times of both precisions, so that they sort as strings; never later than the
 * arrival.
 */
function timeOf(claim: unknown, nowMs: number): string {
  const parsed = typeof claim === 'string' ? Date.parse(claim) : Number.NaN;
  if (Number.isNaN(parsed)) return new Date(0).toISOString();
  const isFuture = parsed > nowMs + SKEW_MS;
  return new Date(isFuture ? nowMs : Math.max(0, parsed)).toISOString();
}
