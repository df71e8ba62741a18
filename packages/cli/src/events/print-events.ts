import { resolve } from 'node:path';
import { type CollectedEvent, EventArchive, type EventQuery, type Gap } from '@client-ts/collector';
import { humanDuration } from 'client-ts/meta';
import type { CommandContext } from '../frame/context.ts';
import { printable, printableJson } from '../frame/printable.ts';
import { stylesFor } from '../frame/styles.ts';
import { Columns } from '../print/align.ts';

/** Options of `client-ts events`. */
export interface PrintEventsOptions {
  readonly file: string;
  readonly query: EventQuery;
  readonly output: 'json' | 'ndjson' | 'table' | 'wide';
}

/** Prints the matching events of a database. */
export function printEvents(
  { file, query, output }: PrintEventsOptions,
  context: CommandContext,
): void {
  using archive = new EventArchive(resolve(context.workingDirectory, file));
  const { events, gaps } = archive.query(query);
  const { yellow } = stylesFor(context.stderr);
  for (const gap of gaps) context.err(`${yellow('Warning:')} ${printable(gapText(gap))}`);
  if (output === 'json') {
    context.out(printableJson(JSON.stringify({ items: events, gaps }, undefined, 2)));
  } else if (output === 'ndjson') {
    for (const event of events) context.out(printableJson(JSON.stringify(event)));
  } else if (events.length === 0) {
    context.err('No events found.');
  } else {
    printTable(events, { ...query, isWide: output === 'wide' }, context);
  }
}

function printTable(
  events: readonly CollectedEvent[],
  { namespace, isWide }: { readonly namespace?: string | undefined; readonly isWide: boolean },
  context: CommandContext,
): void {
  const now = context.clock.now();
  const { bold, yellow } = stylesFor(context.stdout);
  const headings = [
    'LAST SEEN',
    'TYPE',
    'REASON',
    'OBJECT',
    ...(isWide ? ['SOURCE'] : []),
    'MESSAGE',
  ];
  const withNamespace = namespace === undefined;
  const lines = [
    [...(withNamespace ? ['NAMESPACE'] : []), ...headings],
    ...events.map((event) => [
      ...(withNamespace ? [event.namespace] : []),
      seenText(event, now),
      event.type,
      event.reason,
      `${(event.object.kind ?? '').toLowerCase()}/${event.object.name ?? ''}`,
      ...(isWide ? [event.component ?? ''] : []),
      event.message.trim().replaceAll(/\s+/g, ' '),
    ]),
  ];
  for (const [index, line] of new Columns().align(lines).entries()) {
    const isWarning = index > 0 && events[index - 1]?.type === 'Warning';
    context.out(index === 0 ? bold(line) : isWarning ? yellow(line) : line);
  }
}

/** As kubectl formats it: `5m (x12 over 2h)`. */
function seenText({ count, firstSeen, lastSeen }: CollectedEvent, now: number): string {
  const last = humanDuration(now - Date.parse(lastSeen));
  return count > 1
    ? `${last} (x${count} over ${humanDuration(now - Date.parse(firstSeen))})`
    : last;
}

function gapText({ from, to, reason, dropped }: Gap): string {
  const many = dropped === undefined ? 'events may be missing' : `${dropped} events are missing`;
  return `${many} ${from === undefined ? 'before' : `from ${from} to`} ${to}: ${reason}`;
}
