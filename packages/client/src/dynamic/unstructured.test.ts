import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Deployment, deployments } from '../api/apps/v1.ts';
import { type Pod, pods } from '../api/core/v1.ts';
import type { DeepReadonly } from '../meta/types.ts';
import type { Stored } from '../rest/object-types.ts';
import { fromUnstructured, toUnstructured, type Unstructured } from './unstructured.ts';

const web: Unstructured = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { replicas: 2, futureField: true },
};

describe('unstructured objects', () => {
  it('become typed ones without a copy', () => {
    const deployment: Deployment = fromUnstructured(deployments, web);
    assert.equal(deployment.spec?.replicas, 2);
    assert.equal(deployment, web);
  });

  it('keep the types of stored and read-only objects', () => {
    const stored = web as Stored<Unstructured>;
    const deployment: Stored<Deployment> = fromUnstructured(deployments, stored);
    assert.equal(deployment.metadata.name.length, 3);
    const frozen: DeepReadonly<Unstructured> = web;
    const readonly: DeepReadonly<Deployment> = fromUnstructured(deployments, frozen);
    assert.equal(readonly.metadata?.name, 'web');
  });

  const refused: readonly (readonly [Unstructured, string])[] = [
    [{ ...web, kind: 'DaemonSet' }, 'expected apps/v1 Deployment but got apps/v1 DaemonSet'],
    [
      { ...web, apiVersion: 'apps/v1beta1' },
      'expected apps/v1 Deployment but got apps/v1beta1 Deployment',
    ],
    [{ ...web, apiVersion: 'v1' }, 'expected apps/v1 Deployment but got v1 Deployment'],
    [{ metadata: {} }, 'expected apps/v1 Deployment but got no apiVersion no kind'],
  ];
  for (const [object, message] of refused) {
    it(`are refused: ${message}`, () => {
      assert.throws(() => fromUnstructured(deployments, object), {
        name: 'DynamicError',
        code: 'DYNAMIC_KIND_MISMATCH',
        message,
      });
    });
  }

  it('are made from typed ones, which may lack apiVersion and kind', () => {
    const pod: Pod = { metadata: { name: 'web-0' }, spec: { containers: [] } };
    const object = toUnstructured(pods, pod);
    assert.deepEqual(object, { apiVersion: 'v1', kind: 'Pod', ...pod });
    assert.equal(object['spec'], pod.spec);
    assert.deepEqual(fromUnstructured(pods, object), object);
    const other = { ...pod, kind: 'Node' } as unknown as Pod;
    assert.throws(() => toUnstructured(pods, other), { code: 'DYNAMIC_KIND_MISMATCH' });
  });
});
