// Upstream: pkg/registry/core/service/storage/alloc.go
// Upstream: pkg/registry/core/service/storage/storage.go
import type * as core from 'client-ts/api/core/v1';
import { jsonEqual } from 'client-ts/internal';
import { newInternalError } from 'client-ts/meta';
import { type FieldError, invalid, invalidObject } from '../../../../validation/field-error.ts';
import { type IPFamily, parseIP } from '../../../../validation/ip.ts';
import type { Loose } from '../../../../validation/loose.ts';
import { AllocationError, type ServiceAllocators } from '../../../allocators.ts';
import type { Allocators } from '../../../strategy.ts';
import { validateClusterIPs } from './cluster-ips.ts';
import {
  allocatesNodePorts,
  isHeadless,
  needsClusterIP,
  needsHealthCheck,
  nodePortsOf,
} from './types.ts';

type Service = Loose<core.Service>;
type ServiceSpec = Loose<core.ServiceSpec>;

/**
 * Allocates the cluster IPs and node ports of a new service. Throws a 422 if that is not possible.
 */
export function allocateForCreate(service: Service, allocators: Allocators): void {
  const spec = (service.spec ??= {});
  if ((spec.clusterIP ?? '') !== '' && (spec.clusterIPs ?? []).length === 0) {
    spec.clusterIPs = [spec.clusterIP ?? ''];
  }
  chooseFamilies(service, undefined, allocators);
  allocateClusterIPs(service, allocators);
  allocateNodePorts(service, allocators);
}

/** Allocates for an update: omitted values are kept, unused ones are released. */
export function allocateForUpdate(service: Service, old: Service, allocators: Allocators): void {
  const spec = (service.spec ??= {});
  const before = old.spec ?? {};
  alignClusterIPs(spec, before);
  chooseFamilies(service, old, allocators);
  updateClusterIPs(service, before, allocators);
  updateNodePorts(service, before, allocators);
}

/** Releases all cluster IPs and node ports. */
export function releaseAll({ spec = {} }: Service, allocators: Allocators): void {
  if (needsClusterIP(spec) && !isHeadless(spec)) {
    for (const address of spec.clusterIPs ?? []) allocators.releaseClusterIP(address);
  }
  releaseNodePorts(spec, allocators);
}

/** Takes all cluster IPs and node ports of a stored service. Those that are taken stay so. */
export function claimAll(
  { spec = {} }: Service,
  allocators: Pick<ServiceAllocators, 'claimClusterIP' | 'nodePort'>,
): void {
  if (needsClusterIP(spec) && !isHeadless(spec)) {
    for (const address of spec.clusterIPs ?? []) allocators.claimClusterIP(address);
  }
  const { healthCheckNodePort = 0 } = spec;
  const checks = needsHealthCheck(spec) && healthCheckNodePort > 0 ? [healthCheckNodePort] : [];
  for (const port of [...nodePortsOf(spec), ...checks]) claim(() => allocators.nodePort(port));
}

function claim(allocate: () => unknown): void {
  try {
    allocate();
  } catch (error) {
    if (!(error instanceof AllocationError)) throw error;
  }
}

/** Aligns `clusterIP` and `clusterIPs` for clients that know only one of them. */
function alignClusterIPs(spec: ServiceSpec, before: ServiceSpec): void {
  const { clusterIPs: oldIPs = [], clusterIP: oldIP = '' } = before;
  if (needsClusterIP(before) && needsClusterIP(spec)) {
    spec.clusterIP ||= oldIP;
    if ((spec.clusterIPs ?? []).length === 0 && oldIPs.length > 0) spec.clusterIPs = [...oldIPs];
  }
  if (oldIPs.length > 0 && (spec.clusterIPs ?? []).length === 0 && oldIP === spec.clusterIP) {
    spec.clusterIPs = [...oldIPs];
  }
  const { clusterIP = '' } = spec;
  if (clusterIP === oldIP || !jsonEqual(spec.clusterIPs ?? [], oldIPs)) return;
  if (clusterIP === '') delete spec.clusterIPs;
  else spec.clusterIPs = [clusterIP];
}

function refuse(service: Service, findings: readonly FieldError[]): void {
  if (findings.length === 0) return;
  const kind = { group: '', kind: 'Service' };
  throw invalidObject(kind, service.metadata?.name ?? '', findings);
}

