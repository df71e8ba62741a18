// Upstream: pkg/apis/core/v1/defaults.go:
//   SetDefaults_Pod, SetDefaults_PodSpec, SetDefaults_Container
// Upstream: pkg/registry/core/pod/strategy.go:
//   applyMatchLabelKeysAndMismatchLabelKeys, applyAppArmorVersionSkew
// Upstream: pkg/util/parsers/parsers.go: ParseImageName
import type * as core from 'client-ts/api/core/v1';
import { getKey, jsonEqual, setKey } from 'client-ts/internal';
import type { LabelSelector, Quantity } from 'client-ts/meta';
import type { Loose } from '../../../../validation/loose.ts';
import { APP_ARMOR_ANNOTATION, appArmorProfileOf } from '../../../../validation/pod/annotations.ts';
import { effectiveTotals } from '../../../../validation/pod/resources.ts';
import { validateAppArmorProfile } from '../../../../validation/pod/security-context.ts';
import { visitContainers } from '../../../../validation/pod/visit-containers.ts';
import {
  isHugePages,
  isOvercommitAllowed,
  isSupportedPodLevelResource,
} from '../../../../validation/resources.ts';
import { roundResources } from '../../support.ts';
import { setClaimSpecDefaults } from '../persistent-volume-claim.ts';

type Container = Loose<core.Container>;
type PodSpec = Loose<core.PodSpec>;

const FILE_MODE = 0o644;
const ONE_HOUR = 3600;
const GRACE_PERIOD_SECONDS = 30;

/** Sets the defaults of a pod spec, in a pod or in a template. */
export function setPodSpecDefaults(spec: PodSpec): void {
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= GRACE_PERIOD_SECONDS;
  spec.schedulerName ||= 'default-scheduler';
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (account) {
    // `serviceAccount` is the deprecated alias of `serviceAccountName`; both are set.
    spec.serviceAccountName = account;
    spec.serviceAccount = account;
  }
  for (const volume of spec.volumes ?? []) setVolumeDefaults(volume);
  for (const kind of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    for (const container of spec[kind] ?? []) setContainerDefaults(container);
  }
  roundResources(spec.overhead);
  roundResources(spec.resources?.limits);
  roundResources(spec.resources?.requests);
}

/** Sets the defaults of pods, which templates do not get. */
export function setPodDefaults(pod: Loose<core.Pod>): void {
  const spec = (pod.spec ??= {});
  setPodSpecDefaults(spec);
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    const { limits } = (container.resources ??= {});
    if (limits === undefined) continue;
    container.resources.requests = { ...limits, ...container.resources.requests };
  }
  setPodLevelResources(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork === true) {
    for (const { ports = [] } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
      for (const port of ports) port.hostPort ||= port.containerPort ?? 0;
    }
  }
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  if (pod.status !== undefined) alignPodIPs(pod.status);
}

/** Aligns `podIP` and `podIPs`; the single value wins. */
function alignPodIPs(status: Loose<core.PodStatus>): void {
  const { podIP = '', podIPs = [] } = status;
  if (podIP !== '' && podIPs[0]?.ip !== podIP) status.podIPs = [{ ip: podIP }];
  const first = status.podIPs?.[0]?.ip;
  if (first !== undefined) status.podIP = first;
}

function setPodLevelResources({ resources, ...spec }: PodSpec): void {
  if (resources === undefined) return;
  const { limits = {}, requests = {} } = resources;
  if (Object.keys(limits).length === 0 && Object.keys(requests).length === 0) return;
  for (const [name, value] of Object.entries(effectiveTotals(spec, 'limits'))) {
    if (isHugePages(name) && !Object.hasOwn(requests, name)) addMissing(limits, name, value);
  }
  if (Object.keys(limits).length === 0) return;
  resources.limits = limits;
  for (const [name, value] of Object.entries(effectiveTotals(spec, 'requests'))) {
    if (isSupportedPodLevelResource(name) && isOvercommitAllowed(name)) {
      addMissing(requests, name, value);
    }
  }
  for (const [name, value] of Object.entries(limits)) {
    if (isSupportedPodLevelResource(name)) addMissing(requests, name, value);
  }
  if (Object.keys(requests).length > 0) resources.requests = requests;
}

