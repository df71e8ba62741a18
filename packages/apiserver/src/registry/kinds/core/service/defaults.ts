import type * as core from 'client-ts/api/core/v1';
import type { Loose } from '../../../../validation/loose.ts';

type Service = Loose<core.Service>;
type ServiceSpec = Loose<core.ServiceSpec>;

const THREE_HOURS = 10_800;

/** True for services that can be reached from outside of the cluster. */
export function isExternallyAccessible(spec: ServiceSpec): boolean {
  return (
    spec.type === 'LoadBalancer' ||
    spec.type === 'NodePort' ||
    (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0)
  );
}

/** True for load balancers that must know which nodes have a pod of the service. */
export function needsHealthCheck(spec: ServiceSpec): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}

/** Fills in what a service does not say, as far as that needs no allocation. */
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