function chooseFamilies(service: Service, old: Service | undefined, allocators: Allocators): void {
  const spec = (service.spec ??= {});
  const before = old?.spec;
  if (!needsClusterIP(spec)) return;
  if (before !== undefined && staysPreferDualStack(spec, before)) return;
  const isSelectorless = Object.keys(spec.selector ?? {}).length === 0;
  const isFreeHeadless = spec.clusterIP === 'None' && isSelectorless;
  spec.ipFamilyPolicy ??=
    before?.ipFamilyPolicy ?? (isFreeHeadless ? 'RequireDualStack' : 'SingleStack');
  refuse(service, validateClusterIPs(service, old));
  refuse(service, matchFamiliesToPolicy(spec, before, allocators));
  if (isFreeHeadless) {
    spec.ipFamilies = spec.ipFamilies?.length ? spec.ipFamilies : defaultFamilies(allocators);
    if (spec.ipFamilyPolicy !== 'SingleStack') addOtherFamily(spec);
    return;
  }
  refuse(service, validateConfigured(spec, allocators));
  if ((spec.ipFamilies ?? []).length === 0) spec.ipFamilies = defaultFamilies(allocators);
  if (spec.ipFamilyPolicy !== 'SingleStack' && allocators.ipFamilies.length === 2) {
    addOtherFamily(spec);
  }
}

function defaultFamilies({ ipFamilies }: Allocators): string[] {
  return ipFamilies.slice(0, 1);
}

function addOtherFamily(spec: ServiceSpec): void {
  const [first, ...others] = spec.ipFamilies ?? [];
  if (first === undefined || others.length > 0) return;
  spec.ipFamilies = [first, first === 'IPv4' ? 'IPv6' : 'IPv4'];
}

/** Returns true for an update that keeps PreferDualStack and does not set addresses. */
function staysPreferDualStack(spec: ServiceSpec, before: ServiceSpec): boolean {
  return (
    spec.type === before.type &&
    spec.ipFamilyPolicy === 'PreferDualStack' &&
    (before.ipFamilyPolicy ?? 'PreferDualStack') === 'PreferDualStack' &&
    jsonEqual(spec.clusterIPs ?? [], before.clusterIPs ?? []) &&
    jsonEqual(spec.ipFamilies ?? [], before.ipFamilies ?? [])
  );
}

function matchFamiliesToPolicy(
  spec: ServiceSpec,
  before: ServiceSpec | undefined,
  allocators: Allocators,
): FieldError[] {
  const field = 'spec.ipFamilyPolicy';
  const policy = spec.ipFamilyPolicy;
  const isSingle = policy === 'SingleStack';
  const errors: FieldError[] = [];
  if (before !== undefined && isSingle) {
    if (jsonEqual(spec.clusterIPs, before.clusterIPs)) keepFirst(spec, 'clusterIPs');
    if (jsonEqual(spec.ipFamilies, before.ipFamilies)) keepFirst(spec, 'ipFamilies');
  } else if (before !== undefined) {
    if (isShorter(spec.clusterIPs, before.clusterIPs)) {
      const detail = "must be 'SingleStack' to release the secondary cluster IP";
      errors.push(invalid(field, policy, detail));
    }
    if (isShorter(spec.ipFamilies, before.ipFamilies)) {
      const detail = "must be 'SingleStack' to release the secondary IP family";
      errors.push(invalid(field, policy, detail));
    }
  }
  const dual = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  if (isSingle && spec.clusterIPs?.length === 2) {
    errors.push(invalid(field, policy, `${dual} cluster IPs are specified`));
  }
  if (isSingle && spec.ipFamilies?.length === 2) {
    errors.push(invalid(field, policy, `${dual} IP families are specified`));
  }
  return [...errors, ...inferFamilies(spec, allocators)];
}

function keepFirst(spec: ServiceSpec, field: 'clusterIPs' | 'ipFamilies'): void {
  const values = spec[field];
  if (values !== undefined && values.length > 1) spec[field] = values.slice(0, 1);
}

function isShorter(now: readonly string[] = [], before: readonly string[] = []): boolean {
  return now.length > 0 && now.length < before.length;
}

