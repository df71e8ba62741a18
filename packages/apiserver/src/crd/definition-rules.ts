import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceValidation,
  JSONSchemaProps,
} from 'client-ts/api/apiextensions/v1';
import { validateDns1123Subdomain } from 'client-ts/meta';

import {
  appendErrors,
  type FieldError,
  forbidden,
  invalid,
  required,
} from '../validation/field-error.ts';
import { nameIsDnsSubdomain } from '../validation/names.ts';
import {
  immutable,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../validation/object-meta.ts';
import { approvalOf, hasCondition } from './definition-status.ts';
import { validateRules } from './rule-definitions.ts';
import { validateDefaults, validateSchema } from './schema-rules.ts';
import {
  validateChoice,
  validateColumn,
  validateConversion,
  validateDeprecation,
  validateLabel,
  validateNames,
  validateSelectableFields,
  validateSubresources,
} from './definition-parts.ts';
import {
  hoist,
  type HoistedSpec,
  printSchema,
  printVersions,
  schemaFields,
} from './internal-form.ts';
import { someSchema } from './schema-walk.ts';
import { structuralObstacle, validateStructural } from './structural-rules.ts';

/**
 * Validates a new CustomResourceDefinition, after defaulting and with its stored versions set. CEL
 * rules are accepted unchecked: this server does not compile them.
 */
export function validateDefinition(crd: CustomResourceDefinition): FieldError[] {
  const { spec } = crd;
  const fullName = `${spec.names?.plural ?? ''}.${spec.group ?? ''}`;
  const validateName = (name: string, isPrefix: boolean): string[] => [
    ...nameIsDnsSubdomain(name, isPrefix),
    ...(name === fullName ? [] : ['must be spec.names.plural+"."+spec.group']),
  ];
  return [
    ...validateObjectMeta(crd.metadata, { namespaced: false, validateName, kubeFinalizers: false }),
    ...validateSpec(spec),
    ...validateRest(crd, undefined),
  ];
}

/** Validates an update. What determines the storage is immutable once the resource is served. */
export function validateDefinitionUpdate(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition,
): FieldError[] {
  const { spec } = crd;
  const isEstablished = hasCondition(old, 'Established');
  return [
    ...validateObjectMetaUpdate(crd.metadata, old.metadata, { kubeFinalizers: false }),
    ...validateSpec(spec),
    ...(isEstablished
      ? [
          ...immutable(spec.scope, old.spec.scope, 'spec.scope'),
          ...immutable(spec.names.kind, old.spec.names.kind, 'spec.names.kind'),
        ]
      : []),
    ...immutable(spec.group, old.spec.group, 'spec.group'),
    ...immutable(spec.names.plural, old.spec.names.plural, 'spec.names.plural'),
    ...validateRest(crd, old),
  ];
}

/** Validates an update of the status. */
export function validateDefinitionStatus(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition,
): FieldError[] {
  return [
    ...validateObjectMetaUpdate(crd.metadata, old.metadata, { kubeFinalizers: false }),
    ...validateNames(crd.status?.acceptedNames, 'status.acceptedNames'),
  ];
}

function validateRest(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  const { spec, status } = crd;
  return [
    ...validateNames(status?.acceptedNames, 'status.acceptedNames'),
    ...validateStoredVersions(status?.storedVersions ?? [], spec.versions ?? []),
    ...validateApproval(crd, old),
    ...(spec.preserveUnknownFields === true && old?.spec.preserveUnknownFields !== true
      ? [
          invalid(
            'spec.preserveUnknownFields',
            true,
            'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
          ),
        ]
      : []),
  ];
}

function validateStoredVersions(
  stored: readonly string[],
  versions: readonly CustomResourceDefinitionVersion[],
): FieldError[] {
  const field = 'status.storedVersions';
  if (stored.length === 0) return [invalid(field, null, 'must have at least one stored version')];
  const names = new Set(versions.map(({ name }) => name));
  // Only the first version of a name counts.
  const firsts = versions.filter(
    ({ name }, index) =>
      stored.includes(name) && versions.findIndex((other) => other.name === name) === index,
  );
  return [
    ...versions
      .filter((version) => version.storage && !firsts.includes(version))
      .map(({ name }) => invalid(field, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((name, index) =>
      names.has(name)
        ? []
        : [
            invalid(
              `${field}[${index}]`,
              name,
              `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
            ),
          ],
    ),
  ];
}

function validateApproval(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  const approval = approvalOf(crd);
  if (approval === undefined || approval.state === (old && approvalOf(old)?.state)) return [];
  const field = `metadata.annotations[${approval.annotation}]`;
  switch (approval.state) {
    case 'missing':
      return [required(field, approval.message)];
    case 'invalid':
      return [invalid(field, approval.text, approval.message)];
    default:
      return [];
  }
}

function validateSpec(spec: CustomResourceDefinitionSpec): FieldError[] {
  const hoisted = hoist(spec);
  const { versions } = hoisted;
  const { names } = spec;
  const [first] = versions;
  const preserve = spec.preserveUnknownFields === true;
  const missingName = (key: 'kind' | 'listKind' | 'plural' | 'singular'): FieldError[] =>
    (names?.[key] ?? '') === '' ? [required(`spec.names.${key}`)] : [];
  return [
    ...validateGroup(spec.group ?? ''),
    ...validateChoice('spec.scope', spec.scope ?? '', ['Cluster', 'Namespaced']),
    ...versions.flatMap(({ schema }, index) =>
      (schema ?? hoisted.schema)?.openAPIV3Schema === undefined
        ? [required(`spec.versions[${index}].schema.openAPIV3Schema`)]
        : [],
    ),
    ...(preserve && hasDefaults(hoisted)
      ? [
          invalid(
            'spec.preserveUnknownFields',
            true,
            'must be false in order to use defaults in the schema',
          ),
        ]
      : []),
    ...versions.flatMap((version, index) =>
      validateVersion(version, hoisted, `spec.versions[${index}]`),
    ),
    ...validateVersionList(versions),
    ...(first === undefined ? [] : validateLabel('spec.version', first.name ?? '')),
    ...missingName('plural'),
    ...missingName('singular'),
    ...missingName('kind'),
    ...missingName('listKind'),
    ...validateNames(names, 'spec.names'),
    ...validateValidation(hoisted.schema, hasAnyStatus(hoisted), 'spec.validation'),
    ...validateSubresources(hoisted.subresources, 'spec.subresources'),
    ...(hoisted.additionalPrinterColumns ?? []).flatMap((column, index) =>
      validateColumn(column, `spec.additionalPrinterColumns[${index}]`),
    ),
    ...validateHoistedSelectableFields(hoisted),
    ...(preserve && spec.conversion !== undefined && spec.conversion.strategy !== 'None'
      ? [
          invalid(
            'spec.conversion.strategy',
            spec.conversion.strategy,
            'must be None if spec.preserveUnknownFields is true',
          ),
        ]
      : []),
    ...validateConversion(spec.conversion, 'spec.conversion'),
  ];
}

function validateGroup(group: string): FieldError[] {
  if (group === '') return [required('spec.group')];
  const messages = validateDns1123Subdomain(group);
  if (messages.length > 0) return [invalid('spec.group', group, messages.join(','))];
  return group.includes('.')
    ? []
    : [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function validateVersion(
  version: CustomResourceDefinitionVersion,
  hoisted: HoistedSpec,
  field: string,
): FieldError[] {
  const subresources = hoisted.subresources ?? version.subresources;
  const fields = version.selectableFields ?? [];
  const schema = version.schema?.openAPIV3Schema;
  return [
    ...validateLabel(`${field}.name`, version.name ?? ''),
    ...validateDeprecation(version, field),
    ...validateValidation(version.schema, subresources?.status !== undefined, `${field}.schema`),
    ...validateSubresources(version.subresources, `${field}.subresources`),
    ...(version.additionalPrinterColumns ?? []).flatMap((column, index) =>
      validateColumn(column, `${field}.additionalPrinterColumns[${index}]`),
    ),
    ...(fields.length === 0
      ? []
      : schema === undefined
        ? [
            invalid(
              `${field}.selectableFields`,
              '',
              'may only be set when `version.schema.openAPIV3Schema` is not included',
            ),
          ]
        : validateSelectableFields(fields, schema, `${field}.selectableFields`)),
  ];
}

function validateVersionList(versions: readonly CustomResourceDefinitionVersion[]): FieldError[] {
  const names = versions.map(({ name }) => name);
  const storages = versions.filter(({ storage }) => storage).length;
  const printed = printVersions(versions);
  return [
    ...(new Set(names).size < names.length
      ? [invalid('spec.versions', printed, 'must contain unique version names')]
      : []),
    ...(storages === 1
      ? []
      : [
          invalid(
            'spec.versions',
            printed,
            'must have exactly one version marked as storage version',
          ),
        ]),
  ];
}

function validateHoistedSelectableFields({ selectableFields, schema }: HoistedSpec): FieldError[] {
  const fields = selectableFields ?? [];
  if (fields.length === 0) return [];
  const field = 'spec.selectableFields';
  return schema?.openAPIV3Schema === undefined
    ? [invalid(field, '', 'may only be set when validations.schema is included')]
    : validateSelectableFields(fields, schema.openAPIV3Schema, field);
}

/** Fields that the root of a schema may have with a status subresource. */
const allowedAtRoot =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations';

function validateValidation(
  validation: CustomResourceValidation | undefined,
  hasStatus: boolean,
  parent: string,
): FieldError[] {
  const schema = validation?.openAPIV3Schema;
  if (schema === undefined) return [];
  const field = `${parent}.openAPIV3Schema`;
  const errors = hasStatus ? validateRootWithStatus(schema, field) : [];
  if (schema.nullable === true) {
    errors.push(forbidden(`${field}.nullable`, 'nullable cannot be true at the root'));
  }
  const obstacle = structuralObstacle(schema);
  if (obstacle === undefined) {
    const structural = validateStructural(schema, field);
    appendErrors(errors, structural.length > 0 ? structural : validateDefaults(schema, field));
  }
  const found = validateSchema(schema, field);
  // Rules of a schema that is not valid have no types.
  const isCheckable = obstacle === undefined && errors.length === 0 && found.length === 0;
  appendErrors(errors, isCheckable ? validateRules(schema, field) : found);
  if (errors.length === 0 && obstacle !== undefined) errors.push(invalid(field, '', obstacle));
  return errors;
}

function validateRootWithStatus(schema: JSONSchemaProps, field: string): FieldError[] {
  const { type = '' } = schema;
  if (type !== '' && type !== 'object') {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalid(`${field}.type`, type, detail)];
  }
  const allowed = new Set(allowedAtRoot.split(' '));
  const stray = schemaFields.some(([name, key]) => schema[key] !== undefined && !allowed.has(name));
  const detail = `only [${allowedAtRoot}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return stray ? [invalid(field, printSchema(schema), detail)] : [];
}

function hasAnyStatus({ subresources, versions }: HoistedSpec): boolean {
  return [subresources, ...versions.map((version) => version.subresources)].some(
    (each) => each?.status !== undefined,
  );
}

function hasDefaults({ schema, versions }: HoistedSpec): boolean {
  return [schema, ...versions.map((version) => version.schema)].some(
    (each) =>
      each?.openAPIV3Schema !== undefined &&
      someSchema(each.openAPIV3Schema, (part) => part.default !== undefined),
  );
}
