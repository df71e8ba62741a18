// Upstream: pkg/apis/storage/v1/defaults.go: SetDefaults_StorageClass
// Upstream: pkg/apis/storage/validation/validation.go:
//   ValidateStorageClass, ValidateVolumeAttributesClass
// Upstream: pkg/registry/storage/storageclass/strategy.go
// Upstream: pkg/registry/storage/volumeattributesclass/strategy.go
// Upstream: pkg/api/storage/util.go: GetWarningsForStorageClass
// Upstream: pkg/printers/internalversion/printers.go: printStorageClass
import type * as core from 'client-ts/api/core/v1';
import type * as storage from 'client-ts/api/storage/v1';
import { getKey, jsonEqual } from 'client-ts/internal';
import { annotationsOf, validateQualifiedName } from 'client-ts/meta';
import { validateChoice } from '../../../validation/choices.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  notSupported,
  required,
  tooLong,
} from '../../../validation/field-error.ts';
import { validateLabelKey } from '../../../validation/labels.ts';
import { type Loose, sortedMap } from '../../../validation/loose.ts';
import { FIELD_IS_IMMUTABLE, immutable, metaValidator } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import type { Strategy } from '../../strategy.ts';
import { deprecatedNodeLabels } from '../core/node.ts';

type StorageClass = Loose<storage.StorageClass>;
type AttributesClass = Loose<storage.VolumeAttributesClass>;
type TopologyTerm = Loose<core.TopologySelectorTerm>;

const MOST_PARAMETERS = 512;
const LARGEST_PARAMETERS = 256 * 1024;
const RECLAIM_POLICIES = ['Delete', 'Retain'];
const meta = metaValidator({ namespaced: false });

/** Rules of StorageClasses. */
export const storageClassStrategy: Strategy<StorageClass> = {
  setDefaults: (object) => {
    object.reclaimPolicy ??= 'Delete';
    object.volumeBindingMode ??= 'Immediate';
  },
  validate: validateStorageClass,
  validateUpdate: (object, old) => [
    ...validateStorageClass(object),
    ...meta.update(object, old),
    ...(jsonEqual(object.parameters ?? {}, old.parameters ?? {})
      ? []
      : [invalid('parameters', sortedMap(object.parameters), FIELD_IS_IMMUTABLE)]),
    ...immutable(object.provisioner ?? '', old.provisioner ?? '', 'provisioner'),
    ...immutable(object.reclaimPolicy, old.reclaimPolicy, 'reclaimPolicy'),
    ...immutable(object.volumeBindingMode, old.volumeBindingMode, 'volumeBindingMode'),
  ],
  warnings: ({ allowedTopologies = [] }) =>
    allowedTopologies.flatMap(({ matchLabelExpressions = [] }, term) =>
      matchLabelExpressions.flatMap(({ key = '' }, index) => {
        const message = deprecatedNodeLabels.get(key);
        const path = `allowedTopologies[${term}].matchLabelExpressions[${index}].key`;
        return message === undefined ? [] : [`${path}: ${message}`];
      }),
    ),
  generation: 'none',
  deleteReturnsObject: true,
};

function validateStorageClass(object: StorageClass): FieldError[] {
  const { reclaimPolicy = '' } = object;
  return [
    ...meta.create(object),
    ...validateProvisioner(object.provisioner ?? '', 'provisioner'),
    ...validateParameters(object.parameters ?? {}, 'parameters'),
    ...(reclaimPolicy === '' || RECLAIM_POLICIES.includes(reclaimPolicy)
      ? []
      : [notSupported('reclaimPolicy', reclaimPolicy, RECLAIM_POLICIES)]),
    ...validateChoice(
      object.volumeBindingMode,
      ['Immediate', 'WaitForFirstConsumer'],
      'volumeBindingMode',
    ),
    ...validateTopologies(object.allowedTopologies ?? [], 'allowedTopologies'),
  ];
}

function validateProvisioner(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  const lower = name.toLowerCase();
  return invalidEach(field, lower, validateQualifiedName(lower));
}