/** Infers the IP families from the requested addresses. */
function inferFamilies(spec: ServiceSpec, allocators: Allocators): FieldError[] {
  const errors: FieldError[] = [];
  const clusterIPs = spec.clusterIPs ?? [];
  for (const [index, address] of clusterIPs.entries()) {
    if (address === 'None') break;
    if (index < (spec.ipFamilies ?? []).length) continue;
    const family = parseIP(address)?.family;
    if (family !== undefined && allocators.ipFamilies.includes(family)) {
      (spec.ipFamilies ??= []).push(family);
    } else {
      const detail = `${family ?? 'unknown'} is not configured on this cluster`;
      errors.push(invalid(`spec.clusterIPs[${index}]`, clusterIPs, detail));
    }
  }
  return errors;
}

function validateConfigured(spec: ServiceSpec, { ipFamilies }: Allocators): FieldError[] {
  const configured = new Set<string>(ipFamilies);
  return [
    ...(spec.ipFamilyPolicy === 'RequireDualStack' && ipFamilies.length < 2
      ? [
          invalid(
            'spec.ipFamilyPolicy',
            spec.ipFamilyPolicy,
            'this cluster is not configured for dual-stack services',
          ),
        ]
      : []),
    ...(spec.ipFamilies ?? []).flatMap((family, index) =>
      configured.has(family)
        ? []
        : [invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')],
    ),
  ];
}

function allocateClusterIPs(service: Service, allocators: Allocators): void {
  const spec = (service.spec ??= {});
  if (!needsClusterIP(spec) || spec.clusterIPs?.[0] === 'None') return;
  const wanted = [...(spec.clusterIPs ?? [])];
  spec.clusterIPs = (spec.ipFamilies ?? []).map((family, index) =>
    allocateClusterIP(service, family as IPFamily, wanted[index] ?? '', wanted, allocators),
  );
  spec.clusterIP = spec.clusterIPs[0] ?? '';
}

function allocateClusterIP(
  service: Service,
  family: IPFamily,
  wanted: string,
  shown: readonly string[],
  allocators: Allocators,
): string {
  try {
    return allocators.clusterIP(family, wanted === '' ? undefined : wanted);
  } catch (error) {
    if (!(error instanceof AllocationError)) throw error;
    if (error.code === 'APISERVER_ALLOCATION_FULL') {
      const name = JSON.stringify(service.metadata?.name ?? '');
      throw newInternalError(
        `failed to allocate a serviceIP for Service ${name}: ${error.message}`,
      );
    }
    const detail = `failed to allocate IP ${wanted}: ${error.message}`;
    refuse(service, [invalid('spec.clusterIPs', shown, detail)]);
    throw error;
  }
}

function updateClusterIPs(service: Service, before: ServiceSpec, allocators: Allocators): void {
  const spec = (service.spec ??= {});
  if (staysPreferDualStack(spec, before)) return;
  if (!needsClusterIP(before)) {
    if (needsClusterIP(spec)) allocateClusterIPs(service, allocators);
    return;
  }
  const oldIPs = before.clusterIPs ?? [];
  if (oldIPs[0] === 'None') return;
  if (!needsClusterIP(spec)) {
    for (const address of oldIPs) allocators.releaseClusterIP(address);
    return;
  }
  const oldCount = (before.ipFamilies ?? []).length;
  const count = (spec.ipFamilies ?? []).length;
  const second = spec.ipFamilies?.[1];
  if (oldCount === 1 && count === 2 && second !== undefined) {
    const shown = spec.clusterIPs ?? [];
    const wanted = shown[1] ?? '';
    const address = allocateClusterIP(service, second as IPFamily, wanted, shown, allocators);
    spec.clusterIPs = [shown[0] ?? '', address];
  } else if (oldCount === 2 && count === 1) {
    allocators.releaseClusterIP(oldIPs[1] ?? '');
  }
}

/** Allocates a node port for every port; ports of different protocols share a number. */
function allocateNodePorts(service: Service, allocators: Allocators): void {
  const spec = service.spec ?? {};
  const byPort = new Map<number, number>();
  for (const [index, port] of hasNodePorts(spec) ? (spec.ports ?? []).entries() : []) {
    const { port: number = 0, nodePort = 0 } = port;
    if (nodePort === 0 && !allocatesNodePorts(spec)) continue;
    const shared = byPort.get(number);
    if (shared === undefined) {
      const wanted = (spec.ports ?? []).find(
        (other) => other.port === number && (other.nodePort ?? 0) !== 0,
      )?.nodePort;
      port.nodePort = takeNodePort(service, index, wanted, allocators);
      byPort.set(number, port.nodePort);
    } else if (nodePort === 0) {
      port.nodePort = shared;
    } else if (nodePort !== shared) {
      takeNodePort(service, index, nodePort, allocators);
    }
  }
  if (needsHealthCheck(spec)) allocateHealthCheck(spec, allocators);
}

/** Keeps the node ports of an existing service by port name; allocates and releases the rest. */
function updateNodePorts(service: Service, before: ServiceSpec, allocators: Allocators): void {
  const spec = service.spec ?? {};
  keepNodePorts(spec, before);
  const old = new Set(nodePortsOf(before));
  if (hasNodePorts(spec)) {
    const taken = new Set<number>();
    for (const [index, port] of (spec.ports ?? []).entries()) {
      const { nodePort = 0 } = port;
      if (nodePort === 0) {
        if (allocatesNodePorts(spec)) {
          port.nodePort = takeNodePort(service, index, undefined, allocators);
        }
      } else if (!old.has(nodePort) && !taken.has(nodePort)) {
        taken.add(takeNodePort(service, index, nodePort, allocators));
      }
    }
  }
  const kept = new Set(hasNodePorts(spec) ? nodePortsOf(spec) : []);
  for (const port of old) {
    if (!kept.has(port)) allocators.releaseNodePort(port);
  }
  updateHealthCheck(spec, before, allocators);
}

function keepNodePorts(spec: ServiceSpec, before: ServiceSpec): void {
  if (allocatesNodePorts(before) && allocatesNodePorts(spec)) {
    const old = nodePortsOf(before);
    const used = new Set(nodePortsOf(spec).filter((port) => old.includes(port)));
    const byName = new Map(
      (before.ports ?? []).map(({ name = '', nodePort = 0 }) => [name, nodePort]),
    );
    for (const port of spec.ports ?? []) {
      const known = byName.get(port.name ?? '') ?? 0;
      if ((port.nodePort ?? 0) === 0 && known !== 0 && !used.has(known)) port.nodePort = known;
    }
  }
  if (needsHealthCheck(before) && needsHealthCheck(spec)) {
    spec.healthCheckNodePort ||= before.healthCheckNodePort ?? 0;
  }
}

function updateHealthCheck(spec: ServiceSpec, before: ServiceSpec, allocators: Allocators): void {
  if (!needsHealthCheck(before) && needsHealthCheck(spec)) allocateHealthCheck(spec, allocators);
  if (needsHealthCheck(before) && !needsHealthCheck(spec)) {
    allocators.releaseNodePort(before.healthCheckNodePort ?? 0);
  }
}

/** Releases all node ports of a service. */
function releaseNodePorts(spec: ServiceSpec, allocators: Allocators): void {
  for (const port of nodePortsOf(spec)) allocators.releaseNodePort(port);
  const { healthCheckNodePort = 0 } = spec;
  if (needsHealthCheck(spec) && healthCheckNodePort > 0) {
    allocators.releaseNodePort(healthCheckNodePort);
  }
}

function hasNodePorts({ type }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

function takeNodePort(
  service: Service,
  index: number,
  wanted: number | undefined,
  allocators: Allocators,
): number {
  try {
    return allocators.nodePort(wanted);
  } catch (error) {
    if (!(error instanceof AllocationError)) throw error;
    if (wanted === undefined) {
      throw newInternalError(`failed to allocate a nodePort: ${error.message}`);
    }
    const finding = invalid(`spec.ports[${index}].nodePort`, wanted, error.message);
    const name = service.metadata?.name ?? '';
    throw invalidObject({ group: '', kind: 'Service' }, name, [finding]);
  }
}

function allocateHealthCheck(spec: ServiceSpec, allocators: Allocators): void {
  const wanted = spec.healthCheckNodePort || undefined;
  try {
    spec.healthCheckNodePort = allocators.nodePort(wanted);
  } catch (error) {
    if (!(error instanceof AllocationError)) throw error;
    const what = wanted === undefined ? 'a' : 'requested';
    throw newInternalError(
      `failed to allocate ${what} HealthCheck NodePort ${wanted ?? 0}: ${error.message}`,
    );
  }
}
