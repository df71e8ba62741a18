import { type Pod, type ContainerStatus, pods } from '../api/core/v1.ts';
import { Backoff } from '../lib/backoff.ts';
import { sleep } from '../lib/clock.ts';
import { retryOf } from '../lib/errors.ts';
import { describeError, TroubleReporter } from '../lib/logger.ts';
import { checkNumbers } from '../lib/option-error.ts';
import { suggestsClientDelay } from '../meta/error-guards.ts';
import type { QueryParameters } from '../rest/path.ts';
import type { Request } from '../rest/request.ts';
import { checkOptions } from '../rest/rest-error.ts';
import type { RESTClient } from '../rest/rest-client.ts';
import { Stream } from '../rest/stream.ts';
import { LogPosition, parseStampedLine } from './log-position.ts';
import { LineReader } from './lines.ts';
import type { PodReference } from './exec.ts';

/** Options of the logs of a container. Without any, the whole log up to now. */
export interface LogOptions {
  /** Default: the only container. A pod with several needs a name. */
  readonly container?: string | undefined;
  /** True to continue with new lines until the container ends. Default false. */
  readonly follow?: boolean | undefined;
  /** Only this many lines before now. */
  readonly tailLines?: number | undefined;
  /** Only lines since a time: a `Date`, or RFC 3339. Servers count in whole seconds. */
  readonly sinceTime?: Date | string | undefined;
  /** Only lines of the last seconds. Not with `sinceTime`. */
  readonly sinceSeconds?: number | undefined;
  /** True for the log of the previous instance of the container. Default false. */
  readonly previous?: boolean | undefined;
  /** True for lines that begin with their time. Default false. */
  readonly timestamps?: boolean | undefined;
  /** Stops after this many bytes, possibly within a line. */
  readonly limitBytes?: number | undefined;
  /** One of the two outputs of the container; servers from 1.32. Default `All`. */
  readonly stream?: 'All' | 'Stderr' | 'Stdout' | undefined;
  /** True to accept any certificate of the kubelet, whose logs may then be forged. Default false. */
  readonly insecureSkipTLSVerifyBackend?: boolean | undefined;
  /** Ends the log without an error. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the lines of a container's log, without line ends. Lines are read from the server as fast
 * as the loop takes them.
 *
 * With `follow`, a lost connection is replaced, with a back-off: the log continues behind the last
 * line, and no line is lost or repeated as long as the node still has it. It ends when the container
 * has. A container that was restarted has another log. A refusal of the server is thrown.
 *
 * ```ts
 * for await (const line of logs(client.rest, pod, { follow: true, tailLines: 10 })) console.log(line);
 * ```
 */
export function logs(
  rest: RESTClient,
  pod: PodReference,
  options: LogOptions = {},
): Stream<string> {
  check(options);
  const { signal } = options;
  if (options.follow === true) {
    return new Stream((whileOpen) => follow(rest, pod, options, whileOpen), { signal });
  }
  const bytes = logBytes(rest, pod, options);
  return new Stream(
    async () => {
      await bytes.open();
      return new LineReader(bytes);
    },
    { signal },
  );
}

/**
 * Returns the log of a container as bytes, as the server sends it. With `follow`, a lost connection
 * is an error: use {@link logs}.
 */
export function logBytes(
  rest: RESTClient,
  pod: PodReference,
  options: LogOptions = {},
): Stream<Uint8Array> {
  check(options);
  const { signal } = options;
  return logRequest(rest, pod, logParameters(options)).stream({ signal });
}

function check(options: LogOptions): void {
  checkOptions(options);
  checkNumbers(options, { tailLines: 'countOrNone', limitBytes: 'count', sinceSeconds: 'count' });
}

function logRequest(
  rest: RESTClient,
  { namespace, name }: PodReference,
  params: QueryParameters,
): Request {
  const request = rest.get().resource(pods).namespace(namespace).name(name);
  return request.subresource('log').params(params);
}

function logParameters({ signal: _, sinceTime, ...options }: LogOptions): QueryParameters {
  const since = sinceTime instanceof Date ? sinceTime.toISOString() : sinceTime;
  return { ...options, sinceTime: since };
}

/** The delays between requests after a connection is lost. */
const BACKOFF = { initialMs: 200, maxMs: 10_000, jitter: 0.5 };

async function* follow(
  rest: RESTClient,
  pod: PodReference,
  options: LogOptions,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const { clock, logger } = rest;
  const position = new LogPosition();
  const trouble = new TroubleReporter(logger, { start: 'logs.interrupted', end: 'logs.resumed' });
  const what = `the log of ${pod.namespace}/${pod.name}`;
  const backoff = new Backoff({ ...BACKOFF, clock });
  const budget = new ByteBudget(options.limitBytes);
  const instance = await runningContainer(rest, pod, options, signal);
  let isAccepted = false;
  while (!signal.aborted) {
    let delayMs = 0;
    try {
      const bytes = logRequest(rest, pod, resumed(options, position)).stream({ signal });
      await bytes.open();
      isAccepted = true;
      position.resume();
      const reader = new LineReader(bytes);
      let cut: string | undefined;
      for (;;) {
        const line = reader.ready() ?? (await reader.next()).value;
        if (line === undefined) break;
        backoff.reset();
        trouble.end(`${what} continues`);
        if (reader.isCut) cut = line;
        else yield* deliver(line, position, budget, options);
        if (budget.isSpent) return;
      }
      const running = instance && (await runningContainer(rest, pod, options, signal));
      if (running === undefined || running !== instance) {
        if (cut !== undefined) yield* deliver(cut, position, budget, options);
        return;
      }
    } catch (error) {
      if (signal.aborted || !isAccepted || retryOf(error) === 'never') throw error;
      delayMs = (suggestsClientDelay(error) ?? 0) * 1000;
      trouble.start(`${what} is interrupted, and requested again: ${describeError(error)}`);
    }
    await sleep(clock, delayMs + backoff.next(), { signal });
  }
}

function* deliver(
  line: string,
  position: LogPosition,
  budget: ByteBudget,
  { timestamps = false }: LogOptions,
): Generator<string, void> {
  const stamped = parseStampedLine(line);
  if (position.isNew(stamped)) yield budget.spend(timestamps ? line : stamped.text);
}

/** Applies `limitBytes` to several requests, and to lines without the timestamps they came with. */
class ByteBudget {
  #left: number;

