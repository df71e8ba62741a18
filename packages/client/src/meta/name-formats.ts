const dns1123Label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dns1123Subdomain = String.raw`${dns1123Label}(\.${dns1123Label})*`;
const dns1035Label = '[a-z]([-a-z0-9]*[a-z0-9])?';
const underscoredLabel = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const underscoredSubdomain = String.raw`${underscoredLabel}(\.${underscoredLabel})*`;
const wildcardSubdomain = String.raw`\*\.${dns1123Subdomain}`;
const labelPart = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

/** A regular language as the server describes it: what it is called, its pattern, examples. */
export interface NameFormat {
  readonly says: string;
  readonly pattern: string;
  readonly regExp: RegExp;
  readonly examples: readonly string[];
}

type NameFormatKey =
  | 'cIdentifier'
  | 'configMapKey'
  | 'dns1035Label'
  | 'dns1123Label'
  | 'dns1123Subdomain'
  | 'envVarName'
  | 'httpHeaderName'
  | 'labelKeyName'
  | 'labelValue'
  | 'percent'
  | 'underscoredSubdomain'
  | 'wildcardSubdomain';

function format(says: string, pattern: string, ...examples: string[]): NameFormat {
  return { says, pattern, regExp: new RegExp(`^(?:${pattern})$`), examples };
}

/** Every kind of name that is a regular language. */
export const nameFormats: Readonly<Record<NameFormatKey, NameFormat>> = {
  dns1123Label: format(
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
    dns1123Label,
    'my-name',
    '123-abc',
  ),
  dns1123Subdomain: format(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    dns1123Subdomain,
    'example.com',
  ),
  underscoredSubdomain: format(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
    underscoredSubdomain,
    'example.com',
  ),
  wildcardSubdomain: format(
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
    wildcardSubdomain,
    '*.example.com',
  ),
  dns1035Label: format(
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    dns1035Label,
    'my-name',
    'abc-123',
  ),
  labelKeyName: format(
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    labelPart,
    'MyName',
    'my.name',
    '123-abc',
  ),
  labelValue: format(
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    `(${labelPart})?`,
    'MyValue',
    'my_value',
    '12345',
  ),
  cIdentifier: format(
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
    '[A-Za-z_][A-Za-z0-9_]*',
    'my_name',
    'MY_NAME',
    'MyName',
  ),
  envVarName: format(
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
    '[-._a-zA-Z][-._a-zA-Z0-9]*',
    'my.env-name',
    'MY_ENV.NAME',
    'MyEnvName1',
  ),
  configMapKey: format(
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    '[-._a-zA-Z0-9]+',
    'key.name',
    'KEY_NAME',
    'key-name',
  ),
  percent: format(
    "a valid percent string must be a numeric string followed by an ending '%'",
    '[0-9]+%',
    '1%',
    '93%',
  ),
  httpHeaderName: format(
    "a valid HTTP header must consist of alphanumeric characters or '-'",
    '[-A-Za-z0-9]+',
    'X-Header-Name',
  ),
};

/** What the server says of a value that does not match a pattern; the double spaces are its own. */
export function mismatch({ says, pattern, examples }: NameFormat): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${says} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

/** The finding for a value that does not match, or none. */
export function checkFormat(value: string, wanted: NameFormat): string[] {
  return wanted.regExp.test(value) ? [] : [mismatch(wanted)];
}

/** `unit` differs between the two places of the server that check lengths; both count bytes. */
export function checkLength(value: string, max: number, unit: 'bytes' | 'characters'): string[] {
  return Buffer.byteLength(value) > max ? [`must be no more than ${max} ${unit}`] : [];
}
