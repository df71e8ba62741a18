import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestServer } from '../testing/test-server.ts';

const NETWORKING = '/apis/networking.k8s.io/v1';
const SERVICES = '/api/v1/namespaces/default/services';
const EXTRA = { metadata: { name: 'extra' }, spec: { cidrs: ['10.9.0.0/28'] } };

/** Returns the message of a refused service, or its cluster IP. */
async function create(server: TestServer, name: string, clusterIP?: string): Promise<string> {
  const spec = { ports: [{ port: 80 }], ...(clusterIP !== undefined && { clusterIP }) };
  const { status, body } = await server.post(SERVICES, { metadata: { name }, spec });
  if (status !== 201) return String(body['message']);
  return (body['spec'] as { clusterIP: string }).clusterIP;
}

describe('a further ServiceCIDR', () => {
  it('has addresses for services that ask for one, except those of IPAddresses', async () => {
    using server = new TestServer();
    assert.match(await create(server, 'a', '10.9.0.7'), /does not match the current range$/);
    await server.given('post', `${NETWORKING}/servicecidrs`, EXTRA);
    const parentRef = { resource: 'services', namespace: 'default', name: 'other' };
    const reserved = { metadata: { name: '10.9.0.5' }, spec: { parentRef } };
    await server.given('post', `${NETWORKING}/ipaddresses`, reserved);
    assert.equal(await create(server, 'a', '10.9.0.7'), '10.9.0.7');
    assert.match(await create(server, 'b', '10.9.0.7'), /provided IP is already allocated$/);
    assert.match(await create(server, 'b', '10.9.0.5'), /provided IP is already allocated$/);
    assert.match(await create(server, 'b', '10.9.0.15'), /does not match the current range$/);
    await server.delete(`${NETWORKING}/ipaddresses/10.9.0.5`);
    assert.equal(await create(server, 'b', '10.9.0.5'), '10.9.0.5');
  });

  it('is used when the range of the server is full, and no longer when it is deleted', async () => {
    using server = new TestServer();
    const ipaddresses = `${NETWORKING}/ipaddresses`;
    const parentRef = { resource: 'services', namespace: 'default', name: 'other' };
    for (let last = 2; last < 255; last += 1) {
      await server.given('post', ipaddresses, {
        metadata: { name: `10.0.0.${last}` },
        spec: { parentRef },
      });
    }
    assert.match(await create(server, 'a'), /range is full$/);
    await server.given('post', `${NETWORKING}/servicecidrs`, EXTRA);
    assert.match(await create(server, 'a'), /^10\.9\.0\./);
    const status = { conditions: [{ type: 'Ready', status: 'False', reason: 'Off', message: '' }] };
    await server.patch('merge', `${NETWORKING}/servicecidrs/extra/status`, { status });
    assert.match(await create(server, 'b'), /range is full$/);
    await server.patch('merge', `${NETWORKING}/servicecidrs/extra/status`, { status: null });
    assert.match(await create(server, 'b'), /^10\.9\.0\./);
    await server.delete(`${NETWORKING}/servicecidrs/extra`);
    assert.match(await create(server, 'c'), /range is full$/);
  });
});
