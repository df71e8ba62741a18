import assert from 'node:assert/strict';
import type { Area } from '../check.ts';
import { failure, field, ok } from '../expect.ts';

/** Authentication and impersonation. */
export const authentication: Area = {
  name: 'authentication',
  checks: {
    'answers a wrong token with 401': async ({ anonymous }) => {
      const headers = { authorization: 'Bearer wrong' };
      failure(await anonymous.get('/api/v1/namespaces', headers), 401, 'Unauthorized');
    },

    'answers a wrong token with 401 before it checks the path': async ({ anonymous }) => {
      const headers = { authorization: 'Bearer wrong' };
      failure(await anonymous.get('/apis/nope.example.com/v1', headers), 401, 'Unauthorized');
    },

    'rejects reads without credentials': async ({ anonymous }) => {
      const reply = await anonymous.get('/api/v1/secrets');
      assert.ok(reply.status === 401 || reply.status === 403, String(reply.status));
      assert.equal(reply.body.kind, 'Status');
    },

    'rejects writes without credentials': async ({ anonymous, namespace, unique }) => {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: unique('cm') } };
      const reply = await anonymous.post(`/api/v1/namespaces/${namespace}/configmaps`, object);
      assert.ok(reply.status === 401 || reply.status === 403, String(reply.status));
    },

    'does not echo credentials': async ({ anonymous }) => {
      const headers = { authorization: 'Bearer c2VjcmV0' };
      const reply = await anonymous.get('/api', headers);
      failure(reply, 401, 'Unauthorized');
      assert.ok(!reply.text.includes('c2VjcmV0'));
    },

    'returns the user of the administrator': async ({ api }) => {
      const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
      const reply = await api.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', review);
      const groups = field(ok(reply, 201), 'status.userInfo.groups');
      assert.ok(Array.isArray(groups) && groups.includes('system:authenticated'));
    },

    'allows the administrator everything': async ({ api, namespace }) => {
      const review = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { namespace, verb: 'delete', resource: 'secrets' } },
      };
      const reply = await api.post(
        '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        review,
      );
      assert.equal(field(ok(reply, 201), 'status.allowed'), true);
    },

    'impersonates the user of a header': async ({ api }) => {
      const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
      const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
      // The impersonated user is in system:masters, so that the response does not depend on roles.
      const headers = { 'impersonate-user': 'jane', 'impersonate-group': 'system:masters' };
      const { body } = await api.post(path, review, headers);
      assert.equal(field(body, 'status.userInfo.username'), 'jane');
      assert.ok((field(body, 'status.userInfo.groups') as string[]).includes('system:masters'));
    },
  },
};
