import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { Histogram, Sparkline } from '../parts/charts.tsx';
import { Empty, Fact, Pill, Section } from '../parts/common.tsx';
import { Choice, Filters, SearchField } from '../parts/filters.tsx';
import { Icon } from '../parts/icons.tsx';
import { type Column, VirtualTable } from '../parts/virtual-table.tsx';
import { go, href } from '../route.ts';
import { formatCount, formatDuration, formatRate, formatTime } from '../session/format.ts';
import type { ControllerView, KeyPhase, KeyView } from '../session/machine.ts';
import { type Level, queueLevel } from '../session/picture.ts';
import { depthsOf } from '../session/queue-depths.ts';
import { perSecond } from '../session/rates.ts';
import { type Moment, spanMs } from '../state.ts';
import { KeyPanel } from './key-panel.tsx';

/** The queues and their controllers, and the one that is selected: its numbers and its keys. */
export function Queues(props: {
  readonly shown: Moment;
  readonly parts: readonly string[];
}): JSX.Element {
  const { shown, parts } = props;
  const [selected, key] = parts;
  const rows = [...shown.machine.controllers.values()];
  const view = rows.find(({ id }) => id === selected);
  return (
    <div class={`split ${view === undefined ? '' : 'has-detail'}`}>
      <div class="split-list">
        <VirtualTable
          label="Queues"
          name="queues"
          columns={columnsFor(shown)}
          rows={rows}
          keyOf={({ id }) => id}
          selected={selected}
          onSelect={({ id }) => go('queues', id)}
          empty="This program has no queues."
        />
      </div>
      <div class="split-detail">
        {view === undefined ? (
          <Empty>Select a queue to see its keys and what its controller does with them.</Empty>
        ) : key === undefined ? (
          <QueueDetail shown={shown} view={view} />
        ) : (
          <KeyPanel shown={shown} view={view} keyName={key} />
        )}
      </div>
    </div>
  );
}

function columnsFor({ rates }: Moment): readonly Column<ControllerView>[] {
  return [
    {
      name: 'Queue',
      width: 'narrow',
      cell: (view) => (
        <>
          <strong>{view.id}</strong>
          {view.warnings.length > 0 && <Pill level="bad">!</Pill>}
        </>
      ),
    },
    {
      name: 'Depth',
      width: 'narrow',
      isNumber: true,
      cell: (view) => (
        <span class={`level-${queueLevel(view)}`}>{formatCount(view.queue?.depth ?? 0)}</span>
      ),
    },
    {
      name: 'Oldest',
      width: 'narrow',
      isNumber: true,
      cell: ({ queue }) => formatDuration(queue?.oldestMs ?? 0),
    },
    {
      name: 'Busy',
      width: 'narrow',
      isNumber: true,
      cell: ({ queue, workers }) => `${queue?.busy ?? 0}${workers > 0 ? `/${workers}` : ''}`,
    },
    {
      name: 'Done',
      width: 'wide',
      isNumber: true,
      cell: ({ id }) => formatRate(perSecond(rates, rates.reconciles, id)),
    },
    {
      name: 'Retries',
      width: 'wide',
      isNumber: true,
      cell: ({ queue }) => formatCount(queue?.retries ?? 0),
    },
  ];
}

function QueueDetail(props: {
  readonly shown: Moment;
  readonly view: ControllerView;
}): JSX.Element {
  const { shown, view } = props;
  const depths = depthsOf(shown.log, view.id, shown.at - spanMs.value, shown.at, 120);
  return (
    <article class="detail">
      <header class="detail-head">
        <a class="button back" href={href('queues')} aria-label="All queues">
          <Icon name="back" />
        </a>
        <h2>{view.id}</h2>
        <Pill level={queueLevel(view)}>
          {(view.queue?.depth ?? 0) > 0
            ? `${formatCount(view.queue?.depth ?? 0)} waiting`
            : 'empty'}
        </Pill>
      </header>
      <QueueFacts shown={shown} view={view} />
      <Section
        title="Depth"
        aside={<span class="muted">{`last ${formatDuration(spanMs.value)}`}</span>}
      >
        <Sparkline label="Depth" values={depths} />
      </Section>
      <div class="pair">
        <Section title="Waiting">
          <Histogram label="In the queue" histogram={view.queue?.latency} />
        </Section>
        <Section title="Work">
          <Histogram label="With a worker" histogram={view.queue?.work} />
        </Section>
      </div>
      <Warnings view={view} />
      <Failing view={view} />
      <Keys shown={shown} view={view} />
    </article>
  );
}

