import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ClientError } from 'client-ts/internal';
import { parseKubeConfig } from 'client-ts/clientcmd';
import {
  formatMicroTime,
  formatTime,
  parseApiVersion,
  parseFieldSelector,
  parseLabelSelector,
  parseMicroTime,
  parseQuantity,
  parseTime,
  validateDns1123Subdomain,
  validateLabelValue,
  validateQualifiedName,
} from 'client-ts/meta';
import { readYaml } from 'client-ts/yaml';
import { type FuzzTarget, fuzzTarget, pure, typedOnly, typedOnlyAsync } from './fuzz-target.ts';
import { growthTarget } from './growth.ts';
import { damaged, textOf } from './inputs.ts';

interface TextParser {
  readonly name: string;
  readonly about: string;
  readonly input: fc.Arbitrary<string>;
  readonly parse: (text: string) => unknown;
  /** Formats what was parsed. Parsing and formatting again must return the same text. */
  readonly canonical?: (text: string) => string;
}

const quantityText = textOf(
  '1',
  '0',
  '9',
  '.',
  '-',
  '+',
  'e',
  'E',
  '3',
  'Ki',
  'Mi',
  'm',
  'n',
  'k',
  'Ei',
);
const timeText = textOf(
  '2026-01-02T03:04:05Z',
  '2026-',
  '01-',
  '02',
  'T',
  '03:04:',
  '05',
  '.5',
  'Z',
  '+01:00',
);
const yamlText = textOf(
  'a: ',
  '- ',
  '\n',
  '  ',
  '"',
  "'",
  '&a ',
  '*a',
  '!!str ',
  '|\n',
  '>\n',
  '{',
  '}',
  '[',
  ']',
  ', ',
  '# ',
  '---\n',
  '<<: ',
  '12:30',
  '2026-01-02',
  'yes',
  '0o17',
  '~',
);

const kubeconfig = `apiVersion: v1
kind: Config
current-context: a
clusters: [{ name: a, cluster: { server: https://a } }]
users: [{ name: a, user: { token: t } }]
contexts: [{ name: a, context: { cluster: a, user: a } }]
`;

const PARSERS: readonly TextParser[] = [
  {
    name: 'quantity',
    about: 'quantities are parsed or rejected, and their canonical form is stable',
    input: quantityText,
    parse: parseQuantity,
    canonical: (text) => parseQuantity(text).toString(),
  },
  {
    name: 'label-selector',
    about: 'label selectors are parsed or rejected, and their canonical form is stable',
    input: textOf(
      'a',
      'b',
      '=',
      '==',
      '!=',
      '!',
      ' in ',
      ' notin ',
      '(',
      ')',
      ',',
      ' ',
      '>',
      '<',
      '1',
      'a.b/c',
    ),
    parse: parseLabelSelector,
    canonical: (text) => parseLabelSelector(text).toString(),
  },
  {
    name: 'field-selector',
    about: 'field selectors are parsed or rejected, and their canonical form is stable',
    input: textOf('a', '=', '==', '!=', ',', '\\', '\\,', '\\=', '.', 'metadata.name'),
    parse: parseFieldSelector,
    canonical: (text) => parseFieldSelector(text).toString(),
  },
  {
    name: 'time',
    about: 'times are parsed or rejected, and their canonical form is stable',
    input: timeText,
    parse: (text) => [parseTime(text), parseMicroTime(text)],
    canonical: (text) => formatTime(parseTime(text)),
  },
  {
    name: 'micro-time',
    about: 'times with microseconds are parsed or rejected, and their canonical form is stable',
    input: timeText,
    parse: parseMicroTime,
    canonical: (text) => formatMicroTime(parseMicroTime(text)),
  },
  {
    name: 'api-version',
    about: 'apiVersions are parsed or rejected',
    input: textOf('v1', 'apps', '/', 'a.b'),
    parse: parseApiVersion,
  },
  {
    name: 'names',
    about: 'name validators return errors',
    input: textOf('a', '-', '.', '/', 'A', '1'),
    parse: (text) => [
      validateDns1123Subdomain(text),
      validateLabelValue(text),
      validateQualifiedName(text),
    ],
  },
  {
    name: 'yaml',
    about: 'YAML is parsed or rejected with a typed error that contains no value',
    input: yamlText,
    parse: (text) => readYaml(text),
  },
];

/** Parsers of short texts: typed errors only, stable canonical forms, linear growth. */
export const textTargets: readonly FuzzTarget[] = [
  ...PARSERS.flatMap((parser) => [
    fuzzTarget({ ...parser, open: pure((text: string) => checkText(parser, text)) }),
    growthTarget(`${parser.name}-growth`, `reading ${parser.name} takes linear time`, [
      (text) => typedOnly(() => parser.parse(text), text.length),
    ]),
  ]),
  fuzzTarget({
    name: 'kubeconfig',
    about: 'kubeconfigs are parsed or rejected with a typed error',
    input: damaged(fc.oneof(fc.constant(kubeconfig), yamlText)),
    open: pure(async (text: string) => {
      await typedOnlyAsync(() => parseKubeConfig(text, 'config'));
    }),
  }),
];

function checkText({ parse, canonical }: TextParser, text: string): void {
  if (typedOnly(() => parse(text)) instanceof ClientError || canonical === undefined) return;
  const once = canonical(text);
  assert.equal(canonical(once), once, 'the canonical form is not stable');
}
