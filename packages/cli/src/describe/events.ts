import type { Event } from 'client-ts/api/core/v1';

import { block, type Lines, table } from './lines.ts';
import { age, type Loose } from './values.ts';

/** A table of events. */
export function eventTable(events: readonly Loose<Event>[], now: number): Lines {
  if (events.length === 0) return undefined;
  return block(
    'Events',
    table(
      ['Type', 'Reason', ['Age', 4], 'From', 'Message'],
      events.map((event) => [
        event.type,
        event.reason,
        seen(event, now),
        event.source?.component || event.reportingComponent,
        messageOf(event),
      ]),
    ),
  );
}

/** `5m`, or `5m (x12 over 2h)`. */
function seen(event: Loose<Event>, now: number): string {
  const { eventTime, firstTimestamp, lastTimestamp, series, count = 0 } = event;
  const first = age(eventTime ?? firstTimestamp, now);
  if (series !== undefined) {
    return `${age(series.lastObservedTime, now)} (x${series.count ?? 0} over ${first})`;
  }
  return count > 1 ? `${age(lastTimestamp, now)} (x${count} over ${first})` : first;
}

function messageOf({ message = '', involvedObject }: Loose<Event>): string {
  const { fieldPath = '' } = involvedObject ?? {};
  return `${fieldPath && `${fieldPath}: `}${message.trim()}`;
}