function validateParameters(
  parameters: Readonly<Record<string, string>>,
  field: string,
): FieldError[] {
  const entries = Object.entries(parameters);
  if (entries.length > MOST_PARAMETERS) return [tooLong(field, MOST_PARAMETERS)];
  const size = entries.reduce(
    (total, [key, value]) => total + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return [
    ...entries
      .filter(([key]) => key === '')
      .map(([key]) => invalid(field, key, 'field can not be empty.')),
    ...(size > LARGEST_PARAMETERS ? [tooLong(field, LARGEST_PARAMETERS)] : []),
  ];
}

function validateTopologies(terms: readonly TopologyTerm[], field: string): FieldError[] {
  return terms.flatMap((term, index) => {
    const path = `${field}[${index}].matchLabelExpressions`;
    const isRepeated = terms
      .slice(0, index)
      .some((other) => jsonEqual(comparable(other), comparable(term)));
    return [...validateTerm(term, path), ...(isRepeated ? [duplicate(path, '')] : [])];
  });
}

/** Returns the expressions of a term in a form that does not depend on their order. */
function comparable({ matchLabelExpressions = [] }: TopologyTerm): Record<string, string[]> {
  return Object.fromEntries(
    matchLabelExpressions.map(({ key = '', values = [] }) => [
      key,
      [...new Set(values)].toSorted(),
    ]),
  );
}

function validateTerm(
  { matchLabelExpressions: requirements = [] }: TopologyTerm,
  field: string,
): FieldError[] {
  return requirements.flatMap(({ key = '', values = [] }, index) => {
    const path = `${field}[${index}]`;
    const isRepeated = requirements.slice(0, index).some((other) => (other.key ?? '') === key);
    return [
      ...(values.length === 0 ? [required(`${path}.values`)] : []),
      ...values.flatMap((value, position) =>
        values.indexOf(value) < position ? [duplicate(`${path}.values[${position}]`, value)] : [],
      ),
      ...validateLabelKey(key, `${path}.key`),
      ...(isRepeated ? [duplicate(`${path}.key`, key)] : []),
    ];
  });
}

/** Rules of VolumeAttributesClasses, which are immutable. */
export const volumeAttributesClassStrategy: Strategy<AttributesClass> = {
  validate: validateAttributesClass,
  validateUpdate: (object, old) => [
    ...meta.update(object, old),
    ...((object.driverName ?? '') === (old.driverName ?? '')
      ? []
      : [forbidden('driverName', 'updates to driverName are forbidden.')]),
    ...(jsonEqual(object.parameters, old.parameters)
      ? []
      : [forbidden('parameters', 'updates to parameters are forbidden.')]),
    ...validateAttributesClass(object),
  ],
  generation: 'none',
  deleteReturnsObject: true,
};

function validateAttributesClass(object: AttributesClass): FieldError[] {
  const { parameters = {} } = object;
  return [
    ...meta.create(object),
    ...validateProvisioner(object.driverName ?? '', 'driverName'),
    ...validateParameters(parameters, 'parameters'),
    ...(Object.keys(parameters).length === 0
      ? [required('parameters', 'must contain at least one key/value pair')]
      : []),
  ];
}

const DEFAULT_STORAGE_CLASS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** The table of StorageClasses. */
export const storageClassPrinter: Printer<Printable<StorageClass>> = printer([
  nameColumn((storageClass) => {
    const annotations = annotationsOf(storageClass);
    return DEFAULT_STORAGE_CLASS.some((key) => getKey(annotations, key) === 'true')
      ? ' (default)'
      : '';
  }),
  column('Provisioner', 'Provisioner of the volumes', ({ provisioner }) => provisioner ?? ''),
  column(
    'ReclaimPolicy',
    'What happens to volumes whose claims are deleted',
    ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete',
  ),
  column(
    'VolumeBindingMode',
    'When volumes are bound to claims',
    ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate',
  ),
  column(
    'AllowVolumeExpansion',
    'Whether volumes can be expanded',
    ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false,
  ),
  ageColumn(),
]);

/** The table of VolumeAttributesClasses. */
export const volumeAttributesClassPrinter: Printer<Printable<storage.VolumeAttributesClass>> =
  printer([
    nameColumn(),
    column('DriverName', 'Driver of the attributes', ({ driverName }) => driverName ?? ''),
    ageColumn(),
  ]);
