import type { JSX } from 'preact';

import { formatDuration } from '../session/format.ts';
import type { RequestRow } from '../session/session-log.ts';

/** Requests as bars on one scale: when each started and how long it took. */
export function Waterfall(props: {
  readonly label: string;
  readonly rows: readonly RequestRow[];
  readonly from: number;
  readonly to: number;
}): JSX.Element {
  const { rows, from } = props;
  const span = Math.max(1, props.to - from);
  return (
    <ol class="waterfall" aria-label={props.label}>
      {rows.map((row) => (
        <li key={row.id}>
          <span class="waterfall-name" title={nameOf(row)}>
            <b>{row.verb}</b> {nameOf(row)}
          </span>
          <WaterfallBar row={row} from={from} span={span} />
          <span class={`number level-${levelOfCode(row.code)}`}>{codeOf(row)}</span>
          <span class="number">{tookOf(row)}</span>
        </li>
      ))}
    </ol>
  );
}

/** The bar of one request on a scale. What the client itself held back is lighter. */
export function WaterfallBar(props: {
  readonly row: RequestRow;
  readonly from: number;
  readonly span: number;
}): JSX.Element {
  const { row, from, span } = props;
  const right = clamp(((row.endAt ?? from + span) - from) / span);
  // The shortest bar is still visible at the right end.
  const left = Math.min(0.99, clamp((row.startAt - from) / span), right);
  const held = clamp((row.throttledMs ?? 0) / span);
  return (
    <span class={`waterfall-bar level-${levelOfCode(row.code)}`}>
      <i style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }} />
      {held > 0 && (
        <i
          class="held"
          style={{ left: `${left * 100}%`, width: `${Math.min(held, right - left) * 100}%` }}
        />
      )}
    </span>
  );
}

/** `default/web` of `deployments.apps`. */
export function nameOf({ resource, namespace, name }: RequestRow): string {
  const object = [namespace, name].filter((part) => part !== '').join('/');
  return object === '' ? resource : `${resource} ${object}`;
}

/** The status, or what there is instead of one. */
export function codeOf({ code, errorCode }: RequestRow): string {
  if (code === undefined) return 'open';
  return code === 0 ? (errorCode ?? 'failed') : String(code);
}

/** How long it took; a stream is open after its head. */
export function tookOf({ startAt, headAt, endAt }: RequestRow): string {
  if (endAt !== undefined) return formatDuration(endAt - startAt);
  return headAt === undefined ? '…' : 'open';
}

/** How much attention a status needs. */
export function levelOfCode(code: number | undefined): 'bad' | 'idle' | 'ok' | 'warn' {
  if (code === undefined) return 'idle';
  if (code === 0 || code >= 500) return 'bad';
  return code >= 400 ? 'warn' : 'ok';
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
