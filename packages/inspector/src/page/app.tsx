import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { openFile } from './live.ts';
import { Empty, Pill } from './parts/common.tsx';
import { HelpPanel } from './parts/help-panel.tsx';
import { Icon, type IconName } from './parts/icons.tsx';
import { TimeBar } from './parts/time-bar.tsx';
import { href, route, VIEWS, type ViewName } from './route.ts';
import type { Level } from './session/picture.ts';
import { isHelpOpen, listenToKeys } from './shortcuts.ts';
import {
  type Connection,
  connection,
  cursor,
  log,
  moment,
  type Moment,
  notice,
  session,
} from './state.ts';
import { toggleTheme } from './theme.ts';
import { Informers } from './views/informers.tsx';
import { Overview } from './views/overview.tsx';
import { Queues } from './views/queues.tsx';
import { Requests } from './views/requests.tsx';
import { Timeline } from './views/timeline.tsx';

const NAMES: Readonly<Record<ViewName, string>> = {
  overview: 'Overview',
  informers: 'Informers',
  queues: 'Queues',
  requests: 'Requests',
  timeline: 'Time line',
};

/** The whole page. */
export function App(): JSX.Element {
  const { view } = route.value;
  const shown = moment.value;
  const main = useRef<HTMLElement>(null);
  useEffect(() => listenToKeys(), []);
  return (
    <div
      class="app"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const file = event.dataTransfer?.files[0];
        if (file !== undefined) void openFile(file);
      }}
    >
      <TopBar onSkip={() => main.current?.focus()} />
      <nav class="rail" aria-label="Views">
        {VIEWS.map((name, index) => (
          <a
            key={name}
            href={href(name)}
            aria-current={name === view ? 'page' : undefined}
            title={`${NAMES[name]} (${index + 1})`}
          >
            <Icon name={name satisfies IconName} />
            <span>{NAMES[name]}</span>
          </a>
        ))}
      </nav>
      <main class={`view view-${view}`} ref={main} tabIndex={-1}>
        <h1 class="hidden">{NAMES[view]}</h1>
        {shown === undefined ? <Waiting state={connection.value} /> : <View shown={shown} />}
      </main>
      <TimeBar />
      <div role="status" aria-live="polite">
        {notice.value !== '' && (
          <p class="notice" key={notice.value} onAnimationEnd={() => (notice.value = '')}>
            {notice.value}
          </p>
        )}
      </div>
      {isHelpOpen.value && <HelpPanel />}
    </div>
  );
}

function View({ shown }: { readonly shown: Moment }): JSX.Element {
  const { view, parts } = route.value;
  switch (view) {
    case 'informers':
      return <Informers shown={shown} parts={parts} />;
    case 'queues':
      return <Queues shown={shown} parts={parts} />;
    case 'requests':
      return <Requests shown={shown} parts={parts} />;
    case 'timeline':
      return <Timeline shown={shown} />;
    case 'overview':
      return <Overview shown={shown} />;
    default:
      return view satisfies never;
  }
}

function Waiting({ state }: { readonly state: Connection }): JSX.Element {
  return state.state === 'failed' ? (
    <p class="callout level-bad">{`The program cannot be reached: ${state.message}`}</p>
  ) : (
    <Empty>Loading the session …</Empty>
  );
}

function TopBar({ onSkip }: { readonly onSkip: () => void }): JSX.Element {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <header class="top">
      <button type="button" class="skip button" onClick={onSkip}>
        Skip to the content
      </button>
      <img src="icon.svg" alt="" width="26" height="26" />
      <span class="program">{session.value?.program ?? 'client-ts inspector'}</span>
      <ConnectionPill />
      <span class="grow" />
      <button
        type="button"
        class="button"
        aria-label="Open a session"
        title="Open a session (o)"
        data-shortcut="o"
        onClick={() => picker.current?.click()}
      >
        <Icon name="open" />
      </button>
      <input
        ref={picker}
        type="file"
        class="hidden"
        aria-label="The file of a session"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file !== undefined) void openFile(file);
          event.currentTarget.value = '';
        }}
      />
      <button
        type="button"
        class="button"
        aria-label="Export the session"
        title="Export the session (e)"
        data-shortcut="e"
        onClick={exportSession}
      >
        <Icon name="download" />
      </button>
      <button
        type="button"
        class="button"
        aria-label="Dark or light"
        title="Dark or light (t)"
        onClick={toggleTheme}
      >
        <Icon name="sun" />
      </button>
      <button
        type="button"
        class="button"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={() => {
          isHelpOpen.value = true;
        }}
      >
        <Icon name="help" />
      </button>
    </header>
  );
}

const STATES: Readonly<Record<Connection['state'], readonly [Level, string]>> = {
  connecting: ['idle', 'connecting'],
  ended: ['idle', 'program has stopped'],
  failed: ['bad', 'not connected'],
  live: ['ok', 'live'],
  lost: ['bad', 'connection lost'],
  recorded: ['idle', 'recorded'],
};

function ConnectionPill(): JSX.Element {
  const { state } = connection.value;
  if (state === 'live' && cursor.value !== undefined) return <Pill level="warn">paused</Pill>;
  const [level, text] = STATES[state];
  return <Pill level={level}>{text}</Pill>;
}

/** Saves what the page holds. The server may have dropped some of it. */
function exportSession(): void {
  const current = log.value;
  if (current === undefined) return;
  const url = URL.createObjectURL(new Blob([current.export()], { type: 'application/x-ndjson' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${current.header.program.replaceAll(/[^\w.-]+/g, '-')}.session`;
  link.click();
  URL.revokeObjectURL(url);
  notice.value = `saved ${link.download}`;
}
