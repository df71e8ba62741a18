// Upstream: staging/src/k8s.io/pod-security-admission/admission/admission.go
import type * as core from 'client-ts/api/core/v1';
import { getKey } from 'client-ts/internal';
import { type KubernetesObject, newForbidden } from 'client-ts/meta';
import { type FieldError, invalid, invalidObject } from '../../../../validation/field-error.ts';
import type { Loose } from '../../../../validation/loose.ts';
import type { StrategyContext } from '../../../strategy.ts';
import { type Breach, findBreaches, type Level, LEVELS } from './security-checks.ts';

type Pod = Loose<core.Pod>;
type Template = Loose<core.PodTemplateSpec>;

const PREFIX = 'pod-security.kubernetes.io/';
/** The version of Kubernetes that defines `latest`. */
const LATEST = 36;
const MOST_PODS = 3000;

/** A level, and the minor version of Kubernetes that defines it; undefined for the latest. */
interface Standard {
  readonly level: Level;
  readonly minor: number | undefined;
}

/** What the labels of a namespace say. */
interface Policy {
  readonly enforce: Standard;
  readonly warn: Standard;
  readonly errors: readonly FieldError[];
}

const print = ({ level, minor }: Standard): string =>
  `${level}:${minor === undefined ? 'latest' : `v1.${minor}`}`;

function policyOf(labels: Readonly<Record<string, string>> = {}): Policy {
  const errors: FieldError[] = [];
  const read = (mode: string, onError: Level): Standard & { readonly hasLevel: boolean } => {
    const [level, version] = [
      getKey(labels, PREFIX + mode),
      getKey(labels, `${PREFIX}${mode}-version`),
    ];
    const isLevel = (LEVELS as readonly string[]).includes(level ?? 'privileged');
    const minor = /^v1\.(\d+)$/.exec(version ?? '')?.[1];
    const field = (key: string): string => `metadata.labels[${key}]`;
    if (!isLevel) {
      errors.push(invalid(field(PREFIX + mode), level, `must be one of ${LEVELS.join(', ')}`));
    }
    if (version !== undefined && version !== 'latest' && minor === undefined) {
      const key = `${PREFIX}${mode}-version`;
      errors.push(invalid(field(key), version, 'must be "latest" or "v1.x"'));
    }
    return {
      level: isLevel ? ((level ?? 'privileged') as Level) : onError,
      minor: minor === undefined ? undefined : Number(minor),
      hasLevel: level !== undefined && isLevel,
    };
  };
  const enforce = read('enforce', 'restricted');
  read('audit', 'privileged');
  const warn = read('warn', 'privileged');
  const hasWarn = getKey(labels, `${PREFIX}warn`) !== undefined;
  const hasVersion = getKey(labels, `${PREFIX}warn-version`) !== undefined;
  // What is enforced on pods is a warning for what makes pods.
  const isRaised = !hasWarn && enforce.hasLevel && enforce.level !== 'privileged';
  const raised = { level: enforce.level, minor: hasVersion ? warn.minor : enforce.minor };
  return { enforce, warn: isRaised ? raised : warn, errors };
}

function breaches(
  { level, minor = LATEST }: Standard,
  metadata: Template['metadata'],
  spec: Loose<core.PodSpec>,
): readonly Breach[] {
  return findBreaches(level, Math.min(minor, LATEST), { annotations: metadata?.annotations }, spec);
}

const details = (found: readonly Breach[]): string =>
  found.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');

function namespacePolicy({ lookup, namespace, plugins }: StrategyContext): Policy {
  if (!plugins.has('PodSecurity')) return policyOf();
  return policyOf(lookup('', 'namespaces', '', namespace)?.metadata?.labels ?? {});
}

function warnAbout(policy: Policy, template: Template, context: StrategyContext): void {
  const found = breaches(policy.warn, template.metadata, template.spec ?? {});
  if (found.length === 0) return;
  context.warn(`would violate PodSecurity "${print(policy.warn)}": ${details(found)}`);
}

