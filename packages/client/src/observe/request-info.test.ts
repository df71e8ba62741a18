import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestInfo } from './request-info.ts';

test('returns verb, resource, namespace and name of a request', () => {
  const cases: [string, string, boolean, string][] = [
    ['GET', '/api/v1/namespaces/default/pods/web', false, 'get pods default web'],
    ['GET', '/api/v1/pods', false, 'list pods  '],
    ['GET', '/apis/apps/v1/deployments', true, 'watch deployments.apps  '],
    ['GET', '/api/v1/namespaces/default/pods/web/log', true, 'get pods/log default web'],
    ['POST', '/api/v1/namespaces/default/pods', false, 'create pods default '],
    [
      'PUT',
      '/apis/apps/v1/namespaces/a/deployments/b/status',
      false,
      'update deployments.apps/status a b',
    ],
    ['PATCH', '/api/v1/nodes/n', false, 'patch nodes  n'],
    ['GET', '/apis/example.com/v1/things/a%20b', false, 'get things.example.com  a b'],
    ['GET', '/api/v1/namespaces/a/pods/web/proxy/metrics', false, 'get pods/proxy a web'],
    ['DELETE', '/api/v1/namespaces/a/pods', false, 'deletecollection pods a '],
    ['DELETE', '/api/v1/namespaces/a', false, 'delete namespaces  a'],
    ['PUT', '/api/v1/namespaces/a/finalize', false, 'update namespaces/finalize  a'],
    ['GET', '/version', false, 'get /version  '],
    ['GET', '/apis/apps/v1', false, 'get /apis/apps/v1  '],
  ];
  for (const [method, path, stream, expected] of cases) {
    const { verb, resource, namespace, name } = requestInfo({ method, path, stream });
    assert.equal(`${verb} ${resource} ${namespace} ${name}`, expected);
  }
  const create = { method: 'POST', stream: false, path: '/api/v1/namespaces', createdName: 'a' };
  assert.equal(requestInfo(create).name, 'a');
  const apply = { contentType: 'application/apply-patch+yaml', method: 'PATCH', stream: false };
  assert.equal(requestInfo({ ...apply, path: '/api/v1/nodes/n' }).verb, 'apply');
});
