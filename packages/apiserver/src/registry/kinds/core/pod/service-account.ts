// Upstream: plugin/pkg/admission/serviceaccount/admission.go
import type * as core from 'client-ts/api/core/v1';
import { newForbidden, newUnknownError } from 'client-ts/meta';
import type { Loose } from '../../../../validation/loose.ts';
import { MIRROR_ANNOTATION } from '../../../../validation/pod/annotations.ts';
import { generateName } from '../../../generate-name.ts';
import type { StrategyContext } from '../../../strategy.ts';

type Pod = Loose<core.Pod>;
type PodSpec = Loose<core.PodSpec>;
type Container = Loose<core.Container>;
type Account = Loose<core.ServiceAccount>;

const DEFAULT_ACCOUNT = 'default';
const VOLUME_PREFIX = 'kube-api-access-';
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const ENFORCE_MOUNTABLE_SECRETS = 'kubernetes.io/enforce-mountable-secrets';
/** One hour, and seven seconds by which clients are recognised that do not read the token again. */
const TOKEN_SECONDS = 3607;

/**
 * Gives a new pod its service account, and mounts the token of the account. Throws a 403 if the
 * account does not exist or does not allow what the pod references.
 */
export function admitServiceAccount(pod: Pod, context: StrategyContext): void {
  const spec = (pod.spec ??= {});
  if (pod.metadata?.annotations?.[MIRROR_ANNOTATION] !== undefined) {
    checkMirrorPod(pod);
    return;
  }
  const { serviceAccountName: wanted = '' } = spec;
  spec.serviceAccountName = wanted === '' ? DEFAULT_ACCOUNT : wanted;
  spec.serviceAccount = spec.serviceAccountName;
  const account = accountOf(pod, context);
  const { automountServiceAccountToken: automount = true } = account;
  if (spec.automountServiceAccountToken ?? automount) mountToken(spec, context);
  const { imagePullSecrets = [] } = account;
  if ((spec.imagePullSecrets ?? []).length === 0 && imagePullSecrets.length > 0) {
    spec.imagePullSecrets = imagePullSecrets.map(({ name = '' }) => ({ name }));
  }
  const problem = limitsSecrets(account) ? forbiddenSecret(spec, account) : undefined;
  if (problem !== undefined) throw refusal(pod, problem);
}

/** Throws if ephemeral containers use secrets that the account does not allow. */
export function checkEphemeralSecrets(pod: Pod, context: StrategyContext): void {
  if ((pod.spec?.serviceAccountName ?? '') === '') {
    const { namespace = '', name = '' } = pod.metadata ?? {};
    throw refusal(pod, `no service account specified for pod ${namespace}/${name}`);
  }
  const account = accountOf(pod, context);
  if (!limitsSecrets(account)) return;
  const containers = pod.spec?.ephemeralContainers ?? [];
  const problem = secretsOfContainers(containers, 'ephemeral container', account);
  // A real server does not word this as a refusal.
  if (problem !== undefined) throw newUnknownError(problem);
}

function checkMirrorPod(pod: Pod): void {
  const { spec = {} } = pod;
  if ((spec.serviceAccountName ?? '') !== '') {
    throw refusal(pod, 'a mirror pod may not reference service accounts');
  }
  const all = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const hasSecrets =
    (spec.imagePullSecrets ?? []).length > 0 ||
    (spec.volumes ?? []).some(({ secret }) => secret !== undefined) ||
    all.some((container) => secretsOf(container).length > 0);
  if (hasSecrets) throw refusal(pod, 'a mirror pod may not reference secrets');
  const hasToken = (spec.volumes ?? []).some(({ projected }) =>
    projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken !== undefined),
  );
  if (hasToken) {
    throw refusal(pod, 'a mirror pod may not use ServiceAccountToken volume projections');
  }
}

function accountOf(pod: Pod, { lookup, namespace }: StrategyContext): Account {
  const { serviceAccountName = '' } = pod.spec ?? {};
  const account = lookup('', 'serviceaccounts', namespace, serviceAccountName);
  if (account !== undefined) return account;
  const detail = `error looking up service account ${namespace}/${serviceAccountName}: serviceaccount "${serviceAccountName}" not found`;
  throw refusal(pod, detail);
}

