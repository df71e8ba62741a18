import type { JSX } from 'preact';

import { Empty, Fact, Pill, Section } from '../parts/common.tsx';
import { Icon } from '../parts/icons.tsx';
import { type Column, VirtualTable } from '../parts/virtual-table.tsx';
import { go, href } from '../route.ts';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatRate,
  formatTime,
} from '../session/format.ts';
import { type InformerView, versionsBehind } from '../session/machine.ts';
import { informerLevel } from '../session/picture.ts';
import { perSecond } from '../session/rates.ts';
import type { Moment } from '../state.ts';
import { CacheSearch } from './cache-search.tsx';
import { ObjectPanel } from './object-panel.tsx';

/** The informers, and the one that is selected: its state, its handlers and its cache. */
export function Informers(props: {
  readonly shown: Moment;
  readonly parts: readonly string[];
}): JSX.Element {
  const { shown, parts } = props;
  const [selected, key] = parts;
  const rows = [...shown.machine.informers.values()];
  const view = rows.find(({ id }) => id === selected);
  return (
    <div class={`split ${view === undefined ? '' : 'has-detail'}`}>
      <div class="split-list">
        <VirtualTable
          label="Informers"
          name="informers"
          columns={columnsFor(shown)}
          rows={rows}
          keyOf={({ id }) => id}
          selected={selected}
          onSelect={({ id }) => go('informers', id)}
          empty="This program has no informers."
        />
      </div>
      <div class="split-detail">
        {view === undefined ? (
          <Empty>Select an informer to see its handlers and search its cache.</Empty>
        ) : key === undefined ? (
          <InformerDetail shown={shown} view={view} />
        ) : (
          <ObjectPanel shown={shown} informer={view.id} objectKey={key} />
        )}
      </div>
    </div>
  );
}

function columnsFor({ machine, rates }: Moment): readonly Column<InformerView>[] {
  return [
    {
      name: 'Informer',
      width: 'narrow',
      cell: (view) => <strong>{view.id}</strong>,
    },
    {
      name: 'State',
      width: 'narrow',
      cell: (view) => <Pill level={informerLevel(view)}>{view.state}</Pill>,
    },
    {
      name: 'Objects',
      width: 'narrow',
      isNumber: true,
      cell: ({ objects }) => formatCount(objects),
    },
    {
      name: 'Rate',
      width: 'narrow',
      isNumber: true,
      cell: ({ id }) => formatRate(perSecond(rates, rates.changes, id)),
    },
    {
      name: 'Behind',
      width: 'wide',
      isNumber: true,
      cell: (view) => formatCount(versionsBehind(machine, view)),
    },
    {
      name: 'Pending',
      width: 'wide',
      isNumber: true,
      cell: ({ handlers }) =>
        formatCount(handlers.reduce((total, { pending }) => total + pending, 0)),
    },
  ];
}

function InformerDetail(props: {
  readonly shown: Moment;
  readonly view: InformerView;
}): JSX.Element {
  const { shown, view } = props;
  const rate = perSecond(shown.rates, shown.rates.changes, view.id);
  return (
    <article class="detail">
      <header class="detail-head">
        <a class="button back" href={href('informers')} aria-label="All informers">
          <Icon name="back" />
        </a>
        <h2>{view.id}</h2>
        <Pill level={informerLevel(view)}>{view.state}</Pill>
      </header>
      {view.reason !== undefined && (
        <p class="callout level-bad">
          {view.reason}
          {view.since !== undefined && ` (since ${formatTime(view.since)})`}
        </p>
      )}
      <dl class="facts">
        <Fact name="Objects">{formatCount(view.objects)}</Fact>
        <Fact name="Size">{view.bytes > 0 ? formatBytes(view.bytes) : '–'}</Fact>
        <Fact name="Changes">{formatRate(rate)}</Fact>
        <Fact name="Version">
          <code>{view.resourceVersion || '–'}</code>
        </Fact>
        <Fact name="Behind the server">{formatCount(versionsBehind(shown.machine, view))}</Fact>
        <Fact name="To apply">{formatCount(view.lag)}</Fact>
        {view.since !== undefined && <Fact name="Since">{formatTime(view.since)}</Fact>}
        <Fact name="Last event">
          {view.lastEventAt === 0 ? 'none' : `${formatDuration(shown.at - view.lastEventAt)} ago`}
        </Fact>
        <Fact name="Added, updated, deleted" isText>
          {[view.added, view.updated, view.deleted].map(formatCount).join(', ')}
        </Fact>
        <Fact name="Relists">{view.relistCount}</Fact>
        <Fact name="Watch restarts">{view.watchRestarts}</Fact>
        <Fact name="Indices" isText>
          {view.indices.join(', ') || 'none'}
        </Fact>
        <Fact name="Server" isText>
          {view.server || 'not known'}
        </Fact>
      </dl>
      <Handlers view={view} />
      <CacheSearch key={view.id} view={view} />
      <Relists view={view} />
    </article>
  );
}

function Handlers({ view }: { readonly view: InformerView }): JSX.Element {
  return (
    <Section title="Handlers" aside={<span class="muted">{view.handlers.length}</span>}>
      {view.handlers.length === 0 ? (
        <Empty>No handler is registered.</Empty>
      ) : (
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Handler</th>
              <th scope="col" class="number">
                Pending
              </th>
              <th scope="col" class="number">
                Most
              </th>
              <th scope="col" class="number">
                Slowest call
              </th>
            </tr>
          </thead>
          <tbody>
            {view.handlers.map((handler) => (
              <tr key={handler.name}>
                <td>{handler.name}</td>
                <td class="number">{formatCount(handler.pending)}</td>
                <td class="number">{formatCount(handler.highWater)}</td>
                <td class="number">
                  {handler.slowestMs === undefined ? '–' : formatDuration(handler.slowestMs)}
                  {handler.slowestKey !== undefined && (
                    <a class="sub" href={href('informers', view.id, handler.slowestKey)}>
                      {handler.slowestKey}
                    </a>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function Relists({ view }: { readonly view: InformerView }): JSX.Element {
  const relists = view.relists.toReversed();
  return (
    <Section title="Lists and watches" aside={<span class="muted">newest first</span>}>
      {relists.length === 0 ? (
        <Empty>None since the recording began.</Empty>
      ) : (
        <ul class="log">
          {relists.map((record) => (
            <li key={record.seq}>
              <time>{formatTime(record.at)}</time>
              <Pill level={record.how === 'watch' ? 'idle' : 'warn'}>{record.how}</Pill>
              <span>{record.reason}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
