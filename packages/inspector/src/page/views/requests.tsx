import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { Empty, Fact, Pill } from '../parts/common.tsx';
import { Choice, Filters, SearchField } from '../parts/filters.tsx';
import { Icon } from '../parts/icons.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { type Column, VirtualTable } from '../parts/virtual-table.tsx';
import { codeOf, levelOfCode, nameOf, tookOf, WaterfallBar } from '../parts/waterfall.tsx';
import { go, href } from '../route.ts';
import { formatCount, formatDuration, formatTime } from '../session/format.ts';
import { isWrite } from '../session/machine.ts';
import { type GroupBy, groupRequests, type RequestGroup } from '../session/request-groups.ts';
import type { RequestRow } from '../session/session-log.ts';
import { type Moment, spanMs } from '../state.ts';
import { Elections } from './elections.tsx';
import { RecordedEvents } from './recorded-events.tsx';

const TABS = {
  table: 'Table',
  waterfall: 'Waterfall',
  summary: 'Summary',
  elections: 'Leader election',
  events: 'Recorded events',
} as const;

type TabName = keyof typeof TABS;

/** What the program sends to the server: requests, leases and Events. */
export function Requests(props: {
  readonly shown: Moment;
  readonly parts: readonly string[];
}): JSX.Element {
  const { shown, parts } = props;
  const [given, id] = parts;
  const tab = given !== undefined && given in TABS ? (given as TabName) : 'table';
  const [filter, setFilter] = useState<Filter>({ text: '', only: 'all' });
  const rows = requestsAt(shown, filter);
  const hasFilter = tab === 'table' || tab === 'waterfall' || tab === 'summary';
  const selected = rows.find((row) => row.id === id);
  return (
    <div class="stack">
      <Tabs label="Requests" names={TABS} selected={tab} onSelect={(name) => go('requests', name)}>
        {hasFilter && <RequestFilters filter={filter} onChange={setFilter} count={rows.length} />}
        {tab === 'table' && <RequestTable rows={rows} selected={id} />}
        {tab === 'waterfall' && <RequestWaterfall rows={rows} at={shown.at} selected={id} />}
        {tab === 'summary' && <Summary rows={rows} />}
        {tab === 'elections' && <Elections shown={shown} />}
        {tab === 'events' && <RecordedEvents shown={shown} />}
        {hasFilter && selected !== undefined && (
          <RequestDetail shown={shown} row={selected} tab={tab} />
        )}
      </Tabs>
    </div>
  );
}

const ONLY = [
  ['all', 'all'],
  ['failed', 'failed'],
  ['open', 'open'],
  ['writes', 'writes'],
] as const;

interface Filter {
  readonly text: string;
  readonly only: (typeof ONLY)[number][0];
}

/** The requests that had started at the cursor; one that had not ended yet is shown as open. */
function requestsAt({ log, at }: Moment, { text, only }: Filter): readonly RequestRow[] {
  const from = at - Math.max(spanMs.value, 60_000);
  const rows: RequestRow[] = [];
  for (const row of log.requests) {
    if (row.startAt > at || (row.endAt ?? at) < from) continue;
    const shown = asOf(row, at);
    if (only === 'writes' && !isWrite(row.verb)) continue;
    if (only === 'open' && shown.endAt !== undefined) continue;
    if (only === 'failed' && !['bad', 'warn'].includes(levelOfCode(shown.code))) continue;
    if (text !== '' && !`${row.verb} ${nameOf(row)} ${codeOf(shown)}`.includes(text)) continue;
    rows.push(shown);
  }
  return rows;
}

/** Returns a request as it was at a time: what had not come yet is not known. */
function asOf(row: RequestRow, at: number): RequestRow {
  if ((row.headAt ?? 0) > at) {
    return { ...row, headAt: undefined, endAt: undefined, code: undefined };
  }
  if ((row.endAt ?? 0) <= at) return row;
  return { ...row, endAt: undefined, code: row.headAt === undefined ? undefined : row.code };
}

function RequestFilters(props: {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
  readonly count: number;
}): JSX.Element {
  const { filter, onChange } = props;
  return (
    <Filters>
      <SearchField
        name="Find"
        value={filter.text}
        placeholder="patch deployments"
        onChange={(text) => onChange({ ...filter, text })}
        isMain
      />
      <Choice
        name="Show"
        value={filter.only}
        options={ONLY}
        onChange={(only) => onChange({ ...filter, only })}
      />
      <span class="muted filters-count">{`${formatCount(props.count)} requests`}</span>
    </Filters>
  );
}

const VERB: Column<RequestRow> = {
  name: 'Verb',
  width: 'narrow',
  cell: ({ verb }) => <b class={isWrite(verb) ? 'verb is-write' : 'verb'}>{verb}</b>,
};
const OBJECT: Column<RequestRow> = { name: 'Object', width: 'narrow', cell: nameOf };
const CODE: Column<RequestRow> = {
  name: 'Code',
  width: 'narrow',
  isNumber: true,
  cell: (row) => <span class={`level-${levelOfCode(row.code)}`}>{codeOf(row)}</span>,
};
const TOOK: Column<RequestRow> = {
  name: 'Took',
  width: 'narrow',
  isNumber: true,
  cell: tookOf,
};

