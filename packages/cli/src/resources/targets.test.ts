import assert from 'node:assert/strict';
import { test } from 'node:test';

import { UsageError } from '../frame/usage-error.ts';
import { parseTargets } from './targets.ts';

test('parses types and names as kubectl does', () => {
  const cases: [args: string[], targets: [type: string, names?: string[]][]][] = [
    [['pods'], [['pods']]],
    [['pods,svc'], [['pods'], ['svc']]],
    [['pods,'], [['pods']]],
    [['pods', 'a', 'b'], [['pods', ['a', 'b']]]],
    [['pod/a'], [['pod', ['a']]]],
    [
      ['pod/a', 'pod/b', 'svc/c', 'pod/d'],
      [
        ['pod', ['a', 'b']],
        ['svc', ['c']],
        ['pod', ['d']],
      ],
    ],
  ];
  for (const [args, targets] of cases) {
    const expected = targets.map(([type, names]) => ({ type, names }));
    assert.deepEqual(parseTargets(args), expected);
  }
  for (const args of [
    [],
    [','],
    ['a,b', 'c'],
    ['a/'],
    ['/a'],
    ['a/b/c'],
    ['a/b', 'c'],
    ['a', 'b/c'],
  ]) {
    assert.throws(() => parseTargets(args), UsageError, args.join(' '));
  }
});
