import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject } from 'client-ts/meta';
import { keepTimesIfUnchanged } from './timestamps.ts';

function object(time: string, manager: string, labels: Record<string, string>): KubernetesObject {
  return {
    metadata: { labels, managedFields: [{ manager, operation: 'Apply', time, fieldsV1: {} }] },
  };
}

test('times move only together with something else', () => {
  const old = object('1', 'm', { a: '1' });
  const entries = (updated: KubernetesObject) => keepTimesIfUnchanged(old, updated);
  assert.equal(entries(object('2', 'm', { a: '1' })), old.metadata?.managedFields);
  for (const updated of [object('2', 'm', { a: '2' }), object('2', 'n', { a: '1' })]) {
    assert.equal(entries(updated), updated.metadata?.managedFields);
  }
  assert.equal(entries({ metadata: { labels: { a: '1' } } }), undefined);
});
