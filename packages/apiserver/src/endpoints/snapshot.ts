import { anySignal, sleep } from 'client-ts/internal';
import {
  type ApiError,
  type ListMeta,
  newBadRequest,
  newResourceExpired,
  newTooLargeResourceVersion,
} from 'client-ts/meta';

import { loadViews } from '../registry/served-resource.ts';
import { CompactedError, type Entry } from '../store/store.ts';
import { decodeContinueToken, encodeContinueToken } from './continue-token.ts';
import type { ResourceExchange } from './exchange.ts';
import { buildPredicate, type ListOptions, parseListResourceVersion } from './list-options.ts';

/** Returns the entries of a list, with the list's metadata. */
export async function selectEntries(
  exchange: ResourceExchange,
  options: ListOptions,
): Promise<{ entries: readonly Entry[]; metadata: ListMeta }> {
  const { served, core, info } = exchange;
  const { registry } = served;
  const predicate = buildPredicate(served, options.labelSelector, options.fieldSelector);
  const prefix = registry.prefix(info.namespace);
  const { revision, after } = await resolveSnapshot(exchange, options);

  let candidates: readonly Entry[];
  try {
    candidates = core.store.range({
      prefix,
      ...(revision !== undefined && { revision }),
      ...(after !== undefined && { after: `${prefix}${after}` }),
    });
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    throw expiredList(options, after);
  }
  const at = revision ?? core.store.revision;
  if (served.conversion?.load !== undefined) {
    await loadViews(
      served,
      candidates.map(({ value }) => value),
    );
  }
  // Version 0 means "any version"; a real server ignores the limit then.
  const limit = options.resourceVersion === '0' ? 0 : Math.max(0, options.limit);
  const entries: Entry[] = [];
  let looked = 0;
  for (const entry of candidates) {
    if (limit > 0 && entries.length === limit) break;
    looked++;
    if (predicate(entry.value)) entries.push(entry);
  }
  const metadata: ListMeta = { resourceVersion: String(at) };
  const last = entries.at(-1);
  if (limit > 0 && looked < candidates.length && last !== undefined) {
    const afterKey = `/${last.key.slice(prefix.length)}`;
    metadata.continue = encodeContinueToken({
      revision: at,
      afterKey: served.uncached ? afterKey.slice(1) : afterKey,
    });
    const isFiltered = !options.labelSelector.isEmpty || !options.fieldSelector.isEmpty;
    if (!isFiltered) metadata.remainingItemCount = candidates.length - looked;
  }
  return { entries, metadata };
}

async function resolveSnapshot(
  exchange: ResourceExchange,
  options: ListOptions,
): Promise<{ revision?: number; after?: string }> {
  const { resourceVersion, resourceVersionMatch: match, limit, continueToken } = options;
  if (continueToken !== '') {
    const token = decodeContinueToken(continueToken, exchange.core.store.revision);
    if (resourceVersion !== '' && resourceVersion !== '0') {
      throw newBadRequest('specifying resource version is not allowed when using continue');
    }
    return {
      after: token.afterKey,
      ...(token.revision !== undefined && { revision: token.revision }),
    };
  }
  const wanted = parseListResourceVersion(resourceVersion);
  if (wanted === undefined || wanted === 0) return {};
  await waitForRevision(exchange, wanted);
  // A limit with a version, without a match, means exactly that version.
  const exact = match === 'Exact' || (match === '' && limit > 0);
  return exact ? { revision: wanted } : {};
}

const EXPIRED_CONTINUE =
  'The provided continue parameter is too old to display a consistent list result. ' +
  'You can start a new list without the continue parameter, or use the continue token in this ' +
  'response to retrieve the remainder of the results. Continuing with the provided token results ' +
  'in an inconsistent list - objects that were created, modified, or deleted between the time ' +
  'the first chunk was returned and now may show up in the list.';

function expiredList({ continueToken }: ListOptions, after: string | undefined): ApiError {
  if (continueToken === '' || after === undefined) {
    return newResourceExpired('The resourceVersion for the provided list is too old.');
  }
  return newResourceExpired(
    EXPIRED_CONTINUE,
    encodeContinueToken({ revision: undefined, afterKey: after }),
  );
}

/** How long a read waits for a future version. */
const FRESHNESS_WAIT_MS = 3_000;

/** Waits briefly for a future version; throws a 504 if it is not reached. */
export async function waitForRevision(
  { core, served, request }: ResourceExchange,
  wanted: number,
): Promise<void> {
  const { store, clock } = core;
  if (store.revision >= wanted) return;
  if (served.uncached) throw newTooLargeResourceVersion(wanted, store.revision, 0);
  const reached = new AbortController();
  // A write to any resource counts: there is one counter for all.
  using _subscription = store.subscribe('/', () => {
    if (store.revision >= wanted) reached.abort();
  });
  using either = anySignal([reached.signal, request.signal]);
  await sleep(clock, FRESHNESS_WAIT_MS, { signal: either.signal }).catch(() => undefined);
  if (store.revision < wanted) throw newTooLargeResourceVersion(wanted, store.revision);
}
