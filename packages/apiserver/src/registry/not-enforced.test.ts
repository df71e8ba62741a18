import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { warningsIn } from '../testing/test-kind.ts';
import { TestServer } from '../testing/test-server.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const ROLES = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles';
const ROLE = { metadata: { name: 'r' }, rules: [] };

const LEVELS = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';
const LIMITED = { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } };

const podFor = (serviceAccountName: string): object => ({
  metadata: { name: 'p' },
  spec: { serviceAccountName, containers: [{ name: 'c', image: 'i' }] },
});

async function warnings(server: TestServer, path: string, body: object): Promise<string[]> {
  return warningsIn(await server.post(`${path}?dryRun=All`, body));
}

describe('a write of what the server does not enforce', () => {
  it('warns', async () => {
    using server = new TestServer({ authorization: 'allow' });
    const rows: readonly (readonly [string, object, string])[] = [
      [
        '/apis/apiregistration.k8s.io/v1/apiservices',
        {
          metadata: { name: 'v1.example.com' },
          spec: {
            group: 'example.com',
            version: 'v1',
            groupPriorityMinimum: 1,
            versionPriority: 1,
            insecureSkipTLSVerify: true,
            service: { namespace: 'default', name: 's' },
          },
        },
        'spec.service: this server does not aggregate APIs; requests are not sent to the service',
      ],
      [
        LEVELS,
        { metadata: { name: 'l' }, spec: { type: 'Limited', limited: LIMITED } },
        'spec.limited: this server assigns requests to priority levels, but does not queue or reject them',
      ],
      [ROLES, ROLE, 'this server authorizes every request; the Role has no effect'],
      [
        `${NAMESPACE}/pods`,
        podFor('absent'),
        'spec.serviceAccountName: service account "absent" does not exist, and the admission plugin ServiceAccount is off',
      ],
      [
        `${NAMESPACE}/serviceaccounts`,
        {
          metadata: {
            name: 's',
            annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' },
          },
        },
        'metadata.annotations[kubernetes.io/enforce-mountable-secrets]: has no effect, because the admission plugin ServiceAccount is off',
      ],
    ];
    for (const [path, body, text] of rows) {
      const found = await warnings(server, path, body);
      assert.ok(found.includes(`not enforced: ${text}`), `${path}: ${JSON.stringify(found)}`);
    }
  });

  it('does not warn about what is enforced', async () => {
    using server = new TestServer({ authorization: 'rbac' });
    assert.deepEqual(await warnings(server, ROLES, ROLE), []);
    using byDefault = new TestServer();
    assert.deepEqual(await warnings(byDefault, ROLES, ROLE), []);
    await server.given('post', `${NAMESPACE}/serviceaccounts`, { metadata: { name: 's' } });
    assert.deepEqual(await warnings(server, `${NAMESPACE}/pods`, podFor('s')), []);
    const schemas = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
    const spec = { priorityLevelConfiguration: { name: 'exempt' } };
    assert.deepEqual(await warnings(server, schemas, { metadata: { name: 'f' }, spec }), []);
  });
});
