import type { Pod } from 'client-ts/api/core/v1';
import {
  type ForwardKind,
  type ForwardTarget,
  podsForLogs,
  resolvePod,
  StreamsError,
} from 'client-ts/streams';
import { pollUntil } from 'client-ts/wait';
import type { CommandContext } from '../frame/context.ts';
import { printable } from '../frame/printable.ts';
import { withProgress } from '../frame/progress.ts';
import { UsageError } from '../frame/usage-error.ts';
import type { Session } from '../resources/session.ts';

const KINDS: ReadonlyMap<string, ForwardKind> = new Map([
  ...['pod', 'pods', 'po'].map((word) => [word, 'Pod'] as const),
  ...['service', 'services', 'svc'].map((word) => [word, 'Service'] as const),
  ...['deployment', 'deployments', 'deploy'].map((word) => [word, 'Deployment'] as const),
  ...['replicaset', 'replicasets', 'rs'].map((word) => [word, 'ReplicaSet'] as const),
  ...['statefulset', 'statefulsets', 'sts'].map((word) => [word, 'StatefulSet'] as const),
  ...['daemonset', 'daemonsets', 'ds'].map((word) => [word, 'DaemonSet'] as const),
  ...['job', 'jobs'].map((word) => [word, 'Job'] as const),
]);

/** Parses `NAME` or `TYPE/NAME`: what has a pod. */
export function parseTarget(argument: string, namespace: string): ForwardTarget {
  const [first = '', name, ...others] = argument.split('/');
  if (name === undefined) return { kind: 'Pod', namespace, name: first };
  const kind = KINDS.get(first.split('.')[0]?.toLowerCase() ?? '');
  if (kind === undefined || name === '' || others.length > 0) {
    const types = 'pod, service, deployment, replicaset, statefulset, daemonset or job';
    throw new UsageError(
      `${JSON.stringify(argument)} is neither a pod nor TYPE/NAME of a ${types}`,
    );
  }
  return { kind, namespace, name };
}

/** A pod, and the container to use. */
export interface ChosenContainer {
  readonly pod: { readonly namespace: string; readonly name: string };
  readonly object: Pod;
  readonly container: string;
}

/** Options of {@link chooseContainer}. */
export interface PodArgumentOptions {
  /** Do not say which container was chosen. */
  readonly quiet?: boolean;
  /** How long to wait for a running pod of something else. Default: not at all. */
  readonly podTimeoutMs?: number;
  /** True for the pod whose logs kubectl would choose, which need not run. */
  readonly forLogs?: boolean;
}

/** How often a workload without a running pod is asked for one. */
const POLL_MS = 500;

/**
 * Returns the pod of a target, as soon as it has one: a running one, or the one whose logs kubectl
 * prints. Rejects as `resolvePod` after the timeout.
 */
export async function findPod(
  { rest }: Session,
  context: CommandContext,
  target: ForwardTarget,
  { podTimeoutMs = 0, forLogs = false }: PodArgumentOptions,
): Promise<Pod> {
  const { clock, signal } = context;
  const deadline = clock.now() + podTimeoutMs;
  const find = async (): Promise<Pod | undefined> => {
    try {
      if (!forLogs) return await resolvePod(rest, target, { signal });
      const all = await podsForLogs(rest, target, { signal });
      const name = printable(all[0]?.metadata?.name ?? '');
      if (all.length > 1) context.err(`Found ${all.length} pods, using pod/${name}`);
      return all[0];
    } catch (error) {
      const isMissing = error instanceof StreamsError && error.code === 'STREAMS_NO_POD';
      if (!isMissing || clock.now() >= deadline) throw error;
      return undefined;
    }
  };
  const title = `Waiting for a running pod of ${target.kind} ${target.name}`;
  return await withProgress(
    context,
    printable(title),
    pollUntil(find, { intervalMs: Math.min(POLL_MS, podTimeoutMs), clock, signal }),
  );
}

const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';

/** Returns the pod of an argument and its container, by kubectl's rules for the default. */
export async function chooseContainer(
  session: Session,
  context: CommandContext,
  argument: string,
  wanted: string | undefined,
  options: PodArgumentOptions = {},
): Promise<ChosenContainer> {
  const target = parseTarget(argument, session.namespace);
  const object = await findPod(session, context, target, options);
  const { namespace = '', name = '', annotations = {} } = object.metadata ?? {};
  const names = (object.spec?.containers ?? []).map((one) => one.name);
  const annotated = annotations[DEFAULT_CONTAINER];
  const isAnnotated = annotated !== undefined && names.includes(annotated);
  const container = wanted ?? (isAnnotated ? annotated : names[0]) ?? '';
  if (wanted === undefined && names.length > 1 && !isAnnotated && options.quiet !== true) {
    context.err(printable(`Defaulted container "${container}" out of: ${names.join(', ')}`));
  }
  return { pod: { namespace, name }, object, container };
}
