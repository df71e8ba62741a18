import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TransportHeaders } from '../transport/transport.ts';
import {
  describePermission,
  isGrantedToAll,
  permissionsOf,
  permissionsOfAnswer,
} from './permission.ts';

const needs = (method: string, path: string, headers: TransportHeaders = {}): string[] =>
  permissionsOf({ method, path, headers }).map(describePermission);

describe('permissionsOf', () => {
  for (const [method, path, permission] of [
    ['GET', '/api/v1/pods?limit=500', 'list pods'],
    ['GET', '/api/v1/namespaces/shop/pods?watch=1', 'watch pods in "shop"'],
    ['GET', '/api/v1/namespaces/shop/pods/web', 'get pods "web" in "shop"'],
    ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Dweb', 'list pods "web"'],
    ['POST', '/apis/apps/v1/namespaces/shop/deployments', 'create deployments.apps in "shop"'],
    [
      'PUT',
      '/apis/apps/v1/namespaces/shop/deployments/web/scale',
      'update deployments.apps/scale "web" in "shop"',
    ],
    ['PATCH', '/api/v1/nodes/a/status', 'patch nodes/status "a"'],
    ['DELETE', '/api/v1/namespaces/shop/pods', 'deletecollection pods in "shop"'],
    ['GET', '/api/v1/namespaces/shop', 'get namespaces "shop"'],
    ['POST', '/api/v1/namespaces/shop/pods/web/eviction', 'create pods/eviction "web" in "shop"'],
    ['GET', '/metrics', 'get /metrics'],
    ['HEAD', '/healthz', 'get /healthz'],
  ] as const) {
    it(`${method} ${path} needs ${permission}`, () => {
      assert.deepEqual(needs(method, path), [permission]);
    });
  }

  it('asks for list too if a watch begins with the list', () => {
    assert.deepEqual(needs('GET', '/api/v1/pods?watch=true&sendInitialEvents=true'), [
      'list pods',
      'watch pods',
    ]);
  });

  it('asks for create too if a stream of a pod is opened with a WebSocket', () => {
    const request = {
      method: 'GET',
      path: '/api/v1/namespaces/shop/pods/web/exec?command=ls',
      headers: {},
      upgrade: () => Promise.reject(new Error('not called')),
    };
    assert.deepEqual(permissionsOf(request).map(describePermission), [
      'get pods/exec "web" in "shop"',
      'create pods/exec "web" in "shop"',
    ]);
  });

  it('asks for impersonate instead of what the other user does', () => {
    assert.deepEqual(
      needs('GET', '/api/v1/pods', {
        'impersonate-user': 'system:serviceaccount:shop:web',
        'impersonate-group': ['a', 'b'],
        'impersonate-extra-scopes': 'view',
      }),
      [
        'impersonate serviceaccounts "web" in "shop"',
        'impersonate groups "a"',
        'impersonate groups "b"',
        'impersonate userextras.authentication.k8s.io/scopes "view"',
      ],
    );
  });

  it('asks for create if an apply or an update has created the object', () => {
    const request = { method: 'PATCH', path: '/api/v1/namespaces/shop/pods/web', headers: {} };
    const answered = (status: number) =>
      permissionsOfAnswer(request, status).map(describePermission);
    assert.deepEqual(answered(201), ['create pods in "shop"']);
    assert.deepEqual(answered(200), []);
    assert.deepEqual(permissionsOfAnswer({ ...request, method: 'POST' }, 201), []);
  });

  it('knows what every user may do', () => {
    const isFree = (method: string, path: string): boolean =>
      permissionsOf({ method, path, headers: {} }).every(isGrantedToAll);
    assert.ok(isFree('GET', '/apis/apps/v1'));
    assert.ok(isFree('GET', '/openapi/v3'));
    assert.ok(isFree('GET', '/version'));
    assert.ok(isFree('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'));
    assert.ok(!isFree('GET', '/metrics'));
    assert.ok(!isFree('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews'));
  });
});
