// Upstream: pkg/apis/core/validation/validation.go: ValidateService, ValidateServiceUpdate
import type * as core from 'client-ts/api/core/v1';
import {
  validateDns1123Label,
  validateDns1123Subdomain,
  validateQualifiedName,
} from 'client-ts/meta';
import { validateChoice, validateOptionalChoice } from '../../../../validation/choices.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  required,
} from '../../../../validation/field-error.ts';
import { validateCIDR, validateEndpointIP, validateIP } from '../../../../validation/ip.ts';
import { validateLabels } from '../../../../validation/labels.ts';
import type { Loose } from '../../../../validation/loose.ts';
import { validatePortNumber } from '../../../../validation/names.ts';
import { validatePort } from '../../../../validation/pod/probes.ts';
import { validateClusterIPs } from './cluster-ips.ts';
import { isExternallyAccessible, isHeadless, needsHealthCheck } from './types.ts';

type Service = Loose<core.Service>;
type ServiceSpec = Loose<core.ServiceSpec>;

const HINTS = 'service.kubernetes.io/topology-aware-hints';
const TOPOLOGY_MODE = 'service.kubernetes.io/topology-mode';
const SOURCE_RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const ONE_DAY = 86_400;
const ONLY_LOAD_BALANCERS = "may only be used when `type` is 'LoadBalancer'";

/** Checks a service without its metadata. */
export function validateService(service: Service, old: Service | undefined): FieldError[] {
  const spec = service.spec ?? {};
  const { ports = [], sessionAffinity = '' } = spec;
  return [
    ...validateTopologyAnnotations(service),
    ...(ports.length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName'
      ? [required('spec.ports')]
      : []),
    ...validateType(spec),
    ...validatePorts(ports),
    ...validateLabels(spec.selector, 'spec.selector'),
    ...validateChoice(sessionAffinity, ['ClientIP', 'None'], 'spec.sessionAffinity'),
    ...validateAffinityConfig(spec),
    ...validateClusterIPs(service, old),
    ...validateExternalIPs(spec, old?.spec?.externalIPs ?? []),
    ...validateChoice(spec.type, TYPES, 'spec.type'),
    ...validateNodePorts(spec),
    ...validateUniquePorts(ports),
    ...validateSourceRanges(service, old),
    ...validateLoadBalancerFields(spec),
    ...validateLoadBalancerClass(spec),
    ...validateTrafficPolicies(spec),
  ];
}

function validateTopologyAnnotations({ metadata }: Service): FieldError[] {
  const hints = metadata?.annotations?.[HINTS];
  const mode = metadata?.annotations?.[TOPOLOGY_MODE];
  if (hints === undefined || mode === undefined || hints === mode) return [];
  const detail = `must match annotations[${HINTS}] when both are specified`;
  return [invalid(`metadata.annotations[${TOPOLOGY_MODE}]`, mode, detail)];
}

function validateType(spec: ServiceSpec): FieldError[] {
  const { type = '', externalName = '' } = spec;
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(spec)) {
    return [invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)];
  }
  if (type !== 'ExternalName') return [];
  const detail = 'may not be set for ExternalName services';
  const name = externalName.replace(/\.$/, '');
  return [
    ...((spec.clusterIPs ?? []).length > 0 ? [forbidden('spec.clusterIPs', detail)] : []),
    ...((spec.ipFamilies ?? []).length > 0 ? [forbidden('spec.ipFamilies', detail)] : []),
    ...(spec.ipFamilyPolicy === undefined ? [] : [forbidden('spec.ipFamilyPolicy', detail)]),
    ...(name === ''
      ? [required('spec.externalName')]
      : invalidEach('spec.externalName', name, validateDns1123Subdomain(name))),
  ];
}

function validatePorts(ports: readonly Loose<core.ServicePort>[]): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const field = `spec.ports[${index}]`;
    const { name = '', port: number = 0, appProtocol } = port;
    const isTaken = name !== '' && names.has(name);
    names.add(name);
    return [
      ...(name === ''
        ? ports.length > 1
          ? [required(`${field}.name`)]
          : []
        : invalidEach(`${field}.name`, name, validateDns1123Label(name))),
      ...(isTaken ? [duplicate(`${field}.name`, name)] : []),
      ...invalidEach(`${field}.port`, number, validatePortNumber(number)),
      ...validateChoice(port.protocol, PROTOCOLS, `${field}.protocol`),
      ...validatePort(port.targetPort, `${field}.targetPort`),
      ...(appProtocol === undefined
        ? []
        : invalidEach(`${field}.appProtocol`, appProtocol, validateQualifiedName(appProtocol))),
    ];
  });
}

function validateAffinityConfig(spec: ServiceSpec): FieldError[] {
  const field = 'spec.sessionAffinityConfig';
  const { sessionAffinity, sessionAffinityConfig: config } = spec;
  if (sessionAffinity === 'None' && config !== undefined) {
    return [forbidden(field, 'must not be set when session affinity is None')];
  }
  if (sessionAffinity !== 'ClientIP') return [];
  const detail = 'when session affinity type is ClientIP';
  if (config === undefined) return [required(field, detail)];
  if (config.clientIP === undefined) return [required(`${field}.clientIP`, detail)];
  const timeout = config.clientIP.timeoutSeconds;
  const timeoutField = `${field}.clientIP.timeoutSeconds`;
  if (timeout === undefined) return [required(timeoutField, detail)];
  return timeout > 0 && timeout <= ONE_DAY
    ? []
    : [invalid(timeoutField, timeout, `must be greater than 0 and less than ${ONE_DAY}`)];
}

