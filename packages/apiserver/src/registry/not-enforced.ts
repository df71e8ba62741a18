import type { ServiceAccount, Pod } from 'client-ts/api/core/v1';
import type { PriorityLevelConfiguration } from 'client-ts/api/flowcontrol/v1';
import { getKey } from 'client-ts/internal';
import type { GroupResource, KubernetesObject } from 'client-ts/meta';
import type { Loose } from '../validation/loose.ts';
import type { StrategyContext } from './strategy.ts';

/** Returns what a warning says about an object; undefined if it is enforced. */
type Ignored = (object: KubernetesObject, context: StrategyContext) => string | undefined;

const ENFORCE_MOUNTABLE_SECRETS = 'kubernetes.io/enforce-mountable-secrets';

/**
 * What is stored and has no effect here, although a real API server obeys it, by `group/resource`.
 * What controllers and nodes do with objects is not the business of an API server.
 */
const IGNORED: ReadonlyMap<string, Ignored> = new Map<string, Ignored>([
  ['/pods', missingAccount],
  ['/serviceaccounts', mountableSecrets],
  ['apiregistration.k8s.io/apiservices', aggregation],
  ['flowcontrol.apiserver.k8s.io/prioritylevelconfigurations', limits],
  ...['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'].map(
    (resource) => [`rbac.authorization.k8s.io/${resource}`, roles] as const,
  ),
]);

/**
 * Warns the user of a write about what a real server would enforce and this one does not. A test
 * must not pass unnoticed because nothing says no.
 */
export function warnIfIgnored(
  { group, resource }: GroupResource,
  object: KubernetesObject,
  context: StrategyContext,
): void {
  if (context.user === undefined) return;
  const text = IGNORED.get(`${group}/${resource}`)?.(object, context);
  if (text !== undefined) context.warn(`not enforced: ${text}`);
}

function missingAccount(
  { spec }: Loose<Pod>,
  { plugins, lookup, namespace }: StrategyContext,
): string | undefined {
  const { serviceAccountName: name = '' } = spec ?? {};
  if (name === '' || name === 'default' || plugins.has('ServiceAccount')) return undefined;
  if (lookup('', 'serviceaccounts', namespace, name) !== undefined) return undefined;
  return `spec.serviceAccountName: service account "${name}" does not exist, and the admission plugin ServiceAccount is off`;
}

function mountableSecrets(
  { metadata }: Loose<ServiceAccount>,
  { plugins }: StrategyContext,
): string | undefined {
  const value = getKey(metadata?.annotations ?? {}, ENFORCE_MOUNTABLE_SECRETS);
  if (value === undefined || plugins.has('ServiceAccount')) return undefined;
  return `metadata.annotations[${ENFORCE_MOUNTABLE_SECRETS}]: has no effect, because the admission plugin ServiceAccount is off`;
}

function aggregation(object: KubernetesObject): string | undefined {
  const { spec } = object as { spec?: { service?: object } };
  return spec?.service === undefined
    ? undefined
    : 'spec.service: this server does not aggregate APIs; requests are not sent to the service';
}

function limits({ spec }: Loose<PriorityLevelConfiguration>): string | undefined {
  if (spec?.type !== 'Limited') return undefined;
  return 'spec.limited: this server assigns requests to priority levels, but does not queue or reject them';
}

function roles({ kind = '' }: KubernetesObject, context: StrategyContext): string | undefined {
  if (context.enforcesRoles) return undefined;
  return `this server authorizes every request; the ${kind} has no effect`;
}
