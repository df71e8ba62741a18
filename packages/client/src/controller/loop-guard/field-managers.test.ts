import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FieldsV1 } from '../../meta/types.ts';
import { managerOf } from './field-managers.ts';

const entry = (manager: string, time: string, fieldsV1: FieldsV1) => ({ manager, time, fieldsV1 });

const object = {
  metadata: {
    managedFields: [
      entry('kubectl', '2026-01-01T00:00:01Z', {
        'f:spec': { 'f:replicas': {}, 'f:selector': {} },
      }),
      entry('hpa', '2026-01-01T00:00:02Z', { 'f:spec': { 'f:replicas': {} } }),
      entry('operator', '2026-01-01T00:00:03Z', {
        'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
        'f:status': { 'f:conditions': { 'k:{"type":"Ready"}': { '.': {}, 'f:status': {} } } },
      }),
    ],
  },
};

describe('managerOf', () => {
  it('returns the last of the managers of a field', () => {
    assert.equal(managerOf(object, ['spec', 'replicas'], undefined), 'hpa');
    assert.equal(managerOf(object, ['spec', 'replicas'], 'hpa'), 'kubectl');
  });

  it('finds items of lists, and fields in what is owned as a whole', () => {
    const ready = { key: 'type', value: 'Ready' };
    const steps = ['status', 'conditions', ready, 'status'];
    assert.equal(managerOf(object, steps, undefined), 'operator');
    assert.equal(
      managerOf(object, ['spec', 'selector', 'matchLabels', 'app'], undefined),
      'kubectl',
    );
  });

  it('returns the last other writer of an absent field', () => {
    assert.equal(managerOf(object, ['spec', 'paused'], 'operator'), 'hpa');
    assert.equal(managerOf(object, ['spec', 'paused'], undefined), 'operator');
  });

  it('returns undefined without managed fields', () => {
    assert.equal(managerOf({ metadata: { name: 'a' } }, ['spec'], undefined), undefined);
    assert.equal(managerOf({}, ['spec'], undefined), undefined);
  });
});
