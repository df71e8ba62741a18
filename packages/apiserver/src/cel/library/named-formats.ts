import { validateDns1035Label, validateLabelValue, validateQualifiedName } from 'client-ts/meta';
import { quoteGo } from 'client-ts/internal';
import { isRequestUri, matchesFormat } from '../../validation/string-formats.ts';
import { maskTrailingDash, nameIsDnsLabel, nameIsDnsSubdomain } from '../../validation/names.ts';
import {
  type CostRule,
  countedSize,
  fixed,
  ONE,
  REGEX,
  rule,
  scaled,
  TRAVERSAL,
} from '../costs.ts';
import { type Overload, overload, parseType } from '../declarations.ts';
import { ArrayList, Opaque, Optional } from '../values.ts';

const TYPE = parseType('kubernetes.NamedFormat');

class Format extends Opaque {
  readonly type = TYPE;
  readonly name: string;
  readonly problems: (text: string) => readonly string[];
  /** The length of its pattern, which decides what a check costs. */
  readonly patternLength: number;

  constructor(name: string, patternLength: number, problems: (text: string) => readonly string[]) {
    super();
    this.name = name;
    this.patternLength = patternLength;
    this.problems = problems;
  }

  equals(other: Opaque): boolean {
    return other instanceof Format && this.name === other.name;
  }
}

const either =
  (format: string, problem: string) =>
  (text: string): readonly string[] =>
    matchesFormat(text, format) ? [] : [problem];

const dns1035 = (text: string, isPrefix: boolean): readonly string[] =>
  validateDns1035Label(isPrefix ? maskTrailingDash(text) : text);

/** Lengths of the patterns of a genuine server for formats that have none here. */
const [URL_LENGTH, UUID_LENGTH, BASE64_LENGTH, TIME_LENGTH] = [1103, 70, 84, 71];

const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['dns1123Label', new Format('DNS1123Label', 30, (text) => nameIsDnsLabel(text, false))],
  [
    'dns1123Subdomain',
    new Format('DNS1123Subdomain', 60, (text) => nameIsDnsSubdomain(text, false)),
  ],
  ['dns1035Label', new Format('DNS1035Label', 30, (text) => dns1035(text, false))],
  ['qualifiedName', new Format('QualifiedName', 60, validateQualifiedName)],
  [
    'dns1123LabelPrefix',
    new Format('DNS1123LabelPrefix', 30, (text) => nameIsDnsLabel(text, true)),
  ],
  [
    'dns1123SubdomainPrefix',
    new Format('DNS1123SubdomainPrefix', 60, (text) => nameIsDnsSubdomain(text, true)),
  ],
  ['dns1035LabelPrefix', new Format('DNS1035LabelPrefix', 30, (text) => dns1035(text, true))],
  ['labelValue', new Format('LabelValue', 40, validateLabelValue)],
  [
    'uri',
    new Format('URI', URL_LENGTH, (text) =>
      isRequestUri(text) ? [] : [`parse ${quoteGo(text)}: invalid URI for request`],
    ),
  ],
  ['uuid', new Format('uuid', UUID_LENGTH, either('uuid', 'does not match the UUID format'))],
  ['byte', new Format('byte', BASE64_LENGTH, either('byte', 'invalid base64'))],
  ['date', new Format('date', TIME_LENGTH, either('date', 'invalid date'))],
  ['datetime', new Format('datetime', TIME_LENGTH, either('datetime', 'invalid datetime'))],
]);

const LONGEST_PATTERN = 128;

const validates: CostRule = rule(
  ([format, text]) =>
    Math.ceil((1 + countedSize(text)) * TRAVERSAL) *
    Math.ceil((format instanceof Format ? format.patternLength : 0) * REGEX),
  ({ size }) => ({ cost: scaled(scaled(size(1), TRAVERSAL), LONGEST_PATTERN * REGEX) }),
);

function validate(format: Format, text: string): Optional {
  const problems = format.problems(text);
  return problems.length === 0 ? Optional.NONE : new Optional(new ArrayList([...problems]));
}

const N = 'kubernetes.NamedFormat';

/** The formats of names and other texts in Kubernetes. */
export const NAMED_FORMATS: readonly Overload[] = [
  ...Array.from(FORMATS, ([name, format]) =>
    overload(`format.${name}() -> ${N}`, () => format, fixed(1)),
  ),
  overload(`<${N}>.validate(string) -> optional(list(string))`, validate, validates),
  overload(
    `format.named(string) -> optional(${N})`,
    (name: string) => new Optional(FORMATS.get(name)),
    ONE,
  ),
];
