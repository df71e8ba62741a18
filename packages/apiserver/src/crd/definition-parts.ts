import type {
  CustomResourceColumnDefinition,
  CustomResourceConversion,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  JSONSchemaProps,
  SelectableField,
} from 'client-ts/api/apiextensions/v1';
import { validateDns1035Label } from 'client-ts/meta';

import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooMany,
} from '../validation/field-error.ts';
import { validFieldPath } from './field-path.ts';
import { validateWebhookClientConfig } from './webhook-rules.ts';

/** Joins the messages of a name rule into one error. */
function joined(field: string, value: string, messages: readonly string[]): FieldError[] {
  return messages.length === 0 ? [] : [invalid(field, value, messages.join(','))];
}

/** Requires a DNS-1035 label, as for names of resources and versions. */
export function validateLabel(field: string, value: string): FieldError[] {
  return joined(field, value, validateDns1035Label(value));
}

/** Requires one of several values. */
export function validateChoice(
  field: string,
  value: string,
  choices: readonly string[],
): FieldError[] {
  if (value === '') return [required(field)];
  return choices.includes(value) ? [] : [notSupported(field, value, choices)];
}

/** Validates the names of a resource. Empty names are not checked. */
export function validateNames(
  names: Partial<CustomResourceDefinitionNames> | undefined,
  field: string,
): FieldError[] {
  const { plural = '', singular = '', kind = '', listKind = '' } = names ?? {};
  const label = (key: string, value: string): FieldError[] =>
    value === '' ? [] : validateLabel(`${field}.${key}`, value);
  const mixedCase = (key: string, value: string): FieldError[] => {
    const messages = value === '' ? [] : validateDns1035Label(value.toLowerCase());
    const detail = `may have mixed case, but should otherwise match: ${messages.join(',')}`;
    return messages.length === 0 ? [] : [invalid(`${field}.${key}`, value, detail)];
  };
  return [
    ...label('plural', plural),
    ...label('singular', singular),
    ...mixedCase('kind', kind),
    ...mixedCase('listKind', listKind),
    ...(names?.shortNames ?? []).flatMap((name, index) =>
      validateLabel(`${field}.shortNames[${index}]`, name),
    ),
    ...(kind !== '' && kind === listKind
      ? [invalid(`${field}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...(names?.categories ?? []).flatMap((name, index) =>
      validateLabel(`${field}.categories[${index}]`, name),
    ),
  ];
}

/** Validates the deprecation warning of a version. */
export function validateDeprecation(
  { deprecated, deprecationWarning: warning }: CustomResourceDefinitionVersion,
  field: string,
): FieldError[] {
  if (warning === undefined) return [];
  const problems: string[] = [];
  if (deprecated !== true) problems.push('can only be set for deprecated versions');
  else {
    if (Buffer.byteLength(warning) > 256) problems.push('must be <= 256 characters long');
    if (warning === '') problems.push('must not be an empty string');
    const stray = Array.from(warning).find((text) => !/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(text));
    if (stray !== undefined) {
      const index = Buffer.byteLength(warning.slice(0, warning.indexOf(stray)));
      problems.push(
        `must only contain printable UTF-8 characters; non-printable character found at index ${index}`,
      );
    }
  }
  return problems.map((problem) => invalid(`${field}.deprecationWarning`, warning, problem));
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = [
  'byte',
  'date',
  'date-time',
  'double',
  'float',
  'int32',
  'int64',
  'password',
];

/** Validates a column of `kubectl get`. */
export function validateColumn(
  { name = '', type = '', format = '', jsonPath = '' }: Partial<CustomResourceColumnDefinition>,
  field: string,
): FieldError[] {
  const types = `must be one of ${columnTypes.join(',')}`;
  return [
    ...(name === '' ? [required(`${field}.name`)] : []),
    ...(type === '' ? [required(`${field}.type`, types)] : []),
    ...(type !== '' && !columnTypes.includes(type) ? [invalid(`${field}.type`, type, types)] : []),
    ...(format !== '' && !columnFormats.includes(format)
      ? [invalid(`${field}.format`, format, `must be one of ${columnFormats.join(',')}`)]
      : []),
    ...(jsonPath === ''
      ? [required(`${field}.JSONPath`)]
      : validateJsonPath(jsonPath, `${field}.JSONPath`)),
  ];
}

function validateJsonPath(path: string, field: string): FieldError[] {
  return path.startsWith('.')
    ? []
    : [invalid(field, path, 'must be a simple json path starting with .')];
}

/** Validates the paths of the scale subresource. */
export function validateSubresources(
  subresources: CustomResourceSubresources | undefined,
  field: string,
): FieldError[] {
  const scale = subresources?.scale;
  if (scale === undefined) return [];
  const below = (key: 'specReplicasPath' | 'statusReplicasPath', root: string): FieldError[] => {
    const at = `${field}.scale.${key}`;
    const path = scale[key] ?? '';
    if (path === '') return [required(at)];
    if (!path.startsWith('.')) return validateJsonPath(path, at);
    return path.startsWith(`${root}.`)
      ? []
      : [invalid(at, path, `should be a json path under ${root}`)];
  };
  return [
    ...below('specReplicasPath', '.spec'),
    ...below('statusReplicasPath', '.status'),
    ...validateSelectorPath(scale.labelSelectorPath ?? '', `${field}.scale.labelSelectorPath`),
  ];
}

function validateSelectorPath(path: string, field: string): FieldError[] {
  if (path === '') return [];
  if (!path.startsWith('.')) return validateJsonPath(path, field);
  return /^\.(?:spec|status)\./.test(path)
    ? []
    : [invalid(field, path, 'should be a json path under either .spec or .status')];
}

const MAX_SELECTABLE_FIELDS = 8;

/** Validates the fields of field selectors. */
export function validateSelectableFields(
  fields: readonly SelectableField[],
  schema: JSONSchemaProps,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { jsonPath = '' }] of fields.entries()) {
    const at = `${field}[${index}].jsonPath`;
    if (jsonPath === '') {
      errors.push(required(at));
      continue;
    }
    const found = validFieldPath(jsonPath, schema, { allowBrackets: false });
    if (found.problem !== undefined || found.path === undefined) {
      errors.push(invalid(at, jsonPath, `is an invalid path: ${found.problem}`));
      continue;
    }
    if (/^metadata(?:\.|$)/.test(found.path)) {
      errors.push(invalid(at, jsonPath, 'must not point to fields in metadata'));
    }
    if (!['boolean', 'integer', 'string'].includes(found.schema?.type ?? '')) {
      const detail =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      errors.push(invalid(at, jsonPath, detail));
    }
    if (seen.has(found.path)) errors.push(duplicate(at, jsonPath));
    seen.add(found.path);
  }
  if (seen.size > MAX_SELECTABLE_FIELDS) {
    errors.push(tooMany(field, seen.size, MAX_SELECTABLE_FIELDS));
  }
  return errors;
}

const reviewVersions = ['v1', 'v1beta1'];

/** Validates the conversion between versions. */
export function validateConversion(
  conversion: CustomResourceConversion | undefined,
  field: string,
): FieldError[] {
  if (conversion === undefined) return [];
  const { strategy, webhook } = conversion;
  const errors = validateChoice(`${field}.strategy`, strategy, ['None', 'Webhook']);
  const clientConfig = webhook?.clientConfig;
  const versions = webhook?.conversionReviewVersions ?? [];
  const unset = 'should not be set when strategy is not set to Webhook';
  if (strategy === 'Webhook') {
    errors.push(
      ...validateWebhookClientConfig(clientConfig, `${field}.webhookClientConfig`),
      ...validateReviewVersions(versions, `${field}.conversionReviewVersions`),
    );
  } else {
    if (clientConfig !== undefined) errors.push(forbidden(`${field}.webhookClientConfig`, unset));
    if (versions.length > 0) errors.push(forbidden(`${field}.conversionReviewVersions`, unset));
  }
  return errors;
}

function validateReviewVersions(versions: readonly string[], field: string): FieldError[] {
  if (versions.length === 0) return [required(field)];
  const errors = versions.flatMap((version, index) =>
    versions.indexOf(version) < index
      ? [invalid(`${field}[${index}]`, version, 'duplicate version')]
      : validateDns1035Label(version).map((message) =>
          invalid(`${field}[${index}]`, version, message),
        ),
  );
  if (!versions.some((version) => reviewVersions.includes(version))) {
    const detail = `must include at least one of ${reviewVersions.join(', ')}`;
    errors.push(invalid(field, versions, detail));
  }
  return errors;
}
