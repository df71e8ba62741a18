import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { unifiedDiff } from './unified-diff.ts';

const names = { from: 'old', to: 'new' };
const text = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** Applies a diff to the text it starts from. */
function patch(before: string, diff: string): string {
  const old = before.split('\n').slice(0, -1);
  const result: string[] = [];
  let position = 0;
  for (const line of diff.split('\n').slice(2, -1)) {
    const [, start, count = '1'] = /^@@ -(\d+)(?:,(\d+))?/.exec(line) ?? [];
    if (start !== undefined) {
      const first = count === '0' ? Number(start) : Number(start) - 1;
      result.push(...old.slice(position, first));
      position = first;
    } else if (line.startsWith('+')) {
      result.push(line.slice(1));
    } else {
      assert.equal(line.slice(1), old[position]);
      if (line.startsWith(' ')) result.push(line.slice(1));
      position += 1;
    }
  }
  return text(...result, ...old.slice(position));
}

describe('unifiedDiff', () => {
  it('is empty for equal texts', () => {
    assert.equal(unifiedDiff('a\n', 'a\n', names), '');
  });

  it('prints changes with three lines around them, as diff -u', () => {
    const before = text('1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13');
    const after = text(
      '1',
      '2',
      '3',
      '4',
      'five',
      '6',
      '7',
      '8',
      '9',
      '10',
      '11',
      '12',
      '13',
      '14',
    );
    assert.equal(
      unifiedDiff(before, after, names),
      text(
        '--- old',
        '+++ new',
        '@@ -2,7 +2,7 @@',
        ' 2',
        ' 3',
        ' 4',
        '-5',
        '+five',
        ' 6',
        ' 7',
        ' 8',
        '@@ -11,3 +11,4 @@',
        ' 11',
        ' 12',
        ' 13',
        '+14',
      ),
    );
  });

  it('prints a text that is new or gone', () => {
    assert.equal(
      unifiedDiff('', text('a', 'b'), names),
      text('--- old', '+++ new', '@@ -0,0 +1,2 @@', '+a', '+b'),
    );
    assert.equal(
      unifiedDiff(text('a'), '', names),
      text('--- old', '+++ new', '@@ -1 +0,0 @@', '-a'),
    );
  });

  it('leads from one text to the other with the fewest edits', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = unifiedDiff(text(...before), text(...after), names);
        assert.equal(patch(text(...before), diff), text(...after));
        const edits = diff
          .split('\n')
          .slice(2)
          .filter((line) => /^[+-]/.test(line)).length;
        assert.equal(edits, before.length + after.length - 2 * longestCommon(before, after));
      }),
    );
  });
});

/** The length of the longest common subsequence, by the textbook. */
function longestCommon(left: readonly string[], right: readonly string[]): number {
  let row = right.map(() => 0);
  for (const a of left) {
    const next: number[] = [];
    for (const [index, b] of right.entries()) {
      const diagonal = index === 0 ? 0 : (row[index - 1] ?? 0);
      next.push(a === b ? diagonal + 1 : Math.max(row[index] ?? 0, next[index - 1] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
