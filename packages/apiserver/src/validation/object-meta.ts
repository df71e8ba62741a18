// Upstream: staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go
import { jsonEqual, quoteGo } from 'client-ts/internal';
import {
  type KubernetesObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
  parseApiVersion,
} from 'client-ts/meta';
import {
  excerpt,
  type FieldError,
  collectErrors,
  forbidden,
  invalid,
  invalidEach,
  required,
  tooLong,
} from './field-error.ts';
import { validateLabels } from './labels.ts';
import { inOrder } from './loose.ts';
import {
  annotationsSize,
  maxAnnotationsSize,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  validateAnnotationKey,
  validateFinalizerName,
  validateKubeFinalizerName,
} from './names.ts';

/** The name rule of a kind. `isPrefix` is true for `generateName`. */
export type ValidateName = (name: string, isPrefix: boolean) => string[];

/** The metadata rules of a kind. */
export interface ObjectMetaRules {
  readonly namespaced: boolean;
  /** Default: DNS-1123 subdomain. */
  readonly validateName?: ValidateName | undefined;
  /** Default: `metadata`. */
  readonly field?: string | undefined;
  /**
   * Accept only standard and fully qualified finalizers, as built-in kinds do. Default true; false
   * for custom resources and for the checks that all kinds share.
   */
  readonly kubeFinalizers?: boolean | undefined;
}

const LONGEST_MANAGER = 128;
const LONGEST_SUBRESOURCE = 256;
export const FIELD_IS_IMMUTABLE = 'field is immutable';
export const MUST_NOT_BE_NEGATIVE = 'must be greater than or equal to 0';

/** Checks the metadata of a new object, after its name is generated. */
export function validateObjectMeta(
  metadata: ObjectMeta | undefined,
  {
    namespaced,
    validateName = nameIsDnsSubdomain,
    field = 'metadata',
    kubeFinalizers = true,
  }: ObjectMetaRules,
): FieldError[] {
  const meta = metadata ?? {};
  const { name = '', generateName = '' } = meta;
  return [
    ...(generateName === ''
      ? []
      : invalidEach(`${field}.generateName`, generateName, validateName(generateName, true))),
    ...(name === ''
      ? [required(`${field}.name`, 'name or generateName is required')]
      : invalidEach(`${field}.name`, name, validateName(name, false))),
    ...validateNamespace(meta.namespace ?? '', namespaced, `${field}.namespace`),
    ...nonNegative(meta.generation, `${field}.generation`),
    ...validateLabels(meta.labels, `${field}.labels`),
    ...validateAnnotations(meta.annotations, `${field}.annotations`),
    ...validateOwnerReferences(meta.ownerReferences ?? [], `${field}.ownerReferences`),
    ...validateFinalizers(meta.finalizers ?? [], `${field}.finalizers`),
    ...validateManagedFields(meta.managedFields ?? [], `${field}.managedFields`),
    ...(kubeFinalizers ? validateKubeFinalizers(meta, field) : []),
  ];
}

/** Checks the metadata of an update against the stored metadata. */
export function validateObjectMetaUpdate(
  metadata: ObjectMeta | undefined,
  oldMetadata: ObjectMeta | undefined,
  { field = 'metadata', kubeFinalizers = true }: Omit<ObjectMetaRules, 'namespaced'> = {},
): FieldError[] {
  const meta = metadata ?? {};
  const old = oldMetadata ?? {};
  const same = (key: keyof ObjectMeta & string, absent?: unknown): FieldError[] =>
    immutable(meta[key] ?? absent, old[key] ?? absent, `${field}.${key}`);
  return [
    ...(old.deletionTimestamp === undefined ? [] : validateNoNewFinalizers(meta, old, field)),
    ...((meta.resourceVersion ?? '') === ''
      ? [invalid(`${field}.resourceVersion`, '', 'must be specified for an update')]
      : []),
    ...((meta.generation ?? 0) < (old.generation ?? 0)
      ? [invalid(`${field}.generation`, meta.generation ?? 0, 'must not be decremented')]
      : []),
    ...same('name', ''),
    ...same('namespace', ''),
    ...same('uid', ''),
    ...same('creationTimestamp'),
    ...same('deletionTimestamp'),
    ...same('deletionGracePeriodSeconds'),
    ...validateLabels(meta.labels, `${field}.labels`),
    ...validateAnnotations(meta.annotations, `${field}.annotations`),
    ...validateOwnerReferences(meta.ownerReferences ?? [], `${field}.ownerReferences`),
    ...validateManagedFields(meta.managedFields ?? [], `${field}.managedFields`),
    ...(kubeFinalizers ? validateKubeFinalizers(meta, field) : []),
  ];
}

/** The metadata rules of a kind, for its strategy to call. */
export interface MetaValidator {
  readonly create: (object: KubernetesObject) => FieldError[];
  readonly update: (object: KubernetesObject, old: KubernetesObject) => FieldError[];
}

/** Binds {@link validateObjectMeta} and {@link validateObjectMetaUpdate} to the rules of a kind. */
export function metaValidator(rules: ObjectMetaRules): MetaValidator {
  return {
    create: ({ metadata }) => validateObjectMeta(metadata, rules),
    update: ({ metadata }, old) => validateObjectMetaUpdate(metadata, old.metadata, rules),
  };
}

