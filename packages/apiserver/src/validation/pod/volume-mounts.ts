// Upstream: pkg/apis/core/validation/validation.go: ValidateVolumeMounts, ValidateVolumeDevices
import type * as core from 'client-ts/api/core/v1';
import { validateDescendingPath, validateNoBacksteps, validateOptionalChoice } from '../choices.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
} from '../field-error.ts';
import type { Loose } from '../loose.ts';
import type { VolumeMap } from './volumes.ts';

type VolumeMount = Loose<core.VolumeMount>;
type VolumeDevice = Loose<core.VolumeDevice>;

/** Checks the volume mounts of a container. */
export function validateVolumeMounts(
  container: Loose<core.Container>,
  volumes: VolumeMap,
  field: string,
): FieldError[] {
  const { volumeMounts = [], volumeDevices = [] } = container;
  const deviceNames = new Set(volumeDevices.map(({ name = '' }) => name));
  const devicePaths = new Set(volumeDevices.map(({ devicePath = '' }) => devicePath));
  const mountPaths = new Set<string>();
  return volumeMounts.flatMap((mount, index) => {
    const path = `${field}[${index}]`;
    const { name = '', mountPath = '' } = mount;
    const isTaken = mountPaths.has(mountPath);
    mountPaths.add(mountPath);
    return [
      ...(name === '' ? [required(`${path}.name`)] : []),
      ...(volumes.has(name) ? [] : [notFound(`${path}.name`, name)]),
      ...(mountPath === '' ? [required(`${path}.mountPath`)] : []),
      ...(isTaken ? [invalid(`${path}.mountPath`, mountPath, 'must be unique')] : []),
      ...(deviceNames.has(name)
        ? [invalid(`${path}.name`, name, 'must not already exist in volumeDevices')]
        : []),
      ...(devicePaths.has(mountPath)
        ? [
            invalid(
              `${path}.mountPath`,
              mountPath,
              'must not already exist as a path in volumeDevices',
            ),
          ]
        : []),
      ...validateSubPaths(mount, path, field),
      ...validatePropagation(mount, container, `${field}.mountPropagation`),
      ...validateRecursiveReadOnly(mount, `${field}.recursiveReadOnly`),
    ];
  });
}

/** kube-apiserver omits the index in some of these paths. */
function validateSubPaths(
  { subPath = '', subPathExpr = '' }: VolumeMount,
  field: string,
  listField: string,
): FieldError[] {
  return [
    ...(subPath === '' ? [] : validateDescendingPath(subPath, `${listField}.subPath`)),
    ...(subPathExpr !== '' && subPath !== ''
      ? [
          invalid(
            `${field}.subPathExpr`,
            subPathExpr,
            'subPathExpr and subPath are mutually exclusive',
          ),
        ]
      : []),
    ...(subPathExpr === '' ? [] : validateDescendingPath(subPathExpr, `${listField}.subPathExpr`)),
  ];
}

function validatePropagation(
  { mountPropagation }: VolumeMount,
  { securityContext }: Loose<core.Container>,
  field: string,
): FieldError[] {
  const detail = 'Bidirectional mount propagation is available only to privileged containers';
  return [
    ...validateOptionalChoice(
      mountPropagation,
      ['Bidirectional', 'HostToContainer', 'None'],
      field,
    ),
    ...(mountPropagation === 'Bidirectional' && securityContext?.privileged !== true
      ? [forbidden(field, detail)]
      : []),
  ];
}

function validateRecursiveReadOnly(mount: VolumeMount, field: string): FieldError[] {
  const { recursiveReadOnly, readOnly = false, mountPropagation = 'None' } = mount;
  switch (recursiveReadOnly) {
    case undefined:
    case 'Disabled':
      return [];
    case 'Enabled':
    case 'IfPossible':
      return [
        ...(readOnly ? [] : [forbidden(field, 'may only be specified when readOnly is true')]),
        ...(mountPropagation === 'None'
          ? []
          : [
              forbidden(
                field,
                'may only be specified when mountPropagation is None or not specified',
              ),
            ]),
      ];
    default:
      return [notSupported(field, recursiveReadOnly, ['Disabled', 'Enabled', 'IfPossible'])];
  }
}

/** Checks the raw block devices of a container. */
export function validateVolumeDevices(
  devices: readonly VolumeDevice[],
  mounts: readonly VolumeMount[],
  volumes: VolumeMap,
  field: string,
): FieldError[] {
  const mountNames = new Set(mounts.map(({ name = '' }) => name));
  const mountPaths = new Set(mounts.map(({ mountPath = '' }) => mountPath));
  const names = new Set<string>();
  const paths = new Set<string>();
  return devices.flatMap(({ name = '', devicePath = '' }, index) => {
    const path = `${field}[${index}]`;
    const volume = volumes.get(name);
    const isClaim = volume?.persistentVolumeClaim !== undefined || volume?.ephemeral !== undefined;
    const climbs = validateNoBacksteps(devicePath, field).length > 0;
    const wrongName = (detail: string): FieldError => invalid(`${path}.name`, name, detail);
    const wrongPath = (detail: string): FieldError =>
      invalid(`${path}.devicePath`, devicePath, detail);
    const errors = [
      ...(name === '' ? [required(`${path}.name`)] : []),
      ...(names.has(name) ? [wrongName('must be unique')] : []),
      ...(volume !== undefined && !isClaim
        ? [
            wrongName(
              'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
            ),
          ]
        : []),
      ...(volume === undefined ? [notFound(`${path}.name`, name)] : []),
      ...(devicePath === '' ? [required(`${path}.devicePath`)] : []),
      ...(paths.has(devicePath) ? [wrongPath('must be unique')] : []),
      ...(climbs ? [wrongPath("can not contain backsteps ('..')")] : []),
      ...(mountNames.has(name) ? [wrongName('must not already exist in volumeMounts')] : []),
      ...(mountPaths.has(devicePath)
        ? [wrongPath('must not already exist as a path in volumeMounts')]
        : []),
    ];
    if (!climbs) paths.add(devicePath);
    if (name !== '') names.add(name);
    return errors;
  });
}
