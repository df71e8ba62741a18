import type * as core from 'client-ts/api/core/v1';
import { newInternalError } from 'client-ts/meta';
import { invalid, invalidObject } from '../../../../validation/field-error.ts';
import type { Loose } from '../../../../validation/loose.ts';
import { AllocationError } from '../../../allocators.ts';
import type { Allocators } from '../../../strategy.ts';
import { needsHealthCheck } from './defaults.ts';
import { allocatesNodePorts, nodePortsOf } from './types.ts';

type Service = Loose<core.Service>;
type ServiceSpec = Loose<core.ServiceSpec>;

/** Gives every port of a new service a port on all nodes; the same number of two protocols shares one. */
export function allocateNodePorts(service: Service, allocators: Allocators): void {
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

/** Keeps the ports of an old service, by the names of its ports, and takes or gives back the rest. */
export function updateNodePorts(
  service: Service,
  before: ServiceSpec,
  allocators: Allocators,
): void {
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

/** Gives back all node ports of a service. */
export function releaseNodePorts(spec: ServiceSpec, allocators: Allocators): void {
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
