import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { findingsIn } from '../testing/test-kind.ts';
import { type Answer, TestServer } from '../testing/test-server.ts';
import { inheritedNames, withInheritedNames } from './test-odd-objects.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const THINGS = '/apis/x.example.com/v1/namespaces/default/things';

/** Returns a field as JSON text, so that keys are compared as they were sent. */
function shown({ status, text }: Answer, field: string): string {
  assert.ok(status < 300, text);
  return JSON.stringify((JSON.parse(text) as Record<string, unknown>)[field]);
}

/** Every kind of write that ends with all names in a map. */
const WRITES: Readonly<
  Record<string, (server: TestServer, path: string, object: object, field: string) => Promise<void>>
> = {
  create: async (server, path, object, field) => {
    await server.given('post', path, { ...object, [field]: withInheritedNames('1') });
  },
  update: async (server, path, object, field) => {
    const old = await server.given('post', path, { ...object, [field]: { a: '0' } });
    await server.given('put', `${path}/x`, { ...old, [field]: withInheritedNames('1') });
  },
  'a JSON patch': async (server, path, object, field) => {
    await server.given('post', path, { ...object, [field]: { a: '0' } });
    const remove = { op: 'remove', path: `/${field}/a` };
    const add = inheritedNames.map((name) => ({
      op: 'add',
      path: `/${field}/${name}`,
      value: '1',
    }));
    await accepted(server.patch('json', `${path}/x`, [...add, remove]));
  },
  'a merge patch': async (server, path, object, field) => {
    await server.given('post', path, { ...object, [field]: { a: '0' } });
    const names = JSON.stringify(withInheritedNames('1'));
    const patch = `{"${field}":${names.replace('{', '{"a":null,')}}`;
    await accepted(server.patch('merge', `${path}/x`, patch));
  },
  apply: async (server, path, object, field) => {
    const config = { ...object, [field]: withInheritedNames('1') };
    const target = `${path}/x?fieldManager=me`;
    await accepted(server.patch('apply', target, config));
    await accepted(server.patch('apply', target, { ...object, [field]: withInheritedNames('2') }));
    await accepted(server.patch('apply', target, config));
  },
  'apply over an update': async (server, path, object, field) => {
    await server.given('post', path, { ...object, [field]: withInheritedNames('0') });
    const config = { ...object, [field]: withInheritedNames('1') };
    await accepted(server.patch('apply', `${path}/x?fieldManager=me&force=true`, config));
  },
};

async function accepted(answer: Promise<Answer>): Promise<void> {
  const { status, text } = await answer;
  assert.ok(status < 300, text);
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function definition(schema: object, version: object = {}): object {
  return {
    metadata: { name: 'things.x.example.com' },
    spec: {
      group: 'x.example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          ...version,
        },
      ],
    },
  };
}

async function givenThings(server: TestServer, schema: object, version?: object): Promise<void> {
  await server.given('post', DEFINITIONS, definition(schema, version));
  await server.settle();
}

const thing = { apiVersion: 'x.example.com/v1', kind: 'Thing', metadata: { name: 'x' } };
const texts = { type: 'object', additionalProperties: { type: 'string' } };
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

describe('keys with the names of inherited object members', () => {
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
  for (const [how, write] of Object.entries(WRITES)) {
    it(`are stored by ${how} of a built-in kind`, async () => {
      using server = new TestServer();
      await write(server, MAPS, configMap, 'data');
      const answer = await server.get(`${MAPS}/x`);
      assert.equal(shown(answer, 'data'), JSON.stringify(withInheritedNames('1')));
      assert.deepEqual(server.errors, []);
    });

    for (const [kind, schema] of Object.entries({ map: texts, value: anything })) {
      it(`are stored by ${how} of a custom resource with a ${kind}`, async () => {
        using server = new TestServer();
        await givenThings(server, { type: 'object', properties: { spec: schema } });
        await write(server, THINGS, thing, 'spec');
        const answer = await server.get(`${THINGS}/x`);
        assert.equal(shown(answer, 'spec'), JSON.stringify(withInheritedNames('1')));
        assert.deepEqual(server.errors, []);
      });
    }
  }

  it('are stored by a strategic merge patch', async () => {
    using server = new TestServer();
    await server.given('post', MAPS, { ...configMap, data: { a: '0' } });
    const names = JSON.stringify(withInheritedNames('1'));
    const patch = `{"data":${names.replace('{', '{"a":null,')}}`;
    await accepted(server.patch('strategic', `${MAPS}/x`, patch));
    assert.equal(shown(await server.get(`${MAPS}/x`), 'data'), names);
  });

  it('are removed by an apply that no longer contains them', async () => {
    using server = new TestServer();
    const target = `${MAPS}/x?fieldManager=me`;
    const config = { ...configMap, data: withInheritedNames('1') };
    await accepted(server.patch('apply', target, config));
    await accepted(server.patch('apply', target, { ...configMap, data: { toString: '1' } }));
    assert.equal(shown(await server.get(`${MAPS}/x`), 'data'), '{"toString":"1"}');
  });

  it('have field managers, whom conflicts name', async () => {
    using server = new TestServer();
    await server.given('post', MAPS, { ...configMap, data: withInheritedNames('1') });
    const config = { ...configMap, data: withInheritedNames('2') };
    const { status, body } = await server.patch('apply', `${MAPS}/x?fieldManager=me`, config);
    assert.equal(status, 409);
    assert.deepEqual(
      (body.details?.causes ?? []).map(({ field = '' }) => field).toSorted(),
      inheritedNames.map((name) => `.data.${name}`).toSorted(),
    );
  });

  it('survive a write through /status', async () => {
    using server = new TestServer();
    await givenThings(server, anything, { subresources: { status: {} } });
    await server.given('post', THINGS, { ...withInheritedNames('1'), ...thing });
    const status = '{"status":{"a":1}}';
    await accepted(server.patch('merge', `${THINGS}/x/status`, status));
    const answer = await server.get(`${THINGS}/x`);
    for (const name of inheritedNames) assert.equal(shown(answer, name), '"1"', name);
    assert.equal(shown(answer, 'status'), '{"a":1}');
  });
});

