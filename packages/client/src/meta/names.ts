/*
 * The rules for names that clients need. Each `validate…` function returns what is wrong in the
 * server's words, one message per fault; an empty list means that the value is valid.
 */

const MAX_LABEL_LENGTH = 63;
const MAX_SUBDOMAIN_LENGTH = 253;

/** A regular language as the server describes it in messages. */
export interface NameFormat {
  readonly description: string;
  readonly pattern: string;
  readonly regExp: RegExp;
  readonly examples: readonly string[];
}

/** Returns a {@link NameFormat}; the pattern matches whole values. */
export function nameFormat(
  description: string,
  pattern: string,
  ...examples: string[]
): NameFormat {
  return { description, pattern, regExp: new RegExp(`^(?:${pattern})$`), examples };
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const labelPart = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const dns1123Label = nameFormat(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  label,
  'my-name',
  '123-abc',
);

const dns1123Subdomain = nameFormat(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  String.raw`${label}(\.${label})*`,
  'example.com',
);

const dns1035Label = nameFormat(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  '[a-z]([-a-z0-9]*[a-z0-9])?',
  'my-name',
  'abc-123',
);

const labelKeyName = nameFormat(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelPart,
  'MyName',
  'my.name',
  '123-abc',
);

const labelValue = nameFormat(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  `(${labelPart})?`,
  'MyValue',
  'my_value',
  '12345',
);

/** Returns the server's message for a value that does not match; the double spaces are its own. */
function mismatch({ description, pattern, examples }: NameFormat): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${description} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

/** Returns the server's message for a value that does not have the format, or none. */
export function checkNameFormat(value: string, format: NameFormat): string[] {
  return format.regExp.test(value) ? [] : [mismatch(format)];
}

/** Returns the server's message for a value that is too long. Servers count bytes, whatever the unit. */
export function checkNameLength(
  value: string,
  max: number,
  unit: 'bytes' | 'characters',
): string[] {
  return Buffer.byteLength(value) > max ? [`must be no more than ${max} ${unit}`] : [];
}

/** A DNS label (RFC 1123): names of Namespaces and containers. */
export function validateDns1123Label(value: string): string[] {
  const problems = checkNameLength(value, MAX_LABEL_LENGTH, 'characters');
  if (dns1123Label.regExp.test(value)) return problems;
  const isSubdomain = dns1123Subdomain.regExp.test(value);
  return [...problems, isSubdomain ? 'must not contain dots' : mismatch(dns1123Label)];
}

/** DNS labels separated by dots (RFC 1123): names of most objects. */
export function validateDns1123Subdomain(value: string): string[] {
  return [
    ...checkNameLength(value, MAX_SUBDOMAIN_LENGTH, 'characters'),
    ...checkNameFormat(value, dns1123Subdomain),
  ];
}

/** A DNS label that starts with a letter (RFC 1035): names of Services and API versions. */
export function validateDns1035Label(value: string): string[] {
  return [
    ...checkNameLength(value, MAX_LABEL_LENGTH, 'characters'),
    ...checkNameFormat(value, dns1035Label),
  ];
}

/** A name with an optional `prefix/`: label keys, finalizers, resource names. */
export function validateQualifiedName(value: string): string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${mismatch(labelKeyName)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
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
          ...checkNameLength(prefix, MAX_SUBDOMAIN_LENGTH, 'bytes'),
          ...checkNameFormat(prefix, dns1123Subdomain),
        ];
  return problems.map((problem) => `prefix part ${problem}`);
}

function qualifiedNameProblems(name: string): string[] {
  return [
    ...(name === '' ? ['must be non-empty'] : checkNameLength(name, MAX_LABEL_LENGTH, 'bytes')),
    ...checkNameFormat(name, labelKeyName),
  ].map((problem) => `name part ${problem}`);
}

/** The value of a label; it may be empty. */
export function validateLabelValue(value: string): string[] {
  return [
    ...checkNameLength(value, MAX_LABEL_LENGTH, 'bytes'),
    ...checkNameFormat(value, labelValue),
  ];
}

/** A name that can be a segment of a URL path: kinds without stricter rules accept any of these. */
export function validatePathSegmentName(name: string, isPrefix = false): string[] {
  if (!isPrefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].flatMap((part) => (name.includes(part) ? [`may not contain '${part}'`] : []));
}
