import type { EventRecordedRecord } from 'client-ts/observe';
import type { JSX } from 'preact';

import { Pill } from '../parts/common.tsx';
import { type Column, VirtualTable } from '../parts/virtual-table.tsx';
import { formatTime } from '../session/format.ts';
import type { Moment } from '../state.ts';

const COLUMNS: readonly Column<EventRecordedRecord>[] = [
  { name: 'Time', width: 'wide', cell: ({ at }) => formatTime(at) },
  {
    name: 'Type',
    width: 'narrow',
    cell: ({ severity }) => <Pill level={severity === 'Warning' ? 'warn' : 'ok'}>{severity}</Pill>,
  },
  { name: 'Reason', width: 'narrow', cell: ({ reason }) => <strong>{reason}</strong> },
  { name: 'Regarding', width: 'narrow', cell: ({ regarding }) => regarding },
  { name: 'Note', width: 'wide', cell: ({ note }) => note },
  { name: 'Component', width: 'wide', cell: ({ component }) => component },
];

/** The Events that the program has recorded. */
export function RecordedEvents({ shown }: { readonly shown: Moment }): JSX.Element {
  const rows = shown.log
    .slice(shown.log.start, shown.position)
    .filter((record) => record.type === 'event.recorded');
  return (
    <VirtualTable
      label="Recorded events"
      name="events"
      columns={COLUMNS}
      rows={rows}
      keyOf={({ seq }) => String(seq)}
      empty="The program has recorded no Event."
      isTail
    />
  );
}
