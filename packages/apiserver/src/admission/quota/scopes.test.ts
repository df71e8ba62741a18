import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestServer } from '../../testing/test-server.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const QUOTAS = `${NAMESPACE}/resourcequotas`;
const PODS = `${NAMESPACE}/pods`;

type Amounts = Record<string, string>;

const pod = (name: string, spec: object = {}, resources: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i', resources }], ...spec },
});

async function usedOf(server: TestServer): Promise<Amounts> {
  const { body } = await server.get(`${QUOTAS}/q`);
  return (body['status'] as { used: Amounts }).used;
}

async function refusal(server: TestServer, path: string, body: object): Promise<string> {
  const { status, body: answer } = await server.post(path, body);
  assert.equal(status, 403, JSON.stringify(answer));
  return String(answer['message']);
}

async function withQuota(hard: Amounts, spec: object): Promise<TestServer> {
  const server = new TestServer();
  await server.given('post', QUOTAS, { metadata: { name: 'q' }, spec: { hard, ...spec } });
  return server;
}

describe('the scopes of a quota', () => {
  const terms = (requests: Amounts): object => ({ requests });

  it('distinguish pods with a deadline, also when one is added', async () => {
    using server = await withQuota({ pods: '1' }, { scopes: ['Terminating'] });
    await server.given('post', PODS, pod('a'));
    await server.given('post', PODS, pod('b', { activeDeadlineSeconds: 5 }));
    assert.deepEqual(await usedOf(server), { pods: '1' });
    const limited = { spec: { activeDeadlineSeconds: 5 } };
    const { status, body } = await server.patch('merge', `${PODS}/a`, limited);
    assert.equal(status, 403);
    assert.match(String(body['message']), /exceeded quota: q, requested: pods=1, used: pods=1/);
    await server.delete(`${PODS}/b`);
    assert.equal((await server.patch('merge', `${PODS}/a`, limited)).status, 200);
    assert.deepEqual(await usedOf(server), { pods: '1' });
  });

  it('give a pod back to the scope that it leaves', async () => {
    using server = await withQuota({ pods: '1' }, { scopes: ['NotTerminating'] });
    await server.given('post', PODS, pod('a'));
    await server.patch('merge', `${PODS}/a`, { spec: { activeDeadlineSeconds: 5 } });
    assert.deepEqual(await usedOf(server), { pods: '0' });
  });

  it('distinguish pods by their quality of service', async () => {
    using server = await withQuota({ pods: '1' }, { scopes: ['BestEffort'] });
    await server.given('post', QUOTAS, {
      metadata: { name: 'r' },
      spec: { hard: { pods: '1' }, scopes: ['NotBestEffort'] },
    });
    await server.given('post', PODS, pod('a'));
    assert.match(await refusal(server, PODS, pod('b')), /exceeded quota: q,/);
    await server.given('post', PODS, pod('b', {}, terms({ cpu: '1' })));
    assert.match(await refusal(server, PODS, pod('c', {}, terms({ cpu: '1' }))), /quota: r,/);
  });

  it('distinguish pods by their priority class', async () => {
    const select = (operator: string, values?: string[]): object => ({
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, values }] },
    });
    using server = await withQuota({ pods: '1' }, select('In', ['high']));
    const named = async (name: string, operator: string, values?: string[]): Promise<unknown> =>
      await server.given('post', QUOTAS, {
        metadata: { name },
        spec: { hard: { pods: '9' }, ...select(operator, values) },
      });
    await named('not-in', 'NotIn', ['high']);
    await named('exists', 'Exists');
    await named('absent', 'DoesNotExist');
    for (const [name, value] of [
      ['high', 10],
      ['low', 1],
    ] as const) {
      const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
      await server.given('post', path, { metadata: { name }, value });
    }
    await server.given('post', PODS, pod('a', { priorityClassName: 'high' }));
    await server.given('post', PODS, pod('b', { priorityClassName: 'low' }));
    await server.given('post', PODS, pod('c'));
    assert.match(
      await refusal(server, PODS, pod('d', { priorityClassName: 'high' })),
      /exceeded quota: q,/,
    );
    const used = async (name: string): Promise<unknown> =>
      ((await server.get(`${QUOTAS}/${name}`)).body['status'] as { used: Amounts }).used['pods'];
    assert.deepEqual(
      [await used('q'), await used('not-in'), await used('exists'), await used('absent')],
      ['1', '2', '2', '1'],
    );
  });

  it('distinguish pods that look at other namespaces', async () => {
    using server = await withQuota({ pods: '0' }, { scopes: ['CrossNamespacePodAffinity'] });
    const affinity = (term: object): object => ({
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, podAffinityTerm: { topologyKey: 'k', ...term } },
          ],
        },
      },
    });
    await server.given('post', PODS, pod('a', affinity({})));
    assert.match(
      await refusal(server, PODS, pod('b', affinity({ namespaceSelector: {} }))),
      /exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0$/,
    );
  });

  it('distinguish volume claims by their attributes class', async () => {
    using server = await withQuota(
      { persistentvolumeclaims: '1' },
      {
        scopeSelector: {
          matchExpressions: [
            { scopeName: 'VolumeAttributesClass', operator: 'In', values: ['gold'] },
          ],
        },
      },
    );
    const claim = (name: string, more: object = {}): object => ({
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } }, ...more },
    });
    const path = `${NAMESPACE}/persistentvolumeclaims`;
    await server.given('post', path, claim('a'));
    await server.given('post', path, claim('b', { volumeAttributesClassName: 'gold' }));
    assert.match(
      await refusal(server, path, claim('c', { volumeAttributesClassName: 'gold' })),
      /exceeded quota: q/,
    );
  });
});
