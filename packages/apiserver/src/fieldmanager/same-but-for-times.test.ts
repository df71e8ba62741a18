import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject } from 'client-ts/meta';
import { sameButForTimes } from './same-but-for-times.ts';

function object(time: string, manager: string, labels: Record<string, string>): KubernetesObject {
  return {
    metadata: { labels, managedFields: [{ manager, operation: 'Apply', time, fieldsV1: {} }] },
  };
}

test('times alone are no change', () => {
  const old = object('1', 'm', { a: '1' });
  assert.ok(sameButForTimes(old, object('2', 'm', { a: '1' })));
  assert.ok(!sameButForTimes(old, object('1', 'm', { a: '2' })));
  assert.ok(!sameButForTimes(old, object('1', 'n', { a: '1' })));
  assert.ok(!sameButForTimes(old, { metadata: { labels: { a: '1' } } }));
  assert.ok(sameButForTimes({ metadata: {} }, { metadata: {} }));
});
