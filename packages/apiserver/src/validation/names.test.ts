import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as names from './names.ts';

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomain = String.raw`a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`;
const keyName =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const configKey =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

type Rule = (value: string) => string[];

/** One rule with values that pass and values that fail, each with its messages. */
const rules: readonly {
  readonly rule: Rule;
  readonly good: readonly string[];
  readonly bad: readonly (readonly [string, ...string[]])[];
}[] = [
  {
    rule: names.validateAnnotationKey,
    good: ['Example.COM/Name', 'a'],
    bad: [['a b', `name part ${keyName}`]],
  },
  {
    rule: names.validateFinalizerName,
    good: ['orphan', 'example.com/x', 'bare'],
    bad: [['a b', `name part ${keyName}`]],
  },
  {
    rule: names.validateKubeFinalizerName,
    good: ['orphan', 'kubernetes', 'foregroundDeletion', 'example.com/x'],
    bad: [['bare', 'name is neither a standard finalizer name nor is it fully qualified']],
  },
  {
    rule: names.validateRelaxedEnvVarName,
    good: ['1a', 'a b', '~!<>', '..'],
    bad: [
      ['', 'environment variable name must be non-empty'],
      ...['a=b', 'é', 'a\tb', '\u007f'].map(
        (name) =>
          [
            name,
            "a valid environment variable name must consist only of printable ASCII characters other than '='",
          ] as const,
      ),
    ],
  },
  {
    rule: names.validateConfigMapKey,
    good: ['a', '.a', 'A_b.c-d', 'x'.repeat(253)],
    bad: [
      ['', configKey],
      ['a/b', configKey],
      ['.', "must not be '.'"],
      ['..', "must not be '..'"],
      ['..a', "must not start with '..'"],
      ['x'.repeat(254), 'must be no more than 253 characters'],
    ],
  },
  {
    rule: names.validatePortName,
    good: ['http', 'a', '0a', 'a-1', 'a'.repeat(15)],
    bad: [
      [
        '',
        'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'must contain at least one letter (a-z)',
      ],
      ['80', 'must contain at least one letter (a-z)'],
      [
        'HTTP',
        'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'must contain at least one letter (a-z)',
      ],
      ['a--b', 'must not contain consecutive hyphens'],
      ['-a', 'must not begin or end with a hyphen'],
      ['a-', 'must not begin or end with a hyphen'],
      ['a'.repeat(16), 'must be no more than 15 characters'],
    ],
  },
  {
    rule: names.validateWildcardDns1123Subdomain,
    good: ['*.example.com', '*.a'],
    bad: [
      [
        'example.com',
        String.raw`a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
  },
  {
    rule: names.validateDns1123SubdomainWithUnderscore,
    good: ['_sip._tcp', 'a_b.c'],
    bad: [
      [
        'a._',
        String.raw`a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
  },
  {
    rule: names.validatePercent,
    good: ['0%', '100%'],
    bad: [
      [
        '5',
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      ],
    ],
  },
  {
    rule: names.validateHttpHeaderName,
    good: ['X-A'],
    bad: [
      [
        'X A',
        "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
      ],
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

describe('numbers', () => {
  it('have inclusive bounds', () => {
    assert.deepEqual(names.validatePortNumber(1), []);
    assert.deepEqual(names.validatePortNumber(65535), []);
    assert.deepEqual(names.validatePortNumber(0), ['must be between 1 and 65535, inclusive']);
    assert.deepEqual(names.validatePortNumber(65536), ['must be between 1 and 65535, inclusive']);
    assert.deepEqual(names.validateInRange(-1, 0, 9), ['must be between 0 and 9, inclusive']);
  });
});

describe('prefixes of generated names', () => {
  it('may end in a dash', () => {
    assert.deepEqual(names.nameIsDnsSubdomain('web-', true), []);
    assert.deepEqual(names.nameIsDnsLabel('web-', true), []);
    assert.deepEqual(names.nameIsDnsSubdomain('web.-', true), []);
  });

  it('are otherwise names', () => {
    assert.deepEqual(names.nameIsDnsSubdomain('Web-', true), [subdomain]);
    assert.deepEqual(names.nameIsDnsSubdomain('-', true), [subdomain]);
    assert.deepEqual(names.nameIsDnsLabel('a.b-', true), ['must not contain dots']);
  });

  it('differ from whole names', () => {
    assert.deepEqual(names.nameIsDnsSubdomain('web-', false), [subdomain]);
    assert.deepEqual(names.nameIsDnsLabel('web-', false), [label]);
  });
});

describe('annotationsSize', () => {
  it('counts bytes of keys and values', () => {
    assert.equal(names.annotationsSize({ a: 'bc', é: '' }), 5);
    assert.equal(names.annotationsSize({}), 0);
    assert.equal(names.maxAnnotationsSize, 262144);
  });
});