const TABLE: readonly Column<RequestRow>[] = [
  { name: 'Start', width: 'wide', cell: ({ startAt }) => formatTime(startAt) },
  VERB,
  OBJECT,
  CODE,
  TOOK,
  { name: 'Retries', width: 'wide', isNumber: true, cell: ({ retries }) => retries || '' },
  {
    name: 'Throttled',
    width: 'wide',
    isNumber: true,
    cell: ({ throttledMs = 0 }) => (throttledMs > 0 ? formatDuration(throttledMs) : ''),
  },
  { name: 'Connection', width: 'wide', cell: ({ connection }) => connection ?? '' },
];

function RequestTable(props: {
  readonly rows: readonly RequestRow[];
  readonly selected: string | undefined;
}): JSX.Element {
  return (
    <VirtualTable
      label="Requests"
      name="requests"
      columns={TABLE}
      rows={props.rows}
      keyOf={({ id }) => id}
      selected={props.selected}
      onSelect={({ id }) => go('requests', 'table', id)}
      rowClass={({ code }) => `row-${levelOfCode(code)}`}
      empty="No request in this time."
      isTail
    />
  );
}

/** At most this much is on the waterfall: requests take milliseconds, the time line shows minutes. */
const WATERFALL_MS = 10_000;

function RequestWaterfall(props: {
  readonly rows: readonly RequestRow[];
  readonly at: number;
  readonly selected: string | undefined;
}): JSX.Element {
  const span = Math.min(spanMs.value, WATERFALL_MS);
  const from = props.at - span;
  const bar: Column<RequestRow> = {
    name: `the last ${formatDuration(span)}`,
    width: 'narrow',
    cell: (row) => <WaterfallBar row={row} from={from} span={span} />,
  };
  return (
    <VirtualTable
      label="Waterfall"
      name="waterfall"
      columns={[VERB, OBJECT, bar, CODE, TOOK]}
      rows={props.rows.filter(({ endAt }) => (endAt ?? props.at) >= from)}
      keyOf={({ id }) => id}
      selected={props.selected}
      onSelect={({ id }) => go('requests', 'waterfall', id)}
      empty="No request in this time."
      isTail
    />
  );
}

const GROUPS: readonly Column<RequestGroup>[] = [
  { name: 'Group', width: 'narrow', cell: ({ name }) => name },
  { name: 'Count', width: 'narrow', isNumber: true, cell: ({ count }) => formatCount(count) },
  {
    name: 'Failed',
    width: 'narrow',
    isNumber: true,
    cell: ({ failed }) => <span class={failed > 0 ? 'level-bad' : ''}>{formatCount(failed)}</span>,
  },
  { name: 'p50', width: 'wide', isNumber: true, cell: ({ p50 }) => formatDuration(p50) },
  { name: 'p90', width: 'narrow', isNumber: true, cell: ({ p90 }) => formatDuration(p90) },
  { name: 'p99', width: 'wide', isNumber: true, cell: ({ p99 }) => formatDuration(p99) },
  { name: 'Retries', width: 'wide', isNumber: true, cell: ({ retries }) => formatCount(retries) },
  {
    name: 'Throttled',
    width: 'wide',
    isNumber: true,
    cell: ({ throttledMs }) => formatDuration(throttledMs),
  },
];

const GROUPINGS: readonly (readonly [GroupBy, string])[] = [
  ['resource', 'resource'],
  ['verb', 'verb'],
  ['code', 'code'],
  ['connection', 'connection'],
];

function Summary({ rows }: { readonly rows: readonly RequestRow[] }): JSX.Element {
  const [by, setBy] = useState<GroupBy>('resource');
  return (
    <>
      <div class="filters">
        <Choice name="Group by" value={by} options={GROUPINGS} onChange={setBy} />
      </div>
      <VirtualTable
        label="Summary"
        name="groups"
        columns={GROUPS}
        rows={groupRequests(rows, by)}
        keyOf={({ name }) => name}
        empty="No request has ended in this time."
      />
    </>
  );
}

function RequestDetail(props: {
  readonly shown: Moment;
  readonly row: RequestRow;
  readonly tab: TabName;
}): JSX.Element {
  const { shown, row, tab } = props;
  const reconcile = shown.log.reconciles.find(({ id }) => id === row.reconcile);
  return (
    <aside class="drawer" aria-label="The request">
      <header class="detail-head">
        <h2>{`${row.verb} ${nameOf(row)}`}</h2>
        <Pill level={levelOfCode(row.code)}>{codeOf(row)}</Pill>
        <a class="button" href={href('requests', tab)} aria-label="Close">
          <Icon name="close" />
        </a>
      </header>
      <dl class="facts">
        <Fact name="Started">{formatTime(row.startAt)}</Fact>
        <Fact name="Took">
          {row.endAt === undefined ? 'open' : formatDuration(row.endAt - row.startAt)}
        </Fact>
        {row.headAt !== undefined && (
          <Fact name="Answered after">{formatDuration(row.headAt - row.startAt)}</Fact>
        )}
        <Fact name="Retries">{row.retries ?? 0}</Fact>
        <Fact name="Throttled">{formatDuration(row.throttledMs ?? 0)}</Fact>
        <Fact name="Connection">{row.connection || 'none'}</Fact>
        <Fact name="Made by">
          {reconcile === undefined ? (
            'no reconcile'
          ) : (
            <a href={href('queues', reconcile.controller, reconcile.key)}>
              {`${reconcile.controller}: ${reconcile.key}`}
            </a>
          )}
        </Fact>
      </dl>
      {row.errorCode !== undefined && <Empty>{row.errorCode}</Empty>}
    </aside>
  );
}
