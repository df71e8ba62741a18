import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FieldChange, fieldChanges } from './field-changes.ts';

const brief = (changes: readonly FieldChange[]) =>
  changes.map(({ path, before, after }) => [path, before, after]);

describe('fieldChanges', () => {
  it('names the fields that differ, with their values', () => {
    const before = { spec: { replicas: 3, paused: true, template: { spec: { nodeName: 'a' } } } };
    const after = { spec: { replicas: 5, template: { spec: { nodeName: 'a' } } }, status: {} };
    assert.deepEqual(brief(fieldChanges(before, after)), [
      ['spec.replicas', '3', '5'],
      ['spec.paused', 'true', undefined],
      ['status', undefined, '{}'],
    ]);
  });

  it('distinguishes the items of lists by name, type or key', () => {
    const condition = (type: string, status: string) => ({ type, status });
    const before = {
      status: { conditions: [condition('Ready', 'True'), condition('Old', 'True')] },
    };
    const after = {
      status: { conditions: [condition('New', 'True'), condition('Ready', 'False')] },
    };
    assert.deepEqual(brief(fieldChanges(before, after)), [
      ['status.conditions[Ready].status', '"True"', '"False"'],
      ['status.conditions[Old]', '{"type":"Old","status":"True"}', undefined],
      ['status.conditions[New]', undefined, '{"type":"New","status":"True"}'],
    ]);
  });

  it('takes a list whose items have no unique key as one field', () => {
    const before = { args: ['a', 'b'], ports: [{ name: 'x' }, { name: 'x' }] };
    const after = { args: ['b', 'a'], ports: [{ name: 'x' }] };
    assert.deepEqual(
      fieldChanges(before, after).map(({ path }) => path),
      ['args', 'ports'],
    );
  });

  it('puts names that are not words into brackets', () => {
    const before = { metadata: { annotations: { 'example.com/at': '1' } } };
    const after = { metadata: { annotations: { 'example.com/at': '2' } } };
    assert.deepEqual(
      fieldChanges(before, after).map(({ path }) => path),
      ['metadata.annotations[example.com/at]'],
    );
  });

  it('leaves out what the server changes with each write', () => {
    const before = { metadata: { resourceVersion: '1', generation: 1, managedFields: [] } };
    const after = {
      metadata: { resourceVersion: '2', generation: 2, managedFields: [{ manager: 'a' }] },
    };
    assert.deepEqual(fieldChanges(before, after), []);
  });

  it('is bounded in number, depth and length', () => {
    const fields = (value: number) =>
      Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, value]));
    assert.equal(fieldChanges(fields(1), fields(2)).length, 32);
    const deep = (value: number): object =>
      Array.from({ length: 500 }).reduce<object>((inner) => ({ in: inner }), { value });
    const [change] = fieldChanges(deep(1), deep(2));
    assert.equal(change?.steps.length, 24);
    const [long] = fieldChanges({ text: '' }, { text: 'x'.repeat(100_000) });
    assert.ok((long?.after?.length ?? Infinity) < 300);
  });
});
