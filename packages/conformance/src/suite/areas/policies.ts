import assert from 'node:assert/strict';
import type { JsonObject } from 'client-ts/internal';
import type { Reply } from '../../http/api-client.ts';
import type { Area, Kit } from '../check.ts';
import { eventually, failure, field, ok } from '../expect.ts';
import { apps, configMap, core, create, customKind, deployment } from '../objects.ts';

const API = '/apis/admissionregistration.k8s.io/v1';

type Sort = 'mutating' | 'validating';

function rule(resource: string, group = ''): JsonObject {
  return {
    apiGroups: [group],
    apiVersions: ['v1'],
    operations: ['CREATE', 'UPDATE'],
    resources: [resource],
  };
}

const CONFIG_MAPS: JsonObject = { matchConstraints: { resourceRules: [rule('configmaps')] } };
const DEPLOYMENTS: JsonObject = {
  matchConstraints: { resourceRules: [rule('deployments', 'apps')] },
};

function applies(...expressions: readonly string[]): JsonObject {
  return {
    reinvocationPolicy: 'Never',
    mutations: expressions.map((expression) => ({
      patchType: 'ApplyConfiguration',
      applyConfiguration: { expression },
    })),
  };
}

function patches(expression: string): JsonObject {
  return {
    reinvocationPolicy: 'Never',
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
  };
}

/** Creates a policy that is bound to one namespace only. */
async function bind(
  { api, unique, cleanUp }: Kit,
  sort: Sort,
  namespace: string,
  spec: JsonObject,
): Promise<string> {
  const name = unique('policy');
  const binding: JsonObject = {
    policyName: name,
    matchResources: {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    },
    ...(sort === 'validating' && { validationActions: ['Deny'] }),
  };
  await create(api, `${API}/${sort}admissionpolicies`, { metadata: { name }, spec });
  cleanUp(() => api.delete(`${API}/${sort}admissionpolicies/${name}`));
  await create(api, `${API}/${sort}admissionpolicybindings`, { metadata: { name }, spec: binding });
  cleanUp(() => api.delete(`${API}/${sort}admissionpolicybindings/${name}`));
  return name;
}

/** Sends a request until a policy is in force: a server follows its configuration with a delay. */
async function inForce(
  { clock }: Kit,
  send: () => Promise<Reply>,
  shows: (reply: Reply) => boolean,
): Promise<Reply> {
  return eventually(clock, 'the policy being in force', async () => {
    const reply = await send();
    return shows(reply) ? reply : undefined;
  });
}

const isRefused = ({ status }: Reply): boolean => status >= 400;

