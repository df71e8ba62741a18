import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { operationId, operationTag } from './operation.ts';

describe('operation names', () => {
  it('contain the group without its dots and common suffix', () => {
    const names: [string, string | undefined, string][] = [
      ['', 'v1', 'core_v1'],
      ['', undefined, 'core'],
      ['apps', 'v1', 'apps_v1'],
      ['rbac.authorization.k8s.io', 'v1', 'rbacAuthorization_v1'],
      ['flowcontrol.apiserver.k8s.io', undefined, 'flowcontrolApiserver'],
      ['demo.my-team.example.com', 'v1beta1', 'demoMyTeamExampleCom_v1beta1'],
    ];
    for (const [group, version, tag] of names) assert.equal(operationTag(group, version), tag);
  });

  it('have the group-version after the verb', () => {
    const apps = { group: 'apps', version: 'v1' };
    assert.equal(
      operationId('list', apps, 'NamespacedDeployment'),
      'listAppsV1NamespacedDeployment',
    );
    assert.equal(operationId('get', { group: 'apps' }, 'APIGroup'), 'getAppsAPIGroup');
    assert.equal(
      operationId('delete', { group: '', version: 'v1' }, 'CollectionNode'),
      'deleteCoreV1CollectionNode',
    );
  });
});