/** Mounts a volume with the token into every container without a mount in its place. */
function mountToken(spec: PodSpec, { random }: StrategyContext): void {
  const volumes = spec.volumes ?? [];
  const existing = volumes.find(({ name = '' }) => name.startsWith(VOLUME_PREFIX))?.name;
  const name = existing ?? generateName(VOLUME_PREFIX, random);
  const without = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].filter(
    ({ volumeMounts = [] }) => !volumeMounts.some(({ mountPath }) => mountPath === MOUNT_PATH),
  );
  for (const container of without) {
    const mount = { name, readOnly: true, mountPath: MOUNT_PATH };
    container.volumeMounts = [...(container.volumeMounts ?? []), mount];
  }
  if (existing !== undefined || without.length === 0) return;
  spec.volumes = [...volumes, { name, projected: { defaultMode: 0o644, sources: tokenSources() } }];
}

function tokenSources(): Loose<core.VolumeProjection>[] {
  const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.namespace' };
  return [
    { serviceAccountToken: { path: 'token', expirationSeconds: TOKEN_SECONDS } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    { downwardAPI: { items: [{ path: 'namespace', fieldRef }] } },
  ];
}

function limitsSecrets({ metadata }: Account): boolean {
  const value = metadata?.annotations?.[ENFORCE_MOUNTABLE_SECRETS] ?? '';
  return ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(value);
}

/** Returns why a pod may not use a secret; undefined if its account has all of them. */
function forbiddenSecret(spec: PodSpec, account: Account): string | undefined {
  const { name: accountName = '' } = account.metadata ?? {};
  const own = namesOf(account.secrets);
  const volume = spec.volumes?.find(
    ({ secret }) => secret !== undefined && !own.has(secret.secretName ?? ''),
  );
  if (volume !== undefined) {
    return `volume with secret.secretName="${volume.secret?.secretName ?? ''}" is not allowed because service account ${accountName} does not reference that secret`;
  }
  const pull = namesOf(account.imagePullSecrets);
  const index = (spec.imagePullSecrets ?? []).findIndex(({ name = '' }) => !pull.has(name));
  const wanted = spec.imagePullSecrets?.[index]?.name ?? '';
  return (
    secretsOfContainers(spec.initContainers ?? [], 'init container', account) ??
    secretsOfContainers(spec.containers ?? [], 'container', account) ??
    (index === -1
      ? undefined
      : `imagePullSecrets[${index}].name="${wanted}" is not allowed because service account ${accountName} does not reference that imagePullSecret`)
  );
}

function secretsOfContainers(
  containers: readonly Container[],
  kind: string,
  { metadata, secrets }: Account,
): string | undefined {
  const own = namesOf(secrets);
  for (const container of containers) {
    const foreign = secretsOf(container).find(({ secret }) => !own.has(secret));
    if (foreign === undefined) continue;
    return `${kind} ${container.name ?? ''} with ${foreign.use} referencing secret.secretName="${foreign.secret}" is not allowed because service account ${metadata?.name ?? ''} does not reference that secret`;
  }
  return undefined;
}

/** Returns the secrets in the environment of a container, and where they are used. */
function secretsOf({ env = [], envFrom = [] }: Container): { secret: string; use: string }[] {
  return [
    ...env.flatMap(({ name = '', valueFrom }) => {
      const { secretKeyRef } = valueFrom ?? {};
      return secretKeyRef ? [{ secret: secretKeyRef.name ?? '', use: `envVar ${name}` }] : [];
    }),
    ...envFrom.flatMap(({ secretRef }) =>
      secretRef ? [{ secret: secretRef.name ?? '', use: 'envFrom' }] : [],
    ),
  ];
}

function namesOf(references: readonly { name?: string }[] | undefined): ReadonlySet<string> {
  return new Set((references ?? []).map(({ name = '' }) => name));
}

function refusal({ metadata }: Pod, detail: string): Error {
  const { name = metadata?.generateName ?? '' } = metadata ?? {};
  return newForbidden({ group: '', resource: 'pods' }, name, detail);
}
