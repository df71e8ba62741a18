import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  escapeFieldValue,
  FieldMatcher,
  fieldMatcherFromSet,
  FieldSelectorError,
  parseFieldSelector,
  unescapeFieldValue,
} from './fields.ts';
import { checkFieldSelector, fieldSelectorTexts } from './test-field-selectors.ts';

function refuses(action: () => unknown, message: string): void {
  assert.throws(action, (error) => {
    assert.ok(error instanceof FieldSelectorError);
    assert.equal(error.code, 'META_FIELD_SELECTOR_INVALID');
    assert.equal(error.message, message);
    return true;
  });
}

describe('parseFieldSelector', () => {
  const readings: readonly (readonly [string, string])[] = [
    ['', ''],
    [',', ''],
    ['metadata.name=p1', 'metadata.name=p1'],
    ['metadata.name==p1', 'metadata.name=p1'],
    ['metadata.name!=p1', 'metadata.name!=p1'],
    ['spec.nodeName=', 'spec.nodeName='],
    ['spec.nodeName!=', 'spec.nodeName!='],
    ['b=1,a=2', 'a=2,b=1'],
    ['a=1,,b=2,', 'a=1,b=2'],
    [String.raw`a=x\,y\=z\\`, String.raw`a=x\,y\=z\\`],
    [
      'involvedObject.fieldPath=spec.containers{main}',
      'involvedObject.fieldPath=spec.containers{main}',
    ],
    ['=x', '=x'],
    ['=', ''],
    ['!=,a=1', 'a=1'],
  ];
  for (const [text, canonical] of readings) {
    it(`reads ${text}`, () => assert.equal(parseFieldSelector(text).toString(), canonical));
  }

  it('unescapes values', () => {
    assert.deepEqual(parseFieldSelector(String.raw`a=x\,y\=z\\`).requirements, [
      { field: 'a', operator: '=', value: String.raw`x,y=z` + '\\' },
    ]);
  });

  const refusals: readonly (readonly [string, string])[] = [
    ['nope', "invalid selector: 'nope'; can't understand 'nope'"],
    ['metadata.name in (a,b)', "invalid selector: 'metadata.name in (a,b)'; can't understand 'b)'"],
    ['spec.nodeName>1', "invalid selector: 'spec.nodeName>1'; can't understand 'spec.nodeName>1'"],
    ['metadata.name=a\\', 'invalid field selector: invalid escape sequence: \\'],
    ['a=\\🙂', 'invalid field selector: invalid escape sequence: \\🙂'],
    ['metadata.name=a=b', 'invalid field selector: unescaped character in value: 61'],
    ['a===b', 'invalid field selector: unescaped character in value: 61'],
  ];
  for (const [text, message] of refusals) {
    it(`refuses ${text}`, () => refuses(() => parseFieldSelector(text), message));
  }
});

describe('FieldMatcher', () => {
  const fields = { 'metadata.name': 'p1', 'spec.nodeName': '' };

  it('compares, and treats a missing field as empty', () => {
    const answers: readonly (readonly [string, boolean])[] = [
      ['', true],
      ['metadata.name=p1', true],
      ['metadata.name=p2', false],
      ['metadata.name!=p2', true],
      ['metadata.name!=p1', false],
      ['spec.nodeName=', true],
      ['spec.nodeName!=', false],
      ['status.phase=', true],
      ['status.phase!=Running', true],
      ['toString=', true],
      ['metadata.name=p1,metadata.name=p2', false],
    ];
    for (const [text, expected] of answers) {
      assert.equal(parseFieldSelector(text).matches(fields), expected, text);
    }
  });

  it('distinguishes everything from nothing', () => {
    assert.ok(FieldMatcher.everything.matches({}));
    assert.ok(FieldMatcher.everything.isEmpty);
    assert.equal(FieldMatcher.nothing.matches({}), false);
    assert.equal(FieldMatcher.nothing.isEmpty, false);
    assert.equal(FieldMatcher.nothing.selectable, false);
    const same = FieldMatcher.nothing.transform((field, value) => ({ field, value }));
    assert.equal(same, FieldMatcher.nothing);
  });

  it('returns the only value that a field may have', () => {
    const matcher = parseFieldSelector('a!=1,a=2,b!=3');
    assert.equal(matcher.requiresExactMatch('a'), '2');
    assert.equal(matcher.requiresExactMatch('b'), undefined);
    assert.equal(matcher.requiresExactMatch('c'), undefined);
  });

  it('rewrites and drops requirements', () => {
    const matcher = parseFieldSelector('a=1,b!=2,c=3').transform((field, value) =>
      field === 'c' ? { field: '', value: '' } : { field: field.toUpperCase(), value },
    );
    assert.equal(matcher.toString(), 'A=1,B!=2');
  });

  it('rethrows what the callback throws', () => {
    const refusal = new Error('field label not supported: a');
    assert.throws(
      () =>
        parseFieldSelector('a=1').transform(() => {
          throw refusal;
        }),
      refusal,
    );
  });

  it('is made from a set', () => {
    assert.equal(fieldMatcherFromSet({ a: '1', b: '' }).toString(), 'a=1,b=');
    assert.equal(fieldMatcherFromSet({}), FieldMatcher.everything);
  });
});

describe('escaping', () => {
  it('is reversible', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('\\', ',', '=', '!', 'a', '🙂') }), (value) => {
        assert.equal(unescapeFieldValue(escapeFieldValue(value)), value);
      }),
    );
  });

  it('keeps selectors apart', () => {
    const value = fc.string({ unit: fc.constantFrom('\\', ',', '=', '!', 'a', ' ') });
    const requirement = fc.record({
      field: fc.constantFrom('metadata.name', 'status.phase'),
      operator: fc.constantFrom('=' as const, '!=' as const),
      value,
    });
    fc.assert(
      fc.property(
        fc.array(requirement),
        fc.dictionary(fc.constant('metadata.name'), value),
        (list, fields) => {
          const matcher = FieldMatcher.of(list);
          const again = parseFieldSelector(matcher.toString());
          assert.equal(again.requirements.length, list.length);
          assert.equal(again.matches(fields), matcher.matches(fields));
        },
      ),
    );
  });

  it('the canonical text of a selector is stable', () => {
    for (const text of ['a==z,a=b', 'b=1,a!=2,a==1', 'a=\\,,a==\\\\']) checkFieldSelector(text);
    assert.equal(parseFieldSelector('a==z,a=b').toString(), 'a=b,a=z');
    fc.assert(fc.property(fieldSelectorTexts, checkFieldSelector), { numRuns: 2000 });
  });
});
