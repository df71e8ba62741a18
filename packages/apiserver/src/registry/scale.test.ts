import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { applyScale, applyScaleToCustomResource, scaleOf, scaleOfCustomResource } from './scale.ts';

const RESOURCE = { group: 'apps', resource: 'deployments' };
const metadata = {
  name: 'd',
  namespace: 'n',
  uid: 'u',
  resourceVersion: '5',
  creationTimestamp: '2026-01-01T00:00:00Z',
  labels: { a: 'b' },
};

describe('the scale of a workload', () => {
  const parent = {
    metadata,
    spec: { replicas: 3, selector: { matchLabels: { b: '2', a: '1' } } },
    status: { replicas: 2 },
  };

  it('has the desired and the current replicas', () => {
    const { labels: _, ...own } = metadata;
    assert.deepEqual(scaleOf(parent), {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: own,
      spec: { replicas: 3 },
      status: { replicas: 2, selector: 'a=1,b=2' },
    });
  });

  it('changes the desired replicas and nothing else', () => {
    const scale = { metadata: { name: 'd', namespace: 'n', resourceVersion: '4' } };
    const scaled = applyScale(parent, { ...scale, spec: { replicas: 7 } }, RESOURCE);
    assert.deepEqual(scaled, {
      ...parent,
      metadata: { ...metadata, resourceVersion: '4' },
      spec: { ...parent.spec, replicas: 7 },
    });
    assert.equal(parent.spec.replicas, 3);
  });

  it('rejects another object and negative replicas', () => {
    const own = { name: 'd', namespace: 'n' };
    assert.throws(() => applyScale(parent, { metadata: own, spec: { replicas: -1 } }, RESOURCE), {
      message:
        'Scale.autoscaling "d" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    });
    assert.throws(() => applyScale(parent, { metadata: { ...own, uid: 'x' } }, RESOURCE), {
      message:
        'Operation cannot be fulfilled on deployments/scale.apps "d": Precondition failed: UID in precondition: x, UID in object meta: u',
    });
  });

  it('formats label maps as selectors', () => {
    const old = { kind: 'ReplicationController', metadata, spec: { selector: { a: 'b' } } };
    assert.deepEqual(scaleOf(old).status, { replicas: 0, selector: 'a=b' });
    assert.deepEqual(scaleOf(old).spec, {});
  });
});

describe('the scale of a custom resource', () => {
  const paths = {
    specReplicasPath: '.spec.size',
    statusReplicasPath: '.status.count',
    labelSelectorPath: '.status.selector',
  };

  it('follows the paths of the definition', () => {
    const object = { metadata, spec: { size: 4 }, status: { count: 1, selector: 'a=b' } };
    const { spec, status } = scaleOfCustomResource(object, paths);
    assert.deepEqual([spec, status], [{ replicas: 4 }, { replicas: 1, selector: 'a=b' }]);
    const bare = scaleOfCustomResource({ metadata }, { ...paths, labelSelectorPath: undefined });
    assert.deepEqual([bare.spec, bare.status], [{}, { replicas: 0 }]);
  });

  it('sets replicas that were absent', () => {
    // Without a resourceVersion, it applies to any version.
    const scale = { metadata: { name: 'd' }, spec: { replicas: 2 } };
    assert.deepEqual(applyScaleToCustomResource({ metadata }, scale, paths), {
      metadata,
      spec: { size: 2 },
    });
    const object = { metadata, spec: { x: 1 } };
    const deep = { ...paths, specReplicasPath: '.spec.a.b' };
    assert.deepEqual(applyScaleToCustomResource(object, scale, deep), {
      metadata,
      spec: { x: 1, a: { b: 2 } },
    });
    assert.throws(() => applyScaleToCustomResource({ metadata }, { metadata: {} }, paths), {
      message: 'the spec replicas field ".spec.size" cannot be empty',
    });
  });

  it('fails if the path holds something else than a number', () => {
    const odd = { metadata, spec: { size: 'x' } };
    assert.throws(() => scaleOfCustomResource(odd, paths), {
      message: '.spec.size accessor error: "x" is of the type string, expected int64',
    });
  });
});
