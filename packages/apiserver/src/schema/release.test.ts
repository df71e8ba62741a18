import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { GroupVersionKind } from 'client-ts/meta';

import { loadModel, type Model } from './model.ts';
import { checkKubernetesVersion, KUBERNETES_VERSIONS } from './release.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

function resourcesOf(model: Model, group: string, version: string): string[] {
  return model.resources(group, version).map(({ resource }) => resource);
}

function fieldsOf(model: Model, kind: GroupVersionKind | string): string[] {
  const schema = typeof kind === 'string' ? model.schemaById(kind) : model.schemaFor(kind);
  return [...(schema?.properties?.keys() ?? [])];
}

describe('the models of the releases', () => {
  it('name the release that they describe', () => {
    assert.deepEqual(
      KUBERNETES_VERSIONS.map((version) => loadModel(version).kubernetes),
      ['1.34.11', '1.35.8', '1.36.4'],
    );
    assert.equal(loadModel(), loadModel('1.36'));
    assert.equal(loadModel('1.34'), loadModel('1.34'));
  });

  it('have the resources of their release only', () => {
    const policies = KUBERNETES_VERSIONS.map((version) =>
      resourcesOf(loadModel(version), 'admissionregistration.k8s.io', 'v1').includes(
        'mutatingadmissionpolicies',
      ),
    );
    assert.deepEqual(policies, [false, false, true]);
    const alpha = KUBERNETES_VERSIONS.map((version) =>
      resourcesOf(loadModel(version), 'storage.k8s.io', 'v1alpha1'),
    );
    assert.deepEqual(alpha, [['volumeattributesclasses'], [], []]);
  });

  it('have the fields of their release only, in the order of the Go type', () => {
    const last = KUBERNETES_VERSIONS.map((version) =>
      fieldsOf(loadModel(version), 'io.k8s.api.core.v1.PodSpec').at(-1),
    );
    assert.deepEqual(last, ['hostnameOverride', 'workloadRef', 'schedulingGroup']);
    assert.deepEqual(
      fieldsOf(loadModel('1.34'), 'io.k8s.api.resource.v1alpha3.DeviceTaintSelector'),
      ['deviceClassName', 'driver', 'pool', 'device', 'selectors'],
    );
  });

  it('have the choices and requirements of their release', () => {
    const operators = KUBERNETES_VERSIONS.map(
      (version) =>
        loadModel(version).openApi['io.k8s.api.core.v1.Toleration']?.properties?.['operator']?.enum,
    );
    assert.deepEqual(operators, [
      ['Equal', 'Exists'],
      ['Equal', 'Exists', 'Gt', 'Lt'],
      ['Equal', 'Exists', 'Gt', 'Lt'],
    ]);
    const required = KUBERNETES_VERSIONS.map(
      (version) => loadModel(version).openApi['io.k8s.api.batch.v1.CronJob']?.required,
    );
    assert.deepEqual(required, [undefined, undefined, ['spec']]);
  });

  it('refer only to types that they have', () => {
    for (const version of KUBERNETES_VERSIONS) {
      const model = loadModel(version);
      const unlinked = Object.keys(model.openApi).filter(
        (id) => model.schemaById(id) === undefined,
      );
      assert.deepEqual(unlinked, [], version);
      for (const { group, version: apiVersion } of model.groupVersions) {
        for (const { schema } of model.resources(group, apiVersion)) assert.ok(schema.id);
      }
    }
  });

  it('agree on the fields of metadata and of a Status', () => {
    for (const id of [`${META}.ObjectMeta`, `${META}.Status`, `${META}.StatusDetails`]) {
      const fields = KUBERNETES_VERSIONS.map((version) => fieldsOf(loadModel(version), id));
      assert.deepEqual(fields[0], fields[2], id);
      assert.deepEqual(fields[1], fields[2], id);
    }
  });
});

describe('checkKubernetesVersion', () => {
  it('names the releases that there are', () => {
    checkKubernetesVersion('1.35');
    assert.throws(() => checkKubernetesVersion('1.33'), {
      code: 'OPTION_INVALID',
      message: /kubernetesVersion.*"1\.33" is not one of 1\.34, 1\.35, 1\.36/,
    });
    assert.throws(() => checkKubernetesVersion('1.35.8'), /is not one of/);
  });
});