  constructor(limitBytes = Infinity) {
    this.#left = limitBytes;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** Returns as much of the line as is left. */
  spend(line: string): string {
    if (this.#left === Infinity) return line;
    const bytes = Buffer.from(line);
    const allowed = bytes.subarray(0, this.#left);
    this.#left -= bytes.length + 1;
    return allowed.toString();
  }
}

/** The parameters of a request that continues. Without a line yet, it starts over. */
function resumed(options: LogOptions, position: LogPosition): QueryParameters {
  const { sinceTime } = position;
  const since = { sinceTime, sinceSeconds: undefined, tailLines: undefined };
  return {
    ...logParameters(options),
    ...(sinceTime !== undefined && since),
    limitBytes: undefined,
    timestamps: true,
  };
}

/**
 * Returns the id of the running container; undefined if it has ended, or if the pod cannot be read.
 * The end of a log is then the end.
 */
async function runningContainer(
  rest: RESTClient,
  { namespace, name }: PodReference,
  { container, previous = false }: LogOptions,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (previous) return undefined;
  const request = rest.get().resource(pods).namespace(namespace).name(name);
  try {
    const found = await request.into<Pod>({ signal });
    const wanted = container ?? found.spec?.containers[0]?.name;
    const status = containerStatuses(found).find((one) => one.name === wanted);
    return status?.state?.running === undefined ? undefined : status.containerID;
  } catch (error) {
    if (signal.aborted || retryOf(error) !== 'never') throw error;
    return undefined;
  }
}

/** Returns the statuses of all containers of a pod, of whichever kind. */
export function containerStatuses({ status = {} }: Pod): readonly ContainerStatus[] {
  return [
    ...(status.initContainerStatuses ?? []),
    ...(status.containerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ];
}
