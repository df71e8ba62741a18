// Upstream: pkg/apis/storage/validation/validation.go: ValidateVolumeAttachment
// Upstream: pkg/registry/storage/volumeattachment/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printVolumeAttachment
import type * as storage from 'client-ts/api/storage/v1';
import { jsonEqual } from 'client-ts/internal';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidEach,
  required,
  tooLong,
} from '../../../validation/field-error.ts';
import type { Loose } from '../../../validation/loose.ts';
import { nameIsDnsSubdomain } from '../../../validation/names.ts';
import { FIELD_IS_IMMUTABLE, metaValidator } from '../../../validation/object-meta.ts';
import { validateCSIDriverName } from '../../../validation/pod/volumes.ts';
import {
  ageColumn,
  boolean,
  column,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import type { Strategy } from '../../strategy.ts';
import { keepSpecAndMetadata } from '../support.ts';

type Attachment = Loose<storage.VolumeAttachment>;

const LARGEST_METADATA = 256 * 1024;
const LONGEST_MESSAGE = 1024;
const meta = metaValidator({ namespaced: false });

/** Rules of VolumeAttachments. */
export const volumeAttachmentStrategy: Strategy<Attachment> = {
  validate: validateAttachment,
  validateUpdate,
  prepareForStatusUpdate: keepSpecAndMetadata,
  validateStatusUpdate: validateUpdate,
  generation: 'none',
  unconditionalUpdate: false,
  deleteReturnsObject: true,
};

function validateAttachment(object: Attachment): FieldError[] {
  const { attacher = '', source = {}, nodeName = '' } = object.spec ?? {};
  return [
    ...meta.create(object),
    ...validateCSIDriverName(attacher, 'spec.attacher'),
    ...validateSource(source, 'spec.source'),
    ...invalidEach('spec.nodeName', nodeName, nameIsDnsSubdomain(nodeName, false)),
    ...validateStatus(object.status ?? {}),
    ...(source.persistentVolumeName === undefined
      ? []
      : invalidEach(
          'spec.source.persistentVolumeName',
          source.persistentVolumeName,
          nameIsDnsSubdomain(source.persistentVolumeName, false),
        )),
  ];
}

function validateSource(
  { inlineVolumeSpec, persistentVolumeName }: Loose<storage.VolumeAttachmentSource>,
  field: string,
): FieldError[] {
  const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (persistentVolumeName === undefined) {
    return inlineVolumeSpec === undefined ? [required(field, exactlyOne)] : [];
  }
  if (inlineVolumeSpec !== undefined) return [forbidden(field, exactlyOne)];
  return persistentVolumeName === ''
    ? [required(`${field}.persistentVolumeName`, 'must specify non empty persistentVolumeName')]
    : [];
}

function validateStatus(status: Loose<storage.VolumeAttachmentStatus>): FieldError[] {
  const size = Object.entries(status.attachmentMetadata ?? {}).reduce(
    (total, [key, value]) => total + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return [
    ...(size > LARGEST_METADATA ? [tooLong('status.attachmentMetadata', LARGEST_METADATA)] : []),
    ...(['attachError', 'detachError'] as const).flatMap((name) => {
      const { message = '', errorCode } = status[name] ?? {};
      return [
        // The message of kube-apiserver names a different limit than it applies.
        ...(Buffer.byteLength(message) > LONGEST_MESSAGE
          ? [tooLong(`status.${name}.message`, LARGEST_METADATA)]
          : []),
        ...(errorCode !== undefined && errorCode < 0
          ? [
              invalid(
                `status.${name}.errorCode`,
                errorCode,
                'must be between 0 and 2147483647, inclusive',
              ),
            ]
          : []),
      ];
    }),
  ];
}

function validateUpdate(object: Attachment, old: Attachment): FieldError[] {
  return [
    ...validateAttachment(object),
    ...(jsonEqual(object.spec, old.spec)
      ? []
      : [invalid('spec', object.spec ?? {}, FIELD_IS_IMMUTABLE)]),
  ];
}

/** The table of VolumeAttachments. */
export const volumeAttachmentPrinter: Printer<Printable<storage.VolumeAttachment>> = printer([
  nameColumn(),
  column('Attacher', 'CSI driver that attaches the volume', ({ spec }) => spec?.attacher ?? '', {
    format: 'name',
  }),
  column(
    'PV',
    'Name of the PersistentVolume',
    ({ spec }) => spec?.source?.persistentVolumeName ?? '',
  ),
  column('Node', 'Name of the node', ({ spec }) => spec?.nodeName ?? ''),
  column(
    'Attached',
    'Whether the volume is attached',
    ({ status }) => status?.attached ?? false,
    boolean,
  ),
  ageColumn(),
]);
