import { Backoff } from '../lib/backoff.ts';
import { guardCallback } from '../lib/callback.ts';
import { type Clock, sleep, systemClock } from '../lib/clock.ts';
import { retryOf } from '../lib/errors.ts';
import { type LoggerOption, loggerOf } from '../lib/logger.ts';
import { type Random, systemRandom } from '../lib/random.ts';
import { suggestsClientDelay } from '../meta/error-guards.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { CanWatch } from '../rest/client-methods.ts';
import type { Stored } from '../rest/object-types.ts';
import type { WatchOptions } from '../rest/options.ts';
import { invalidRequest, RestError } from '../rest/rest-error.ts';
import { Stream } from '../rest/stream.ts';
import { WatchLog } from './watch-log.ts';
import type { ObjectEvent } from '../rest/watch.ts';

/** How to watch through everything. */
export interface RetryWatchOptions
  extends
    LoggerOption,
    Pick<
      WatchOptions,
      | 'fieldSelector'
      | 'labelSelector'
      | 'maxFrameBytes'
      | 'shardSelector'
      | 'signal'
      | 'timeoutSeconds'
    > {
  /** Events after this one: that of a list, or of the last object that was seen. */
  readonly resourceVersion: string;
  /** Told of every failure that is got over, and in how many milliseconds it goes on. */
  readonly onRetry?: ((error: unknown, delayMs: number) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** Two watches never start closer together than this, however quickly they end. */
const MIN_INTERVAL_MS = 1000;

const BACKOFF = { initialMs: 1000, maxMs: 30_000, jitter: 0.5 };

/**
 * A watch that outlives its connections: it resumes from the last version it has seen, in an event
 * or a bookmark, so that no event is missed and none is delivered twice. It retries when connections
 * break and while servers are down, restarted or overloaded, without a limit. A server that was
 * restored from a backup sends lower versions: those are delivered, and the watch follows them.
 *
 * It ends with an error that time does not mend: with `isExpired` when the server no longer has the
 * events in between (list again and start over), with 401, 403 and other refusals of the request
 * itself, and when the certificate of the server or of the client is not accepted. An abort ends it
 * without an error. Failures that it retries are logged once when they start and once when events
 * come again.
 */
export function retryWatch<T extends KubernetesObject>(
  client: CanWatch<T>,
  options: RetryWatchOptions,
): Stream<ObjectEvent<Stored<T>>> {
  const { resourceVersion, signal } = options;
  if (resourceVersion === '' || resourceVersion === '0') {
    throw invalidRequest(
      `a watch cannot be resumed from the resourceVersion "${resourceVersion}"`,
      'Give that of a list, or use waitFor.',
    );
  }
  return new Stream((whileOpen) => follow(client, options, whileOpen), { signal });
}

async function* follow<T extends KubernetesObject>(
  client: CanWatch<T>,
  options: RetryWatchOptions,
  signal: AbortSignal,
): AsyncGenerator<ObjectEvent<Stored<T>>, void, undefined> {
  const { onRetry, clock = systemClock, random = systemRandom, logger, ...watchOptions } = options;
  const log = new WatchLog(client, logger);
  const retried = guardCallback('onRetry', onRetry, loggerOf(logger));
  const backoff = new Backoff({ ...BACKOFF, clock, random });
  let resourceVersion = options.resourceVersion;
  let uid: string | undefined;
  while (!signal.aborted) {
    const startedAt = clock.monotonic();
    let delayMs: number;
    try {
      const request = { ...watchOptions, resourceVersion, allowWatchBookmarks: true, signal };
      for await (const event of client.watch({ ...request, errorEvents: false } as const)) {
        const version = versionOf(event.object);
        backoff.reset();
        log.recovered();
        const { uid: eventUid } = event.object.metadata;
        // Some servers begin with the event that was asked for, instead of the next.
        const isRepeated = version === resourceVersion && (uid === undefined || uid === eventUid);
        resourceVersion = version;
        if (isRepeated || event.type === 'BOOKMARK') continue;
        uid = eventUid;
        yield event;
      }
      delayMs = startedAt + MIN_INTERVAL_MS - clock.monotonic();
    } catch (error) {
      if (signal.aborted || retryOf(error) === 'never') throw error;
      const asked = (suggestsClientDelay(error) ?? 0) * 1000;
      delayMs = asked + backoff.next();
      log.failed(error, delayMs);
      retried(error, delayMs);
    }
    if (delayMs > 0) await sleep(clock, delayMs, { signal });
  }
}

function versionOf({ kind, metadata }: KubernetesObject): string {
  const version = metadata?.resourceVersion ?? '';
  if (version !== '') return version;
  throw new RestError(
    'REST_WATCH_EVENT_INVALID',
    `an event for an object of kind ${kind ?? '?'} has no resourceVersion to go on from`,
  );
}
