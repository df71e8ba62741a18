import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { type InspectedObject, readObject, type TriggeredKey } from '../api.ts';
import { Diff, Yaml } from '../parts/code.tsx';
import { Empty, Pill } from '../parts/common.tsx';
import { Icon } from '../parts/icons.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { href } from '../route.ts';
import { formatTime } from '../session/format.ts';
import { objectHistory, type ObjectHistory } from '../session/object-history.ts';
import { type Moment, session } from '../state.ts';

const TABS = { yaml: 'Object', changes: 'Changes', triggered: 'Triggered' } as const;

/** An object of a cache: as YAML, its last changes, and which handlers and keys they triggered. */
export function ObjectPanel(props: {
  readonly shown: Moment;
  readonly informer: string;
  readonly objectKey: string;
}): JSX.Element {
  const { shown, informer, objectKey } = props;
  const [tab, setTab] = useState<keyof typeof TABS>('yaml');
  const history = objectHistory(shown.log, shown.position, informer, objectKey);
  const newest = history.changes[0]?.seq ?? 0;
  const loaded = useLoaded<InspectedObject | undefined>(
    (signal) =>
      session.value?.isLive === true
        ? readObject(informer, objectKey, signal)
        : Promise.resolve(undefined),
    [informer, objectKey, newest],
  );
  const object = loaded.state === 'ready' ? loaded.value : undefined;
  return (
    <article class="detail">
      <header class="detail-head">
        <a
          class="button back is-always"
          href={href('informers', informer)}
          aria-label={`Back to ${informer}`}
        >
          <Icon name="back" />
        </a>
        <h2>{objectKey}</h2>
        {object?.isRedacted === true && <Pill level="idle">secrets hidden</Pill>}
      </header>
      <Tabs label="About the object" names={TABS} selected={tab} onSelect={setTab}>
        {tab === 'yaml' && <ObjectText loaded={loaded} />}
        {tab === 'changes' && <Changes object={object} history={history} />}
        {tab === 'triggered' && <Triggered keys={triggeredKeys(object, history)} />}
      </Tabs>
    </article>
  );
}

function ObjectText(props: {
  readonly loaded: ReturnType<typeof useLoaded<InspectedObject | undefined>>;
}): JSX.Element {
  const { loaded } = props;
  if (loaded.state === 'loading') return <Empty>Loading …</Empty>;
  if (loaded.state === 'failed') return <p class="callout level-bad">{loaded.message}</p>;
  if (loaded.value === undefined) {
    return <Empty>A recorded session has no objects, only their names.</Empty>;
  }
  if (loaded.value.yaml === null) return <Empty>The object is no longer in the cache.</Empty>;
  return <Yaml text={loaded.value.yaml} />;
}

function Changes(props: {
  readonly object: InspectedObject | undefined;
  readonly history: ObjectHistory;
}): JSX.Element {
  const { object, history } = props;
  if (object !== undefined && object.changes.length > 0) {
    return (
      <ol class="changes">
        {object.changes.map((change) => (
          <li key={`${change.at} ${change.to}`}>
            <header>
              <time>{formatTime(change.at)}</time>
              <Pill level={change.event === 'delete' ? 'bad' : 'ok'}>{change.event}</Pill>
              <code>{change.from === '' ? change.to : `${change.from} → ${change.to}`}</code>
            </header>
            {change.diff !== '' && <Diff text={change.diff} />}
          </li>
        ))}
      </ol>
    );
  }
  if (history.changes.length === 0) return <Empty>No change was recorded.</Empty>;
  return (
    <ul class="log">
      {history.changes.map((record) => (
        <li key={record.seq}>
          <time>{formatTime(record.at)}</time>
          <Pill level={record.event === 'delete' ? 'bad' : 'ok'}>{record.event}</Pill>
          <code>{record.resourceVersion}</code>
        </li>
      ))}
    </ul>
  );
}

/** What the server has kept, which goes further back; of a recorded session what the records say. */
function triggeredKeys(
  object: InspectedObject | undefined,
  history: ObjectHistory,
): readonly TriggeredKey[] {
  if (object !== undefined && object.triggered.length > 0) return object.triggered;
  return history.triggered.slice(0, 100).map(({ at, queue, key, trigger }) => ({
    at,
    queue,
    key,
    handler: trigger.kind === 'change' ? trigger.handler : '',
    resourceVersion: trigger.kind === 'change' ? trigger.resourceVersion : '',
  }));
}

function Triggered({ keys }: { readonly keys: readonly TriggeredKey[] }): JSX.Element {
  if (keys.length === 0) return <Empty>No handler enqueued a key for it.</Empty>;
  return (
    <ul class="log">
      {keys.map((triggered, index) => (
        <li key={index}>
          <time>{formatTime(triggered.at)}</time>
          <code>{triggered.resourceVersion}</code>
          <span class="muted">{triggered.handler}</span>
          <a href={href('queues', triggered.queue, triggered.key)}>
            {`${triggered.queue}: ${triggered.key}`}
          </a>
        </li>
      ))}
    </ul>
  );
}
