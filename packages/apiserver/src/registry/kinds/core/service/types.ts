// Upstream: pkg/apis/core/v1/defaults.go: SetDefaults_Service
// Upstream: pkg/registry/core/service/strategy.go: dropTypeDependentFields
// Upstream: pkg/api/service/util.go
import type * as core from 'client-ts/api/core/v1';
import { jsonEqual } from 'client-ts/internal';
import type { Loose } from '../../../../validation/loose.ts';

type Service = Loose<core.Service>;
type ServiceSpec = Loose<core.ServiceSpec>;

/** Returns true for every type except ExternalName. */
export function needsClusterIP({ type }: ServiceSpec): boolean {
  return type !== 'ExternalName';
}

/** Returns true for a service without a cluster IP. */
export function isHeadless({ clusterIPs = [] }: ServiceSpec): boolean {
  return clusterIPs.length === 1 && clusterIPs[0] === 'None';
}

/** Returns true if the server allocates node ports. */
export function allocatesNodePorts(spec: ServiceSpec): boolean {
  if (spec.type === 'NodePort') return true;
  return spec.type === 'LoadBalancer' && (spec.allocateLoadBalancerNodePorts ?? true);
}

function hasNodePorts({ type }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

/** Drops the fields of the old type that a client left unchanged when it changed the type. */
export function dropFieldsOfOldType(service: Service, old: Service): void {
  const spec = (service.spec ??= {});
  const before = old.spec ?? {};
  if (needsClusterIP(before) && !needsClusterIP(spec)) dropAddresses(spec, before);
  if (hasNodePorts(before) && !hasNodePorts(spec) && keepsNodePorts(spec, before)) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (needsHealthCheck(before) && !needsHealthCheck(spec)) {
    dropIfSame(spec, before, 'healthCheckNodePort');
  }
  if (before.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    dropIfSame(spec, before, 'allocateLoadBalancerNodePorts');
    dropIfSame(spec, before, 'loadBalancerClass');
  }
  if (isExternallyAccessible(before) && !isExternallyAccessible(spec)) {
    dropIfSame(spec, before, 'externalTrafficPolicy');
  }
  if (spec.type !== 'LoadBalancer' && service.status?.loadBalancer !== undefined) {
    service.status = { ...service.status, loadBalancer: {} };
  }
}

function dropAddresses(spec: ServiceSpec, before: ServiceSpec): void {
  const sameAddresses =
    spec.clusterIP === before.clusterIP && jsonEqual(spec.clusterIPs, before.clusterIPs);
  if (sameAddresses) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  dropIfSame(spec, before, 'ipFamilies');
  dropIfSame(spec, before, 'ipFamilyPolicy');
}

function dropIfSame(spec: ServiceSpec, before: ServiceSpec, field: keyof ServiceSpec): void {
  if (jsonEqual(spec[field], before[field])) delete spec[field];
}

function keepsNodePorts(spec: ServiceSpec, before: ServiceSpec): boolean {
  const known = new Set(nodePortsOf(before));
  return nodePortsOf(spec).every((port) => known.has(port));
}

/** Returns the node ports of a service, in order. */
export function nodePortsOf({ ports = [] }: ServiceSpec): number[] {
  return ports.flatMap(({ nodePort = 0 }) => (nodePort === 0 ? [] : [nodePort]));
}

const THREE_HOURS = 10_800;

/** Returns true for services that are reachable from outside the cluster. */
export function isExternallyAccessible(spec: ServiceSpec): boolean {
  return (
    spec.type === 'LoadBalancer' ||
    spec.type === 'NodePort' ||
    (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0)
  );
}

/** Returns true for load balancers that need a health check node port. */
export function needsHealthCheck(spec: ServiceSpec): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}

/** Sets the defaults that need no allocation. */
export function setServiceDefaults(service: Service): void {
  const spec = (service.spec ??= {});
  setAffinityDefaults(spec);
  spec.type ||= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP';
    port.targetPort ||= port.port ?? 0;
  }
  if (isExternallyAccessible(spec)) spec.externalTrafficPolicy ||= 'Cluster';
  if (['ClusterIP', 'LoadBalancer', 'NodePort'].includes(spec.type)) {
    spec.internalTrafficPolicy ??= 'Cluster';
  }
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of service.status?.loadBalancer?.ingress ?? []) {
    if ((ingress.ip ?? '') !== '') ingress.ipMode ??= 'VIP';
  }
}

function setAffinityDefaults(spec: ServiceSpec): void {
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') return;
  if (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: THREE_HOURS } };
  }
}
