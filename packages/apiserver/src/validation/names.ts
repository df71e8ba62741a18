// Upstream: staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go
// Upstream: staging/src/k8s.io/apimachinery/pkg/api/validation/generic.go
import {
  checkNameFormat,
  checkNameLength,
  nameFormat,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateQualifiedName,
} from 'client-ts/meta';

/*
 * Rules for names and numbers, beside those of `client-ts/meta`. Each `validate…` function returns
 * one message per error; an empty list means that the value is valid.
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

/** Size limit of all annotations of an object, keys and values. */
export const maxAnnotationsSize: number = 256 * 1024;

/** Checks a DNS subdomain that may contain underscores, as in DNS search paths. */
export function validateDns1123SubdomainWithUnderscore(value: string): string[] {
  return [
    ...checkNameLength(value, MAX_SUBDOMAIN_LENGTH, 'characters'),
    ...checkNameFormat(value, underscoredSubdomain),
  ];
}

/** Checks a wildcard DNS name, `*.` and a DNS subdomain, as in hosts of an Ingress. */
export function validateWildcardDns1123Subdomain(value: string): string[] {
  return [
    ...checkNameLength(value, MAX_SUBDOMAIN_LENGTH, 'characters'),
    ...checkNameFormat(value, wildcardSubdomain),
  ];
}

/** Checks an annotation key: a qualified name, case-insensitive. */
export function validateAnnotationKey(key: string): string[] {
  return validateQualifiedName(key.toLowerCase());
}

/** Returns the size that annotations count towards {@link maxAnnotationsSize}. */
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

/** Checks a finalizer of any kind: a qualified name. */
export function validateFinalizerName(name: string): string[] {
  return validateQualifiedName(name);
}

/** Checks a finalizer of built-in kinds, which needs a domain or a standard name. */
export function validateKubeFinalizerName(name: string): string[] {
  return name.includes('/') || standardFinalizers.has(name)
    ? []
    : ['name is neither a standard finalizer name nor is it fully qualified'];
}

/** Checks a name of an environment variable by the relaxed rule: printable ASCII without `=`. */
export function validateRelaxedEnvVarName(value: string): string[] {
  if (value === '') return ['environment variable name must be non-empty'];
  return /^[ -<>-~]+$/.test(value)
    ? []
    : [
        "a valid environment variable name must consist only of printable ASCII characters other than '='",
      ];
}

/** Checks a key of a ConfigMap or Secret. */
export function validateConfigMapKey(value: string): string[] {
  return [
    ...checkNameLength(value, MAX_SUBDOMAIN_LENGTH, 'characters'),
    ...checkNameFormat(value, configMapKey),
    ...changeDirectoryProblems(value),
  ];
}

/** Checks a port name. */
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

/** Checks a port number: 1 to 65535. */
export function validatePortNumber(port: number): string[] {
  return validateInRange(port, 1, 65535);
}

/** Checks a number against inclusive bounds. */
export function validateInRange(value: number, low: number, high: number): string[] {
  return value >= low && value <= high ? [] : [`must be between ${low} and ${high}, inclusive`];
}

/** Checks a percentage: digits and `%`. */
export function validatePercent(value: string): string[] {
  return checkNameFormat(value, percent);
}

/** Checks the name of an HTTP header. */
export function validateHttpHeaderName(value: string): string[] {
  return checkNameFormat(value, httpHeaderName);
}

/** The name rule of most kinds. A prefix may end in a dash. */
export function nameIsDnsSubdomain(name: string, isPrefix: boolean): string[] {
  return validateDns1123Subdomain(isPrefix ? maskTrailingDash(name) : name);
}

/** The name rule of Namespaces. A prefix may end in a dash. */
export function nameIsDnsLabel(name: string, isPrefix: boolean): string[] {
  return validateDns1123Label(isPrefix ? maskTrailingDash(name) : name);
}

/** Rejects values that would leave their directory as file names. */
function changeDirectoryProblems(value: string): string[] {
  if (value === '.' || value === '..') return [`must not be '${value}'`];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

/** kube-apiserver replaces the last two characters, so `a.-` is a valid prefix. */
export function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}
