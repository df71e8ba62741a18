import {
  checkNameFormat,
  checkNameLength,
  nameFormat,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateQualifiedName,
} from 'client-ts/meta';

/*
 * Rules for names and numbers that several kinds share, beside those of `client-ts/meta`. Each
 * `validate…` function returns what is wrong, one message per fault; an empty list means that the
 * value is valid. They follow apimachinery's util/validation and api/validation.
 */

const MAX_SUBDOMAIN_LENGTH = 253;
const MAX_PORT_NAME_LENGTH = 15;

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const underscoredLabel = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';

const underscoredSubdomain = nameFormat(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  String.raw`${underscoredLabel}(\.${underscoredLabel})*`,
  'example.com',
);

const wildcardSubdomain = nameFormat(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  String.raw`\*\.${label}(\.${label})*`,
  '*.example.com',
);

const configMapKey = nameFormat(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  '[-._a-zA-Z0-9]+',
  'key.name',
  'KEY_NAME',
  'key-name',
);

const percent = nameFormat(
  "a valid percent string must be a numeric string followed by an ending '%'",
  '[0-9]+%',
  '1%',
  '93%',
);

const httpHeaderName = nameFormat(
  "a valid HTTP header must consist of alphanumeric characters or '-'",
  '[-A-Za-z0-9]+',
  'X-Header-Name',
);

/** How many bytes all annotations of an object may have together, keys and values. */
export const maxAnnotationsSize: number = 256 * 1024;

/** The same with underscores allowed inside, as DNS search paths may have. */
export function validateDns1123SubdomainWithUnderscore(value: string): string[] {
  return [
    ...checkNameLength(value, MAX_SUBDOMAIN_LENGTH, 'characters'),
    ...checkNameFormat(value, underscoredSubdomain),
  ];
}

/** `*.` and a DNS subdomain, as hosts of an Ingress may be. */
export function validateWildcardDns1123Subdomain(value: string): string[] {
  return [
    ...checkNameLength(value, MAX_SUBDOMAIN_LENGTH, 'characters'),
    ...checkNameFormat(value, wildcardSubdomain),
  ];
}

/** The key of an annotation: a qualified name whose case does not matter. */
export function validateAnnotationKey(key: string): string[] {
  return validateQualifiedName(key.toLowerCase());
}

/** How many bytes annotations count towards {@link maxAnnotationsSize}. */
export function annotationsSize(annotations: Readonly<Record<string, string>>): number {
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  return size;
}

const standardFinalizers: ReadonlySet<string> = new Set([
  'foregroundDeletion',
  'kubernetes',
  'orphan',
]);

/** The form of a finalizer, for every kind: a qualified name. */
export function validateFinalizerName(name: string): string[] {
  return validateQualifiedName(name);
}

/** What built-in kinds ask of a finalizer in addition: a prefix, or one of the standard names. */
export function validateKubeFinalizerName(name: string): string[] {
  return name.includes('/') || standardFinalizers.has(name)
    ? []
    : ['name is neither a standard finalizer name nor is it fully qualified'];
}

/** The rule that servers use by default: printable ASCII without `=`. */
export function validateRelaxedEnvVarName(value: string): string[] {
  if (value === '') return ['environment variable name must be non-empty'];
  return /^[ -<>-~]+$/.test(value)
    ? []
    : [
        "a valid environment variable name must consist only of printable ASCII characters other than '='",
      ];
}

/** The key of an entry in a ConfigMap or Secret. */
export function validateConfigMapKey(value: string): string[] {
  return [
    ...checkNameLength(value, MAX_SUBDOMAIN_LENGTH, 'characters'),
    ...checkNameFormat(value, configMapKey),
    ...changeDirectoryProblems(value),
  ];
}

/** The name of a port. */
export function validatePortName(name: string): string[] {
  const problems = checkNameLength(name, MAX_PORT_NAME_LENGTH, 'characters');
  if (!/^[-a-z0-9]+$/.test(name)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)');
  if (name.includes('--')) problems.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) {
    problems.push('must not begin or end with a hyphen');
  }
  return problems;
}

/** The number of a port: 1 to 65535. */
export function validatePortNumber(port: number): string[] {
  return validateInRange(port, 1, 65535);
}

/** A number within inclusive bounds. */
export function validateInRange(value: number, low: number, high: number): string[] {
  return value >= low && value <= high ? [] : [`must be between ${low} and ${high}, inclusive`];
}

/** Digits and `%`. */
export function validatePercent(value: string): string[] {
  return checkNameFormat(value, percent);
}

/** The name of an HTTP header. */
export function validateHttpHeaderName(value: string): string[] {
  return checkNameFormat(value, httpHeaderName);
}

/** The rule for most kinds. A prefix for generated names may end in a dash. */
export function nameIsDnsSubdomain(name: string, isPrefix: boolean): string[] {
  return validateDns1123Subdomain(isPrefix ? maskTrailingDash(name) : name);
}

/** The rule for Namespaces. A prefix for generated names may end in a dash. */
export function nameIsDnsLabel(name: string, isPrefix: boolean): string[] {
  return validateDns1123Label(isPrefix ? maskTrailingDash(name) : name);
}

/** A value that becomes a file name must not leave its directory. */
function changeDirectoryProblems(value: string): string[] {
  if (value === '.' || value === '..') return [`must not be '${value}'`];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

/** The server replaces the last two characters, so `a.-` passes as a prefix. */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}
