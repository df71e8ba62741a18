import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Pod } from '../api/core/v1.ts';
import type { KubernetesObject } from '../meta/types.ts';
import {
  and,
  conditionTrue,
  crdEstablished,
  deleted,
  deploymentAvailable,
  exists,
  jobComplete,
  jobFailed,
  not,
  or,
  podReady,
} from './conditions.ts';

function withCondition(type: string, status: string, more: object = {}): KubernetesObject {
  return { metadata: { name: 'x' }, status: { conditions: [{ type, status }], ...more } } as object;
}

describe('conditions', () => {
  it('are met by a condition that is True', () => {
    const cases = {
      Ready: podReady,
      Available: deploymentAvailable,
      Complete: jobComplete,
      Failed: jobFailed,
      Established: crdEstablished,
    };
    for (const [type, condition] of Object.entries(cases) as [string, typeof podReady][]) {
      assert.ok(condition(withCondition(type, 'True') as Pod), type);
      assert.ok(!condition(withCondition(type, 'False') as Pod), type);
      assert.ok(!condition(withCondition(`${type}d`, 'True') as Pod), type);
      assert.ok(!condition({}), type);
      assert.ok(!condition(undefined), type);
    }
  });

  it('are not met by a condition of an older generation', () => {
    const synced = conditionTrue('Synced');
    const object = (generation: number, condition: object, status: object): KubernetesObject =>
      ({
        metadata: { generation },
        status: { conditions: [{ type: 'Synced', status: 'True', ...condition }], ...status },
      }) as KubernetesObject;
    assert.ok(synced(object(2, { observedGeneration: 2 }, {})));
    assert.ok(!synced(object(3, { observedGeneration: 2 }, {})));
    assert.ok(!synced(object(3, {}, { observedGeneration: 2 })));
    assert.ok(synced(object(3, { observedGeneration: 3 }, { observedGeneration: 2 })));
    assert.ok(synced(object(3, {}, {})));
  });

  it('distinguish an object from another with the same name', () => {
    const object = { metadata: { name: 'web', uid: 'a' } };
    assert.ok(deleted('a')(undefined));
    assert.ok(!deleted('a')(object));
    assert.ok(deleted('b')(object));
    assert.ok(!deleted()(object));
    assert.ok(exists(object));
    assert.ok(!exists(undefined));
  });

  it('can be combined', () => {
    const ready = withCondition('Ready', 'True') as Pod;
    const named = (pod: Pod | undefined): boolean => pod?.metadata?.name === 'x';
    assert.ok(and(podReady, named)(ready));
    assert.ok(!and(podReady, named)({ ...ready, metadata: { name: 'y' } }));
    assert.ok(or(podReady, exists)({}));
    assert.ok(!or(podReady, exists)(undefined));
    assert.ok(not(podReady)(undefined));
    assert.ok(!not(podReady)(ready));
    assert.ok(and<Pod>()(undefined));
    assert.ok(!or<Pod>()(ready));
  });

  it('have descriptions', () => {
    assert.equal(podReady.name, 'podReady');
    assert.equal(conditionTrue('Synced').name, 'condition Synced');
    assert.equal(
      and(podReady, not(deleted('a')), () => true).name,
      '(podReady and not deleted and a condition)',
    );
    assert.equal(or(jobComplete, jobFailed).name, '(jobComplete or jobFailed)');
  });
});
