import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';

import { internalDiff } from './internal-diff.ts';
import { internalJson } from './internal-json.ts';
import { unifiedDiff } from './unified-diff.ts';

/** What `patch` does with the hunks of a diff. */
function apply(left: readonly string[], diff: string): string[] {
  const result: string[] = [];
  let position = 0;
  for (const line of diff.split('\n').slice(0, -1)) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+/.exec(line);
    if (hunk !== null) {
      const [, start = '', length = '1'] = hunk;
      // An empty range begins after the line that it names.
      const begin = Number(start) - (length === '0' ? 0 : 1);
      result.push(...left.slice(position, begin));
      position = begin;
      continue;
    }
    if (!line.startsWith('+')) assert.equal(line.slice(1), left[position++]);
    if (!line.startsWith('-')) result.push(line.slice(1));
  }
  return [...result, ...left.slice(position)];
}

describe('a unified diff', () => {
  it('leads from one text to the other', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '{', '}'), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(text, text, (left, right) => {
        assert.deepEqual(apply(left, unifiedDiff(left, right)), right);
      }),
    );
  });

  it('says nothing if there is nothing to say', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), (lines) => {
        assert.equal(unifiedDiff(lines, lines), '');
      }),
    );
  });

  it('has three lines of context, and joins hunks that touch', () => {
    const lines = 'a b c d e f g h i j k l m n o p q r s t'.split(' ');
    const changed = lines.map((line) => (line === 'e' || line === 'r' ? line.toUpperCase() : line));
    assert.equal(
      unifiedDiff(lines, changed),
      '@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n@@ -15,6 +15,6 @@\n o\n p\n q\n-r\n+R\n s\n t\n',
    );
    const close = lines.map((line) => (line === 'e' || line === 'k' ? line.toUpperCase() : line));
    assert.equal(unifiedDiff(lines, close).match(/@@ /g)?.length, 1);
    assert.equal(unifiedDiff([], ['a']), '@@ -0,0 +1 @@\n+a\n');
    assert.equal(unifiedDiff(['a'], []), '@@ -1 +0,0 @@\n-a\n');
  });
});

describe('the inner form of an object', () => {
  it('has every field, under its inner name', () => {
    assert.deepEqual(internalJson('SELinuxOptions', { level: 'x' }), {
      User: '',
      Role: '',
      Type: '',
      Level: 'x',
    });
    assert.deepEqual(internalJson('PodDNSConfigOption', {}), { Name: '', Value: null });
    assert.deepEqual(internalJson('SecretKeySelector', { name: 'a', key: 'b' }), {
      Name: 'a',
      Key: 'b',
      Optional: null,
    });
  });

  it('keeps the namespaces of the host with the security context', () => {
    const { SecurityContext } = internalJson('PodSpec', { hostNetwork: true }) as {
      SecurityContext: { HostNetwork: boolean; HostPID: boolean };
    };
    assert.equal(SecurityContext.HostNetwork, true);
    assert.equal(SecurityContext.HostPID, false);
  });

  it('is what a refused change is shown in', () => {
    assert.equal(
      internalDiff('SELinuxOptions', { user: 'a' }, { user: 'b' }),
      '@@ -1,5 +1,5 @@\n {\n- "User": "a",\n+ "User": "b",\n  "Role": "",\n  "Type": "",\n  "Level": ""\n',
    );
  });
});
