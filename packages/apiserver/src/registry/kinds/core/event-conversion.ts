import type * as core from 'client-ts/api/core/v1';
import type * as events from 'client-ts/api/events/v1';
import type { Loose } from '../../../validation/loose.ts';

/*
 * Events are one thing with two faces: core/v1 and events.k8s.io/v1 have the same content under other
 * names. They are stored as core events.
 */

type CoreEvent = Loose<core.Event>;
type GroupEvent = Loose<events.Event>;

/** Names of fields in events.k8s.io/v1, and what they are called in core/v1. */
const RENAMED = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  ['reportingController', 'reportingComponent'],
] as const;

/** An event of events.k8s.io/v1 as core/v1 shows it. Shares its parts with the argument. */
export function eventToCore(event: GroupEvent): CoreEvent {
  const { apiVersion: _, ...rest } = event;
  return { ...rename(rest, RENAMED), apiVersion: 'v1', kind: 'Event' };
}

/** A core event as events.k8s.io/v1 shows it. Shares its parts with the argument. */
export function eventFromCore(event: CoreEvent): GroupEvent {
  const { apiVersion: _, ...rest } = event;
  const names = RENAMED.map(([group, name]) => [name, group] as const);
  return { ...rename(rest, names), apiVersion: 'events.k8s.io/v1', kind: 'Event' };
}

function rename(
  object: object,
  names: readonly (readonly [from: string, to: string])[],
): Record<string, unknown> {
  const newNames = new Map(names);
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [newNames.get(name) ?? name, value]),
  );
}
