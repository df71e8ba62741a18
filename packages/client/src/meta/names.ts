import { checkFormat, checkLength, mismatch, nameFormats } from './name-formats.ts';

/*
 * The rules for names. Every `validate…` function returns what is wrong, in the server's own words,
 * one message per fault; an empty list means that the value is fine.
 */

/** The longest DNS label: names of Namespaces and Services, and each part of a subdomain. */
const maxLabelLength = 63;
const maxSubdomainLength = 253;
/** The longest name part of a label key, and the longest label value. */
const maxLabelPartLength = 63;
const maxPortNameLength = 15;

/** How many bytes all annotations of an object may have together, keys and values. */
export const maxAnnotationsSize: number = 256 * 1024;

/** A DNS label (RFC 1123): names of Namespaces and containers. */
export function validateDns1123Label(value: string): string[] {
  const problems = checkLength(value, maxLabelLength, 'characters');
  if (nameFormats.dns1123Label.regExp.test(value)) return problems;
  const isSubdomain = nameFormats.dns1123Subdomain.regExp.test(value);
  return [...problems, isSubdomain ? 'must not contain dots' : mismatch(nameFormats.dns1123Label)];
}

/** DNS labels separated by dots (RFC 1123): names of most objects. */
export function validateDns1123Subdomain(value: string): string[] {
  return [
    ...checkLength(value, maxSubdomainLength, 'characters'),
    ...checkFormat(value, nameFormats.dns1123Subdomain),
  ];
}

/** The same with underscores allowed inside, as DNS search paths may have. */
export function validateDns1123SubdomainWithUnderscore(value: string): string[] {
  return [
    ...checkLength(value, maxSubdomainLength, 'characters'),
    ...checkFormat(value, nameFormats.underscoredSubdomain),
  ];
}

/** `*.` and a DNS subdomain, as hosts of an Ingress may be. */
export function validateWildcardDns1123Subdomain(value: string): string[] {
  return [
    ...checkLength(value, maxSubdomainLength, 'characters'),
    ...checkFormat(value, nameFormats.wildcardSubdomain),
  ];
}

/** A DNS label that starts with a letter (RFC 1035): names of Services. */
export function validateDns1035Label(value: string): string[] {
  return [
    ...checkLength(value, maxLabelLength, 'characters'),
    ...checkFormat(value, nameFormats.dns1035Label),
  ];
}

/** A name with an optional `prefix/`: label keys, finalizers, resource names. */
export function validateQualifiedName(value: string): string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    const says = `a valid label key ${mismatch(nameFormats.labelKeyName)}`;
    return [`${says} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? parts[0] : undefined;
  return [...qualifiedPrefixProblems(prefix), ...qualifiedNameProblems(name)];
}

function qualifiedPrefixProblems(prefix: string | undefined): string[] {
  if (prefix === undefined) return [];
  const problems =
    prefix === ''
      ? ['must be non-empty']
      : [
          ...checkLength(prefix, maxSubdomainLength, 'bytes'),
          ...checkFormat(prefix, nameFormats.dns1123Subdomain),
        ];
  return problems.map((problem) => `prefix part ${problem}`);
}

function qualifiedNameProblems(name: string): string[] {
  return [
    ...(name === '' ? ['must be non-empty'] : checkLength(name, maxLabelPartLength, 'bytes')),
    ...checkFormat(name, nameFormats.labelKeyName),
  ].map((problem) => `name part ${problem}`);
}

/** The value of a label; it may be empty. */
export function validateLabelValue(value: string): string[] {
  return [
    ...checkLength(value, maxLabelPartLength, 'bytes'),
    ...checkFormat(value, nameFormats.labelValue),
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

/** An identifier of the C language. */
export function validateCIdentifier(value: string): string[] {
  return checkFormat(value, nameFormats.cIdentifier);
}

/** The strict rule for names of environment variables. */
export function validateEnvVarName(value: string): string[] {
  return [...checkFormat(value, nameFormats.envVarName), ...changeDirectoryProblems(value)];
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
    ...checkLength(value, maxSubdomainLength, 'characters'),
    ...checkFormat(value, nameFormats.configMapKey),
    ...changeDirectoryProblems(value),
  ];
}

/** A value that becomes a file name must not lead out of its directory. */
function changeDirectoryProblems(value: string): string[] {
  if (value === '.' || value === '..') return [`must not be '${value}'`];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

/** The name of a port. */
export function validatePortName(name: string): string[] {
  const problems = checkLength(name, maxPortNameLength, 'characters');
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
  return checkFormat(value, nameFormats.percent);
}

/** The name of an HTTP header. */
export function validateHttpHeaderName(value: string): string[] {
  return checkFormat(value, nameFormats.httpHeaderName);
}

/** A name that can stand in a URL: kinds without stricter rules accept any of these. */
export function validatePathSegmentName(name: string, isPrefix = false): string[] {
  if (!isPrefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].flatMap((part) => (name.includes(part) ? [`may not contain '${part}'`] : []));
}

/** The rule for most kinds. A prefix for generated names may end in a dash. */
export function nameIsDnsSubdomain(name: string, isPrefix: boolean): string[] {
  return validateDns1123Subdomain(isPrefix ? maskTrailingDash(name) : name);
}

/** The rule for Namespaces. A prefix for generated names may end in a dash. */
export function nameIsDnsLabel(name: string, isPrefix: boolean): string[] {
  return validateDns1123Label(isPrefix ? maskTrailingDash(name) : name);
}

/** The rule for Services. A prefix for generated names may end in a dash. */
export function nameIsDns1035Label(name: string, isPrefix: boolean): string[] {
  return validateDns1035Label(isPrefix ? maskTrailingDash(name) : name);
}

/** The server replaces the last two characters, so `a.-` passes as a prefix. */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}
