import type { Event, ObjectReference } from '../api/core/v1.ts';

/** No field of an event can hold it, so that `ab`, `c` and `a`, `bc` are different. */
const separator = '\0';

/** One key of several fields, each of which may be missing. */
export function joinKey(parts: readonly (string | undefined)[]): string {
  return parts.map((part) => part ?? '').join(separator);
}

/** Events with the same key are one event that happened again. */
export function eventKey(event: Event): string {
  return joinKey([
    ...sourceOf(event),
    ...objectOf(event.involvedObject),
    event.involvedObject.fieldPath,
    event.type,
    event.reason,
    event.message,
  ]);
}

/**
 * Events with the same key share one budget: those of a source about an object, Normal and Warning
 * apart, so that good news cannot hide the bad.
 */
export function spamKey(event: Event): string {
  return joinKey([...sourceOf(event), ...objectOf(event.involvedObject), event.type]);
}

/** How events are told to be similar: the same group, but different in it. */
export interface AggregationKeys {
  readonly aggregateKey: string;
  readonly localKey: string;
}

/** Similar events differ in nothing but their message, or the part of the object they are about. */
export function aggregateByReason(event: Event): AggregationKeys {
  const aggregateKey = joinKey([
    ...sourceOf(event),
    ...objectOf(event.involvedObject),
    event.type,
    event.reason,
    event.reportingComponent,
    event.reportingInstance,
  ]);
  return { aggregateKey, localKey: event.message ?? '' };
}

function sourceOf({ source = {} }: Event): (string | undefined)[] {
  return [source.component, source.host];
}

function objectOf(object: ObjectReference): (string | undefined)[] {
  return [object.kind, object.namespace, object.name, object.uid, object.apiVersion];
}
