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
  findEach,
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

/** The rule for the name of a kind; a prefix is what `generateName` holds. */
export type ValidateName = (name: string, isPrefix: boolean) => string[];

/** What is particular to the metadata of a kind. */
export interface ObjectMetaRules {
  readonly namespaced: boolean;
  /** Default: DNS-1123 subdomain. */
  readonly validateName?: ValidateName;
  /** Default: `metadata`. */
  readonly field?: string;
  /**
   * Built-in kinds accept only standard and fully qualified finalizers. Default true; false for
   * custom resources, and for the checks that all kinds have in common.
   */
  readonly kubeFinalizers?: boolean;
}

const LONGEST_MANAGER = 128;
const LONGEST_SUBRESOURCE = 256;
/** Said of fields that cannot change. */
export const FIELD_IS_IMMUTABLE = 'field is immutable';
/** Said of numbers below zero. */
export const MUST_NOT_BE_NEGATIVE = 'must be greater than or equal to 0';

/** Checks metadata as a create sends it, after a name has been generated. */
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

/** Checks metadata as an update sends it against what is stored. */
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

/** The metadata rules of a kind, as a pair that its strategy calls where they belong. */
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

/** Checks the keys of annotations and the size of all of them together. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  field: string,
): FieldError[] {
  if (annotations === undefined) return [];
  return [
    ...findEach(Object.keys(annotations), (key) =>
      invalidEach(field, key, validateAnnotationKey(key)),
    ),
    ...(annotationsSize(annotations) > maxAnnotationsSize
      ? [tooLong(field, maxAnnotationsSize)]
      : []),
  ];
}

/** A value that an update may not change. Absent and empty are the same only if the caller says so. */
export function immutable(value: unknown, old: unknown, field: string): FieldError[] {
  return jsonEqual(value, old) ? [] : [invalid(field, value, FIELD_IS_IMMUTABLE)];
}

/** Checks that a number, if there is one, is not below zero. */
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
  // All of them are shown by every finding, so they are put into form once.
  const printable = excerpt(owners).map(printableOwner);
  let controller: string | undefined;
  return findEach(owners, (owner) => {
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
  const errors = findEach(finalizers, (name) =>
    invalidEach(field, name, validateFinalizerName(name)),
  );
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const detail = 'finalizer orphan and foregroundDeletion cannot be both set';
    errors.push(invalid(field, finalizers, detail));
  }
  return errors;
}

function validateKubeFinalizers({ finalizers = [] }: ObjectMeta, field: string): FieldError[] {
  return findEach(finalizers, (name, index) =>
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
  return findEach(entries, (entry, index) =>
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

/** Checks the name of a field manager, in managed fields and as a parameter of requests. */
export function validateFieldManager(manager: string, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > LONGEST_MANAGER) errors.push(tooLong(field, LONGEST_MANAGER));
  let position = 0;
  // The characters of a name that is too long anyway are not all listed.
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
