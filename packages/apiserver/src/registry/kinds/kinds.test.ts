import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { loadModel } from '../../schema/model.ts';
import { fieldLabelsFor, kinds, strategyFor } from './kinds.ts';

const model = loadModel();
const resources = new Set(
  model.groupVersions.flatMap(({ group, version }) =>
    model.resources(group, version).map(({ resource }) => `${group}/${resource}`),
  ),
);

describe('the table of kinds', () => {
  it('has only resources of the API model', () => {
    assert.deepEqual(
      [...kinds.keys()].filter((key) => !resources.has(key)),
      [],
    );
  });

  it('has every stable kind that is stored', () => {
    const stored = model.groupVersions
      .filter(({ version }) => version === 'v1')
      .flatMap(({ group, version }) =>
        model
          .resources(group, version)
          .filter(({ verbs }) => verbs.includes('list') && verbs.includes('create'))
          .map(({ resource }) => `${group}/${resource}`),
      );
    assert.deepEqual(
      stored.filter((key) => !kinds.has(key)),
      [],
    );
  });

  it('marks the kinds whose delete returns the object', () => {
    const returning = [...kinds]
      .filter(([, { strategy }]) => strategy.deleteReturnsObject === true)
      .map(([key]) => key);
    assert.deepEqual(returning, [
      '/namespaces',
      '/persistentvolumeclaims',
      '/persistentvolumes',
      '/pods',
      '/podtemplates',
      '/resourcequotas',
      '/serviceaccounts',
      '/services',
      'resource.k8s.io/deviceclasses',
      'resource.k8s.io/devicetaintrules',
      'resource.k8s.io/resourceclaims',
      'resource.k8s.io/resourceclaimtemplates',
      'resource.k8s.io/resourcepoolstatusrequests',
      'resource.k8s.io/resourceslices',
      'storage.k8s.io/csidrivers',
      'storage.k8s.io/csinodes',
      'storage.k8s.io/storageclasses',
      'storage.k8s.io/volumeattachments',
      'storage.k8s.io/volumeattributesclasses',
    ]);
  });

  it('marks the kinds that an update creates', () => {
    const created = [...kinds]
      .filter(([, { strategy }]) => strategy.createOnUpdate === true)
      .map(([key]) => key);
    assert.deepEqual(created, [
      '/endpoints',
      '/events',
      '/limitranges',
      '/services',
      'coordination.k8s.io/leasecandidates',
      'coordination.k8s.io/leases',
      'events.k8s.io/events',
      'node.k8s.io/runtimeclasses',
      'rbac.authorization.k8s.io/clusterrolebindings',
      'rbac.authorization.k8s.io/clusterroles',
      'rbac.authorization.k8s.io/rolebindings',
      'rbac.authorization.k8s.io/roles',
    ]);
  });

  it('applies the metadata rules alone to other kinds', () => {
    const { generation, validate } = strategyFor('example.com', 'things');
    assert.equal(generation, 'none');
    assert.equal(validate, undefined);
  });
});

describe('labels for field selectors', () => {
  it('differ by kind', () => {
    const job = ['metadata.name', 'metadata.namespace', 'status.successful'];
    assert.deepEqual(fieldLabelsFor('batch', 'jobs'), job);
    assert.deepEqual(fieldLabelsFor('', 'namespaces'), ['status.phase', 'metadata.name']);
    assert.equal(fieldLabelsFor('', 'configmaps'), undefined);
    assert.ok(fieldLabelsFor('', 'events')?.includes('involvedObject.kind'));
    assert.ok(fieldLabelsFor('events.k8s.io', 'events')?.includes('regarding.kind'));
    assert.ok(!fieldLabelsFor('events.k8s.io', 'events')?.includes('involvedObject.kind'));
  });

  /** Accepted labels without a value: `spec.host` is an alias, `status.podIPs` is never set. */
  const EMPTY = new Set(['spec.host', 'status.podIPs']);

  it('are present in empty objects', () => {
    for (const [key, { strategy }] of kinds) {
      const { selectableFields, selectableFieldNames: names = [] } = strategy;
      if (selectableFields === undefined) continue;
      const found = Object.keys(selectableFields({ metadata: {} }));
      const wanted = names.filter((name) => !name.startsWith('metadata.') && !EMPTY.has(name));
      for (const name of wanted) assert.ok(found.includes(name), `${key} ${name}`);
    }
  });
});
