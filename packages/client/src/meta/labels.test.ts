import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  LabelMatcher,
  labelMatcherFromSet,
  type LabelOperator,
  labelRequirement,
  labelSelectorAsSelector,
  LabelSelectorError,
  parseLabelSelector,
} from './labels.ts';

function refuses(action: () => unknown, message: string | RegExp): void {
  assert.throws(action, (error) => {
    assert.ok(error instanceof LabelSelectorError);
    assert.equal(error.code, 'META_LABEL_SELECTOR_INVALID');
    if (typeof message === 'string') assert.equal(error.message, message);
    else assert.match(error.message, message);
    return true;
  });
}

describe('parseLabelSelector', () => {
  const readings: readonly (readonly [string, string])[] = [
    ['', ''],
    ['  ', ''],
    ['env=prod', 'env=prod'],
    [' env = prod ', 'env=prod'],
    ['env==prod', 'env==prod'],
    ['env!=prod', 'env!=prod'],
    ['env', 'env'],
    ['!env', '!env'],
    ['! env', '!env'],
    ['env in (prod, dev)', 'env in (dev,prod)'],
    ['env in(prod)', 'env in (prod)'],
    ['env notin (a,a)', 'env notin (a)'],
    ['n>5,m<3', 'm<3,n>5'],
    ['b,a', 'a,b'],
    ['empty=', 'empty='],
    ['empty=,x', 'empty=,x'],
    ['empty in ()', 'empty in ()'],
    ['env in (,prod)', 'env in (,prod)'],
    ['env in (prod,)', 'env in (,prod)'],
    ['env in (a,,b)', 'env in (,a,b)'],
    ['env in (,)', 'env in ()'],
    ['in in (in,notin)', 'in in (in,notin)'],
    ['in,notin', 'in,notin'],
    ['notin=in', 'notin=in'],
    ['example.com/x', 'example.com/x'],
    ['a=b\t,\nc', 'a=b,c'],
  ];
  for (const [text, canonical] of readings) {
    it(`reads ${JSON.stringify(text)} as ${JSON.stringify(canonical)}`, () => {
      assert.equal(parseLabelSelector(text).toString(), canonical);
    });
  }

  it('returns requirements with sorted, distinct values', () => {
    assert.deepEqual(parseLabelSelector('b in (z,a,z),a').requirements, [
      { key: 'a', operator: 'exists', values: [] },
      { key: 'b', operator: 'in', values: ['a', 'z'] },
    ]);
  });

  const keyRule = /^unable to parse requirement: <nil>: Invalid value: ".*": name part must/;
  const refusals: readonly (readonly [string, string | RegExp])[] = [
    [',', "found ',', expected: !, identifier, or 'end of string'"],
    ['=x', "found '=', expected: !, identifier, or 'end of string'"],
    ['(', "found '(', expected: !, identifier, or 'end of string'"],
    ['env=prod,', "found '', expected: identifier after ','"],
    ['a,,b', "found ',', expected: identifier after ','"],
    ['env===prod', "unable to parse requirement: found '=', expected: identifier"],
    ['n=>5', "unable to parse requirement: found '>', expected: identifier"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['!!a', "unable to parse requirement: found '!', expected: identifier"],
    ['env in prod', "unable to parse requirement: found 'prod' expected: '('"],
    ['env in', "unable to parse requirement: found '' expected: '('"],
    ['env in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ['env in (prod', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['env in (a b)', "unable to parse requirement: found 'b', expected: ',' or ')'"],
    ['env in (a,', "unable to parse requirement: found '', expected: ',', or identifier"],
    ['env in (a,=)', "unable to parse requirement: found '=', expected: ',', or identifier"],
    ['env=bad value', "found 'value', expected: ',' or 'end of string'"],
    ['!env=x', "found '=', expected: ',' or 'end of string'"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a(b)', "unable to parse requirement: found '(', expected: in, notin, =, ==, !=, gt, lt"],
    ['-bad=1', keyRule],
    [`${'x'.repeat(64)}=1`, /name part must be no more than 63 bytes$/],
    [
      'ex.com/a/b=c',
      /^unable to parse requirement: <nil>: Invalid value: "ex.com\/a\/b": a valid label key must/,
    ],
    [
      'n>abc',
      `unable to parse requirement: values[0]: Invalid value: "abc": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
    [
      'env=a/b',
      /^unable to parse requirement: values\[0\]\[env\]: Invalid value: "a\/b": a valid label must/,
    ],
    ['n>9223372036854775808', /the value must be an integer$/],
    [
      'n>-',
      /^unable to parse requirement: \[values\[0\]: Invalid value: "-": .*integer, values\[0\]\[n\]: Invalid value: "-": a valid label.*\]$/,
    ],
  ];
  for (const [text, message] of refusals) {
    it(`refuses ${JSON.stringify(text)}`, () => refuses(() => parseLabelSelector(text), message));
  }
});

describe('LabelMatcher', () => {
  const labels = { env: 'prod', n: '10', empty: '', 'example.com/x': 'y' };
  const answers: readonly (readonly [string, boolean])[] = [
    ['', true],
    ['env=prod', true],
    ['env=dev', false],
    ['env==prod', true],
    ['env!=prod', false],
    ['env!=dev', true],
    ['nope!=dev', true],
    ['nope=dev', false],
    ['nope=', false],
    ['empty=', true],
    ['empty in ()', true],
    ['env in (dev,prod)', true],
    ['env in (dev)', false],
    ['env notin (dev)', true],
    ['env notin (prod)', false],
    ['nope notin (prod)', true],
    ['env', true],
    ['!env', false],
    ['!nope', true],
    ['n>9', true],
    ['n>10', false],
    ['n<11', true],
    ['n<10', false],
    ['env>1', false],
    ['nope>1', false],
    ['env=prod,env=dev', false],
    ['env=prod,n=10,example.com/x=y', true],
    ['constructor', false],
    ['!toString', true],
  ];
  for (const [text, expected] of answers) {
    it(`${JSON.stringify(text)} ${expected ? 'matches' : 'does not match'}`, () => {
      assert.equal(parseLabelSelector(text).matches(labels), expected);
    });
  }

  it('treats absent labels as empty', () => {
    assert.equal(parseLabelSelector('!a').matches(undefined), true);
    assert.equal(parseLabelSelector('a').matches(undefined), false);
  });

  it('compares integers beyond what a number holds', () => {
    assert.ok(parseLabelSelector('n<9007199254740993').matches({ n: '9007199254740992' }));
    assert.ok(parseLabelSelector('n<1').matches({ n: '-9' }));
    assert.equal(parseLabelSelector('n<1').matches({ n: '-9223372036854775809' }), false);
    assert.equal(parseLabelSelector('n<1').matches({ n: '0x0' }), false);
  });

  it('distinguishes everything from nothing', () => {
    assert.ok(LabelMatcher.everything.matches(undefined));
    assert.ok(LabelMatcher.everything.isEmpty);
    assert.ok(LabelMatcher.everything.selectable);
    assert.equal(LabelMatcher.nothing.matches({}), false);
    assert.equal(LabelMatcher.nothing.isEmpty, false);
    assert.equal(LabelMatcher.nothing.selectable, false);
    assert.equal(LabelMatcher.nothing.and(labelRequirement('a', 'exists')), LabelMatcher.nothing);
  });

  it('adds requirements without changing itself', () => {
    const first = parseLabelSelector('b');
    const second = first.and(labelRequirement('a', '=', ['1']));
    assert.equal(first.toString(), 'b');
    assert.equal(second.toString(), 'a=1,b');
  });

  it('returns the only value that a label may have', () => {
    const matcher = parseLabelSelector('a=1,b in (2),c in (1,2),d!=1,e');
    assert.equal(matcher.requiresExactMatch('a'), '1');
    assert.equal(matcher.requiresExactMatch('b'), '2');
    for (const key of ['c', 'd', 'e', 'f'])
      assert.equal(matcher.requiresExactMatch(key), undefined);
  });
});

describe('labelRequirement', () => {
  it('refuses what makes no sense', () => {
    refuses(
      () => labelRequirement('a', 'in'),
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    );
    refuses(
      () => labelRequirement('a', '=', ['x', 'y']),
      'values: Invalid value: ["x","y"]: exact-match compatibility requires one single value',
    );
    refuses(
      () => labelRequirement('a', 'exists', ['x']),
      'values: Invalid value: ["x"]: values set must be empty for exists and does not exist',
    );
    refuses(
      () => labelRequirement('a', 'gt'),
      "values: Invalid value: null: for 'Gt', 'Lt' operators, exactly one value is required",
    );
    refuses(
      () => labelRequirement('a', 'like' as LabelOperator, ['x']),
      'operator: Unsupported value: "like": supported values: "in", "notin", "=", "==", "!=", "gt", "lt", "exists", "!"',
    );
    refuses(
      () => labelRequirement('', 'exists'),
      /^key: Invalid value: "": name part must be non-empty; name part must/,
    );
  });

  it('keeps a copy of the values', () => {
    const values = ['a'];
    const requirement = labelRequirement('k', 'in', values);
    values.push('b');
    assert.deepEqual(requirement.values, ['a']);
  });
});

describe('labelSelectorAsSelector', () => {
  it('matches nothing without a selector, and everything with an empty one', () => {
    assert.equal(labelSelectorAsSelector(undefined), LabelMatcher.nothing);
    assert.equal(labelSelectorAsSelector(null), LabelMatcher.nothing);
    assert.equal(labelSelectorAsSelector({}), LabelMatcher.everything);
    assert.equal(labelSelectorAsSelector({ matchLabels: {} }), LabelMatcher.everything);
  });

  it('joins labels and expressions', () => {
    const matcher = labelSelectorAsSelector({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['b', 'a'] },
        { key: 'env', operator: 'NotIn', values: ['dev'] },
        { key: 'x', operator: 'Exists' },
        { key: 'y', operator: 'DoesNotExist', values: [] },
      ],
    });
    assert.equal(matcher.toString(), 'app=web,env notin (dev),tier in (a,b),x,!y');
  });

  it('refuses unknown operators and missing values', () => {
    refuses(
      () =>
        labelSelectorAsSelector({
          matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }],
        }),
      '"Gt" is not a valid label selector operator',
    );
    refuses(
      () => labelSelectorAsSelector({ matchExpressions: [{ key: 'a', operator: 'toString' }] }),
      '"toString" is not a valid label selector operator',
    );
    refuses(
      () => labelSelectorAsSelector({ matchExpressions: [{ key: 'a', operator: 'In' }] }),
      /values set can't be empty/,
    );
  });
});

describe('labelMatcherFromSet', () => {
  it('requires every label', () => {
    const matcher = labelMatcherFromSet({ b: '2', a: '1' });
    assert.equal(matcher.toString(), 'a=1,b=2');
    assert.ok(matcher.matches({ a: '1', b: '2', c: '3' }));
    assert.equal(matcher.matches({ a: '1' }), false);
    assert.equal(labelMatcherFromSet(undefined), LabelMatcher.everything);
  });
});

describe('properties', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,8}[A-Za-z0-9])?$/);
  const value = fc.oneof(word, fc.constant(''));
  const key = fc.constantFrom('a', 'b', 'in', 'notin', 'example.com/x');
  const requirement = fc.oneof(
    fc.record({
      key,
      operator: fc.constantFrom('=', '==', '!=' as const),
      values: fc.tuple(value),
    }),
    fc.record({
      key,
      operator: fc.constantFrom('in', 'notin' as const),
      values: fc.uniqueArray(value, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      key,
      operator: fc.constantFrom('exists', '!' as const),
      values: fc.constant<string[]>([]),
    }),
    fc.record({
      key,
      operator: fc.constantFrom('gt', 'lt' as const),
      values: fc.tuple(fc.nat().map(String)),
    }),
  );
  const matcher = fc
    .array(requirement, { maxLength: 4 })
    .map((list) =>
      LabelMatcher.of(
        list.map(({ key: name, operator, values }) => labelRequirement(name, operator, values)),
      ),
    );
  const labels = fc.dictionary(key, fc.oneof(value, fc.nat().map(String)), { maxKeys: 3 });

  it('text reads back as the same selector', () => {
    fc.assert(
      fc.property(matcher, labels, (original, some) => {
        const again = parseLabelSelector(original.toString());
        assert.equal(again.toString(), original.toString());
        assert.equal(again.matches(some), original.matches(some));
      }),
    );
  });

  it('an operator and its opposite never agree', () => {
    fc.assert(
      fc.property(key, fc.uniqueArray(value, { minLength: 1 }), labels, (name, values, some) => {
        const match = (operator: LabelOperator, list: readonly string[]): boolean =>
          LabelMatcher.of([labelRequirement(name, operator, list)]).matches(some);
        assert.notEqual(match('in', values), match('notin', values));
        assert.notEqual(match('exists', []), match('!', []));
      }),
    );
  });

  it('more requirements never match more', () => {
    fc.assert(
      fc.property(matcher, requirement, labels, (first, extra, some) => {
        const narrowed = first.and(labelRequirement(extra.key, extra.operator, extra.values));
        if (narrowed.matches(some)) assert.ok(first.matches(some));
      }),
    );
  });

  it('any text is either read or refused with a selector error', () => {
    const text = fc.array(
      fc.constantFrom('a', 'b', '=', '!', '(', ')', ',', '>', '<', ' ', 'in', 'notin', '-', '/'),
    );
    fc.assert(
      fc.property(text, (pieces) => {
        try {
          const matcherText = parseLabelSelector(pieces.join('')).toString();
          assert.equal(parseLabelSelector(matcherText).toString(), matcherText);
        } catch (error) {
          assert.ok(error instanceof LabelSelectorError, String(error));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
