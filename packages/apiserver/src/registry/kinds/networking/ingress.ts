// Upstream: pkg/apis/networking/validation/validation.go:
//   ValidateIngressCreate, ValidateIngressUpdate
// Upstream: pkg/registry/networking/ingress/strategy.go
// Upstream: plugin/pkg/admission/network/defaultingressclass/admission.go
// Upstream: pkg/printers/internalversion/printers.go: printIngress
import type * as networking from 'client-ts/api/networking/v1';
import { validateDns1123Subdomain, validatePathSegmentName } from 'client-ts/meta';
import {
  type FieldError,
  invalid,
  invalidEach,
  notSupported,
  required,
} from '../../../validation/field-error.ts';
import { parseIP, validateIP, warningsForIP } from '../../../validation/ip.ts';
import type { Loose } from '../../../validation/loose.ts';
import {
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  validatePortName,
  validatePortNumber,
  validateWildcardDns1123Subdomain,
} from '../../../validation/names.ts';
import { metaValidator } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import { balancerAddresses, NONE } from '../../printers/texts.ts';
import type { Strategy, StrategyContext } from '../../strategy.ts';
import { keepSpec, newestDefault } from '../support.ts';

type Ingress = Loose<networking.Ingress>;
type IngressSpec = Loose<networking.IngressSpec>;
type Backend = Loose<networking.IngressBackend>;

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';
const DEFAULT_CLASS = 'ingressclass.kubernetes.io/is-default-class';
const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
const meta = metaValidator({ namespaced: true });

/** Rules of Ingresses. */
export const ingressStrategy: Strategy<Ingress> = {
  prepareForCreate: setDefaultClass,
  prepareForUpdate: (ingress, _, context) => setDefaultClass(ingress, context),
  validate: (ingress) => [...validateIngress(ingress), ...validateClassesAgree(ingress)],
  validateUpdate: (ingress, old) => [...meta.update(ingress, old), ...validateIngress(ingress)],
  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: (ingress, old) => [
    ...meta.update(ingress, old),
    ...validateStatus(ingress, old),
  ],
  warnings: ({ metadata, spec }, old) =>
    old === undefined &&
    metadata?.annotations?.[CLASS_ANNOTATION] !== undefined &&
    spec?.ingressClassName === undefined
      ? [
          `annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`,
        ]
      : [],
  statusWarnings: ({ status }) =>
    (status?.loadBalancer?.ingress ?? []).flatMap(({ ip = '' }, index) =>
      warningsForIP(`status.loadBalancer.ingress[${index}]`, ip),
    ),
  generation: 'spec',
};

function setDefaultClass(ingress: Ingress, context: StrategyContext): void {
  if (!context.plugins.has('DefaultIngressClass')) return;
  const spec = (ingress.spec ??= {});
  if (spec.ingressClassName !== undefined) return;
  if (ingress.metadata?.annotations?.[CLASS_ANNOTATION] !== undefined) return;
  const classes = context.list('networking.k8s.io', 'ingressclasses', '');
  const name = newestDefault(classes, [DEFAULT_CLASS])?.metadata?.name;
  if (name !== undefined) spec.ingressClassName = name;
}

function validateIngress(ingress: Ingress): FieldError[] {
  return [...meta.create(ingress), ...validateSpec(ingress.spec ?? {})];
}

function validateClassesAgree({ metadata, spec }: Ingress): FieldError[] {
  const annotation = metadata?.annotations?.[CLASS_ANNOTATION];
  const name = spec?.ingressClassName;
  if (annotation === undefined || name === undefined || annotation === name) return [];
  const detail = 'must match `ingressClassName` when both are specified';
  return [invalid(`annotations.${CLASS_ANNOTATION}`, annotation, detail)];
}

function validateSpec(spec: IngressSpec): FieldError[] {
  const { rules = [], defaultBackend, tls = [], ingressClassName } = spec;
  return [
    ...(rules.length === 0 && defaultBackend === undefined
      ? [
          invalid(
            'spec',
            spec.rules ?? null,
            'either `defaultBackend` or `rules` must be specified',
          ),
        ]
      : []),
    ...(defaultBackend === undefined ? [] : validateBackend(defaultBackend, 'spec.defaultBackend')),
    ...rules.flatMap((rule, index) => validateRule(rule, `spec.rules[${index}]`)),
    ...tls.flatMap((entry, index) => validateTLS(entry, `spec.tls[${index}]`)),
    ...(ingressClassName === undefined
      ? []
      : invalidEach(
          'spec.ingressClassName',
          ingressClassName,
          nameIsDnsSubdomain(ingressClassName, false),
        )),
  ];
}

function hostProblems(host: string): string[] {
  return host.includes('*')
    ? validateWildcardDns1123Subdomain(host)
    : validateDns1123Subdomain(host);
}

function validateTLS(
  { hosts = [], secretName = '' }: Loose<networking.IngressTLS>,
  field: string,
): FieldError[] {
  return [
    ...hosts.flatMap((host, index) =>
      invalidEach(`${field}.hosts[${index}]`, host, hostProblems(host)),
    ),
    ...(secretName === ''
      ? []
      : invalidEach(`${field}.secretName`, secretName, nameIsDnsSubdomain(secretName, false))),
  ];
}

