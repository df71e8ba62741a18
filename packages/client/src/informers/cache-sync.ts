import type { InformerState } from '../cache/informer-state.ts';
import type { SharedIndexInformer } from '../cache/shared-index-informer.ts';
import { CacheSyncError } from '../cache/wait-for-cache-sync.ts';
import { anySignal } from '../lib/signal.ts';
import type { FactorySyncOptions } from './factory-options.ts';

/** The part of an informer that is looked at. */
export type SyncingInformer = Pick<
  SharedIndexInformer<never>,
  'hasSynced' | 'isRunning' | 'name' | 'state' | 'stateChanges'
>;

/**
 * Resolves when all have synced, and rejects with {@link CacheSyncError} when the signal aborts or
 * when waiting makes no sense any more: those that are left do not run, or may not read.
 */
export async function settleCaches(
  informers: readonly SyncingInformer[],
  signal: AbortSignal | undefined,
  { unavailable = 'reject' }: FactorySyncOptions,
): Promise<void> {
  const settled = new AbortController();
  using over = anySignal([signal, settled.signal]);
  const look = (): void => {
    const isOpen = informers.some((informer) => isOpenFor(informer, unavailable));
    if (!isOpen) settled.abort();
  };
  look();
  await Promise.all(
    informers.map(async (informer) => {
      for await (const _ of informer.stateChanges(over.signal)) look();
    }),
  );
  const waiting = informers.filter(({ hasSynced }) => !hasSynced);
  if (waiting.length === 0) return;
  const cause: unknown = signal?.aborted === true ? signal.reason : causeIn(waiting);
  throw new CacheSyncError(
    waiting.map(({ name, state }) => ({ name, state })),
    { cause },
  );
}

/** Whether it makes sense to wait for an informer. */
function isOpenFor(
  { hasSynced, isRunning, state }: SyncingInformer,
  unavailable: 'reject' | 'wait',
): boolean {
  if (hasSynced || !isRunning) return false;
  return unavailable === 'wait' || !isUnavailable(state);
}

function isUnavailable({ state }: InformerState): boolean {
  return state === 'denied' || state === 'absent';
}

/** What the server said of the first of those it said something of. */
function causeIn(informers: readonly SyncingInformer[]): unknown {
  for (const { state } of informers) if ('error' in state) return state.error;
  return undefined;
}