function QueueFacts({
  shown,
  view,
}: {
  readonly shown: Moment;
  readonly view: ControllerView;
}): JSX.Element {
  const { queue } = view;
  const limit = queue?.limiterDelayMs;
  return (
    <dl class="facts">
      <Fact name="Depth" level={queueLevel(view)}>
        {formatCount(queue?.depth ?? 0)}
      </Fact>
      <Fact name="Oldest key">
        {formatDuration(queue?.oldestMs ?? 0)}
        {queue?.oldestKey !== undefined && (
          <a class="sub" href={href('queues', view.id, queue.oldestKey)}>
            {queue.oldestKey}
          </a>
        )}
      </Fact>
      <Fact name="Delayed">{formatCount(queue?.waiting ?? 0)}</Fact>
      <Fact name="Workers busy">
        {view.workers > 0 ? `${queue?.busy ?? 0} of ${view.workers}` : (queue?.busy ?? 0)}
      </Fact>
      <Fact name="Adds">{formatCount(queue?.adds ?? 0)}</Fact>
      <Fact name="Retries">{formatCount(queue?.retries ?? 0)}</Fact>
      <Fact name="Rate limiter">
        {limit === undefined
          ? 'per key only'
          : limit === 0
            ? 'admits now'
            : `in ${formatDuration(limit)}`}
      </Fact>
      <Fact name="Reconciles">
        {`${formatCount(view.reconciles)}, ${formatRate(perSecond(shown.rates, shown.rates.reconciles, view.id))}`}
      </Fact>
      <Fact name="Errors" level={view.errors > 0 ? 'warn' : undefined}>
        {formatCount(view.errors)}
      </Fact>
      <Fact name="Filled by" isText>
        {view.informers.join(', ') || 'its own calls'}
      </Fact>
    </dl>
  );
}

function Warnings({ view }: { readonly view: ControllerView }): JSX.Element | null {
  if (view.warnings.length === 0) return null;
  return (
    <Section title="Warnings" aside={<span class="muted">{view.warnings.length}</span>}>
      <ul class="log">
        {view.warnings.toReversed().map((warning) => (
          <li key={warning.seq}>
            <time>{formatTime(warning.at)}</time>
            <Pill level="bad">{warning.kind}</Pill>
            <span>
              <a href={href('queues', view.id, warning.key)}>{warning.key}</a>
              {` ${warning.message}`}
              {warning.fields.length > 0 && (
                <small class="sub">{`fields ${warning.fields.join(', ')}`}</small>
              )}
              {warning.writers.length > 0 && (
                <small class="sub">{`writers ${warning.writers.join(', ')}`}</small>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The keys that the rate limiter holds back longest, also those that failed before the recording. */
function Failing({ view }: { readonly view: ControllerView }): JSX.Element | null {
  const failing = view.queue?.failing ?? [];
  if (failing.length === 0) return null;
  return (
    <Section title="Backing off" aside={<span class="muted">most failures first</span>}>
      <ul class="log">
        {failing.map(({ key, failures }) => (
          <li key={key}>
            <Pill level="bad">{failures === 1 ? '1 failure' : `${failures} failures`}</Pill>
            <a href={href('queues', view.id, key)}>{key}</a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const PHASES: Readonly<Record<KeyPhase, Level>> = {
  active: 'ok',
  failing: 'bad',
  idle: 'idle',
  queued: 'warn',
  waiting: 'idle',
};

const ORDER: readonly KeyPhase[] = ['active', 'failing', 'queued', 'waiting', 'idle'];

const PHASE_CHOICE: readonly (readonly [KeyPhase | '', string])[] = [
  ['', 'all'],
  ...ORDER.map((phase) => [phase, phase] as const),
];

function Keys({
  shown,
  view,
}: {
  readonly shown: Moment;
  readonly view: ControllerView;
}): JSX.Element {
  const [text, setText] = useState('');
  const [phase, setPhase] = useState<KeyPhase | ''>('');
  const rows = [...view.keys.values()]
    .filter((key) => (phase === '' || key.phase === phase) && key.key.includes(text))
    .toSorted(
      (left, right) =>
        ORDER.indexOf(left.phase) - ORDER.indexOf(right.phase) || right.lastAt - left.lastAt,
    );
  return (
    <Section
      title="Keys"
      aside={<span class="muted">{`${rows.length} of ${view.keys.size}`}</span>}
    >
      <Filters>
        <SearchField name="Key" value={text} onChange={setText} isMain />
        <Choice name="State" value={phase} options={PHASE_CHOICE} onChange={setPhase} />
      </Filters>
      <VirtualTable
        label="Keys"
        name="keys"
        columns={keyColumns(shown)}
        rows={rows}
        keyOf={({ key }) => key}
        onSelect={({ key }) => go('queues', view.id, key)}
        empty="No key matches."
      />
    </Section>
  );
}

function keyColumns(shown: Moment): readonly Column<KeyView>[] {
  return [
    { name: 'Key', width: 'narrow', cell: ({ key }) => key },
    {
      name: 'State',
      width: 'narrow',
      cell: ({ phase }) => <Pill level={PHASES[phase]}>{phase}</Pill>,
    },
    {
      name: 'Runs',
      width: 'narrow',
      isNumber: true,
      cell: ({ reconciles }) => formatCount(reconciles),
    },
    { name: 'Errors', width: 'wide', isNumber: true, cell: ({ errors }) => formatCount(errors) },
    {
      name: 'Took',
      width: 'wide',
      isNumber: true,
      cell: ({ lastDurationMs }) =>
        lastDurationMs === undefined ? '–' : formatDuration(lastDurationMs),
    },
    {
      name: 'Next',
      width: 'wide',
      isNumber: true,
      cell: ({ dueAt }) =>
        dueAt === undefined
          ? '–'
          : dueAt <= shown.at
            ? 'due'
            : `in ${formatDuration(dueAt - shown.at)}`,
    },
  ];
}
