// Upstream: pkg/apis/storage/v1/defaults.go: SetDefaults_CSIDriver
// Upstream: pkg/apis/storage/validation/validation.go:
//   ValidateCSIDriver, ValidateCSINode, ValidateCSIStorageCapacity
// Upstream: pkg/registry/storage/csidriver/strategy.go
// Upstream: pkg/registry/storage/csinode/strategy.go
// Upstream: pkg/registry/storage/csistoragecapacity/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printCSIDriver, printCSINode
import type * as storage from 'client-ts/api/storage/v1';
import { jsonEqual } from 'client-ts/internal';
import { validateQualifiedName } from 'client-ts/meta';
import { validateOptionalChoice } from '../../../validation/choices.ts';
import {
  duplicate,
  type FieldError,
  invalid,
  invalidEach,
  notSupported,
  required,
} from '../../../validation/field-error.ts';
import { printableSelector, validateLabelSelector } from '../../../validation/labels.ts';
import type { Loose } from '../../../validation/loose.ts';
import { nameIsDnsSubdomain } from '../../../validation/names.ts';
import {
  FIELD_IS_IMMUTABLE,
  immutable,
  metaValidator,
  MUST_NOT_BE_NEGATIVE,
  nonNegative,
} from '../../../validation/object-meta.ts';
import { validateCSIDriverName } from '../../../validation/pod/volumes.ts';
import { isNegativeQuantity, quantityText } from '../../../validation/resources.ts';
import {
  ageColumn,
  boolean,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import { orNone, UNSET } from '../../printers/texts.ts';
import type { Strategy } from '../../strategy.ts';

type CSIDriver = Loose<storage.CSIDriver>;
type DriverSpec = Loose<storage.CSIDriverSpec>;
type CSINode = Loose<storage.CSINode>;
type NodeDriver = Loose<storage.CSINodeDriver>;
type Capacity = Loose<storage.CSIStorageCapacity>;

const TEN_MINUTES = 600;
const LONGEST_TOKEN_LIFE = 2 ** 32;
const LONGEST_NODE_ID = 256;
const clusterMeta = metaValidator({ namespaced: false });
const namespacedMeta = metaValidator({ namespaced: true });

/** Rules of CSIDrivers. */
export const csiDriverStrategy: Strategy<CSIDriver> = {
  setDefaults: (driver) => {
    const spec = (driver.spec ??= {});
    spec.attachRequired ??= true;
    spec.podInfoOnMount ??= false;
    spec.storageCapacity ??= false;
    spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
    if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ['Persistent'];
    spec.requiresRepublish ??= false;
    spec.seLinuxMount ??= false;
  },
  prepareForCreate: ({ spec = {} }) => {
    delete spec.preventPodSchedulingIfMissing;
  },
  prepareForUpdate: (driver, old) => {
    const { spec = {} } = driver;
    if (old.spec?.preventPodSchedulingIfMissing === undefined) {
      delete spec.preventPodSchedulingIfMissing;
    }
    if (jsonEqual(spec, old.spec)) return;
    (driver.metadata ??= {}).generation = (old.metadata?.generation ?? 0) + 1;
  },
  validate: (driver) => [...clusterMeta.create(driver), ...validateDriverSpec(driver.spec ?? {})],
  validateUpdate: (driver, old) => [
    ...clusterMeta.update(driver, old),
    ...validateDriverSpec(driver.spec ?? {}),
    ...immutable(driver.spec?.attachRequired, old.spec?.attachRequired, 'spec.attachedRequired'),
    ...immutable(
      driver.spec?.volumeLifecycleModes,
      old.spec?.volumeLifecycleModes,
      'spec.volumeLifecycleModes',
    ),
  ],
  warnings: ({ spec = {} }, old) => {
    const { tokenRequests = [], serviceAccountTokenInSecrets } = spec;
    const isKnown = old !== undefined && jsonEqual(tokenRequests, old.spec?.tokenRequests ?? []);
    return tokenRequests.length > 0 && serviceAccountTokenInSecrets === undefined && !isKnown
      ? [
          'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
        ]
      : [];
  },
  // Counts updates, but starts without a generation.
  generation: 'none',
  unconditionalUpdate: false,
  deleteReturnsObject: true,
};

function validateDriverSpec(spec: DriverSpec): FieldError[] {
  const { tokenRequests = [], nodeAllocatableUpdatePeriodSeconds: period } = spec;
  const { serviceAccountTokenInSecrets: inSecrets, volumeLifecycleModes = [] } = spec;
  const modes = ['Persistent', 'Ephemeral'];
  return [
    ...validateOptionalChoice(
      spec.fsGroupPolicy,
      ['File', 'None', 'ReadWriteOnceWithFSType'],
      'spec.fsGroupPolicy',
    ),
    ...validateTokenRequests(tokenRequests, 'spec.tokenRequests'),
    ...volumeLifecycleModes
      .filter((mode) => !modes.includes(mode))
      .map((mode) => notSupported('spec.volumeLifecycleModes', mode, modes)),
    ...(period !== undefined && period < 10
      ? [
          invalid(
            'spec.nodeAllocatableUpdatePeriodSeconds',
            period,
            'must be greater than or equal to 10 seconds',
          ),
        ]
      : []),
    ...(inSecrets !== undefined && tokenRequests.length === 0
      ? [
          invalid(
            'spec.serviceAccountTokenInSecrets',
            inSecrets,
            'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
          ),
        ]
      : []),
  ];
}

function validateTokenRequests(
  requests: readonly Loose<storage.TokenRequest>[],
  field: string,
): FieldError[] {
  return requests.flatMap(({ audience = '', expirationSeconds: seconds }, index) => {
    const path = `${field}[${index}]`;
    const isRepeated = requests
      .slice(0, index)
      .some((other) => (other.audience ?? '') === audience);
    if (isRepeated) return [duplicate(`${path}.audience`, audience)];
    if (seconds === undefined) return [];
    return [
      ...(seconds < TEN_MINUTES
        ? [
            invalid(
              `${path}.expirationSeconds`,
              seconds,
              'may not specify a duration less than 10 minutes',
            ),
          ]
        : []),
      ...(seconds > LONGEST_TOKEN_LIFE
        ? [
            invalid(
              `${path}.expirationSeconds`,
              seconds,
              'may not specify a duration larger than 2^32 seconds',
            ),
          ]
        : []),
    ];
  });
}

/** Rules of CSINodes. */
export const csiNodeStrategy: Strategy<CSINode> = {
  validate: validateNode,
  validateUpdate: (node, old) => [...validateNode(node), ...validateDriversUnchanged(node, old)],
  generation: 'none',
  unconditionalUpdate: false,
  deleteReturnsObject: true,
};

function validateNode(node: CSINode): FieldError[] {
  const drivers = node.spec?.drivers ?? [];
  return [
    ...clusterMeta.create(node),
    ...drivers.flatMap((driver, index) => {
      const isRepeated = drivers.slice(0, index).some(({ name }) => name === driver.name);
      return validateNodeDriver(driver, isRepeated, `spec.drivers[${index}]`);
    }),
  ];
}

function validateNodeDriver(driver: NodeDriver, isRepeated: boolean, field: string): FieldError[] {
  const { name = '', nodeID = '', allocatable } = driver;
  const topologyKeys = driver.topologyKeys ?? [];
  return [
    ...validateCSIDriverName(name, `${field}.name`),
    ...(nodeID === '' ? [required(`${field}.nodeID`)] : []),
    ...(Buffer.byteLength(nodeID) > LONGEST_NODE_ID
      ? [invalid(`${field}.nodeID`, nodeID, `must be ${LONGEST_NODE_ID} characters or less`)]
      : []),
    ...nonNegative(allocatable?.count, `${field}.allocatable.count`),
    ...(isRepeated ? [duplicate(`${field}.name`, name)] : []),
    ...topologyKeys.flatMap((key, index) => [
      ...(key === '' ? [required(field)] : []),
      ...(topologyKeys.indexOf(key) < index ? [duplicate(field, key)] : []),
      ...invalidEach(field, key, validateQualifiedName(key)),
    ]),
  ];
}

/** Only `allocatable` of an existing driver may change. */
function validateDriversUnchanged(node: CSINode, old: CSINode): FieldError[] {
  const withoutAmount = ({ allocatable: _, ...driver }: NodeDriver): NodeDriver => driver;
  return (old.spec?.drivers ?? []).flatMap((before) =>
    (node.spec?.drivers ?? [])
      .filter(({ name }) => name === before.name)
      .filter((driver) => !jsonEqual(withoutAmount(driver), withoutAmount(before)))
      .map((driver) => invalid('spec.drivers', withoutAmount(driver), FIELD_IS_IMMUTABLE)),
  );
}

/** Rules of CSIStorageCapacities. */
export const csiStorageCapacityStrategy: Strategy<Capacity> = {
  validate: validateCapacity,
  validateUpdate: (capacity, old) => [
    ...validateCapacity(capacity),
    ...namespacedMeta.update(capacity, old),
    ...(jsonEqual(capacity.nodeTopology, old.nodeTopology)
      ? []
      : [invalid('nodeTopology', printableSelector(capacity.nodeTopology), FIELD_IS_IMMUTABLE)]),
    ...immutable(capacity.storageClassName ?? '', old.storageClassName ?? '', 'storageClassName'),
  ],
  generation: 'none',
  unconditionalUpdate: false,
};

function validateCapacity(object: Capacity): FieldError[] {
  const { storageClassName = '', capacity, nodeTopology } = object;
  return [
    ...namespacedMeta.create(object),
    ...validateLabelSelector(nodeTopology, 'nodeTopology'),
    ...invalidEach(
      'storageClassName',
      storageClassName,
      nameIsDnsSubdomain(storageClassName, false),
    ),
    ...(capacity !== undefined && isNegativeQuantity(capacity)
      ? [invalid('capacity', quantityText(capacity), MUST_NOT_BE_NEGATIVE)]
      : []),
  ];
}

/** The table of CSINodes. */
export const csiNodePrinter: Printer<Printable<CSINode>> = printer([
  nameColumn(),
  column('Drivers', 'Number of drivers on the node', ({ spec }) => (spec?.drivers ?? []).length, {
    type: 'integer',
  }),
  ageColumn(),
]);

/** The table of CSIDrivers. */
export const csiDriverPrinter: Printer<Printable<CSIDriver>> = printer([
  nameColumn(),
  column(
    'AttachRequired',
    'Whether volumes must be attached before they are mounted',
    ({ spec }) => spec?.attachRequired ?? true,
    boolean,
  ),
  column(
    'PodInfoOnMount',
    'Whether the driver gets pod information on mount',
    ({ spec }) => spec?.podInfoOnMount ?? false,
    boolean,
  ),
  column(
    'StorageCapacity',
    'Whether the driver publishes its storage capacity',
    ({ spec }) => spec?.storageCapacity ?? false,
    boolean,
  ),
  column(
    'TokenRequests',
    'Audiences of the service account tokens that the driver gets',
    ({ spec }) => spec?.tokenRequests?.map(({ audience = '' }) => audience).join(',') ?? UNSET,
  ),
  column(
    'RequiresRepublish',
    'Whether the driver is called again for mounted volumes',
    ({ spec }) => spec?.requiresRepublish ?? false,
    boolean,
  ),
  column('Modes', 'Kinds of volumes that the driver supports', ({ spec }) =>
    orNone((spec?.volumeLifecycleModes ?? []).join(',')),
  ),
  ageColumn(),
]);
