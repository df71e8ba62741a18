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

  it('shows how many there should be and are', () => {
    const { labels: _, ...own } = metadata;
    assert.deepEqual(scaleOf(parent), {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: own,
      spec: { replicas: 3 },
      status: { replicas: 2, selector: 'a=1,b=2' },
    });
  });

  it('changes how many there should be and nothing else', () => {
    const scale = { metadata: { name: 'd', namespace: 'n', resourceVersion: '4' } };
    const scaled = applyScale(parent, { ...scale, spec: { replicas: 7 } }, RESOURCE);
    assert.deepEqual(scaled, {
      ...parent,
      metadata: { ...metadata, resourceVersion: '4' },
      spec: { ...parent.spec, replicas: 7 },
    });
    assert.equal(parent.spec.replicas, 3);
  });

  it('is of one object and no less than nothing', () => {
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

  it('selects by labels where the kind is that old', () => {
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

  it('is where the definition says', () => {
    const object = { metadata, spec: { size: 4 }, status: { count: 1, selector: 'a=b' } };
    const { spec, status } = scaleOfCustomResource(object, paths);
    assert.deepEqual([spec, status], [{ replicas: 4 }, { replicas: 1, selector: 'a=b' }]);
    const bare = scaleOfCustomResource({ metadata }, { ...paths, labelSelectorPath: undefined });
    assert.deepEqual([bare.spec, bare.status], [{}, { replicas: 0 }]);
  });

  it('puts the number there, even if nothing was', () => {
    // Without a version of its own, it applies to the one that is there.
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

  it('fails where there is something else than a number', () => {
    const odd = { metadata, spec: { size: 'x' } };
    assert.throws(() => scaleOfCustomResource(odd, paths), {
      message: '.spec.size accessor error: "x" is of the type string, expected int64',
    });
  });
});
