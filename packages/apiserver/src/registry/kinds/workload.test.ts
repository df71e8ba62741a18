import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../testing/test-kind.ts';

const APPS = '/apis/apps/v1/namespaces/default';

const TEMPLATE = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'main', image: 'registry.example.com/app:1' }] },
};

const SPEC = { selector: { matchLabels: { app: 'a' } }, template: TEMPLATE };

const WORKLOAD = { metadata: { name: 'w' }, spec: SPEC };

const inSpec = (spec: object): { spec: object } => ({ spec });

describe('every workload', () => {
  const kinds = ['deployments', 'replicasets', 'statefulsets', 'daemonsets'];

  it('must select the pods of its template', async () => {
    for (const resource of kinds) {
      using kind = new TestKind(`${APPS}/${resource}`, WORKLOAD);
      const { body } = await kind.tryCreate(inSpec({ selector: { matchLabels: { app: 'b' } } }));
      assert.deepEqual(
        body.details?.causes,
        [
          {
            reason: 'FieldValueInvalid',
            field: 'spec.template.metadata.labels',
            message: 'Invalid value: {"app":"a"}: `selector` does not match template `labels`',
          },
        ],
        resource,
      );
    }
  });

  it('must have pods that always restart and have no deadline', async () => {
    for (const resource of kinds) {
      using kind = new TestKind(`${APPS}/${resource}`, WORKLOAD);
      await kind.refusesToCreate([
        [
          inSpec({ template: { spec: { restartPolicy: 'Never' } } }),
          'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        ],
        [
          inSpec({ template: { spec: { containers: [] } } }),
          'spec.template.spec.containers: Required value',
        ],
      ]);
    }
  });

  it('rejects changes of its selector', async () => {
    for (const resource of kinds) {
      using kind = new TestKind(`${APPS}/${resource}`, {
        ...WORKLOAD,
        spec: { ...SPEC, template: { ...TEMPLATE, metadata: { labels: { app: 'a', b: 'c' } } } },
      });
      const object = await kind.given();
      const { body } = await kind.tryUpdate(
        object,
        inSpec({ selector: { matchLabels: { b: 'c' } } }),
      );
      assert.equal(body.code, 422, resource);
    }
  });

  it('increments its generation when the spec changes', async () => {
    for (const resource of kinds) {
      using kind = new TestKind(`${APPS}/${resource}`, WORKLOAD);
      const object = await kind.given();
      assert.equal(object.metadata.generation, 1);
      const changed = await kind.updated(
        object,
        inSpec({ template: { metadata: { annotations: { a: 'b' } } } }),
      );
      assert.equal(changed.metadata.generation, 2, resource);
      const same = await kind.updated(object, { metadata: { labels: { a: 'b' } } });
      assert.equal(same.metadata.generation, 1, resource);
    }
  });

  it('changes its status through /status', async () => {
    for (const resource of kinds) {
      using kind = new TestKind(`${APPS}/${resource}`, WORKLOAD);
      const object = await kind.given();
      const { status, spec } = await kind.updated(
        object,
        { status: { observedGeneration: 1 }, spec: { minReadySeconds: 5 } },
        '/status',
      );
      assert.equal((status as { observedGeneration: number }).observedGeneration, 1, resource);
      assert.deepEqual(spec, object['spec']);
    }
  });
});
