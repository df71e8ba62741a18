import { Backoff } from '../lib/backoff.ts';
import { guardCallback } from '../lib/callback.ts';
import { sleep, systemClock } from '../lib/clock.ts';
import { retryOf } from '../lib/errors.ts';
import { describeError, type Logger, loggerOf, TroubleReporter } from '../lib/logger.ts';
import { systemRandom } from '../lib/random.ts';
import { suggestsClientDelay } from '../meta/error-guards.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { CanWatch } from './client-methods.ts';
import type { Stored } from './object-types.ts';
import type { RetryWatchOptions } from './options.ts';
import { invalidRequest, RestError } from './rest-error.ts';
import { Stream } from './stream.ts';
import type { ObjectEvent } from './watch.ts';

/** The minimum time between the starts of two watches, however quickly they end. */
const MIN_INTERVAL_MS = 1000;

const BACKOFF = { initialMs: 1000, maxMs: 30_000, jitter: 0.5 };

/**
 * Returns a watch that outlives its connections. It resumes from the last version it has seen, in an
 * event or a bookmark, so that no event is missed and none is delivered twice. Broken connections
 * and servers that are down, restarting or overloaded are retried without a limit. A server that
 * was restored from a backup sends lower versions: they are delivered, and the watch follows them.
 *
 * It ends with errors that a retry cannot fix: with `isExpired` when the server has compacted the
 * events in between (`watchAll` lists again), with 401, 403 and other refusals, and with
 * certificate errors. An abort ends it without an error. Failures are logged once when they start
 * and once when events arrive again.
 */
export function retryWatch<T extends KubernetesObject>(
  client: CanWatch<T>,
  options: RetryWatchOptions,
): Stream<ObjectEvent<Stored<T>>> {
  const { resourceVersion, signal } = options;
  if (resourceVersion === '' || resourceVersion === '0') {
    throw invalidRequest(
      `a watch cannot be resumed from the resourceVersion "${resourceVersion}"`,
      'Pass that of a list, or use watchAll.',
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
        // Some servers repeat the event at the requested version.
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
    `an event for an object of kind ${kind ?? '?'} has no resourceVersion to resume from`,
  );
}

/** The fields of this library's clients that log lines use; other clients may lack them. */
interface Described {
  readonly logger?: Logger | undefined;
  /** Host and port. */
  readonly server?: string | undefined;
  readonly descriptor?: { readonly resource: string };
}

/** Logs when a watch that is retried starts to fail, and when it works again. */
export class WatchLog {
  readonly #trouble: TroubleReporter;
  readonly #what: string;

  constructor(client: object, logger: Logger | undefined) {
    const { logger: inherited, server = '', descriptor }: Described = client;
    this.#trouble = new TroubleReporter(loggerOf(logger ?? inherited), {
      start: 'watch.blocked',
      end: 'watch.recovered',
    });
    const from = server === '' ? '' : ` from ${server}`;
    this.#what = `the watch of ${descriptor?.resource ?? 'objects'}${from}`;
  }

  failed(error: unknown, delayMs: number): void {
    const attempt = `next attempt in ${(delayMs / 1000).toFixed(1)} s`;
    this.#trouble.start(`${this.#what} fails, ${attempt}: ${describeError(error)}`);
  }

  recovered(): void {
    this.#trouble.end(`${this.#what} works again`);
  }
}
