import { pods } from 'client-ts/api/core/v1';
import { describeError } from 'client-ts/internal';
import { resourceClient } from 'client-ts/rest';
import {
  type LogOptions,
  logs as podLogs,
  logsOf,
  type PodLogLine,
  podSelectorOf,
} from 'client-ts/streams';
import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { type Style, stylesFor } from '../frame/styles.ts';
import { UsageError } from '../frame/usage-error.ts';
import { openSession, type Session } from '../resources/session.ts';
import { chooseContainer, findPod, parseTarget } from './pod-argument.ts';

/** Options of `client-ts logs`. */
export interface LogsOptions {
  readonly connection: ConnectionValues;
  readonly namespace: string | undefined;
  /** `POD` or `TYPE/NAME`; undefined with a selector. */
  readonly target: string | undefined;
  readonly selector: string | undefined;
  readonly container: string | undefined;
  readonly allContainers: boolean;
  /** All pods of the target instead of one. */
  readonly allPods: boolean;
  /** How long to wait for a pod of something else. */
  readonly podTimeoutMs: number;
  readonly prefix: boolean;
  readonly ignoreErrors: boolean;
  readonly maxLogRequests: number;
  readonly log: Omit<LogOptions, 'container' | 'signal'>;
}

/** Prints the logs of a pod, or of all pods of a selector. */
export async function logs(options: LogsOptions, context: CommandContext): Promise<void> {
  const { connection, target, selector } = options;
  if ((target === undefined) === (selector === undefined)) {
    throw new UsageError('name a POD, or use --selector');
  }
  await using session = await openSession(connection, context, options);
  const print = printer(options, context);
  try {
    if (target === undefined || options.allPods) {
      const pods =
        target === undefined ? selector : await podsOf(target, options, session, context);
      await printSelected({ ...options, selector: pods }, session, context, print);
    } else await printOne(target, options, session, context, print);
  } catch (error) {
    if (!options.ignoreErrors || context.signal.aborted) throw error;
    context.err(`error: ${describeError(error)}`);
  }
}

type Print = (line: PodLogLine) => Promise<void>;

async function printSelected(
  options: LogsOptions,
  session: Session,
  context: CommandContext,
  print: Print,
): Promise<void> {
  const { selector: labelSelector, container, allContainers, log } = options;
  const { signal } = context;
  if (log.follow === true) await checkNumber(options, session, signal);
  const own = { ...log, labelSelector, container, allContainers, signal };
  for await (const line of logsOf(session.rest, session.namespace, own)) await print(line);
}

/** Returns the selector of the pods of a workload or a service. */
async function podsOf(
  argument: string,
  { podTimeoutMs }: LogsOptions,
  session: Session,
  context: CommandContext,
): Promise<string> {
  const target = parseTarget(argument, session.namespace);
  if (target.kind === 'Pod') throw new UsageError('--all-pods needs TYPE/NAME, not a pod');
  await findPod(session, context, target, { podTimeoutMs });
  return await podSelectorOf(session.rest, target, { signal: context.signal });
}

/** kubectl's guard against a selector that means more than was meant. */
async function checkNumber(
  { selector: labelSelector, container, maxLogRequests }: LogsOptions,
  session: Session,
  signal: AbortSignal,
): Promise<void> {
  const client = resourceClient(session.rest, pods, session.namespace);
  const { items } = await client.list({ labelSelector, signal });
  const count = items
    .flatMap(({ spec }) => spec?.containers ?? [])
    .filter(({ name }) => container === undefined || name === container).length;
  if (count <= maxLogRequests) return;
  throw new UsageError(
    `you are attempting to follow ${count} log streams, but maximum allowed concurrency is ${maxLogRequests}, use --max-log-requests to increase the limit`,
  );
}

async function printOne(
  target: string,
  options: LogsOptions,
  session: Session,
  context: CommandContext,
  print: Print,
): Promise<void> {
  const { allContainers, container: wanted, log } = options;
  const { signal } = context;
  const choice = { ...options, quiet: allContainers, forLogs: true };
  const { pod, container } = await chooseContainer(session, context, target, wanted, choice);
  if (allContainers) {
    const fieldSelector = `metadata.name=${pod.name}`;
    const own = { ...log, fieldSelector, allContainers, signal };
    for await (const line of logsOf(session.rest, pod.namespace, own)) await print(line);
    return;
  }
  const origin = { namespace: pod.namespace, pod: pod.name, container };
  for await (const line of podLogs(session.rest, pod, { ...log, container, signal })) {
    await print({ ...origin, line });
  }
}

/** Every pod has a colour of its own, as long as there are enough. */
function printer({ prefix }: LogsOptions, context: CommandContext): Print {
  const { cyan, green, yellow, blue, red } = stylesFor(context.stdout);
  const styles = [cyan, green, yellow, blue, red];
  const byPod = new Map<string, Style>();
  return async ({ namespace, pod, container, line }) => {
    const key = `${namespace}/${pod}`;
    const style = byPod.get(key) ?? styles[byPod.size % styles.length] ?? cyan;
    byPod.set(key, style);
    const origin = prefix ? `${style(`[pod/${pod}/${container}]`)} ` : '';
    context.stdout.write(`${origin}${line}\n`);
    await context.stdout.drained();
  };
}
