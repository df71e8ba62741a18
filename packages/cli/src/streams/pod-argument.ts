import type { Pod } from 'client-ts/api/core/v1';
import { type ForwardKind, type ForwardTarget, resolvePod } from 'client-ts/streams';
import type { CommandContext } from '../frame/context.ts';
import { printable } from '../frame/printable.ts';
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

const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';

/** Returns the pod of an argument and its container, by kubectl's rules for the default. */
export async function chooseContainer(
  session: Session,
  context: CommandContext,
  argument: string,
  wanted: string | undefined,
  { quiet = false }: { readonly quiet?: boolean } = {},
): Promise<ChosenContainer> {
  const target = parseTarget(argument, session.namespace);
  const object = await resolvePod(session.rest, target, { signal: context.signal });
  const { namespace = '', name = '', annotations = {} } = object.metadata ?? {};
  const names = (object.spec?.containers ?? []).map((one) => one.name);
  const annotated = annotations[DEFAULT_CONTAINER];
  const isAnnotated = annotated !== undefined && names.includes(annotated);
  const container = wanted ?? (isAnnotated ? annotated : names[0]) ?? '';
  if (wanted === undefined && names.length > 1 && !isAnnotated && !quiet) {
    context.err(printable(`Defaulted container "${container}" out of: ${names.join(', ')}`));
  }
  return { pod: { namespace, name }, object, container };
}