function addMissing(amounts: Record<string, Quantity>, name: string, value: Quantity): void {
  if (!Object.hasOwn(amounts, name)) setKey(amounts, name, value);
}

function setContainerDefaults(container: Container): void {
  container.imagePullPolicy ||= defaultPullPolicy(container.image ?? '');
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  for (const port of container.ports ?? []) port.protocol ||= 'TCP';
  for (const { valueFrom } of container.env ?? []) {
    setFieldRefDefaults(valueFrom?.fieldRef);
    if (valueFrom?.fileKeyRef) valueFrom.fileKeyRef.optional ??= false;
  }
  container.resources ??= {};
  roundResources(container.resources.limits);
  roundResources(container.resources.requests);
  setProbeDefaults(container.livenessProbe);
  setProbeDefaults(container.readinessProbe);
  setProbeDefaults(container.startupProbe);
  setHttpGetDefaults(container.lifecycle?.postStart?.httpGet);
  setHttpGetDefaults(container.lifecycle?.preStop?.httpGet);
}

function setFieldRefDefaults(reference: Loose<core.ObjectFieldSelector> | undefined): void {
  if (reference) reference.apiVersion ||= 'v1';
}

function setProbeDefaults(probe: Loose<core.Probe> | undefined): void {
  if (probe === undefined) return;
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  setHttpGetDefaults(probe.httpGet);
  if (probe.grpc) probe.grpc.service ??= '';
}

function setHttpGetDefaults(get: Loose<core.HTTPGetAction> | undefined): void {
  if (get === undefined) return;
  get.path ||= '/';
  get.scheme ||= 'HTTP';
}

function setVolumeDefaults(volume: Loose<core.Volume>): void {
  const hasSource = Object.entries(volume).some(
    ([name, source]) => name !== 'name' && source !== undefined,
  );
  if (!hasSource) volume.emptyDir = {};
  if (volume.image) volume.image.pullPolicy ||= defaultPullPolicy(volume.image.reference ?? '');
  if (volume.hostPath) volume.hostPath.type ??= '';
  if (volume.secret) volume.secret.defaultMode ??= FILE_MODE;
  if (volume.configMap) volume.configMap.defaultMode ??= FILE_MODE;
  if (volume.downwardAPI) {
    volume.downwardAPI.defaultMode ??= FILE_MODE;
    for (const { fieldRef } of volume.downwardAPI.items ?? []) setFieldRefDefaults(fieldRef);
  }
  if (volume.projected) setProjectedDefaults(volume.projected);
  const claimSpec = volume.ephemeral?.volumeClaimTemplate?.spec;
  if (claimSpec) setClaimSpecDefaults(claimSpec);
  setStorageDefaults(volume);
}

function setProjectedDefaults(projected: Loose<core.ProjectedVolumeSource>): void {
  projected.defaultMode ??= FILE_MODE;
  for (const { downwardAPI, serviceAccountToken } of projected.sources ?? []) {
    for (const { fieldRef } of downwardAPI?.items ?? []) setFieldRefDefaults(fieldRef);
    if (serviceAccountToken) serviceAccountToken.expirationSeconds ??= ONE_HOUR;
  }
}

/** Sets the defaults of volume sources that pods and PersistentVolumes share. */
export function setStorageDefaults(
  source: Loose<
    | Pick<core.Volume, 'azureDisk' | 'iscsi' | 'rbd' | 'scaleIO'>
    | Pick<core.PersistentVolumeSpec, 'azureDisk' | 'iscsi' | 'rbd' | 'scaleIO'>
  >,
): void {
  const { iscsi, rbd, azureDisk, scaleIO } = source;
  if (iscsi) iscsi.iscsiInterface ||= 'default';
  if (rbd) {
    rbd.pool ||= 'rbd';
    rbd.user ||= 'admin';
    rbd.keyring ||= '/etc/ceph/keyring';
  }
  if (azureDisk) {
    azureDisk.cachingMode ??= 'ReadWrite';
    azureDisk.fsType ??= 'ext4';
    azureDisk.readOnly ??= false;
    azureDisk.kind ??= 'Shared';
  }
  if (scaleIO) {
    scaleIO.storageMode ||= 'ThinProvisioned';
    scaleIO.fsType ||= 'xfs';
  }
}

