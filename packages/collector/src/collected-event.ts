import type { Event as CoreEvent } from 'client-ts/api/core/v1';
import type { Event as EventsEvent } from 'client-ts/api/events/v1';
import type { DeepReadonly, ObjectMeta } from 'client-ts/meta';

/** An object that an event is about, or that had to do with it. */
export interface InvolvedObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly fieldPath?: string | undefined;
}

/**
 * An Event as it is kept: the same whether it was read as core/v1 or as events.k8s.io/v1, which are two
 * views of one object. Plain data, so that it can go to disk and come back.
 */
export interface CollectedEvent {
  /** The identity: what comes with the same uid later is the same event, counted on. */
  readonly uid: string;
  /** Which of two states of an event is the newer one. */
  readonly resourceVersion: string;
  readonly namespace: string;
  readonly name: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly object: InvolvedObject;
  readonly related?: InvolvedObject | undefined;
  readonly action?: string | undefined;
  /** The component that reported it, and where that ran. */
  readonly component?: string | undefined;
  readonly instance?: string | undefined;
  /** How often it happened. */
  readonly count: number;
  /** Times in UTC, with three digits of the second. The author of the event claims these two. */
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** When the server stored the event first. It stays the same for all states of the event. */
  readonly createdAt: string;
  /** When the collector received this state. */
  readonly receivedAt: string;
}

/** What the two APIs call an Event, as a watch gives it. */
export type ServerEvent = DeepReadonly<CoreEvent> | DeepReadonly<EventsEvent>;

/** The clocks of a cluster may differ by this much from ours. */
const SKEW_MS = 5 * 60_000;

/**
 * Reads an Event of either API; undefined for one without a uid, which no server stores.
 *
 * New-style events have their time in `eventTime` and are counted in `series`, old ones have
 * `firstTimestamp`, `lastTimestamp` and `count`; servers fill in what is missing only in part. Any author
 * of events chooses these fields: a time in the future becomes the time of arrival, and a value of
 * another type becomes text, so that one event cannot spoil a batch.
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

/** What the two APIs call differently. */
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

/** Text as it is, anything else as JSON: types promise text, and servers of other kinds send what they like. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // Half a surrogate pair is no character, and search servers refuse it.
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}

function countOf(...claims: readonly unknown[]): number {
  const counts = claims.filter((claim) => Number.isSafeInteger(claim));
  return Math.max(1, ...(counts as number[]));
}

/** One form for times of both precisions, so that they sort as text; none after the arrival. */
function timeOf(claim: unknown, nowMs: number): string {
  const parsed = typeof claim === 'string' ? Date.parse(claim) : Number.NaN;
  if (Number.isNaN(parsed)) return new Date(0).toISOString();
  const isFuture = parsed > nowMs + SKEW_MS;
  return new Date(isFuture ? nowMs : Math.max(0, parsed)).toISOString();
}
