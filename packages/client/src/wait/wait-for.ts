import { Backoff } from '../lib/backoff.ts';
import { type Clock, sleep, systemClock } from '../lib/clock.ts';
import { messageOf, retryOf } from '../lib/errors.ts';
import type { LoggerOption } from '../lib/logger.ts';
import { type Random, systemRandom } from '../lib/random.ts';
import { isExpired, isGone } from '../meta/error-guards.ts';
import { escapeFieldValue } from '../meta/fields.ts';
import { nameOf } from '../meta/object.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { CanList, CanWatch } from '../rest/client-methods.ts';
import { withDeadline } from '../lib/deadline.ts';
import type { Stored } from '../rest/object-types.ts';
import { RestError } from '../rest/rest-error.ts';
import { retryWatch } from './retry-watch.ts';
import { WatchLog } from './watch-log.ts';
import type { ExistingCondition, WaitCondition } from './conditions.ts';

/** How long to wait. */
export interface WaitForOptions extends LoggerOption {
  /** In milliseconds. Default: as long as it takes. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** What can be waited with: a client of any resource that can be listed and watched. */
export type WaitClient<T extends KubernetesObject> = CanList<T> &
  CanWatch<T> & { readonly descriptor?: { readonly resource: string } };

/**
 * Waits until the object meets the condition, and gives it as it was then. It lists and then
 * watches from there, so that no state in between is missed, gets over lost connections, and starts
 * over when the server has forgotten the past.
 *
 * Rejects with `REST_WAIT_TIMEOUT` when the time is up, with the reason of the signal when it aborts, and
 * at once with an error that time does not mend, such as an untrusted certificate or a refusal.
 *
 * ```ts
 * const pod = await waitFor(client.coreV1.pods('default'), 'web-0', podReady, { timeout: 60_000 });
 * ```
 */
export function waitFor<T extends KubernetesObject>(
  client: WaitClient<T>,
  object: KubernetesObject | string,
  condition: ExistingCondition<T>,
  options?: WaitForOptions,
): Promise<Stored<T>>;
export function waitFor<T extends KubernetesObject>(
  client: WaitClient<T>,
  object: KubernetesObject | string,
  condition: WaitCondition<T>,
  options?: WaitForOptions,
): Promise<Stored<T> | undefined>;
export async function waitFor<T extends KubernetesObject>(
  client: WaitClient<T>,
  object: KubernetesObject | string,
  condition: WaitCondition<T>,
  options: WaitForOptions = {},
): Promise<Stored<T> | undefined> {
  const { timeout, clock = systemClock, signal } = options;
  const name = typeof object === 'string' ? object : nameOf(object);
  const wait = new Wait(client, name, condition, options);
  using limited = withDeadline(signal, {
    clock,
    timeoutMs: timeout,
    reason: () =>
      new RestError('REST_WAIT_TIMEOUT', `${wait.inVain} within ${timeout} ms`, {
        cause: wait.failure,
      }),
  });
  return await wait.run(limited.signal);
}

const BACKOFF = { initialMs: 1000, maxMs: 30_000, jitter: 0.5, resetAfterMs: 120_000 };

class Wait<T extends KubernetesObject> {
  readonly #client: WaitClient<T>;
  readonly #name: string;
  readonly #condition: WaitCondition<T>;
  readonly #options: WaitForOptions;
  /** What the last attempt failed with; undefined after one that succeeded. */
  failure: unknown;
  #last: { readonly object: Stored<T> | undefined } | undefined;

  constructor(
    client: WaitClient<T>,
    name: string,
    condition: WaitCondition<T>,
    options: WaitForOptions,
  ) {
    this.#client = client;
    this.#name = name;
    this.#condition = condition;
    this.#options = options;
  }

  /** Who has waited for what, and how far it got. */
  get inVain(): string {
    const what = this.#client.descriptor?.resource ?? 'the object';
    const wanted = this.#condition.name || 'the condition';
    return `${what} "${this.#name}" ${this.#state} and did not meet ${wanted}`;
  }

  get #state(): string {
    if (this.#last === undefined) {
      const why = this.failure === undefined ? '' : ` (${messageOf(this.failure)})`;
      return `could not be read${why}`;
    }
    const version = this.#last.object?.metadata.resourceVersion;
    return version === undefined ? 'does not exist' : `is at resourceVersion ${version}`;
  }

  async run(signal: AbortSignal): Promise<Stored<T> | undefined> {
    const { clock = systemClock, random = systemRandom } = this.#options;
    const backoff = new Backoff({ ...BACKOFF, clock, random });
    const log = new WatchLog(this.#client, this.#options.logger);
    for (;;) {
      try {
        return await this.#listAndWatch(signal, log);
      } catch (error) {
        signal.throwIfAborted();
        const delayMs = backoff.next();
        // Too old a version is the one refusal that a new list helps against.
        const isOld = isExpired(error) || isGone(error);
        if (!isOld && retryOf(error) === 'never') throw error;
        const isFirst = backoff.attempts === 1;
        if (isOld && isFirst) continue;
        this.failure = error;
        log.failed(error, delayMs);
        await sleep(clock, delayMs, { signal });
      }
    }
  }

  async #listAndWatch(signal: AbortSignal, log: WatchLog): Promise<Stored<T> | undefined> {
    const fieldSelector = `metadata.name=${escapeFieldValue(this.#name)}`;
    const { items, metadata } = await this.#client.list({ fieldSelector, signal });
    this.failure = undefined;
    log.recovered();
    if (this.#isMet(items[0])) return items[0];
    const { resourceVersion } = metadata;
    const { timeout: _, ...options } = this.#options;
    const events = retryWatch(this.#client, { ...options, fieldSelector, resourceVersion, signal });
    for await (const { type, object } of events) {
      const now = type === 'DELETED' ? undefined : object;
      if (this.#isMet(now)) return now;
    }
    // Only an abort ends such a watch without an error.
    throw signal.reason;
  }

  #isMet(object: Stored<T> | undefined): boolean {
    this.#last = { object };
    return this.#condition(object);
  }
}
