import type { Event } from 'client-ts/api/core/v1';
import { since, sinceMicro } from './ages.ts';
import { column, type Printable, printer, type Printer } from './printer.ts';

const wide = { wide: true } as const;

/** The table of Events of both groups: those of `events.k8s.io` are shown as what they are stored as. */
export const eventPrinter: Printer<Printable<Event>> = printer([
  column('Last Seen', 'Time since it happened last', lastSeen),
  column('Type', 'Whether this is normal or a warning', ({ type }) => type ?? ''),
  column('Reason', 'In a word, why it happened', ({ reason }) => reason ?? ''),
  column('Object', 'What it happened to', formatObject),
  column(
    'Subobject',
    'Which part of the object',
    ({ involvedObject }) => involvedObject?.fieldPath ?? '',
    wide,
  ),
  column('Source', 'Who reports it', formatSource, wide),
  column('Message', 'What happened, for people', ({ message }) => (message ?? '').trim()),
  column('First Seen', 'Time since it happened first', firstSeen, wide),
  column('Count', 'How often it happened', countOf, wide),
  column('Name', 'What the event is called', ({ metadata }) => metadata?.name ?? '', {
    ...wide,
    format: 'name',
  }),
]);

function firstSeen({ firstTimestamp, eventTime }: Printable<Event>, now: number): string {
  return isSet(firstTimestamp) ? since(firstTimestamp, now) : sinceMicro(eventTime, now);
}

function lastSeen(event: Printable<Event>, now: number): string {
  const { series, lastTimestamp } = event;
  if (isSet(series)) return sinceMicro(series.lastObservedTime, now);
  return isSet(lastTimestamp) ? since(lastTimestamp, now) : firstSeen(event, now);
}

function isSet<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}

/** An event that happened once may say so by leaving the number out. */
function countOf({ series, count }: Printable<Event>): number {
  if (isSet(series)) return series.count ?? 0;
  return isSet(count) && count !== 0 ? count : 1;
}

function formatObject({ involvedObject }: Printable<Event>): string {
  const kind = (involvedObject?.kind ?? '').toLowerCase();
  const name = involvedObject?.name ?? '';
  return name === '' ? kind : `${kind}/${name}`;
}

/** The older way to name the source comes first. */
function formatSource({ source, reportingComponent, reportingInstance }: Printable<Event>): string {
  const component = firstText(source?.component, reportingComponent);
  const instance = firstText(source?.host, reportingInstance);
  return instance === '' ? component : `${component}, ${instance}`;
}

function firstText(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text !== '') ?? '';
}
