import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as names from './names.ts';

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomain = String.raw`a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`;
const label1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const keyName =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

type Rule = (value: string) => string[];

/** One rule with values that pass and values that fail, each with its messages. */
const rules: readonly {
  readonly rule: Rule;
  readonly good: readonly string[];
  readonly bad: readonly (readonly [string, ...string[]])[];
}[] = [
  {
    rule: names.validateDns1123Label,
    good: ['a', '0', 'a-1', 'a--b', 'x'.repeat(63)],
    bad: [
      ['', label],
      ['A', label],
      ['-a', label],
      ['a-', label],
      ['a_b', label],
      ['a\n', label],
      ['a.b', 'must not contain dots'],
      ['x'.repeat(64), 'must be no more than 63 characters'],
      ['é'.repeat(32), 'must be no more than 63 characters', label],
    ],
  },
  {
    rule: names.validateDns1123Subdomain,
    good: ['a', 'a.b', '1.2', 'a-b.c-d', 'x'.repeat(253)],
    bad: [
      ['', subdomain],
      ['a..b', subdomain],
      ['a.', subdomain],
      ['.a', subdomain],
      ['A.b', subdomain],
      ['a.-b', subdomain],
      ['x'.repeat(254), 'must be no more than 253 characters'],
    ],
  },
  {
    rule: names.validateDns1035Label,
    good: ['a', 'a-1'],
    bad: [
      ['1a', label1035],
      ['', label1035],
      ['a.b', label1035],
      ['a'.repeat(64), 'must be no more than 63 characters'],
    ],
  },
  {
    rule: names.validateQualifiedName,
    good: ['simple', 'A.b_c-1', 'example.com/Name', '1.2.3.4/5', 'x'.repeat(63)],
    bad: [
      ['', 'name part must be non-empty', `name part ${keyName}`],
      ['/', 'prefix part must be non-empty', 'name part must be non-empty', `name part ${keyName}`],
      ['/a', 'prefix part must be non-empty'],
      ['-bad', `name part ${keyName}`],
      ['bad key', `name part ${keyName}`],
      ['Ex.com/a', `prefix part ${subdomain}`],
      ['x'.repeat(64), 'name part must be no more than 63 bytes'],
      [`${'x'.repeat(254)}/a`, 'prefix part must be no more than 253 bytes'],
      [
        'ex.com/a/b',
        `a valid label key ${keyName} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      ],
    ],
  },
  {
    rule: names.validateLabelValue,
    good: ['', 'a', 'A.b_c-1', '1', 'x'.repeat(63)],
    bad: [
      ['a/b', labelValue],
      [' ', labelValue],
      ['-', labelValue],
      ['x'.repeat(64), 'must be no more than 63 bytes'],
    ],
  },
  {
    rule: names.validatePathSegmentName,
    good: ['A', 'system:node', '...', '', 'a b'],
    bad: [
      ['.', "may not be '.'"],
      ['..', "may not be '..'"],
      ['a/b', "may not contain '/'"],
      ['/%', "may not contain '/'", "may not contain '%'"],
    ],
  },
];

for (const { rule, good, bad } of rules) {
  describe(rule.name, () => {
    for (const value of good) {
      it(`accepts ${JSON.stringify(value)}`, () => assert.deepEqual(rule(value), []));
    }
    for (const [value, ...messages] of bad) {
      it(`refuses ${JSON.stringify(value)}`, () => assert.deepEqual(rule(value), messages));
    }
  });
}

describe('validatePathSegmentName', () => {
  it('accepts dots as a prefix of a generated name', () => {
    assert.deepEqual(names.validatePathSegmentName('..', true), []);
    assert.deepEqual(names.validatePathSegmentName('a/', true), ["may not contain '/'"]);
  });
});