function validateExternalIPs(
  { externalIPs = [] }: ServiceSpec,
  existing: readonly string[],
): FieldError[] {
  return externalIPs.flatMap((address, index) => {
    const field = `spec.externalIPs[${index}]`;
    const errors = validateIP(field, address, existing);
    return errors.length > 0 ? errors : validateEndpointIP(field, address);
  });
}

function validateNodePorts({ type, ports = [] }: ServiceSpec): FieldError[] {
  const taken = new Set<string>();
  const unused =
    type === 'ClusterIP'
      ? ports.flatMap(({ nodePort = 0 }, index) =>
          nodePort === 0
            ? []
            : [
                forbidden(
                  `spec.ports[${index}].nodePort`,
                  "may not be used when `type` is 'ClusterIP'",
                ),
              ],
        )
      : [];
  return [
    ...unused,
    ...ports.flatMap(({ nodePort = 0, protocol = '' }, index) => {
      if (nodePort === 0) return [];
      const key = `${protocol}/${nodePort}`;
      if (taken.has(key)) return [duplicate(`spec.ports[${index}].nodePort`, nodePort)];
      taken.add(key);
      return [];
    }),
  ];
}

function validateUniquePorts(ports: readonly Loose<core.ServicePort>[]): FieldError[] {
  const taken = new Set<string>();
  return ports.flatMap(({ port = 0, protocol = '' }, index) => {
    const key = `${protocol}/${port}`;
    if (!taken.has(key)) {
      taken.add(key);
      return [];
    }
    const shown = {
      Name: '',
      Protocol: protocol,
      AppProtocol: null,
      Port: port,
      TargetPort: 0,
      NodePort: 0,
    };
    return [duplicate(`spec.ports[${index}]`, shown)];
  });
}

function validateSourceRanges(service: Service, old: Service | undefined): FieldError[] {
  const { loadBalancerSourceRanges: ranges = [], type } = service.spec ?? {};
  const isLoadBalancer = type === 'LoadBalancer';
  if (ranges.length > 0) {
    const field = 'spec.LoadBalancerSourceRanges';
    const existing = (old?.spec?.loadBalancerSourceRanges ?? []).map((range) => range.trim());
    return [
      ...(isLoadBalancer ? [] : [forbidden(field, ONLY_LOAD_BALANCERS)]),
      ...ranges.flatMap((range, index) =>
        validateCIDR(`${field}[${index}]`, range.trim(), existing),
      ),
    ];
  }
  const annotation = service.metadata?.annotations?.[SOURCE_RANGES];
  if (annotation === undefined) return [];
  const field = `metadata.annotations[${SOURCE_RANGES}]`;
  const isOld = old?.metadata?.annotations?.[SOURCE_RANGES] === annotation;
  const listed = isOld || annotation.trim() === '' ? [] : annotation.trim().split(',');
  return [
    ...(isLoadBalancer ? [] : [forbidden(field, ONLY_LOAD_BALANCERS)]),
    ...listed.flatMap((range) => validateCIDR(field, range.trim())),
  ];
}

function validateLoadBalancerFields(spec: ServiceSpec): FieldError[] {
  const { type, allocateLoadBalancerNodePorts: allocates } = spec;
  if (type !== 'LoadBalancer') {
    return allocates === undefined
      ? []
      : [forbidden('spec.allocateLoadBalancerNodePorts', ONLY_LOAD_BALANCERS)];
  }
  return allocates === undefined ? [required('allocateLoadBalancerNodePorts')] : [];
}

/** Checks the load balancer class, and on update that it does not change. */
export function validateLoadBalancerClass(spec: ServiceSpec, before?: ServiceSpec): FieldError[] {
  const field = 'spec.loadBalancerClass';
  const { type, loadBalancerClass: name } = spec;
  const wasLoadBalancer = before?.type === 'LoadBalancer';
  const changed =
    type === 'LoadBalancer' && wasLoadBalancer && before.loadBalancerClass !== name
      ? [invalid(field, name, 'may not change once set')]
      : [];
  if (name === undefined) return changed;
  return [
    ...changed,
    ...(type === 'LoadBalancer'
      ? invalidEach(field, name, validateQualifiedName(name))
      : [forbidden(field, ONLY_LOAD_BALANCERS)]),
  ];
}

function validateTrafficPolicies(spec: ServiceSpec): FieldError[] {
  const { type = '', internalTrafficPolicy, trafficDistribution } = spec;
  const hasInternal = ['ClusterIP', 'LoadBalancer', 'NodePort'].includes(type);
  return [
    ...validateExternalTraffic(spec),
    ...validateHealthCheckPort(spec),
    ...(internalTrafficPolicy === undefined && hasInternal
      ? [required('spec.internalTrafficPolicy')]
      : validateOptionalChoice(
          internalTrafficPolicy,
          ['Cluster', 'Local'],
          'spec.internalTrafficPolicy',
        )),
    ...validateOptionalChoice(
      trafficDistribution,
      ['PreferClose', 'PreferSameZone', 'PreferSameNode'],
      'spec.trafficDistribution',
    ),
  ];
}

function validateExternalTraffic(spec: ServiceSpec): FieldError[] {
  const field = 'spec.externalTrafficPolicy';
  const { externalTrafficPolicy: policy = '' } = spec;
  if (isExternallyAccessible(spec)) return validateChoice(policy, ['Cluster', 'Local'], field);
  return policy === ''
    ? []
    : [invalid(field, policy, 'may only be set for externally-accessible services')];
}

function validateHealthCheckPort(spec: ServiceSpec): FieldError[] {
  const field = 'spec.healthCheckNodePort';
  const { healthCheckNodePort: port = 0 } = spec;
  if (needsHealthCheck(spec)) {
    return port === 0 ? [required(field)] : invalidEach(field, port, validatePortNumber(port));
  }
  const detail =
    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return port === 0 ? [] : [invalid(field, port, detail)];
}
