import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Pod, Service } from '../api/core/v1.ts';
import type { KubernetesObject } from '../meta/types.ts';
import {
  and,
  conditionIs,
  conditionTrue,
  crdEstablished,
  deleted,
  deploymentAvailable,
  exists,
  type ExistingCondition,
  jobComplete,
  jobFailed,
  jsonPath,
  loadBalancerReady,
  namespaceActive,
  not,
  or,
  persistentVolumeClaimBound,
  podFailed,
  podReady,
  podRunning,
  podSucceeded,
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

  it('of kubectl compare type and status without case', () => {
    assert.ok(conditionIs('ready', 'false')(withCondition('Ready', 'False')));
    assert.ok(!conditionIs('Ready', 'Unknown')(withCondition('Ready', 'False')));
    assert.ok(!conditionIs('Ready', 'False')(undefined));
    assert.equal(conditionIs('Ready', 'False').name, 'condition Ready=False');
  });

  it('are met by a phase', () => {
    const cases: [ExistingCondition<KubernetesObject>, string][] = [
      [podRunning, 'Running'],
      [podSucceeded, 'Succeeded'],
      [podFailed, 'Failed'],
      [namespaceActive, 'Active'],
      [persistentVolumeClaimBound, 'Bound'],
    ] as never;
    for (const [condition, phase] of cases) {
      const object = (status: object): KubernetesObject => ({ status }) as KubernetesObject;
      assert.ok(condition(object({ phase })), phase);
      assert.ok(!condition(object({ phase: 'Pending' })), phase);
      assert.ok(!condition({}) && !condition(undefined), phase);
    }
  });

  it('are met by the value at a JSONPath, or by any value', () => {
    const pod = { status: { phase: 'Running', podIPs: [{ ip: '10.0.0.1' }, { ip: '::1' }] } };
    const meets = (path: string, value?: string): boolean =>
      jsonPath(path, value)(pod as KubernetesObject);
    assert.ok(meets('{.status.phase}', 'Running'));
    assert.ok(meets('status.phase', ' Running '));
    assert.ok(!meets('.status.phase', 'Pending'));
    assert.ok(meets('{.status.podIPs}') && meets('{.status.podIPs[*].ip}'));
    assert.ok(!meets('{.status.hostIP}') && !meets('{.status.hostIP}', ''));
    assert.ok(!jsonPath('{.status}')(undefined));
    assert.throws(() => meets('{.status.podIPs[*].ip}', '::1'), { code: 'JSONPATH_INVALID' });
    assert.throws(() => meets('{.status.podIPs}', 'x'), { code: 'JSONPATH_INVALID' });
    assert.throws(() => jsonPath('{.a}{.b}'), { code: 'JSONPATH_INVALID' });
    assert.equal(jsonPath('{.a}', 'b').name, '{.a}=b');
  });

  it('are met by the first address of a load balancer', () => {
    const service = (ingress: object[]): Service => ({ status: { loadBalancer: { ingress } } });
    assert.ok(loadBalancerReady(service([{ ip: '192.0.2.1' }])));
    assert.ok(!loadBalancerReady(service([])) && !loadBalancerReady({}));
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