type Selector = Loose<LabelSelector>;
type Labels = Readonly<Record<string, string>>;

/**
 * Expands `matchLabelKeys` and `mismatchLabelKeys` of affinities and spread constraints with the
 * label values of the pod.
 */
export function resolveLabelKeys(pod: Loose<core.Pod>): void {
  const labels = pod.metadata?.labels ?? {};
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  for (const affinity of [podAffinity, podAntiAffinity]) {
    for (const { podAffinityTerm } of affinity?.preferredDuringSchedulingIgnoredDuringExecution ??
      []) {
      if (podAffinityTerm) resolve(podAffinityTerm, labels);
    }
    for (const term of affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
      resolve(term, labels);
    }
  }
  for (const constraint of pod.spec?.topologySpreadConstraints ?? []) resolve(constraint, labels);
}

function resolve(
  term: {
    labelSelector?: Selector;
    matchLabelKeys?: readonly string[];
    mismatchLabelKeys?: readonly string[];
  },
  labels: Labels,
): void {
  if (term.labelSelector === undefined) return;
  extend(term.labelSelector, term.matchLabelKeys ?? [], 'In', labels);
  extend(term.labelSelector, term.mismatchLabelKeys ?? [], 'NotIn', labels);
}

function extend(
  selector: Selector,
  keys: readonly string[],
  operator: string,
  labels: Labels,
): void {
  for (const key of keys) {
    const value = getKey(labels, key);
    if (value === undefined) continue;
    (selector.matchExpressions ??= []).push({ key, operator, values: [value] });
  }
}

/**
 * Copies AppArmor annotations into the fields that replaced them. Calls `warn` with the path of
 * every deprecated annotation.
 */
export function applyAppArmorAnnotations(
  pod: Loose<core.Pod>,
  warn: (annotation: string) => void,
): void {
  const spec = pod.spec ?? {};
  if (spec.os?.name === 'windows') return;
  const podProfile = spec.securityContext?.appArmorProfile;
  for (const { container } of visitContainers(spec, 'spec')) {
    const key = `${APP_ARMOR_ANNOTATION}${container.name ?? ''}`;
    const annotation = getKey(pod.metadata?.annotations ?? {}, key);
    if (annotation === undefined) continue;
    if (container.securityContext?.appArmorProfile !== undefined) continue;
    const converted = appArmorProfileOf(annotation);
    const profile = validateAppArmorProfile(converted, '').length === 0 ? converted : undefined;
    if (profile !== undefined && jsonEqual(profile, podProfile)) continue;
    if (profile !== undefined) {
      container.securityContext = { ...container.securityContext, appArmorProfile: profile };
    }
    warn(`metadata.annotations[${key}]`);
  }
}

const DOMAIN_PART = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const DOMAIN = String.raw`(?:${DOMAIN_PART}(?:\.${DOMAIN_PART})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?`;
const PATH_PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const REFERENCE = new RegExp(
  String.raw`^(?:${DOMAIN}/)?${PATH_PART}(?:/${PATH_PART})*(?::(\w[\w.-]{0,127}))?(?:@(${DIGEST}))?$`,
);
const IMAGE_ID = /^[a-f0-9]{64}$/;

/**
 * Returns the tag of an image: `latest` if it has neither tag nor digest, empty if it cannot be
 * parsed.
 */
function imageTag(image: string): string {
  const reference = IMAGE_ID.test(image) ? null : REFERENCE.exec(image);
  if (reference === null) return '';
  const [, tag = '', digest = ''] = reference;
  return tag === '' && digest === '' ? 'latest' : tag;
}

/** Images tagged `latest` are always pulled, because the tag moves. */
function defaultPullPolicy(image: string): 'Always' | 'IfNotPresent' {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}