function validateRule(
  { host = '', http }: Loose<networking.IngressRule>,
  field: string,
): FieldError[] {
  const paths = http?.paths ?? [];
  return [
    ...(parseIP(host) === undefined
      ? []
      : [invalid(`${field}.host`, host, 'must be a DNS name, not an IP address')]),
    ...(host === '' ? [] : invalidEach(`${field}.host`, host, hostProblems(host))),
    ...(http !== undefined && paths.length === 0 ? [required(`${field}.http.paths`)] : []),
    ...paths.flatMap((path, index) => validatePath(path, `${field}.http.paths[${index}]`)),
  ];
}

function validatePath(
  { path = '', pathType, backend = {} }: Loose<networking.HTTPIngressPath>,
  field: string,
): FieldError[] {
  if (pathType === undefined) {
    return [required(`${field}.pathType`, 'pathType must be specified')];
  }
  const mayBeEmpty = pathType === 'ImplementationSpecific';
  const isRelative = !path.startsWith('/') && !(mayBeEmpty && path === '');
  const isStrict = pathType === 'Exact' || pathType === 'Prefix';
  return [
    ...(PATH_TYPES.includes(pathType)
      ? isRelative
        ? [invalid(`${field}.path`, path, 'must be an absolute path')]
        : []
      : [notSupported(`${field}.pathType`, pathType, PATH_TYPES)]),
    ...(isStrict ? validatePathText(path, `${field}.path`) : []),
    ...validateBackend(backend, `${field}.backend`),
  ];
}

function validatePathText(path: string, field: string): FieldError[] {
  return [
    ...['//', '/./', '/../', '%2f', '%2F']
      .filter((part) => path.includes(part))
      .map((part) => invalid(field, path, `must not contain '${part}'`)),
    ...['/..', '/.']
      .filter((end) => path.endsWith(end))
      .map((end) => invalid(field, path, `cannot end with '${end}'`)),
  ];
}

function validateBackend({ resource, service }: Backend, field: string): FieldError[] {
  if (resource !== undefined && service !== undefined) {
    return [invalid(field, '', 'cannot set both resource and service backends')];
  }
  if (resource !== undefined) return validateReference(resource, `${field}.resource`);
  if (service === undefined) {
    return [invalid(field, '', 'resource or service backend is required')];
  }
  const { name = '', port = {} } = service;
  return [
    ...(name === ''
      ? [required(`${field}.service.name`)]
      : invalidEach(`${field}.service.name`, name, nameIsDnsLabel(name, false))),
    ...validateBackendPort(port, field),
  ];
}

function validateBackendPort(
  { name = '', number = 0 }: Loose<networking.ServiceBackendPort>,
  field: string,
): FieldError[] {
  if (name !== '' && number !== 0) {
    return [invalid(field, '', 'cannot set both port name & port number')];
  }
  if (name !== '') {
    return invalidEach(`${field}.service.port.name`, name, validatePortName(name));
  }
  if (number !== 0) {
    return invalidEach(`${field}.service.port.number`, number, validatePortNumber(number));
  }
  return [required(field, 'port name or number is required')];
}

/** Checks a reference to an object: group, kind and name. */
export function validateReference(
  { apiGroup, kind = '', name = '' }: { apiGroup?: string; kind?: string; name?: string },
  field: string,
): FieldError[] {
  return [
    ...(apiGroup === undefined
      ? []
      : invalidEach(`${field}.apiGroup`, apiGroup, validateDns1123Subdomain(apiGroup))),
    ...(kind === ''
      ? [required(`${field}.kind`)]
      : invalidEach(`${field}.kind`, kind, validatePathSegmentName(kind))),
    ...(name === ''
      ? [required(`${field}.name`)]
      : invalidEach(`${field}.name`, name, validatePathSegmentName(name))),
  ];
}

function validateStatus({ status = {} }: Ingress, old: Ingress): FieldError[] {
  const points = status.loadBalancer?.ingress ?? [];
  const known = (old.status?.loadBalancer?.ingress ?? []).map(({ ip = '' }) => ip);
  return points.flatMap(({ ip = '', hostname = '' }, index) => {
    const field = `status.loadBalancer.ingress[${index}]`;
    return [
      ...(ip === '' ? [] : validateIP(`${field}.ip`, ip, known)),
      ...(hostname === ''
        ? []
        : invalidEach(`${field}.hostname`, hostname, validateDns1123Subdomain(hostname))),
      ...(parseIP(hostname) === undefined
        ? []
        : [invalid(`${field}.hostname`, hostname, 'must be a DNS name, not an IP address')]),
    ];
  });
}

/** The table of Ingresses. */
export const ingressPrinter: Printer<Printable<Ingress>> = printer([
  nameColumn(),
  column('Class', 'Class of the ingress', ({ spec }) => spec?.ingressClassName ?? NONE),
  column('Hosts', 'Hosts of the rules', formatHosts),
  column('Address', 'Addresses of the load balancer', ({ status }) =>
    balancerAddresses(status?.loadBalancer?.ingress).join(','),
  ),
  column('Ports', 'Ports that the ingress listens on', ({ spec }) =>
    (spec?.tls ?? []).length > 0 ? '80, 443' : '80',
  ),
  ageColumn(),
]);

const MOST_HOSTS = 3;

function formatHosts({ spec }: Printable<Ingress>): string {
  const rules = spec?.rules ?? [];
  const hosts: string[] = [];
  let hasMore = false;
  for (const { host = '' } of rules) {
    if (hosts.length === MOST_HOSTS) hasMore = true;
    else if (host !== '') hosts.push(host);
  }
  if (hosts.length === 0) return '*';
  // Counts the remaining rules, including those without a host.
  return hasMore ? `${hosts.join(',')} + ${rules.length - MOST_HOSTS} more...` : hosts.join(',');
}
