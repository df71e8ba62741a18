import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fingerprint } from './fingerprint.ts';

const of = (expected: unknown, got: unknown): string =>
  fingerprint([{ path: '/a', expected, got }])['/a'] ?? '';

describe('the fingerprint of a difference', () => {
  it('is readable for short values', () => {
    assert.equal(of('Status', undefined), "'Status' → (absent)");
    assert.equal(of({ a: 1 }, null), "{'a':1} → null");
  });

  it('is the same in every run', () => {
    const made = (uid: string, version: number, time: string): string =>
      of(undefined, { metadata: { uid, resourceVersion: String(version), time }, cells: ['7s'] });
    assert.equal(
      made('944dbc41-a90b-487f-b2b9-f60ee37eac2a', 12, '2026-11-15T17:47:06Z'),
      made('0690ca4d-312f-43fa-9e41-99722c5c71f0', 9_999, '2027-01-01T00:00:00.123456Z'),
    );
    const wanted = (own: string): string =>
      fingerprint([
        { path: '/a', expected: '1', got: own, wanted: `the same uid as before, which was ${own}` },
      ])['/a'] ?? '';
    assert.equal(wanted('x'), wanted('y'));
    assert.equal(wanted('x'), '(present) → (present), wanted: the same uid as before');
  });

  it('does not depend on the order of managed fields', () => {
    const fields = [
      { manager: 'a', time: '2026-11-15T17:47:06Z' },
      { manager: 'b', time: '2026-11-15T17:47:05Z' },
    ];
    const object = (managedFields: unknown): object => ({ metadata: { managedFields } });
    const [one, other] = [object(fields), object(fields.toReversed())];
    assert.equal(of(undefined, one), of(undefined, other));
    assert.equal(
      of('', `${JSON.stringify(one)}\n${JSON.stringify(one)}\n`),
      of('', `${JSON.stringify(other)}\n${JSON.stringify(one)}\n`),
    );
    assert.notEqual(of(undefined, one), of(undefined, object(fields.slice(1))));
    const path = '/metadata/managedFields';
    assert.deepEqual(
      fingerprint([{ path, expected: fields, got: undefined }]),
      fingerprint([{ path, expected: fields.toReversed(), got: undefined }]),
    );
  });

  it('depends on the end of a long text', () => {
    const long = 'x'.repeat(500);
    assert.notEqual(of('a', `${long}1`), of('a', `${long}2`));
    assert.ok(of('a', long).length < 100);
  });

  it('depends on every path, however many there are', () => {
    const many = Array.from({ length: 100 }, (_, index) => ({
      path: `/items/${index}`,
      expected: index,
      got: undefined,
    }));
    const before = fingerprint(many);
    assert.ok(Object.keys(before).length < 20);
    assert.deepEqual(fingerprint(many.toReversed()), before);
    assert.notDeepEqual(fingerprint(many.slice(0, -1)), before);
    for (const index of many.keys()) {
      const changed = many.map((each, at) => (at === index ? { ...each, got: 'other' } : each));
      assert.notDeepEqual(fingerprint(changed), before, `path ${index}`);
    }
  });
});
