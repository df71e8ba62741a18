import type { JSX, TargetedInputEvent } from 'preact';
import { useState } from 'preact/hooks';

import { type FoundObject, indexValues, searchObjects } from '../api.ts';
import { Empty, Section } from '../parts/common.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { type Column, VirtualTable } from '../parts/virtual-table.tsx';
import { go } from '../route.ts';
import type { InformerView } from '../session/machine.ts';
import { session } from '../state.ts';

const COLUMNS: readonly Column<FoundObject>[] = [
  { name: 'Key', width: 'narrow', cell: ({ key }) => key },
  {
    name: 'Version',
    width: 'narrow',
    isNumber: true,
    cell: ({ resourceVersion }) => resourceVersion,
  },
  {
    name: 'Labels',
    width: 'wide',
    cell: ({ labels }) =>
      Object.entries(labels)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
  },
];

/** Searches the cache of an informer by name, label and index. */
export function CacheSearch({ view }: { readonly view: InformerView }): JSX.Element {
  if (session.value?.isLive !== true || !view.isSearchable) {
    return (
      <Section title="Cache">
        <Empty>
          {session.value?.isLive === true
            ? 'The objects of this cache cannot be read.'
            : 'A recorded session has no objects, only their names.'}
        </Empty>
      </Section>
    );
  }
  return <Search view={view} />;
}

function Search({ view }: { readonly view: InformerView }): JSX.Element {
  const [q, setQ] = useState('');
  const [label, setLabel] = useState('');
  const [index, setIndex] = useState('');
  const [value, setValue] = useState('');
  const informer = view.id;
  // The cache changes while it is looked at: search again as its version moves.
  const found = useLoaded(
    (signal) =>
      searchObjects({ informer, q, label, index: value === '' ? '' : index, value }, signal),
    [informer, q, label, index, value, view.resourceVersion],
  );
  const values = useLoaded(
    (signal) => (index === '' ? Promise.resolve([]) : indexValues(informer, index, signal)),
    [informer, index],
  );
  const input = (set: (text: string) => void) => (event: TargetedInputEvent<HTMLInputElement>) =>
    set(event.currentTarget.value);
  return (
    <Section
      title="Cache"
      aside={
        <span class="muted" role="status">
          {found.state === 'ready' ? `${found.value.total} objects` : ''}
        </span>
      }
    >
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>Name</span>
          <input type="search" data-search value={q} onInput={input(setQ)} placeholder="web" />
        </label>
        <label>
          <span>Labels</span>
          <input
            type="search"
            value={label}
            onInput={input(setLabel)}
            placeholder="app=web,tier!=db"
          />
        </label>
        {view.indices.length > 0 && (
          <label>
            <span>Index</span>
            <select value={index} onChange={(event) => setIndex(event.currentTarget.value)}>
              <option value="">none</option>
              {view.indices.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        {index !== '' && (
          <label>
            <span>Value</span>
            <input type="search" list="index-values" value={value} onInput={input(setValue)} />
            <datalist id="index-values">
              {values.state === 'ready' &&
                values.value.map((known) => <option key={known} value={known} />)}
            </datalist>
          </label>
        )}
      </form>
      {found.state === 'failed' ? (
        <p class="callout level-bad">{found.message}</p>
      ) : (
        <VirtualTable
          label="Objects"
          name="objects"
          columns={COLUMNS}
          rows={found.state === 'ready' ? found.value.items : []}
          keyOf={({ key }) => key}
          onSelect={({ key }) => go('informers', informer, key)}
          empty={found.state === 'loading' ? 'Searching …' : 'No object matches.'}
        />
      )}
    </Section>
  );
}
