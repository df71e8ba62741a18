import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { TestServer } from '../testing/test-server.ts';

/** Policies, and what the controller manager of Kubernetes 1.36 noted in their status. */
interface Recording {
  readonly definition: object;
  readonly policies: readonly {
    readonly spec: object;
    readonly status: object;
    /** The managed fields of the status, without times. */
    readonly managed: readonly object[];
  }[];
}

const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

function withoutNumbers(value: unknown): unknown {
  const text = JSON.stringify(value).replaceAll(
    /(Deployment|ConfigMap|Widget|ControllerRevision)\d+/g,
    '$1N',
  );
  return JSON.parse(text) as unknown;
}

describe('the status of validating admission policies', () => {
  it('has the faults of types that a genuine cluster finds', async () => {
    const url = new URL('../../testdata/type-checking.json', import.meta.url);
    const recorded = JSON.parse(readFileSync(url, 'utf8')) as Recording;
    using server = new TestServer();
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await server.given('post', definitions, recorded.definition);
    await server.settle();
    for (const [index, { spec, status, managed }] of recorded.policies.entries()) {
      const name = `p${index}`;
      await server.given('post', POLICIES, { metadata: { name }, spec });
      await server.settle();
      const { body } = await server.get(`${POLICIES}/${name}`);
      const fields = body.metadata.managedFields?.filter(
        ({ subresource }) => subresource === 'status',
      );
      assert.deepEqual(withoutNumbers(body['status']), status, JSON.stringify(spec));
      assert.deepEqual(
        fields?.map(({ time: _time, ...entry }) => entry),
        managed,
      );
    }
  });

  it('follows changes of the spec, and nothing else', async () => {
    using server = new TestServer();
    const spec = (expression: string): object => ({
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['apps'],
            apiVersions: ['v1'],
            operations: ['*'],
            resources: ['deployments'],
          },
        ],
      },
      validations: [{ expression }],
    });
    const read = async (): Promise<object> => {
      await server.settle();
      return (await server.get(`${POLICIES}/p`)).body['status'] as object;
    };
    const metadata = { name: 'p' };
    await server.given('post', POLICIES, { metadata, spec: spec('object.spec.replicas < 5') });
    assert.deepEqual(await read(), { observedGeneration: 1, typeChecking: {} });
    await server.patch('merge', `${POLICIES}/p`, { metadata: { labels: { a: 'b' } } });
    assert.deepEqual(await read(), { observedGeneration: 1, typeChecking: {} });
    await server.patch('merge', `${POLICIES}/p`, { spec: spec('object.replicas < 5') });
    assert.deepEqual(await read(), {
      observedGeneration: 2,
      typeChecking: {
        expressionWarnings: [
          {
            fieldRef: 'spec.validations[0].expression',
            warning:
              "apps/v1, Kind=Deployment: ERROR: <input>:1:7: undefined field 'replicas'\n | object.replicas < 5\n | ......^\n",
          },
        ],
      },
    });
  });

  it('is left to others in a server without controllers', async () => {
    using server = new TestServer({ controllers: false });
    await server.given('post', POLICIES, {
      metadata: { name: 'p' },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['pods'] },
          ],
        },
        validations: [{ expression: 'true' }],
      },
    });
    await server.settle();
    const { body } = await server.get(`${POLICIES}/p`);
    assert.deepEqual(body['status'] ?? {}, {});
  });
});
