import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { compareStrings } from 'client-ts/internal';

import { TestServer } from '../testing/test-server.ts';
import { type ControllerSelection, CONTROLLERS, selectedControllers } from './controllers.ts';

const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const ACCOUNT = '/api/v1/namespaces/team/serviceaccounts/default';
const CERTIFICATE = '/api/v1/namespaces/team/configmaps/kube-root-ca.crt';

describe('the selection of controllers', () => {
  it('is that of kube-controller-manager', () => {
    const names = (selection: ControllerSelection): string[] => [...selectedControllers(selection)];
    const publisher = 'root-ca-certificate-publisher-controller';
    assert.deepEqual(
      names(true),
      CONTROLLERS.filter((name) => name !== publisher),
    );
    assert.deepEqual(names(['*']), names(true));
    assert.deepEqual(names(['*', publisher]), [...CONTROLLERS]);
    assert.deepEqual(names(false), []);
    assert.deepEqual(names(['namespace-controller']), ['namespace-controller']);
    const others = CONTROLLERS.filter(
      (name) => name !== 'namespace-controller' && name !== publisher,
    );
    assert.deepEqual(names(['*', '-namespace-controller']), others);
    assert.throws(() => selectedControllers(['job-controller' as 'namespace-controller']), {
      message: 'controllers: there is no controller "job-controller"',
    });
  });

  it('decides what the server does', async () => {
    using server = new TestServer({ controllers: ['*', '-serviceaccount-controller'] });
    await server.given('post', '/api/v1/namespaces', { metadata: { name: 'team' } });
    await server.settle();
    assert.equal((await server.get(ACCOUNT)).status, 404);
    await server.delete('/api/v1/namespaces/team');
    await server.settle();
    assert.equal((await server.get('/api/v1/namespaces/team')).status, 404);
  });
});

describe('namespaces', () => {
  it('have a default ServiceAccount, which comes back', async () => {
    using server = new TestServer();
    for (const namespace of ['default', 'kube-system']) {
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
      assert.equal((await server.get(path)).status, 200);
    }
    await server.given('post', '/api/v1/namespaces', { metadata: { name: 'team' } });
    await server.settle();
    const { uid } = (await server.get(ACCOUNT)).body.metadata;
    await server.delete(ACCOUNT);
    await server.settle();
    assert.notEqual((await server.get(ACCOUNT)).body.metadata.uid, uid);
    await server.delete('/api/v1/namespaces/team');
    await server.settle();
    assert.equal((await server.get('/api/v1/namespaces/team')).status, 404);
  });

  it('have the certificate of the CA if asked for', async () => {
    using server = new TestServer({
      controllers: ['*', 'root-ca-certificate-publisher-controller'],
    });
    server.backend.publish({ address: '127.0.0.1', port: 6443 }, 'a certificate');
    await server.given('post', '/api/v1/namespaces', { metadata: { name: 'team' } });
    await server.settle();
    const map = (await server.get(CERTIFICATE)).body;
    assert.deepEqual(map['data'], { 'ca.crt': 'a certificate' });
    await server.given('put', CERTIFICATE, { ...map, data: { 'ca.crt': 'another' } });
    await server.settle();
    assert.deepEqual((await server.get(CERTIFICATE)).body['data'], { 'ca.crt': 'a certificate' });
  });
});

describe('aggregated ClusterRoles', () => {
  const rule = { verbs: ['get'], apiGroups: ['example.com'], resources: ['widgets'] };

  it('have the rules of the roles that they select', async () => {
    using server = new TestServer();
    const rules = async (name: string): Promise<object[]> =>
      (await server.get(`${ROLES}/${name}`)).body['rules'] as object[];
    const before = await rules('admin');
    assert.ok(before.length > 20);
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
    await server.given('post', ROLES, {
      metadata: { name: 'widget-viewer', labels },
      rules: [rule],
    });
    await server.settle();
    // From view to edit to admin.
    for (const name of ['view', 'edit', 'admin']) {
      assert.deepEqual(
        (await rules(name)).filter((one) => JSON.stringify(one) === JSON.stringify(rule)),
        [rule],
        name,
      );
    }
    await server.delete(`${ROLES}/widget-viewer`);
    await server.settle();
    assert.deepEqual(await rules('admin'), before);
  });

  it('settle when they aggregate each other in a circle', async () => {
    using server = new TestServer();
    const names = ['a', 'b', 'c'];
    for (const [index, name] of names.entries()) {
      const next = names[(index + 1) % names.length] ?? '';
      await server.given('post', ROLES, {
        metadata: { name: `base-${name}`, labels: { 'to-a-circle': name } },
        rules: [{ ...rule, resources: [name] }],
      });
      await server.given('post', ROLES, {
        metadata: { name, labels: { 'in-a-circle': name } },
        rules: [],
        aggregationRule: {
          clusterRoleSelectors: [
            { matchLabels: { 'in-a-circle': next } },
            { matchLabels: { 'to-a-circle': name } },
          ],
        },
      });
    }
    await server.settle();
    const circle = async (): Promise<[string, unknown][]> => {
      const roles = await Promise.all(names.map((name) => server.get(`${ROLES}/${name}`)));
      return roles.map(({ body }) => [
        (body['rules'] as (typeof rule)[])
          .map(({ resources: [resource = ''] }) => resource)
          .toSorted(compareStrings)
          .join(''),
        body.metadata.resourceVersion,
      ]);
    };
    const settled = await circle();
    assert.deepEqual(
      settled.map(([resources]) => resources),
      ['abc', 'abc', 'abc'],
    );
    await server.given('post', ROLES, { metadata: { name: 'other' }, rules: [rule] });
    await server.settle();
    assert.deepEqual(await circle(), settled);
  });

  it('have a controller as the manager of their rules', async () => {
    using server = new TestServer();
    const { managedFields = [] } = (await server.get(`${ROLES}/view`)).body.metadata;
    assert.deepEqual(
      managedFields.map(({ manager, operation, fieldsV1 }) => [
        manager,
        operation,
        'f:rules' in (fieldsV1 as object),
      ]),
      [
        ['clusterrole-aggregation-controller', 'Apply', true],
        ['kube-apiserver', 'Update', false],
      ],
    );
  });
});
