import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ObservedRecord } from 'client-ts/observe';

import type { Machine } from './session/machine.ts';
import { type Rates, ratesOf } from './session/rates.ts';
import type { SessionLog } from './session/session-log.ts';

/** How the page is connected to what it shows. */
export type Connection =
  | { readonly state: 'connecting' | 'ended' | 'live' | 'lost' | 'recorded' }
  | { readonly state: 'failed'; readonly message: string };

/** The answer to `GET /api/session`. */
export interface SessionInfo {
  readonly protocol: number;
  readonly program: string;
  readonly isLive: boolean;
  readonly actions: boolean;
}

/** A position in the session, and its time. Undefined while the page follows what happens now. */
export interface Cursor {
  readonly position: number;
  readonly at: number;
}

/** What is on the page at one point in time. */
export interface Moment {
  readonly log: SessionLog;
  readonly position: number;
  readonly at: number;
  readonly isLive: boolean;
  readonly machine: Machine;
  readonly rates: Rates;
}

/** The spans that the time line can show, in milliseconds. */
export const SPANS: readonly number[] = [5_000, 15_000, 60_000, 120_000, 300_000, 600_000];

/** Rates are averages over this time. */
const RATE_SPAN_MS = 10_000;

export const connection: Signal<Connection> = signal<Connection>({ state: 'connecting' });
export const session: Signal<SessionInfo | undefined> = signal<SessionInfo | undefined>(undefined);
export const log: Signal<SessionLog | undefined> = signal<SessionLog | undefined>(undefined);
export const cursor: Signal<Cursor | undefined> = signal<Cursor | undefined>(undefined);
export const spanMs: Signal<number> = signal(120_000);
/** The time of the program now, as far as the page knows. Grows a few times a second. */
export const now: Signal<number> = signal(0);
/** A short text for people, and for screen readers. */
export const notice: Signal<string> = signal('');

/** What the page shows: the state at the cursor. */
export const moment: ReadonlySignal<Moment | undefined> = computed(() => {
  const current = log.value;
  if (current === undefined) return undefined;
  const place = cursor.value;
  // Paused, the page does not depend on the time: nothing is drawn again.
  const at = place?.at ?? Math.max(now.value, current.endAt);
  const position = place?.position ?? current.end;
  return {
    log: current,
    position,
    at,
    isLive: place === undefined,
    machine: current.machineAt(position),
    rates: ratesOf(current, position, at, RATE_SPAN_MS),
  };
});

/** The record that led to the state at the cursor. */
export function currentRecord(): ObservedRecord | undefined {
  const shown = moment.value;
  return shown === undefined ? undefined : shown.log.record(shown.position - 1);
}

/** Stops following what happens now, at the state that is on the page. */
export function pause(): void {
  const shown = moment.value;
  if (shown === undefined || cursor.value !== undefined) return;
  cursor.value = { position: shown.position, at: shown.at };
}

/** Follows what happens now, or, in a recorded session, goes to its end. */
export function follow(): void {
  cursor.value = undefined;
}

/** Moves the cursor to a time within the session. */
export function goToTime(time: number): void {
  const current = log.value;
  if (current === undefined) return;
  const at = Math.min(Math.max(time, current.startAt), Math.max(now.value, current.endAt));
  cursor.value = { position: Math.max(current.start, current.positionAt(at)), at };
}

/** Moves the cursor to a position. */
export function goToPosition(position: number): void {
  const current = log.value;
  if (current === undefined) return;
  const wanted = Math.min(Math.max(position, current.start), current.end);
  const at = current.record(wanted - 1)?.at ?? current.startAt;
  cursor.value = { position: wanted, at };
}

/** Moves the cursor by a number of records: stepping. */
export function step(by: number): void {
  const shown = moment.value;
  if (shown !== undefined) goToPosition(shown.position + by);
}

/** Moves the cursor by a time. */
export function shift(byMs: number): void {
  const shown = moment.value;
  if (shown !== undefined) goToTime(shown.at + byMs);
}
