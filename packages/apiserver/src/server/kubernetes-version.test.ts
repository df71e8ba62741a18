import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { encodeProtobuf } from 'client-ts/codec';
import type { JsonObject } from 'client-ts/internal';
import type { KubernetesObject } from 'client-ts/meta';

import { KUBERNETES_VERSIONS } from '../schema/release.ts';
import type { BackendOptions } from './backend.ts';
import { MemoryApiServer } from './memory-api-server.ts';

interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

interface Sent {
  readonly body?: object | Uint8Array;
  readonly accept?: string;
}

async function send(server: MemoryApiServer, path: string, sent: Sent = {}): Promise<Answer> {
  const { body, accept = 'application/json' } = sent;
  const isBytes = body instanceof Uint8Array;
  const type = isBytes ? 'application/vnd.kubernetes.protobuf' : 'application/json';
  await using transport = server.transport();
  const response = await transport.request({
    method: body === undefined ? 'GET' : 'POST',
    path,
    headers: { accept, 'content-type': type },
    ...(body !== undefined && { body: isBytes ? body : Buffer.from(JSON.stringify(body)) }),
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return { status: response.status, body: JSON.parse(text) as JsonObject };
}

const DRIVERS = '/apis/storage.k8s.io/v1/csidrivers';
const PODS = '/api/v1/namespaces/default/pods';

/** A field that 1.35 added. */
function driver(name: string): KubernetesObject {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name },
    spec: { serviceAccountTokenInSecrets: true, tokenRequests: [{ audience: 'a' }] },
  } as KubernetesObject;
}

/** A field that only 1.35 has, and one that 1.36 added. */
function pod(name: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: {
      containers: [{ name: 'main', image: 'main' }],
      workloadRef: { name: 'work', podGroup: 'group' },
      schedulingGroup: { podGroupName: 'group' },
    },
  } as KubernetesObject;
}

describe('a server with the API of an older release', () => {
  it('says which release it is', async () => {
    using server = new MemoryApiServer({ kubernetesVersion: '1.34' });
    const { body } = await send(server, '/version');
    const { gitVersion, minor, emulationMinor, minCompatibilityMinor, gitCommit } = body;
    assert.deepEqual(
      { gitVersion, minor, emulationMinor, minCompatibilityMinor },
      { gitVersion: 'v1.34.11', minor: '34', emulationMinor: '34', minCompatibilityMinor: '33' },
    );
    assert.match(gitCommit as string, /^[0-9a-f]{40}$/);
  });

  it('runs beside a server of another release', async () => {
    using old = new MemoryApiServer({ kubernetesVersion: '1.34' });
    using current = new MemoryApiServer();
    const path = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies';
    const answers = await Promise.all([send(old, path), send(current, path)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 200],
    );
    const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    for (const accept of ['application/json', aggregated]) {
      const [before, after] = await Promise.all(
        [old, current].map(async (server) => {
          const list = await send(server, '/apis/admissionregistration.k8s.io/v1');
          const groups = await send(server, '/apis', { accept });
          return JSON.stringify([list.body, groups.body]);
        }),
      );
      assert.doesNotMatch(before ?? '', /mutatingadmissionpolicies/);
      assert.match(after ?? '', /mutatingadmissionpolicies/);
    }
  });

  it('refuses fields of later releases in strict requests, and prunes them in others', async () => {
    using old = new MemoryApiServer({ kubernetesVersion: '1.34' });
    using current = new MemoryApiServer({ kubernetesVersion: '1.35' });
    const strict = `${DRIVERS}?fieldValidation=Strict`;
    const refused = await send(old, strict, { body: driver('a') });
    assert.equal(refused.status, 400);
    assert.match(
      refused.body['message'] as string,
      /strict decoding error: unknown field "spec.serviceAccountTokenInSecrets"/,
    );
    const pruned = await send(old, DRIVERS, { body: driver('b') });
    assert.equal(pruned.status, 201);
    assert.ok(!('serviceAccountTokenInSecrets' in (pruned.body['spec'] as JsonObject)));
    const kept = await send(current, strict, { body: driver('c') });
    assert.equal((kept.body['spec'] as JsonObject)['serviceAccountTokenInSecrets'], true);
  });

  it('reads the fields of its release from protobuf', async () => {
    const found = await Promise.all(
      KUBERNETES_VERSIONS.map(async (kubernetesVersion) => {
        using server = new MemoryApiServer({ kubernetesVersion });
        const { status, body } = await send(server, PODS, { body: encodeProtobuf(pod('a')) });
        assert.equal(status, 201);
        const { workloadRef, schedulingGroup } = body['spec'] as JsonObject;
        return { workloadRef, schedulingGroup };
      }),
    );
    assert.deepEqual(found, [
      { workloadRef: undefined, schedulingGroup: undefined },
      { workloadRef: { name: 'work', podGroup: 'group' }, schedulingGroup: undefined },
      { workloadRef: undefined, schedulingGroup: { podGroupName: 'group' } },
    ]);
  });

  it('describes its release in OpenAPI', async () => {
    using server = new MemoryApiServer({ kubernetesVersion: '1.35' });
    const { body: v2 } = await send(server, '/openapi/v2');
    const { body: v3 } = await send(server, '/openapi/v3/api/v1');
    for (const document of [v2, v3]) {
      assert.equal((document['info'] as JsonObject)['version'], '1.35');
      const text = JSON.stringify(document);
      assert.match(text, /workloadRef/);
      assert.doesNotMatch(text, /schedulingGroup|shardSelector|shardInfo/);
    }
    const { components } = v3 as { components: { schemas: Record<string, JsonObject> } };
    const { description } = components.schemas['io.k8s.api.core.v1.WorkloadReference'] ?? {};
    assert.match(description as string, /Workload/);
  });

  it('switches the versions of its release on', async () => {
    const on = { 'storage.k8s.io/v1alpha1': true };
    using server = new MemoryApiServer({ kubernetesVersion: '1.34', runtimeConfig: on });
    const { body } = await send(server, '/apis/storage.k8s.io');
    assert.deepEqual(
      (body['versions'] as { version: string }[]).map(({ version }) => version),
      ['v1', 'v1alpha1'],
    );
    assert.throws(() => new MemoryApiServer({ kubernetesVersion: '1.35', runtimeConfig: on }), {
      code: 'OPTION_INVALID',
      message: /storage.k8s.io\/v1alpha1.*is not a served API version/,
    });
  });

  it('starts with the same initial objects, whatever is switched on', () => {
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const counts = KUBERNETES_VERSIONS.flatMap((kubernetesVersion) =>
      [{}, { 'api/all': true }].map((runtimeConfig) => {
        const options: BackendOptions = { kubernetesVersion, runtimeConfig, onError };
        using server = new MemoryApiServer(options);
        return ['clusterroles', 'roles']
          .map((resource) => ({ group: 'rbac.authorization.k8s.io', resource }))
          .concat([{ group: 'networking.k8s.io', resource: 'servicecidrs' }])
          .concat([{ group: '', resource: 'namespaces' }])
          .map((which) => server.objects(which).length);
      }),
    );
    assert.deepEqual(errors, []);
    assert.equal(new Set(counts.map(String)).size, 1);
    assert.ok((counts[0] ?? []).every((count) => count > 0));
  });

  it('refuses a release that it does not know', () => {
    const options = { kubernetesVersion: '1.20' } as unknown as BackendOptions;
    assert.throws(() => new MemoryApiServer(options), {
      code: 'OPTION_INVALID',
      message: /"1\.20" is not one of 1\.34, 1\.35, 1\.36/,
    });
  });
});
