import type { ObservedRecord } from 'client-ts/observe';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { Section } from '../parts/common.tsx';
import { Choice, Filters, SearchField } from '../parts/filters.tsx';
import { type Column, VirtualTable } from '../parts/virtual-table.tsx';
import { describeRecord } from '../session/describe-record.ts';
import { formatCount, formatTime } from '../session/format.ts';
import { bandsOf } from '../session/time-bands.ts';
import { currentRecord, cursor, goToPosition, type Moment, spanMs } from '../state.ts';

/** What the list of records shows. */
const KINDS = [
  ['all', 'all'],
  ['informer', 'informers'],
  ['watch', 'changes'],
  ['queue', 'queues'],
  ['reconcile', 'reconciles'],
  ['request', 'requests'],
  ['election', 'leader election'],
  ['event', 'Events'],
  ['guard', 'warnings'],
  ['note', 'notes'],
] as const;

type Kind = (typeof KINDS)[number][0];

interface Place {
  readonly record: ObservedRecord;
  /** The position after the record. */
  readonly position: number;
}

const COLUMNS: readonly Column<Place>[] = [
  { name: 'Time', width: 'narrow', cell: ({ record }) => formatTime(record.at) },
  { name: 'Record', width: 'wide', cell: ({ record }) => <code>{record.type}</code> },
  {
    name: 'About',
    width: 'narrow',
    cell: ({ record }) => <strong>{describeRecord(record).subject}</strong>,
  },
  { name: 'What happened', width: 'narrow', cell: ({ record }) => describeRecord(record).text },
];

/** Every record of the session in order, to step through; and what stands out. */
export function Timeline({ shown }: { readonly shown: Moment }): JSX.Element {
  const [kind, setKind] = useState<Kind>('all');
  const [text, setText] = useState('');
  const { machine } = shown;
  const rows = recordsOf(shown, kind, text);
  const current = currentRecord();
  const { marks } = bandsOf(shown.log, shown.log.startAt, shown.at, 1);
  return (
    <div class={`timeline ${shown.isLive ? 'is-following' : ''}`}>
      <Section
        title="Records"
        isTop
        aside={
          <span class="muted">
            {`${rows.length} shown`}
            {machine.unrecorded > 0 && `, ${formatCount(machine.unrecorded)} counted only`}
          </span>
        }
        className="records"
      >
        <Filters>
          <SearchField name="Find" value={text} onChange={setText} isMain />
          <Choice name="Show" value={kind} options={KINDS} onChange={setKind} />
        </Filters>
        <VirtualTable
          label="Records"
          name="records"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ position }) => String(position)}
          selected={cursor.value === undefined ? undefined : String(shown.position)}
          onSelect={({ position }) => goToPosition(position)}
          rowClass={({ record }) => `row-${describeRecord(record).level}`}
          empty="No record matches."
          isTail
        />
      </Section>
      <div class="timeline-side">
        <Section title="At the cursor" isTop>
          {current === undefined ? (
            <p class="empty">Before the first record.</p>
          ) : (
            <RecordFields record={current} />
          )}
        </Section>
        <Section
          title="Landmarks"
          className="landmarks-card"
          isTop
          aside={<span class="muted">{marks.length}</span>}
        >
          <ul class="log landmarks">
            {marks
              .slice(-100)
              .toReversed()
              .map((mark) => (
                <li key={mark.position}>
                  <button type="button" class="link" onClick={() => goToPosition(mark.position)}>
                    {formatTime(mark.at)}
                  </button>
                  <span class={`mark mark-${mark.kind}`}>{mark.kind}</span>
                  <span>{mark.text}</span>
                </li>
              ))}
          </ul>
        </Section>
      </div>
    </div>
  );
}

/** While the page follows, the window of the time line; else everything, to step through. */
function recordsOf(shown: Moment, kind: Kind, text: string): readonly Place[] {
  const { log } = shown;
  const start = shown.isLive ? log.positionAt(shown.at - spanMs.value) : log.start;
  const end = shown.isLive ? shown.position : log.end;
  const places: Place[] = [];
  for (const [index, record] of log.slice(start, end).entries()) {
    if (kind !== 'all' && !record.type.startsWith(kind)) continue;
    if (text !== '') {
      const { subject, text: what } = describeRecord(record);
      if (!`${record.type} ${subject} ${what}`.includes(text)) continue;
    }
    places.push({ record, position: Math.max(start, log.start) + index + 1 });
  }
  return places;
}

function RecordFields({ record }: { readonly record: ObservedRecord }): JSX.Element {
  const { type, at, seq, ...fields } = record;
  return (
    <dl class="record-fields">
      <dt>type</dt>
      <dd>
        <code>{type}</code>
      </dd>
      <dt>at</dt>
      <dd>{formatTime(at)}</dd>
      <dt>seq</dt>
      <dd>{seq}</dd>
      {Object.entries(fields)
        .flatMap(([name, value]) => flattened(name, value))
        .map(([name, value]) => (
          <FieldRow key={name} name={name} value={value} />
        ))}
    </dl>
  );
}

/** Times are measured in fractions of microseconds. */
function rounded(value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(3)) : value;
}

/** Fields of fields, such as what triggered a reconcile, have rows of their own. */
function flattened(name: string, value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, value]];
  return Object.entries(value).map(([inner, each]) => [`${name} ${inner}`, each]);
}

function FieldRow({
  name,
  value,
}: {
  readonly name: string;
  readonly value: unknown;
}): JSX.Element {
  return (
    <>
      <dt>{name}</dt>
      <dd>{typeof value === 'string' ? value : <code>{JSON.stringify(rounded(value))}</code>}</dd>
    </>
  );
}