/** Checks the keys of annotations and their total size. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  field: string,
): FieldError[] {
  if (annotations === undefined) return [];
  return [
    ...collectErrors(Object.keys(annotations), (key) =>
      invalidEach(field, key, validateAnnotationKey(key)),
    ),
    ...(annotationsSize(annotations) > maxAnnotationsSize
      ? [tooLong(field, maxAnnotationsSize)]
      : []),
  ];
}

/** Checks that an update does not change a value. Absent and empty values differ. */
export function immutable(value: unknown, old: unknown, field: string): FieldError[] {
  return jsonEqual(value, old) ? [] : [invalid(field, value, FIELD_IS_IMMUTABLE)];
}

/** Checks that a number, if set, is not negative. */
export function nonNegative(value: number | undefined, field: string): FieldError[] {
  return value !== undefined && value < 0 ? [invalid(field, value, MUST_NOT_BE_NEGATIVE)] : [];
}

function validateNamespace(namespace: string, namespaced: boolean, field: string): FieldError[] {
  if (!namespaced) return namespace === '' ? [] : [forbidden(field, 'not allowed on this type')];
  return namespace === ''
    ? [required(field)]
    : invalidEach(field, namespace, nameIsDnsLabel(namespace, false));
}

function validateOwnerReferences(owners: readonly OwnerReference[], field: string): FieldError[] {
  // Every error quotes the whole list, so it is formatted once.
  const printable = excerpt(owners).map(printableOwner);
  let controller: string | undefined;
  return collectErrors(owners, (owner) => {
    const errors = validateOwnerReference(owner, field);
    if (owner.controller !== true) return errors;
    const name = `${owner.kind}/${owner.name}`;
    if (controller === undefined) {
      controller = name;
      return errors;
    }
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
    return [...errors, invalid(field, printable, detail)];
  });
}

function validateOwnerReference(owner: Partial<OwnerReference>, field: string): FieldError[] {
  const { apiVersion = '', kind = '', name = '', uid = '' } = owner;
  const { group, version } = parseApiVersion(apiVersion);
  const empty = 'must not be empty';
  return [
    ...(version === '' ? [invalid(`${field}.apiVersion`, apiVersion, `version ${empty}`)] : []),
    ...(kind === '' ? [invalid(`${field}.kind`, kind, empty)] : []),
    ...(name === '' ? [invalid(`${field}.name`, name, empty)] : []),
    ...(uid === '' ? [invalid(`${field}.uid`, uid, empty)] : []),
    ...(group === '' && version === 'v1' && kind === 'Event'
      ? [invalid(field, printableOwner(owner), '/v1, Kind=Event is disallowed from being an owner')]
      : []),
  ];
}

function printableOwner(owner: Partial<OwnerReference>): unknown {
  return inOrder({ apiVersion: '', kind: '', name: '', uid: '', ...owner }, [
    'apiVersion',
    'kind',
    'name',
    'uid',
    'controller',
    'blockOwnerDeletion',
  ]);
}

function validateFinalizers(finalizers: readonly string[], field: string): FieldError[] {
  const errors = collectErrors(finalizers, (name) =>
    invalidEach(field, name, validateFinalizerName(name)),
  );
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const detail = 'finalizer orphan and foregroundDeletion cannot be both set';
    errors.push(invalid(field, finalizers, detail));
  }
  return errors;
}

function validateKubeFinalizers({ finalizers = [] }: ObjectMeta, field: string): FieldError[] {
  return collectErrors(finalizers, (name, index) =>
    invalidEach(`${field}.finalizers[${index}]`, name, validateKubeFinalizerName(name)),
  );
}

function validateNoNewFinalizers(meta: ObjectMeta, old: ObjectMeta, field: string): FieldError[] {
  const known = new Set(old.finalizers);
  const added = [...new Set(meta.finalizers)].filter((name) => !known.has(name)).toSorted();
  if (added.length === 0) return [];
  const list = `[]string{${added.map(quoteGo).join(', ')}}`;
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
  return [forbidden(`${field}.finalizers`, detail)];
}

function validateManagedFields(
  entries: readonly ManagedFieldsEntry[],
  field: string,
): FieldError[] {
  return collectErrors(entries, (entry, index) =>
    validateManagedFieldsEntry(entry, `${field}[${index}]`),
  );
}

function validateManagedFieldsEntry(
  { operation = '', fieldsType = '', manager = '', subresource = '' }: ManagedFieldsEntry,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (operation !== 'Apply' && operation !== 'Update') {
    errors.push(invalid(`${field}.operation`, operation, 'must be `Apply` or `Update`'));
  }
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    errors.push(invalid(`${field}.fieldsType`, fieldsType, 'must be `FieldsV1`'));
  }
  errors.push(...validateFieldManager(manager, `${field}.manager`));
  if (Buffer.byteLength(subresource) > LONGEST_SUBRESOURCE) {
    errors.push(tooLong(`${field}.subresource`, LONGEST_SUBRESOURCE));
  }
  return errors;
}

/** Checks the name of a field manager, in managed fields and in request parameters. */
export function validateFieldManager(manager: string, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > LONGEST_MANAGER) errors.push(tooLong(field, LONGEST_MANAGER));
  let position = 0;
  // A name that is too long does not need an error for each character.
  for (const character of manager.slice(0, LONGEST_MANAGER)) {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character)) {
      const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      const detail = `invalid character U+${point} (at position ${position})`;
      errors.push(invalid(field, manager, detail));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}