/** Checks a pod against the labels of its namespace. Throws a 403 if it breaks what is enforced. */
export function checkPodSecurity(pod: Pod, old: Pod | undefined, context: StrategyContext): void {
  const policy = namespacePolicy(context);
  if (old !== undefined && !hasNewImages(pod, old)) return;
  const found = breaches(policy.enforce, pod.metadata, pod.spec ?? {});
  if (found.length > 0) {
    const detail = `violates PodSecurity "${print(policy.enforce)}": ${details(found)}`;
    throw newForbidden({ group: '', resource: 'pods' }, pod.metadata?.name ?? '', detail);
  }
  warnAbout(policy, pod, context);
}

/** Only what runs something else is checked again. */
function hasNewImages({ spec: now = {} }: Pod, { spec: before = {} }: Pod): boolean {
  const lists = ['containers', 'initContainers', 'ephemeralContainers'] as const;
  return lists.some((list) => {
    const [own = [], old = []] = [now[list], before[list]];
    if (list !== 'ephemeralContainers' && own.length !== old.length) return true;
    return own.some(({ name, image }, index) => {
      const same =
        list === 'ephemeralContainers' ? old.find((one) => one.name === name) : old[index];
      return same === undefined || same.image !== image;
    });
  });
}

/** Warns if the pods of a workload would break what the namespace warns about. */
export function checkTemplateSecurity(
  template: Template | undefined,
  context: StrategyContext,
): void {
  if (template !== undefined) warnAbout(namespacePolicy(context), template, context);
}

/** Checks the labels of a namespace, and warns about pods that break a new enforced level. */
export function checkNamespaceSecurity(
  namespace: Loose<core.Namespace>,
  old: Loose<core.Namespace> | undefined,
  context: StrategyContext,
): void {
  if (!context.plugins.has('PodSecurity')) return;
  const name = namespace.metadata?.name ?? '';
  const policy = policyOf(namespace.metadata?.labels);
  const before = old && policyOf(old.metadata?.labels);
  const texts = ({ errors }: Policy): string => errors.map(({ message }) => message).join();
  if (policy.errors.length > 0 && (before === undefined || texts(policy) !== texts(before))) {
    throw invalidObject({ group: '', kind: 'Namespace' }, name, policy.errors);
  }
  if (before === undefined || policy.enforce.level === 'privileged') return;
  const isSameVersion = policy.enforce.minor === before.enforce.minor;
  const isStricter = LEVELS.indexOf(policy.enforce.level) > LEVELS.indexOf(before.enforce.level);
  if (isSameVersion && !isStricter) return;
  for (const warning of podWarnings(name, policy.enforce, context)) context.warn(warning);
}

function podWarnings(namespace: string, enforce: Standard, context: StrategyContext): string[] {
  const pods = prioritized([...context.list('', 'pods', namespace)]);
  const names = new Map<string, string[]>();
  for (const pod of pods.slice(0, MOST_PODS)) {
    const { metadata, spec = {} } = pod as Pod;
    const found = breaches(enforce, metadata, spec);
    if (found.length === 0) continue;
    const reasons = found.map(({ reason }) => reason).join(', ');
    names.set(reasons, [...(names.get(reasons) ?? []), metadata?.name ?? '']);
  }
  const lines = Array.from(names, ([reasons, of]) => {
    const [first = ''] = of.toSorted();
    const others = of.length - 1;
    const more = others === 0 ? '' : ` (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
    return `${first}${more}: ${reasons}`;
  });
  const first = `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${print(enforce)}"`;
  const partly = `new PodSecurity enforce level only checked against the first ${MOST_PODS} of ${pods.length} existing pods`;
  return [
    ...(pods.length > MOST_PODS ? [partly] : []),
    ...(lines.length > 0 ? [first] : []),
    ...lines.toSorted(),
  ];
}

/** One pod of each controller first. */
function prioritized(pods: readonly KubernetesObject[]): KubernetesObject[] {
  const seen = new Set<string>();
  const isRepeated = ({ metadata }: KubernetesObject): boolean => {
    const owner = metadata?.ownerReferences?.find(({ controller }) => controller === true)?.uid;
    if (owner === undefined) return false;
    const isSeen = seen.has(owner);
    seen.add(owner);
    return isSeen;
  };
  const repeated = new Set(pods.filter((pod) => isRepeated(pod)));
  return [...pods.filter((pod) => !repeated.has(pod)), ...repeated];
}