describe('schema properties with the names of inherited object members', () => {
  it('are reported if they are required and absent', async () => {
    using server = new TestServer();
    const spec = { type: 'object', properties: {}, required: inheritedNames };
    for (const name of inheritedNames) {
      Object.defineProperty(spec.properties, name, {
        value: { type: 'string' },
        enumerable: true,
      });
    }
    await givenThings(server, { type: 'object', properties: { spec } });
    const refused = await server.post(THINGS, { ...thing, spec: {} });
    assert.deepEqual(
      findingsIn(refused).toSorted(),
      inheritedNames.map((name) => `spec.${name}: Required value`).toSorted(),
    );
    await server.given('post', THINGS, { ...thing, spec: withInheritedNames('1') });
  });

  it('get their defaults', async () => {
    using server = new TestServer();
    const properties = JSON.parse(
      JSON.stringify(withInheritedNames('')).replaceAll('""', '{"type":"string","default":"1"}'),
    ) as object;
    await givenThings(server, {
      type: 'object',
      properties: { spec: { type: 'object', properties } },
    });
    const answer = await server.post(THINGS, { ...thing, spec: {} });
    assert.equal(shown(answer, 'spec'), JSON.stringify(withInheritedNames('1')));
  });

  it('work as list map keys', async () => {
    using server = new TestServer();
    const item = {
      type: 'object',
      properties: { constructor: { type: 'string' }, value: { type: 'integer' } },
      required: ['constructor'],
    };
    const spec = {
      type: 'array',
      items: item,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['constructor'],
    };
    await givenThings(server, { type: 'object', properties: { spec } });
    const apply = async (manager: string, items: object[]): Promise<void> => {
      const config = { ...thing, spec: items };
      await accepted(server.patch('apply', `${THINGS}/x?fieldManager=${manager}`, config));
    };
    await apply('one', [{ constructor: 'a', value: 1 }]);
    await apply('two', [{ constructor: 'b', value: 2 }]);
    assert.equal(
      shown(await server.get(`${THINGS}/x`), 'spec'),
      '[{"constructor":"a","value":1},{"constructor":"b","value":2}]',
    );
  });

  it('work as scale paths', async () => {
    using server = new TestServer();
    const counts = { type: 'object', properties: { constructor: { type: 'integer' } } };
    const scale = {
      specReplicasPath: '.spec.constructor',
      statusReplicasPath: '.status.constructor',
    };
    await givenThings(
      server,
      { type: 'object', properties: { spec: counts, status: counts } },
      { subresources: { status: {}, scale } },
    );
    await server.given('post', THINGS, thing);
    const read = await server.get(`${THINGS}/x/scale`);
    assert.equal(shown(read, 'spec'), '{}');
    await accepted(server.patch('merge', `${THINGS}/x/scale`, { spec: { replicas: 3 } }));
    assert.equal(shown(await server.get(`${THINGS}/x`), 'spec'), '{"constructor":3}');
  });

  it('must be declared outside of combinations', async () => {
    using server = new TestServer();
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      anyOf: [{ properties: { constructor: { minLength: 1 } } }],
    };
    const field = 'spec.validation.openAPIV3Schema';
    assert.deepEqual(findingsIn(await server.post(DEFINITIONS, definition(schema))), [
      `${field}.properties[constructor]: Required value: because it is defined in ${field}.anyOf[0].properties[constructor]`,
    ]);
  });

  it('must be declared to be list map keys', async () => {
    using server = new TestServer();
    const spec = {
      type: 'array',
      items: { type: 'object', properties: { a: { type: 'string' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['constructor'],
    };
    const schema = { type: 'object', properties: { spec } };
    assert.deepEqual(findingsIn(await server.post(DEFINITIONS, definition(schema))), [
      'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-list-map-keys: Invalid value: ["constructor"]: entries must all be names of item properties',
    ]);
  });
});
