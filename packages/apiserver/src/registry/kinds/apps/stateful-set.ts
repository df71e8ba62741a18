// Upstream: pkg/apis/apps/v1/defaults.go: SetDefaults_StatefulSet
// Upstream: pkg/apis/apps/validation/validation.go: ValidateStatefulSet, ValidateStatefulSetUpdate
// Upstream: pkg/registry/apps/statefulset/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printStatefulSet
import { checkTemplateSecurity } from '../core/pod/pod-security.ts';
import type * as apps from 'client-ts/api/apps/v1';
import { jsonEqual } from 'client-ts/internal';
import { validateDns1123Label } from 'client-ts/meta';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  notSupported,
  required,
} from '../../../validation/field-error.ts';
import { matcherOf, printableSelector } from '../../../validation/labels.ts';
import type { Loose } from '../../../validation/loose.ts';
import { nameIsDnsLabel } from '../../../validation/names.ts';
import { metaValidator, nonNegative } from '../../../validation/object-meta.ts';
import {
  validatePodTemplate,
  validateRunsForever,
  validateSelected,
} from '../../../validation/pod/spec.ts';
import { validateClaimSpec } from '../../../validation/pod/volume-claim.ts';
import {
  ageColumn,
  column,
  containerColumns,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import type { Strategy } from '../../strategy.ts';
import { setClaimSpecDefaults } from '../core/persistent-volume-claim.ts';
import { fractionWarnings } from '../core/pod/warnings.ts';
import { keepSpec } from '../support.ts';
import {
  amountOf,
  setTemplateDefaults,
  templateWarnings,
  validateAtMost100Percent,
  validateCollisionCount,
  validateCounters,
  validateIntOrPercent,
  validateRequiredSelector,
} from '../workload.ts';

type StatefulSet = Loose<apps.StatefulSet>;
type StatefulSetSpec = Loose<apps.StatefulSetSpec>;

const UPDATABLE = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
] as const;
const RETENTION_POLICIES = ['Retain', 'Delete'];
const meta = metaValidator({ namespaced: true, validateName: nameIsDnsLabel });

/** Rules of StatefulSets. */
export const statefulSetStrategy: Strategy<StatefulSet> = {
  check: ({ spec }, _old, context) => checkTemplateSecurity(spec?.template, context),
  setDefaults,
  prepareForCreate: ({ spec }) => dropMaxUnavailable(spec),
  prepareForUpdate: ({ spec }, old) => {
    const wasUsed = old.spec?.updateStrategy?.rollingUpdate?.maxUnavailable !== undefined;
    if (!wasUsed) dropMaxUnavailable(spec);
  },
  validate: (set) => [
    ...meta.create(set),
    ...validateSpec(set.spec ?? {}, { isNew: true, checkTemplate: true }),
  ],
  validateUpdate: (set, old) => {
    const wasValid =
      validateSpec(old.spec ?? {}, { isNew: false, checkTemplate: true }).length === 0;
    return [
      ...meta.update(set, old),
      ...validateSpec(set.spec ?? {}, { isNew: false, checkTemplate: wasValid }),
      ...validateFixedFields(set.spec ?? {}, old.spec ?? {}),
    ];
  },
  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: (set, old) => [
    ...validateStatus(set),
    ...meta.update(set, old),
    ...validateCollisionCount(set.status?.collisionCount, old.status?.collisionCount),
  ],
  warnings: (set, old) => [
    ...(old !== undefined && jsonEqual(set.spec, old.spec)
      ? []
      : templateWarnings(set.spec?.template)),
    ...(set.spec?.volumeClaimTemplates ?? []).flatMap(({ spec }, index) =>
      fractionWarnings(
        spec?.resources?.requests,
        `spec.volumeClaimTemplates[${index}]${old === undefined ? '' : '.Spec'}.resources.requests`,
        ['storage'],
      ),
    ),
    ...((set.spec?.revisionHistoryLimit ?? 0) < 0
      ? [
          'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
        ]
      : []),
  ],
  validateName: nameIsDnsLabel,
  generation: 'spec',
};

function setDefaults(set: StatefulSet): void {
  const spec = (set.spec ??= {});
  spec.podManagementPolicy ||= 'OrderedReady';
  const strategy = (spec.updateStrategy ??= {});
  if ((strategy.type ?? '') === '') {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate !== undefined) {
    strategy.rollingUpdate.partition ??= 0;
  }
  const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {});
  retention.whenDeleted ||= 'Retain';
  retention.whenScaled ||= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  setTemplateDefaults((spec.template ??= {}));
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.apiVersion ||= 'v1';
    claim.kind ||= 'PersistentVolumeClaim';
    setClaimSpecDefaults((claim.spec ??= {}));
    (claim.status ??= {}).phase ||= 'Pending';
  }
}

/** Drops a field whose feature gate is off by default. */
function dropMaxUnavailable(spec: StatefulSetSpec | undefined): void {
  delete spec?.updateStrategy?.rollingUpdate?.maxUnavailable;
}

interface SpecOptions {
  readonly isNew: boolean;
  readonly checkTemplate: boolean;
}

