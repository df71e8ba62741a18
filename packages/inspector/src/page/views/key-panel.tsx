import type { ObservedTrigger } from 'client-ts/observe';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { enqueue, readReconciles } from '../api.ts';
import { Empty, Fact, Pill, Section } from '../parts/common.tsx';
import { Icon } from '../parts/icons.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Waterfall } from '../parts/waterfall.tsx';
import { href } from '../route.ts';
import { formatCount, formatDuration, formatTime } from '../session/format.ts';
import { type KeyAttempt, keyHistory } from '../session/key-history.ts';
import { type ControllerView, isFailure } from '../session/machine.ts';
import type { ReconcileRow } from '../session/session-log.ts';
import { type Moment, notice, session } from '../state.ts';

/** How many reconciles are listed. */
const LISTED = 100;

/** A key of a queue: what happened to it, and what it will wait for. */
export function KeyPanel(props: {
  readonly shown: Moment;
  readonly view: ControllerView;
  readonly keyName: string;
}): JSX.Element {
  const { shown, view, keyName } = props;
  const key = view.keys.get(keyName);
  const older = useLoaded(
    (signal) =>
      session.value?.isLive === true
        ? readReconciles(view.id, keyName, signal)
        : Promise.resolve([]),
    [view.id, keyName],
  );
  const attempts = keyHistory(
    shown.log,
    shown.at,
    { controller: view.id, key: keyName },
    older.state === 'ready' ? older.value : [],
  );
  const warnings = view.warnings.filter((warning) => warning.key === keyName);
  return (
    <article class="detail">
      <header class="detail-head">
        <a
          class="button back is-always"
          href={href('queues', view.id)}
          aria-label={`Back to ${view.id}`}
        >
          <Icon name="back" />
        </a>
        <h2>{keyName}</h2>
        {key !== undefined && (
          <Pill level={key.phase === 'failing' ? 'bad' : key.phase === 'active' ? 'ok' : 'idle'}>
            {key.phase}
          </Pill>
        )}
        {session.value?.actions === true && <EnqueueButton queue={view.id} keyName={keyName} />}
      </header>
      {warnings.map((warning) => (
        <p key={warning.seq} class="callout level-bad">
          <strong>{warning.kind}</strong> {warning.message}
          {warning.fields.length > 0 && ` (fields ${warning.fields.join(', ')})`}
        </p>
      ))}
      {key !== undefined && (
        <dl class="facts">
          <Fact name="Reconciles">{formatCount(key.reconciles)}</Fact>
          <Fact name="Errors" level={key.errors > 0 ? 'warn' : undefined}>
            {formatCount(key.errors)}
          </Fact>
          <Fact name="Failures in a row" level={key.failures > 0 ? 'bad' : undefined}>
            {formatCount(key.failures)}
          </Fact>
          <Fact name="Next">
            {key.dueAt === undefined
              ? 'on a change'
              : key.dueAt <= shown.at
                ? 'due'
                : `in ${formatDuration(key.dueAt - shown.at)}`}
          </Fact>
        </dl>
      )}
      <Section
        title="Reconciles"
        aside={<span class="muted">{`${attempts.length}, newest first`}</span>}
      >
        {attempts.length === 0 ? (
          <Empty>None was recorded.</Empty>
        ) : (
          <ol class="attempts">
            {attempts.slice(0, LISTED).map((attempt, index) => (
              <Attempt key={attempt.row.id} attempt={attempt} at={shown.at} isOpen={index === 0} />
            ))}
          </ol>
        )}
      </Section>
    </article>
  );
}

function EnqueueButton(props: { readonly queue: string; readonly keyName: string }): JSX.Element {
  const onClick = async (): Promise<void> => {
    try {
      await enqueue(props.queue, props.keyName);
      notice.value = `${props.keyName} was added to ${props.queue}`;
    } catch (error) {
      notice.value = error instanceof Error ? error.message : String(error);
    }
  };
  return (
    <button type="button" class="button" onClick={() => void onClick()}>
      Reconcile now
    </button>
  );
}

function Attempt(props: {
  readonly attempt: KeyAttempt;
  readonly at: number;
  readonly isOpen: boolean;
}): JSX.Element {
  const { row, requests } = props.attempt;
  const [isOpen, setOpen] = useState(props.isOpen);
  return (
    <li class="attempt">
      <button
        type="button"
        class="attempt-head"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <time>{formatTime(row.startAt)}</time>
        <Result row={row} />
        <span class="number">
          {row.endAt === undefined
            ? `for ${formatDuration(props.at - row.startAt)}`
            : formatDuration(row.endAt - row.startAt)}
        </span>
        <span class="muted">
          {requests.length === 1 ? '1 request' : `${requests.length} requests`}
        </span>
      </button>
      {isOpen && (
        <div class="attempt-body">
          <p>
            <TriggerText trigger={row.trigger} />
            {row.queuedMs !== undefined && `, waited ${formatDuration(row.queuedMs)}`}
            {row.attempt > 1 && `, attempt ${row.attempt}`}
            {row.requeueAfterMs !== undefined &&
              `, again after ${formatDuration(row.requeueAfterMs)}`}
          </p>
          {row.error !== undefined && (
            <p class="callout level-bad">
              {row.errorCode !== undefined && <code>{`${row.errorCode} `}</code>}
              {row.error}
            </p>
          )}
          {requests.length > 0 && (
            <Waterfall
              rows={requests}
              from={row.startAt}
              to={row.endAt ?? props.at}
              label={`Requests of the reconcile at ${formatTime(row.startAt)}`}
            />
          )}
        </div>
      )}
    </li>
  );
}

function Result({ row }: { readonly row: ReconcileRow }): JSX.Element {
  if (row.result === undefined) return <Pill level="warn">running</Pill>;
  const level = isFailure(row.result) ? 'bad' : row.result === 'cancelled' ? 'idle' : 'ok';
  return <Pill level={level}>{row.result}</Pill>;
}

/** Why a key was enqueued. */
function TriggerText({ trigger }: { readonly trigger: ObservedTrigger }): JSX.Element {
  if (trigger.kind === 'change') {
    return (
      <>
        {`${trigger.event} of `}
        <a href={href('informers', trigger.informer, trigger.key)}>
          {`${trigger.informer} ${trigger.key}`}
        </a>
      </>
    );
  }
  const texts = {
    action: 'enqueued from this page',
    call: 'enqueued by the program',
    requeue: 'asked for by the last reconcile',
    retry: 'retry after a failure',
  };
  return <>{texts[trigger.kind]}</>;
}
