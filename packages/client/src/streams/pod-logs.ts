import { type Pod, pods } from '../api/core/v1.ts';
import { Deferred } from '../lib/deferred.ts';
import { retryOf } from '../lib/errors.ts';
import { describeError } from '../lib/logger.ts';
import { RingBuffer } from '../lib/ring-buffer.ts';
import { abortable, onAbort } from '../lib/signal.ts';
import type { CanList, CanWatchAll } from '../rest/client-methods.ts';
import type { SelectorOptions } from '../rest/options.ts';
import { checkOptions, checkText } from '../rest/rest-error.ts';
import { resourceClient } from '../rest/resource-client.ts';
import type { RESTClient } from '../rest/rest-client.ts';
import { Stream } from '../rest/stream.ts';
import { containerStatuses, type LogOptions, logs } from './logs.ts';

/** Options of the logs of many pods. */
export interface PodLogsOptions
  extends
    Pick<SelectorOptions, 'fieldSelector' | 'labelSelector'>,
    Omit<LogOptions, 'container' | 'limitBytes'> {
  /** Only containers of this name. Default: all but init and ephemeral containers. */
  readonly container?: string | undefined;
  /** True for init and ephemeral containers, too. Default false. */
  readonly allContainers?: boolean | undefined;
}

/** A line of one of many logs. */
export interface PodLogLine {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly line: string;
}

/**
 * Returns the lines of the logs of all selected pods, with their origin; the empty namespace means
 * all. Without `follow`, one container after the other. With `follow`, interleaved as they arrive, of
 * pods that come later, too: those and restarted containers from their first line. A pod whose log
 * cannot be read is logged as a warning, and the others continue.
 *
 * ```ts
 * for await (const { pod, line } of logsOf(client.rest, 'default', { labelSelector: 'app=web', follow: true })) {
 *   console.log(`[${pod}] ${line}`);
 * }
 * ```
 */
export function logsOf(
  rest: RESTClient,
  namespace: string,
  options: PodLogsOptions = {},
): Stream<PodLogLine> {
  checkOptions(options);
  checkText(namespace, 'namespace');
  const { signal, follow = false } = options;
  const read = follow ? followAll : readAll;
  return new Stream((whileOpen) => read(rest, namespace, options, whileOpen), { signal });
}

/** One container of a pod. */
interface Source {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

async function* readAll(
  rest: RESTClient,
  namespace: string,
  options: PodLogsOptions,
  signal: AbortSignal,
): AsyncGenerator<PodLogLine, void> {
  const { items } = await podsIn(rest, namespace).list({ ...selectors(options), signal });
  for (const pod of items) {
    for (const source of startedContainers(pod, options).values()) {
      for await (const line of logsFrom(rest, source, options, signal)) yield { ...source, line };
    }
  }
}

async function* followAll(
  rest: RESTClient,
  namespace: string,
  options: PodLogsOptions,
  signal: AbortSignal,
): AsyncGenerator<PodLogLine, void> {
  const stop = new AbortController();
  using _tie = onAbort(signal, () => stop.abort(signal.reason));
  const queue = new LineQueue(stop.signal);
  const follower = new Follower(rest, options, queue, stop.signal);
  const watching = follower.watch(namespace).catch((error: unknown) => queue.fail(error));
  try {
    for (;;) yield await queue.take();
  } finally {
    stop.abort();
    await Promise.all([watching, follower.finished()]);
  }
}

/** Follows the logs of containers as they appear. */
class Follower {
  readonly #rest: RESTClient;
  readonly #options: PodLogsOptions;
  readonly #queue: LineQueue;
  readonly #signal: AbortSignal;
  /** By the id of the container: a restarted one has another. */
  readonly #running = new Map<string, Promise<void>>();
  #isFirst = true;

  constructor(rest: RESTClient, options: PodLogsOptions, queue: LineQueue, signal: AbortSignal) {
    this.#rest = rest;
    this.#options = options;
    this.#queue = queue;
    this.#signal = signal;
  }