function validateSpec(spec: StatefulSetSpec, options: SpecOptions): FieldError[] {
  const { selector, serviceName = '', persistentVolumeClaimRetentionPolicy: retention } = spec;
  const claims = options.isNew ? (spec.volumeClaimTemplates ?? []) : [];
  return [
    ...validatePodManagement(spec.podManagementPolicy ?? ''),
    ...validateUpdateStrategy(spec.updateStrategy ?? {}),
    ...(retention === undefined
      ? []
      : (['whenDeleted', 'whenScaled'] as const).flatMap((name) =>
          RETENTION_POLICIES.includes(retention[name] ?? '')
            ? []
            : [
                notSupported(
                  `spec.persistentVolumeClaimRetentionPolicy.${name}`,
                  retention[name] ?? '',
                  RETENTION_POLICIES,
                ),
              ],
        )),
    ...claims.flatMap((claim, index) =>
      validateClaimSpec(claim.spec ?? {}, `spec.volumeClaimTemplates[${index}].spec`),
    ),
    ...nonNegative(spec.replicas, 'spec.replicas'),
    ...nonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...nonNegative(spec.ordinals?.start, 'spec.ordinals.start'),
    ...(options.isNew && serviceName !== ''
      ? invalidEach('spec.serviceName', serviceName, validateDns1123Label(serviceName))
      : []),
    ...validateRequiredSelector(selector, 'statefulset'),
    ...validateTemplate(spec, options.checkTemplate),
    ...validateRunsForever(spec.template, 'StatefulSet', 'spec.template'),
  ];
}

function validatePodManagement(policy: string): FieldError[] {
  const field = 'spec.podManagementPolicy';
  if (policy === '') return [required(field)];
  return policy === 'OrderedReady' || policy === 'Parallel'
    ? []
    : [invalid(field, policy, "must be 'OrderedReady' or 'Parallel'")];
}

function validateUpdateStrategy(strategy: Loose<apps.StatefulSetUpdateStrategy>): FieldError[] {
  const field = 'spec.updateStrategy';
  const { type = '', rollingUpdate } = strategy;
  const shown = rollingUpdate && {
    Partition: rollingUpdate.partition ?? 0,
    MaxUnavailable: rollingUpdate.maxUnavailable ?? null,
  };
  switch (type) {
    case '':
      return [required(field)];
    case 'OnDelete':
      return rollingUpdate === undefined
        ? []
        : [
            invalid(
              `${field}.rollingUpdate`,
              shown,
              "only allowed for updateStrategy 'RollingUpdate'",
            ),
          ];
    case 'RollingUpdate':
      return rollingUpdate === undefined
        ? []
        : validateRollingUpdate(rollingUpdate, `${field}.rollingUpdate`);
    default:
      return [
        invalid(
          field,
          { Type: type, RollingUpdate: shown ?? null },
          "must be 'RollingUpdate' or 'OnDelete'",
        ),
      ];
  }
}

function validateRollingUpdate(
  { partition, maxUnavailable }: Loose<apps.RollingUpdateStatefulSetStrategy>,
  field: string,
): FieldError[] {
  const path = `${field}.maxUnavailable`;
  return [
    ...nonNegative(partition, `${field}.partition`),
    ...(maxUnavailable === undefined
      ? []
      : [
          ...validateIntOrPercent(maxUnavailable, path),
          ...(amountOf(maxUnavailable) === 0 ? [invalid(path, maxUnavailable, 'cannot be 0')] : []),
          ...validateAtMost100Percent(maxUnavailable, path),
        ]),
  ];
}

/** Checks the template with the claims as volumes, because the template may mount them. */
function validateTemplate(spec: StatefulSetSpec, isChecked: boolean): FieldError[] {
  const field = 'spec.template';
  const matcher = matcherOf(spec.selector);
  if (matcher === undefined) {
    return [invalid('spec.selector', printableSelector(spec.selector), '')];
  }
  const { hostname: _hostname, subdomain: _subdomain, ...podSpec } = spec.template?.spec ?? {};
  const claims = (spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? '');
  const volumes = [
    ...[...new Set(claims)].map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
    ...(podSpec.volumes ?? []).filter(({ name = '' }) => !claims.includes(name)),
  ];
  const template = {
    ...spec.template,
    spec: { ...podSpec, ...(volumes.length > 0 && { volumes }) },
  };
  return [
    ...validateSelected(matcher, template, field),
    ...(isChecked ? validatePodTemplate(template, field) : []),
  ];
}

function validateFixedFields(spec: StatefulSetSpec, old: StatefulSetSpec): FieldError[] {
  const fixed = ({ ...copy }: StatefulSetSpec): StatefulSetSpec => {
    for (const field of UPDATABLE) delete copy[field];
    return copy;
  };
  if (jsonEqual(fixed(spec), fixed(old))) return [];
  const detail =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  return [forbidden('spec', detail)];
}

function validateStatus({ status = {} }: StatefulSet): FieldError[] {
  const limit = 'status.replicas';
  return validateCounters(
    status,
    [
      'replicas',
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'availableReplicas',
      'observedGeneration',
      'collisionCount',
    ],
    [
      ['readyReplicas', 'replicas', limit],
      ['currentReplicas', 'replicas', limit],
      ['updatedReplicas', 'replicas', limit],
      ['availableReplicas', 'replicas', limit],
      ['availableReplicas', 'readyReplicas', 'status.readyReplicas'],
    ],
  );
}

/** The table of StatefulSets. */
export const statefulSetPrinter: Printer<Printable<StatefulSet>> = printer([
  nameColumn(),
  column(
    'Ready',
    'Ready replicas / desired replicas',
    ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
  ),
  ageColumn(),
  ...containerColumns<Printable<StatefulSet>>(({ spec }) => spec?.template?.spec),
]);
