import type { Event } from '../api/core/v1.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import { escapeFieldValue } from '../meta/fields.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { Stored } from '../rest/object-types.ts';

/** Options of {@link eventsFor}. */
export interface EventsForOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the events about an object, oldest first, as `kubectl describe` lists them. Needs its
 * `metadata`; `kind` and `uid` narrow the search, so that events of an earlier object of the same
 * name are left out.
 */
export async function eventsFor(
  client: Clientset,
  { kind, metadata = {} }: Readonly<KubernetesObject>,
  { signal }: EventsForOptions = {},
): Promise<Stored<Event>[]> {
  const { name, namespace, uid } = metadata;
  const wanted = { name, namespace, kind, uid };
  const fieldSelector = Object.entries(wanted)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([field, value]) => `involvedObject.${field}=${escapeFieldValue(value ?? '')}`)
    .join(',');
  const events = namespace === undefined ? client.coreV1.events() : client.coreV1.events(namespace);
  const { items } = await events.listAll({ fieldSelector, signal }).toList();
  return items.sort((left, right) => lastSeen(left) - lastSeen(right));
}

/** Returns when an event was last seen, in milliseconds since the Unix epoch. */
export function lastSeen({ lastTimestamp, series, eventTime, metadata }: Stored<Event>): number {
  const time = series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp;
  return Date.parse(time);
}
