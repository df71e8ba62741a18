import { type Clock, systemClock } from '../lib/clock.ts';
import { messageOf } from '../lib/errors.ts';
import { abortable } from '../lib/signal.ts';
import type { LoggerOption } from '../lib/logger.ts';
import { checkNumbers } from '../lib/option-error.ts';
import type { Random } from '../lib/random.ts';
import { escapeFieldValue } from '../meta/fields.ts';
import { nameOf, namespaceOf } from '../meta/object.ts';
import type { Scope } from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { CanList, CanWatch } from '../rest/client-methods.ts';
import { withDeadline } from '../lib/deadline.ts';
import type { Stored } from '../rest/object-types.ts';
import { watchAll } from '../rest/watch-all.ts';
import { WaitError } from './wait-error.ts';
import type { Exists, WaitCondition } from './conditions.ts';

/** Options of {@link untilWithoutRetry}. */
export interface UntilOptions {
  /** Default: no timeout. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}

/** Options of {@link waitFor}. */
export interface WaitForOptions extends LoggerOption, UntilOptions {
  readonly random?: Random | undefined;
}

/**
 * A client that {@link waitFor} accepts: of any resource that can be listed and watched, in one
 * namespace or cluster-scoped.
 */
export type WaitClient<T extends KubernetesObject> = CanList<T> &
  CanWatch<T> & {
    readonly descriptor?: { readonly resource: string; readonly scope?: Scope };
    /** Cannot be called on a client of all namespaces, which is therefore refused. */
    readonly get?: (name: string) => unknown;
  };

/**
 * Waits until the object meets the condition, and returns it in that state. Lists, then watches from
 * there, so that no state in between is missed; retries after lost connections, and starts over when
 * the server has compacted the version. A condition gets the object as the server stores it,
 * undefined while it does not exist.
 *
 * Rejects with `WAIT_TIMEOUT` after the timeout, with the reason of the signal when it aborts, and
 * immediately with errors that a retry cannot fix, such as an untrusted certificate or a refusal. A
 * client of all namespaces, or of another one than the object's, is `WAIT_NAMESPACE_INVALID`.
 *
 * ```ts
 * const pods = client.coreV1.pods('default');
 * const pod = await waitFor(pods, 'web-0', conditions.podReady, { timeoutMs: 60_000 });
 * ```
 */
export function waitFor<T extends KubernetesObject>(
  client: WaitClient<T>,
  object: KubernetesObject | string,
  condition: Exists<Stored<T>>,
  options?: WaitForOptions,
): Promise<Stored<T>>;
export function waitFor<T extends KubernetesObject>(
  client: WaitClient<T>,
  object: KubernetesObject | string,
  condition: Exists<T>,
  options?: WaitForOptions,
): Promise<Stored<T>>;
export function waitFor<T extends KubernetesObject>(
  client: WaitClient<T>,
  object: KubernetesObject | string,
  condition: WaitCondition<Stored<T>>,
  options?: WaitForOptions,
): Promise<Stored<T> | undefined>;
export async function waitFor<T extends KubernetesObject>(
  client: WaitClient<T>,
  object: KubernetesObject | string,
  condition: WaitCondition<Stored<T>>,
  options: WaitForOptions = {},
): Promise<Stored<T> | undefined> {
  checkNumbers(options, { timeoutMs: 'duration' });
  const { timeoutMs, clock = systemClock, signal } = options;
  const name = typeof object === 'string' ? object : nameOf(object);
  checkNamespace(client, typeof object === 'string' ? '' : namespaceOf(object));
  const wait = new Wait(client, name, condition, options);
  using limited = withDeadline(signal, {
    clock,
    timeoutMs,
    reason: () =>
      new WaitError('WAIT_TIMEOUT', `${wait.progress} within ${timeoutMs} ms`, {
        cause: wait.failure,
      }),
  });
  return await wait.run(limited.signal);
}

/** The namespace of this library's clients; other clients lack it and are not checked. */
interface Placed extends Pick<WaitClient<KubernetesObject>, 'descriptor'> {
  readonly namespaceName?: string;
}

/** Names repeat across namespaces: a client of all of them would mix the objects of one name. */
function checkNamespace({ namespaceName, descriptor }: Placed, wanted: string): void {
  if (namespaceName === undefined) return;
  const { resource = 'objects', scope } = descriptor ?? {};
  if (namespaceName === '' && (scope === 'Namespaced' || wanted !== '')) {
    throw new WaitError(
      'WAIT_NAMESPACE_INVALID',
      `the client of ${resource} has no namespace, and names repeat across namespaces`,
    );
  }
  if (wanted === '' || wanted === namespaceName) return;
  throw new WaitError(
    'WAIT_NAMESPACE_INVALID',
    `the object is in the namespace "${wanted}", the client of ${resource} in "${namespaceName}"`,
  );
}

class Wait<T extends KubernetesObject> {
  readonly #client: WaitClient<T>;
  readonly #name: string;
  readonly #condition: WaitCondition<Stored<T>>;
  readonly #options: WaitForOptions;
  /** The error of the last attempt; undefined after a success. */
  failure: unknown;
  #last: { readonly object: Stored<T> | undefined } | undefined;

  constructor(
    client: WaitClient<T>,
    name: string,
    condition: WaitCondition<Stored<T>>,
    options: WaitForOptions,
  ) {
    this.#client = client;
    this.#name = name;
    this.#condition = condition;
    this.#options = options;
  }

  /** The last known state of the object, for the timeout error. */
  get progress(): string {
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
    const { timeoutMs: _, ...options } = this.#options;
    const fieldSelector = `metadata.name=${escapeFieldValue(this.#name)}`;
    const onRetry = (error: unknown): void => {
      this.failure = error;
    };
    for await (const event of watchAll(this.#client, {
      ...options,
      fieldSelector,
      onRetry,
      signal,
    })) {
      this.failure = undefined;
      const object = event.type === 'init' ? event.objects[0] : event.object;
      // The scope of a resource that was given without a descriptor shows in its objects.
      if (object !== undefined) checkNamespace(this.#client, namespaceOf(object));
      const now = event.type === 'deleted' ? undefined : object;
      if (this.#isMet(now)) return now;
    }
    // Only an abort ends it without an error.
    throw signal.reason;
  }

  #isMet(object: Stored<T> | undefined): boolean {
    this.#last = { object };
    return this.#condition(object);
  }
}

/**
 * Returns the first event that meets the condition, client-go's `watchtools.UntilWithoutRetry`.
 * Rejects with `WAIT_TIMEOUT` after the timeout, with `WAIT_CLOSED` when the events end before, and
 * with the reason of the signal. The events are closed in every case.
 */
export async function untilWithoutRetry<E>(
  events: AsyncIterable<E>,
  condition: (event: E) => boolean,
  options: UntilOptions = {},
): Promise<E> {
  checkNumbers(options, { timeoutMs: 'duration' });
  const { timeoutMs, clock = systemClock, signal } = options;
  using limited = withDeadline(signal, {
    clock,
    timeoutMs,
    reason: () =>
      new WaitError('WAIT_TIMEOUT', `no event met the condition within ${timeoutMs} ms`),
  });
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await abortable(iterator.next(), limited.signal);
      if (done === true) break;
      if (condition(value)) return value;
    }
  } finally {
    const closed = close(iterator);
    // After an abort a `next` is pending that may never settle, and `return` may wait for it.
    if (!limited.signal.aborted) await closed;
  }
  throw new WaitError('WAIT_CLOSED', 'the events ended before one met the condition');
}

async function close(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // Errors after the reader has stopped are ignored.
  }
}
