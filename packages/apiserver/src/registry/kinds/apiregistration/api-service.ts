// Upstream: staging/src/k8s.io/kube-aggregator/pkg/apis/apiregistration/v1/defaults.go
// Upstream: staging/src/k8s.io/kube-aggregator/pkg/apis/apiregistration/validation/validation.go
// Upstream: staging/src/k8s.io/kube-aggregator/pkg/registry/apiservice/strategy.go
// Upstream: staging/src/k8s.io/kube-aggregator/pkg/registry/apiservice/etcd/etcd.go
import type * as aggregation from 'client-ts/api/apiregistration/v1';
import {
  findStatusCondition,
  formatTime,
  validateDns1035Label,
  validateDns1123Subdomain,
  validatePathSegmentName,
} from 'client-ts/meta';
import {
  type FieldError,
  invalid,
  invalidEach,
  notSupported,
  required,
} from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { validatePortNumber } from '../../../validation/names.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import type { Strategy } from '../../strategy.ts';
import { keepSpecAndMetadata } from '../support.ts';

type APIService = Loose<aggregation.APIService>;

const HTTPS = 443;
const HIGHEST_GROUP_PRIORITY = 20_000;
const HIGHEST_VERSION_PRIORITY = 1000;
const STATUSES = ['True', 'False', 'Unknown'];

/** Rules of APIServices. */
export const apiServiceStrategy: Strategy<APIService> = {
  setDefaults: ({ spec }) => {
    if (spec?.service) spec.service.port ??= HTTPS;
  },
  prepareForCreate: (service, { clock }) => {
    service.status = {};
    if (service.spec?.service !== undefined) return;
    service.status.conditions = [
      {
        type: 'Available',
        status: 'True',
        lastTransitionTime: formatTime(clock.now()),
        reason: 'Local',
        message: 'Local APIServices are always available',
      },
    ];
  },
  validate: validateAPIService,
  validateUpdate: (service, old) => [
    ...validateObjectMetaUpdate(service.metadata, old.metadata),
    ...validateAPIService(service),
  ],
  prepareForStatusUpdate: keepSpecAndMetadata,
  validateStatusUpdate: (service, old) => [
    ...validateObjectMetaUpdate(service.metadata, old.metadata),
    ...(service.status?.conditions ?? []).flatMap(({ status = '' }, index) =>
      STATUSES.includes(status)
        ? []
        : [notSupported(`status.conditions[${index}].status`, status, STATUSES)],
    ),
  ],
  generation: 'none',
  unconditionalUpdate: false,
};

function validateAPIService({ metadata, spec = {} }: APIService): FieldError[] {
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0 } = spec;
  const expected = `${version}.${group}`;
  const validateName = (name: string): string[] => {
    const problems = validatePathSegmentName(name);
    if (problems.length > 0 || name === expected) return problems;
    return [`must be \`spec.version+"."+spec.group\`: "${expected}"`];
  };
  return [
    ...validateObjectMeta(metadata, { namespaced: false, validateName }),
    ...(group === '' && version !== 'v1'
      ? [required('spec.group', 'only v1 may have an empty group and it better be legacy kube')]
      : []),
    ...(group === '' ? [] : invalidEach('spec.group', group, validateDns1123Subdomain(group))),
    ...invalidEach('spec.version', version, validateDns1035Label(version)),
    ...(groupPriorityMinimum <= 0 || groupPriorityMinimum > HIGHEST_GROUP_PRIORITY
      ? [
          invalid(
            'spec.groupPriorityMinimum',
            groupPriorityMinimum,
            `must be positive and less than ${HIGHEST_GROUP_PRIORITY}`,
          ),
        ]
      : []),
    ...(versionPriority <= 0 || versionPriority > HIGHEST_VERSION_PRIORITY
      ? [
          invalid(
            'spec.versionPriority',
            versionPriority,
            `must be positive and less than ${HIGHEST_VERSION_PRIORITY}`,
          ),
        ]
      : []),
    ...(spec.service === undefined
      ? validateLocal(spec)
      : validateService(spec, spec.service, 'spec.service')),
  ];
}

/** Checks an APIService that this server itself serves, which has no connection settings. */
function validateLocal({
  caBundle = '',
  insecureSkipTLSVerify,
}: Loose<aggregation.APIServiceSpec>): FieldError[] {
  const bytes = Buffer.from(caBundle, 'base64').length;
  return [
    ...(bytes > 0
      ? [invalid('spec.caBundle', `${bytes} bytes`, 'local APIServices may not have a caBundle')]
      : []),
    ...(insecureSkipTLSVerify === true
      ? [
          invalid(
            'spec.insecureSkipTLSVerify',
            true,
            'local APIServices may not have insecureSkipTLSVerify',
          ),
        ]
      : []),
  ];
}

function validateService(
  { caBundle = '', insecureSkipTLSVerify }: Loose<aggregation.APIServiceSpec>,
  { namespace = '', name = '', port = 0 }: Loose<aggregation.ServiceReference>,
  field: string,
): FieldError[] {
  const ports = validatePortNumber(port);
  return [
    ...(namespace === '' ? [required(`${field}.namespace`)] : []),
    ...(name === '' ? [required(`${field}.name`)] : []),
    ...(ports.length === 0
      ? []
      : [invalid(`${field}.port`, port, `port is not valid: ${ports.join(', ')}`)]),
    ...(insecureSkipTLSVerify === true && caBundle !== ''
      ? [invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')]
      : []),
  ];
}

/** The table of APIServices. */
export const apiServicePrinter: Printer<Printable<APIService>> = printer(
  [
    nameColumn(),
    column('Service', 'Service that serves the group version, or Local', ({ spec }) =>
      spec?.service === undefined
        ? 'Local'
        : `${spec.service.namespace ?? ''}/${spec.service.name ?? ''}`,
    ),
    column('Available', 'Condition Available, with its reason if it is not true', ({ status }) => {
      const condition = findStatusCondition(status?.conditions, 'Available');
      const { status: state = 'Unknown', reason = '' } = condition ?? {};
      return state === 'True' || reason === '' ? state : `${state} (${reason})`;
    }),
    ageColumn(),
  ],
  { alwaysWithColumns: true },
);
