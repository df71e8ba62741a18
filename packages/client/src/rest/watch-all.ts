import { Backoff } from '../lib/backoff.ts';
import { guardCallback } from '../lib/callback.ts';
import { sleep, systemClock } from '../lib/clock.ts';
import { retryOf } from '../lib/errors.ts';
import { loggerOf } from '../lib/logger.ts';
import { systemRandom } from '../lib/random.ts';
import { isExpired, isGone, suggestsClientDelay } from '../meta/error-guards.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { CanWatch } from './client-methods.ts';
import type { ResourceList, Stored } from './object-types.ts';
import type { ListOptions, WatchAllOptions } from './options.ts';
import { collectPages, DEFAULT_PAGE_SIZE } from './pager.ts';
import { retryWatch, WatchLog } from './retry-watch.ts';
import { Stream } from './stream.ts';
import type { WatchAllEvent } from './watch.ts';

/** The part of a client that {@link watchAll} uses. */
export interface ListsAndWatches<T extends KubernetesObject> extends CanWatch<T> {
  list(options?: ListOptions): Promise<ResourceList<Stored<T>>>;
}

/** As in client-go's reflector, and like it reset by two minutes without a failure. */
const BACKOFF = { initialMs: 1000, maxMs: 30_000, jitter: 0.5, resetAfterMs: 120_000 };

/** Lists, then watches from there, for as long as it is read: see `CanWatchAll`. */
export function watchAll<T extends KubernetesObject>(
  client: ListsAndWatches<T>,
  options: WatchAllOptions = {},
): Stream<WatchAllEvent<Stored<T>>> {
  const { signal } = options;
  return new Stream((whileOpen) => follow(client, options, whileOpen), { signal });
}

async function* follow<T extends KubernetesObject>(
  client: ListsAndWatches<T>,
  options: WatchAllOptions,
  signal: AbortSignal,
): AsyncGenerator<WatchAllEvent<Stored<T>>, void, undefined> {
  const { onRetry, clock = systemClock, random = systemRandom, logger } = options;
  const log = new WatchLog(client, logger);
  const retried = guardCallback('onRetry', onRetry, loggerOf(logger));
  const backoff = new Backoff({ ...BACKOFF, clock, random });
  while (!signal.aborted) {
    try {
      yield* listAndWatch(client, options, signal, log);
    } catch (error) {
      const delayMs = (suggestsClientDelay(error) ?? 0) * 1000 + backoff.next();
      // A compacted version is the one refusal that a new list fixes.
      const isOld = isExpired(error) || isGone(error);
      if (signal.aborted || (!isOld && retryOf(error) === 'never')) throw error;
      if (isOld && backoff.attempts === 1) continue;
      log.failed(error, delayMs);
      retried(error, delayMs);
      await sleep(clock, delayMs, { signal });
    }
  }
}

async function* listAndWatch<T extends KubernetesObject>(
  client: ListsAndWatches<T>,
  { pageSize = DEFAULT_PAGE_SIZE, ...options }: WatchAllOptions,
  signal: AbortSignal,
  log: WatchLog,
): AsyncGenerator<WatchAllEvent<Stored<T>>, void, undefined> {
  const { fieldSelector, labelSelector, shardSelector } = options;
  const request: ListOptions = { fieldSelector, labelSelector, shardSelector, signal };
  const list = await collectPages((page: ListOptions) => client.list(page), request, { pageSize });
  const { resourceVersion } = list.first.metadata;
  log.recovered();
  yield { type: 'init', objects: list.items, resourceVersion };
  for await (const event of retryWatch(client, { ...options, resourceVersion, signal })) {
    const { type, object } = event;
    yield { type: type === 'DELETED' ? 'deleted' : 'applied', object };
  }
}
