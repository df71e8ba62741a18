import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { type FoundObject, indexValues, searchObjects } from '../api.ts';
import { Empty, Section } from '../parts/common.tsx';
import { Choice, Filters, SearchField } from '../parts/filters.tsx';
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
  return (
    <Section
      title="Cache"
      aside={
        <span class="muted" role="status">
          {found.state === 'ready' ? `${found.value.total} objects` : ''}
        </span>
      }
    >
      <Filters>
        <SearchField name="Name" value={q} placeholder="web" onChange={setQ} isMain />
        <SearchField
          name="Labels"
          value={label}
          placeholder="app=web,tier!=db"
          onChange={setLabel}
        />
        {view.indices.length > 0 && (
          <Choice
            name="Index"
            value={index}
            options={[['', 'none'], ...view.indices.map((name) => [name, name] as const)]}
            onChange={setIndex}
          />
        )}
        {index !== '' && (
          <SearchField
            name="Value"
            value={value}
            choices={values.state === 'ready' ? values.value : []}
            onChange={setValue}
          />
        )}
      </Filters>
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
