import type { Event, ObjectReference } from '../api/core/v1.ts';
import { formatTime } from '../meta/time.ts';
import type { VirtualClock } from '../testing/virtual-clock.ts';

export const podReference: ObjectReference = {
  apiVersion: 'v1',
  kind: 'Pod',
  name: 'web',
  namespace: 'shop',
  uid: 'u1',
};

let made = 0;

/** An event as a recorder makes it. */
export function makeEvent(clock: VirtualClock, parts: Partial<Event> = {}): Event {
  const time = formatTime(clock.now());
  made += 1;
  return {
    metadata: { name: `web.${made.toString(16)}`, namespace: 'shop' },
    involvedObject: podReference,
    reason: 'Started',
    message: 'it started',
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type: 'Normal',
    source: { component: 'test' },
    reportingComponent: 'test',
    ...parts,
  };
}