  /** Lists and watches the pods until the signal aborts. */
  async watch(namespace: string): Promise<void> {
    const { clock, logger } = this.#rest;
    const options = { ...selectors(this.#options), signal: this.#signal, clock, logger };
    for await (const event of podsIn(this.#rest, namespace).watchAll(options)) {
      if (event.type === 'init') for (const pod of event.objects) this.#see(pod);
      else if (event.type === 'applied') this.#see(event.object);
      this.#isFirst = false;
    }
  }

  async finished(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #see(pod: Pod): void {
    for (const [id, source] of startedContainers(pod, this.#options)) {
      if (!this.#running.has(id)) this.#running.set(id, this.#follow(source, id));
    }
  }

  async #follow(source: Source, id: string): Promise<void> {
    // What starts later is read from its beginning.
    const past = { tailLines: undefined, sinceSeconds: undefined, sinceTime: undefined };
    const options = this.#isFirst ? this.#options : { ...this.#options, ...past };
    try {
      for await (const line of logsFrom(this.#rest, source, options, this.#signal)) {
        await this.#queue.put({ ...source, line });
      }
    } catch (error) {
      if (this.#signal.aborted) return;
      const { namespace, pod, container } = source;
      const what = `the log of ${namespace}/${pod}/${container}`;
      this.#rest.logger.warn(`${what} cannot be followed: ${describeError(error)}`, {
        event: 'logs.failed',
        namespace,
        pod,
        container,
      });
      // Read again when the pod changes, if that may help.
      if (retryOf(error) !== 'never') this.#running.delete(id);
    }
  }
}

/** At most this many lines wait for the reader; then the logs wait. */
const MAX_WAITING = 1000;

/** Lines of many writers for one reader. Writers wait for room. */
class LineQueue {
  readonly #lines = new RingBuffer<PodLogLine>();
  readonly #signal: AbortSignal;
  #change = new Deferred();
  #failure: { readonly error: unknown } | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async put(line: PodLogLine): Promise<void> {
    while (this.#lines.size >= MAX_WAITING) await abortable(this.#change.promise, this.#signal);
    this.#lines.push(line);
    this.#changed();
  }

  async take(): Promise<PodLogLine> {
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) {
        if (this.#lines.size === MAX_WAITING - 1) this.#changed();
        return line;
      }
      if (this.#failure !== undefined) throw this.#failure.error;
      await abortable(this.#change.promise, this.#signal);
    }
  }

  fail(error: unknown): void {
    this.#failure = { error };
    this.#changed();
  }

  #changed(): void {
    this.#change.resolve();
    this.#change = new Deferred();
  }
}

function podsIn(rest: RESTClient, namespace: string): CanList<Pod> & CanWatchAll<Pod> {
  return namespace === '' ? resourceClient(rest, pods) : resourceClient(rest, pods, namespace);
}

function selectors(options: PodLogsOptions): SelectorOptions {
  const { labelSelector, fieldSelector } = options;
  return { labelSelector, fieldSelector };
}

function logsFrom(
  rest: RESTClient,
  { namespace, pod, container }: Source,
  options: PodLogsOptions,
  signal: AbortSignal,
): Stream<string> {
  const { labelSelector: _, fieldSelector: __, allContainers: ___, ...log } = options;
  return logs(rest, { namespace, name: pod }, { ...log, container, signal });
}

/** Returns the selected containers of a pod that have a log, by the id of the container. */
function startedContainers(pod: Pod, options: PodLogsOptions): Map<string, Source> {
  const { container: wanted, allContainers = false } = options;
  const { namespace = '', name = '', uid = '' } = pod.metadata ?? {};
  const regular = new Set((pod.spec?.containers ?? []).map((container) => container.name));
  const sources = new Map<string, Source>();
  for (const status of containerStatuses(pod)) {
    const { name: container, containerID = '', restartCount, state } = status;
    const isSelected =
      wanted === undefined ? allContainers || regular.has(container) : container === wanted;
    const hasStarted = state?.running !== undefined || state?.terminated !== undefined;
    if (!isSelected || !hasStarted) continue;
    // Not every runtime names its containers.
    const id = containerID === '' ? `${uid}/${container}/${restartCount}` : containerID;
    sources.set(`${namespace}/${name}/${id}`, { namespace, pod: name, container });
  }
  return sources;
}
