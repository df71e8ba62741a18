import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { temporaryDirectory, withoutSqlite } from '../store/test-durable-store.ts';
import type { TestObject } from '../testing/test-object.ts';
import { TestServer } from '../testing/test-server.ts';
import { ApiServer } from './api-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
const POLICIES = '/apis/admissionregistration.k8s.io';

const pod = {
  metadata: { name: 'a' },
  spec: {
    containers: [{ name: 'main', image: 'main' }],
    workloadRef: { name: 'work', podGroup: 'group' },
  },
};

const policy = {
  metadata: { name: 'a' },
  spec: {
    matchConstraints: {
      resourceRules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
      ],
    },
    reinvocationPolicy: 'Never',
    mutations: [
      { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } },
    ],
  },
};

function versionOf({ metadata }: TestObject): number {
  return Number(metadata?.resourceVersion);
}

describe('a data directory of another release', { skip: withoutSqlite }, () => {
  it('is upgraded: objects lose fields that the newer release does not have', async (t) => {
    const data = temporaryDirectory(t);
    const first = await TestServer.open({ data, kubernetesVersion: '1.35' });
    await first.given('post', PODS, pod);
    await first.given('post', MAPS, { metadata: { name: 'a' } });
    const before = (await first.get(`${PODS}/a`)).body;
    const map = (await first.get(`${MAPS}/a`)).body;
    const { revision } = first;
    assert.deepEqual((before.spec as typeof pod.spec).workloadRef, pod.spec.workloadRef);
    await first.close();

    const second = await TestServer.open({ data, clock: first.clock });
    const after = (await second.get(`${PODS}/a`)).body;
    const { workloadRef: _gone, ...rest } = before.spec as typeof pod.spec;
    assert.deepEqual(after.spec, rest);
    assert.equal(after.metadata?.uid, before.metadata?.uid);
    assert.ok(versionOf(after) > revision);
    assert.deepEqual((await second.get(`${MAPS}/a`)).body, map);
    await second.close();

    const third = await TestServer.open({ data, clock: first.clock });
    assert.deepEqual((await third.get(`${PODS}/a`)).body, after);
    await third.close();
  });

  it('is upgraded: watches that resume see the change', async (t) => {
    const data = temporaryDirectory(t);
    const first = await TestServer.open({ data, kubernetesVersion: '1.35' });
    const created = await first.given('post', PODS, pod);
    await first.close();
    const second = await TestServer.open({ data, clock: first.clock });
    const watch = await second.watch(
      `${PODS}?watch=true&resourceVersion=${created.metadata?.resourceVersion ?? ''}`,
    );
    const event = await watch.next();
    assert.equal(event.type, 'MODIFIED');
    assert.ok(!('workloadRef' in (event.object['spec'] as object)));
    await second.close();
  });

  it('is upgraded: objects get the version that the newer release stores', async (t) => {
    const data = temporaryDirectory(t);
    const runtimeConfig = { 'admissionregistration.k8s.io/v1beta1': true };
    const first = await TestServer.open({ data, kubernetesVersion: '1.35', runtimeConfig });
    await first.given('post', `${POLICIES}/v1beta1/mutatingadmissionpolicies`, policy);
    await first.close();
    const second = await TestServer.open({ data, clock: first.clock });
    const { body } = await second.get(`${POLICIES}/v1/mutatingadmissionpolicies`);
    assert.deepEqual(
      body.items?.map(({ metadata }) => metadata?.name),
      ['a'],
    );
    const one = await second.get(`${POLICIES}/v1/mutatingadmissionpolicies/a`);
    assert.equal(one.body.apiVersion, 'admissionregistration.k8s.io/v1');
    await second.close();
  });

  it('is refused by an older release, and left as it is', async (t) => {
    const data = temporaryDirectory(t);
    await (await TestServer.open({ data, kubernetesVersion: '1.35' })).close();
    await assert.rejects(ApiServer.start({ data, kubernetesVersion: '1.34' }), {
      code: 'APISERVER_DATA_RELEASE',
      message: /the cluster is of Kubernetes 1\.35, the server of 1\.34/,
      hint: /kubernetesVersion/,
    });
    await (await TestServer.open({ data, kubernetesVersion: '1.35' })).close();
  });

  it('is not created for a release that does not exist', async (t) => {
    const data = temporaryDirectory(t);
    const options = { data, kubernetesVersion: '2.0' } as unknown as { readonly data: string };
    await assert.rejects(ApiServer.start(options), { code: 'OPTION_INVALID' });
    await (await TestServer.open({ data, kubernetesVersion: '1.34' })).close();
  });
});
