import { anySignal, sleep } from 'client-ts/internal';
import { newTooLargeResourceVersion } from 'client-ts/meta';

import type { ResourceExchange } from './exchange.ts';

/** How long a read waits for a version that has not happened yet. */
const FRESHNESS_WAIT_MS = 3_000;

/** Gives a version that is about to happen a moment to do so; throws a 504 if it does not. */
export async function waitForRevision(
  { core, served, request }: ResourceExchange,
  wanted: number,
): Promise<void> {
  const { store, clock } = core;
  if (store.revision >= wanted) return;
  if (served.uncached) throw newTooLargeResourceVersion(wanted, store.revision, 0);
  const reached = new AbortController();
  // A write to any resource will do: there is one counter for all.
  using _subscription = store.subscribe('/', () => {
    if (store.revision >= wanted) reached.abort();
  });
  using either = anySignal([reached.signal, request.signal]);
  await sleep(clock, FRESHNESS_WAIT_MS, either.signal).catch(() => undefined);
  if (store.revision < wanted) throw newTooLargeResourceVersion(wanted, store.revision);
}