/** Admission policies in CEL. */
export const policies: Area = {
  name: 'admission policies',
  checks: {
    'deny what an expression denies, in the words of the policy': async (kit) => {
      const namespace = await kit.freshNamespace();
      const path = `${core(namespace, 'configmaps')}?dryRun=All`;
      const name = await bind(kit, 'validating', namespace, {
        ...CONFIG_MAPS,
        variables: [{ name: 'size', expression: 'size(object.data)' }],
        validations: [
          {
            expression: 'variables.size < 2',
            messageExpression: '"too many: " + string(variables.size)',
            reason: 'Forbidden',
          },
        ],
      });
      const large = configMap('a', { a: '1', b: '2' });
      const refused = await inForce(kit, () => kit.api.post(path, large), isRefused);
      const { message } = failure(refused, 403, 'Forbidden');
      assert.equal(
        message,
        `configmaps "a" is forbidden: ValidatingAdmissionPolicy '${name}' with binding '${name}' denied request: too many: 2`,
      );
      ok(await kit.api.post(path, configMap('a', { a: '1' })), 201);
    },

    'apply configurations, without owning what they set': async (kit) => {
      const namespace = await kit.freshNamespace();
      const path = core(namespace, 'configmaps');
      await bind(kit, 'mutating', namespace, {
        ...CONFIG_MAPS,
        ...applies(
          'Object{metadata: Object.metadata{labels: {"by": "policy"}}}',
          'Object{data: {"labels": string(size(object.metadata.labels))}}',
        ),
      });
      await inForce(
        kit,
        () => kit.api.post(`${path}?dryRun=All`, configMap('a', { x: 'y' })),
        ({ body }) => field(body, 'metadata.labels.by') === 'policy',
      );
      const created = await create(kit.api, `${path}?fieldManager=me`, configMap('a', { x: 'y' }));
      assert.deepEqual(created['data'], { x: 'y', labels: '1' });
      assert.deepEqual(created.metadata.labels, { by: 'policy' });
      assert.deepEqual(field(created, 'metadata.managedFields.0.fieldsV1'), {
        'f:data': { '.': {}, 'f:x': {} },
      });
    },

    'merge lists by their keys, and refuse to replace atomic ones': async (kit) => {
      const namespace = await kit.freshNamespace();
      const path = `${apps(namespace, 'deployments')}?dryRun=All`;
      const type = 'Object.spec.template.spec.containers';
      const inPod = (fields: string): string =>
        `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{${fields}}}}}`;
      await bind(kit, 'mutating', namespace, {
        ...DEPLOYMENTS,
        matchConditions: [{ name: 'name', expression: 'request.name == "keyed"' }],
        ...applies(inPod(`containers: [${type}{name: "side", image: "s"}]`)),
      });
      const name = await bind(kit, 'mutating', namespace, {
        ...DEPLOYMENTS,
        matchConditions: [{ name: 'name', expression: 'request.name == "atomic"' }],
        ...applies(inPod(`containers: [${type}{name: "main", args: ["-v"]}]`)),
      });
      const { body } = await inForce(
        kit,
        () => kit.api.post(path, deployment('keyed')),
        (reply) => field(reply.body, 'spec.template.spec.containers.1.name') !== undefined,
      );
      assert.equal(field(body, 'spec.template.spec.containers.0.name'), 'main');
      assert.equal(field(body, 'spec.template.spec.containers.1.imagePullPolicy'), 'Always');
      const refused = await inForce(kit, () => kit.api.post(path, deployment('atomic')), isRefused);
      assert.equal(
        failure(refused, 403, 'Invalid').message,
        `policy '${name}' with binding '${name}' denied request: error applying patch: invalid ApplyConfiguration: ` +
          'may not mutate atomic arrays, maps or structs: .spec.template.spec.containers[0].args',
      );
    },

    'patch JSON, unless a test fails or a field is unknown': async (kit) => {
      const namespace = await kit.freshNamespace();
      const path = `${core(namespace, 'configmaps')}?dryRun=All`;
      await bind(kit, 'mutating', namespace, {
        ...CONFIG_MAPS,
        ...patches(
          '[JSONPatch{op: "test", path: "/data/x", value: "y"}, JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey("a.b"), value: "c"}]',
        ),
      });
      const { body } = await inForce(
        kit,
        () => kit.api.post(path, configMap('a', { x: 'y' })),
        (reply) => field(reply.body, 'data') !== undefined && reply.text.includes('a.b'),
      );
      assert.deepEqual(field(body, 'data'), { x: 'y', 'a.b': 'c' });
      const untouched = ok(await kit.api.post(path, configMap('a', { x: 'z' })), 201);
      assert.deepEqual(untouched['data'], { x: 'z' });
      await bind(kit, 'mutating', namespace, {
        ...CONFIG_MAPS,
        matchConditions: [{ name: 'name', expression: 'request.name == "bad"' }],
        ...patches('[JSONPatch{op: "add", path: "/nope", value: "c"}]'),
      });
      const refused = await inForce(
        kit,
        () => kit.api.post(path, configMap('bad', { x: 'y' })),
        isRefused,
      );
      failure(refused, 500, 'InternalError', /strict decoding error: unknown field "nope"$/);
    },

    'run again if they ask for it': async (kit) => {
      const namespace = await kit.freshNamespace();
      const path = `${core(namespace, 'configmaps')}?dryRun=All`;
      const count =
        '[JSONPatch{op: "add", path: "/data/n", value: has(object.data.n) ? object.data.n + "x" : "x"}]';
      await bind(kit, 'mutating', namespace, {
        ...CONFIG_MAPS,
        ...patches(count),
        reinvocationPolicy: 'IfNeeded',
      });
      const { body } = await inForce(
        kit,
        () => kit.api.post(path, configMap('a', { x: 'y' })),
        (reply) => field(reply.body, 'data.n') !== undefined,
      );
      assert.deepEqual(field(body, 'data'), { x: 'y', n: 'xx' });
    },

    'are refused if their expressions do not compile': async ({ api, unique }) => {
      const policy = (spec: JsonObject): JsonObject => ({
        metadata: { name: unique('bad') },
        spec: { ...CONFIG_MAPS, ...spec },
      });
      const path = `${API}/mutatingadmissionpolicies?dryRun=All`;
      for (const [spec, message] of [
        [applies('Object.spec{}'), /must evaluate to Object but got Object\.spec$/],
        [patches('[1]'), /must evaluate to list\(JSONPatch\) but got list\(int\)$/],
        [
          patches('[JSONPatch{op: 1}]'),
          /expected type of field 'op' is 'string' but provided type is 'int'/,
        ],
        [{ ...applies('Foo{}') }, /undeclared reference to 'Foo' \(in container ''\)/],
      ] as const) {
        failure(await api.post(path, policy(spec)), 422, 'Invalid', message);
      }
      failure(
        await api.post(
          `${API}/validatingadmissionpolicies?dryRun=All`,
          policy({ validations: [{ expression: 'Object{} == Object{}' }] }),
        ),
        422,
        'Invalid',
        /undeclared reference to 'Object'/,
      );
    },

    'and rules of custom resources distinguish floats from integers': async (kit) => {
      const { api, namespace } = kit;
      const integer = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self != 7' }] };
      const things = await customKind(kit, {
        schema: {
          type: 'object',
          'x-kubernetes-validations': [{ rule: '!has(self.namespace) || self.namespace == "a"' }],
          properties: { n: integer, namespace: { type: 'string' } },
        },
      });
      const path = `${things.collection(namespace)}?dryRun=All`;
      const send = async (fields: string): Promise<Reply> => {
        const whole = JSON.stringify(things.object('a', { n: 0 })).replace('"n":0', fields);
        return api.post(path, whole);
      };
      failure(await send('"n":1.0'), 422, 'Invalid', /invalid data, expected int, got float64/);
      ok(await send('"n":1,"namespace":"a"'), 201);
      failure(await send('"n":1,"namespace":"b"'), 422, 'Invalid', /failed rule: !has/);
    },
  },
};
