import { metaNamespaceKeyFunc } from '../cache/store.ts';
import { Backoff } from '../lib/backoff.ts';
import { type Clock, sleep } from '../lib/clock.ts';
import { describeError, type Logger } from '../lib/logger.ts';
import type { Random } from '../lib/random.ts';
import { anySignal } from '../lib/signal.ts';
import { compareResourceVersions, isResourceVersion } from '../meta/resource-version.ts';
import type { MetadataClient } from '../metadata/metadata-client.ts';
import type { SelectorOptions } from '../rest/options.ts';
import type { CacheView, ViewMember } from './cache-view.ts';
import { versionIn } from './write-overlay.ts';

/** How long an informer has to reach the version of the server before its objects are compared. */
const PATIENCE_MS = 200;

const PAGE_SIZE = 1000;

const RETRY = { initialMs: 100, maxMs: 5000, jitter: 0.5 };

/** Options of {@link catchUp}. */
export interface CatchUpOptions {
  readonly metadata: MetadataClient;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves when an informer shows at least what the server had when this was called.
 *
 * The server says its version, and the informer has often reached it already. If nothing of the
 * resource changes, an informer learns a version only from a bookmark, which may take a minute; so the
 * metadata of all objects is then listed, and compared with what is cached.
 */
export async function catchUp(
  view: CacheView,
  member: ViewMember,
  { metadata, clock, signal }: CatchUpOptions,
): Promise<void> {
  const { informer, namespace } = member;
  const { labelSelector, fieldSelector, shardSelector } = view.options;
  const selectors: SelectorOptions = {
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
    ...(shardSelector !== undefined && { shardSelector }),
  };
  const first = await member.client(namespace).list({
    ...selectors,
    limit: 1,
    readOnly: true,
    signal,
  });
  const version = first.metadata?.resourceVersion ?? '';
  const over = new AbortController();
  using either = anySignal([signal, over.signal]);
  const compared = async (): Promise<void> => {
    await sleep(clock, PATIENCE_MS, { signal: either.signal });
    const objects = metadata.resource(view.descriptor).namespace(namespace);
    const listed = objects.listAll({ ...selectors, pageSize: PAGE_SIZE, signal: either.signal });
    const keys = new Map<string, string>();
    for await (const object of listed) keys.set(metaNamespaceKeyFunc(object), versionIn(object));
    await hasShown(member, { keys, version, signal: either.signal });
  };
  try {
    await Promise.race([informer.reached(version, { signal: either.signal }), compared()]);
  } finally {
    over.abort();
  }
}

interface Shown {
  /** The listed objects and their versions. */
  readonly keys: ReadonlyMap<string, string>;
  /** At which objects that are not listed did not exist. */
  readonly version: string;
  readonly signal: AbortSignal;
}

/** Resolves when the informer has the newest of the listed objects, and none that is gone. */
async function hasShown({ informer }: ViewMember, { keys, version, signal }: Shown): Promise<void> {
  const { indexer } = informer;
  let newest = '';
  for (const each of keys.values()) {
    if (!isResourceVersion(each)) continue;
    if (newest === '' || compareResourceVersions(each, newest) > 0) newest = each;
  }
  if (newest !== '') await informer.reached(newest, { signal });
  const isGone = (key: string): boolean => {
    const object = indexer.getByKey(key);
    if (object === undefined || keys.has(key)) return false;
    const own = versionIn(object);
    // Without a version in the cached form, only the version of the store shows it.
    return !isResourceVersion(own) || compareResourceVersions(own, version) <= 0;
  };
  while (indexer.listKeys().some(isGone)) {
    const next = BigInt(indexer.resourceVersion) + 1n;
    await informer.reached(String(next), { signal });
  }
}

/** Options of {@link untilCaughtUp}. */
export interface UntilCaughtUpOptions {
  readonly clock: Clock;
  readonly random: Random | undefined;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Repeats an attempt to catch up until it succeeds; returns false if the signal aborts before. */
export async function untilCaughtUp(
  attempt: (signal: AbortSignal) => Promise<void>,
  { clock, random, logger, signal }: UntilCaughtUpOptions,
): Promise<boolean> {
  const backoff = new Backoff({ ...RETRY, clock, random });
  while (!signal.aborted) {
    try {
      await attempt(signal);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      const message = `the caches cannot be compared with the server: ${describeError(error)}`;
      const level = backoff.attempts === 0 ? 'warn' : 'debug';
      logger[level](message, { event: 'controller.read' });
    }
    await sleep(clock, backoff.next(), { signal }).catch(() => undefined);
  }
  return false;
}
