import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { TestObject } from '../testing/test-object.ts';
import { TestServer } from '../testing/test-server.ts';
import { CustomResourceController } from './custom-resource-controller.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';
const NAME = 'widgets.example.com';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
}

function version(name: string, options: object = {}): object {
  const properties = { spec: { type: 'object', properties: { size: { type: 'integer' } } } };
  const openAPIV3Schema = { type: 'object', properties };
  return { name, served: true, storage: false, schema: { openAPIV3Schema }, ...options };
}

function definition(versions = [version('v1', { storage: true })], names: object = {}): object {
  return {
    metadata: { name: NAME },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget', ...names },
      versions,
    },
  };
}

function widget(name: string, rest: object = {}): object {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, ...rest };
}

async function withWidgets(versions?: object[]): Promise<TestServer> {
  const server = new TestServer();
  await server.given('post', DEFINITIONS, definition(versions));
  await server.settle();
  return server;
}

/** Replaces the versions of the definition, like `kubectl replace`. */
async function replace(server: TestServer, versions: object[]): Promise<TestObject> {
  const { body } = await server.get(`${DEFINITIONS}/${NAME}`);
  const spec = { ...(body['spec'] as object), versions };
  const replaced = await server.given('put', `${DEFINITIONS}/${NAME}`, { ...body, spec });
  await server.settle();
  return replaced;
}

async function conditions(server: TestServer, name = NAME): Promise<string[]> {
  const { body } = await server.get(`${DEFINITIONS}/${name}`);
  const { conditions: found } = body['status'] as { conditions: Condition[] };
  return found.map(({ type, status, reason }) => `${type} ${status} ${reason}`);
}

describe('CustomResourceController, serving', () => {
  it('establishes a definition and serves its resources', async () => {
    using server = new TestServer();
    assert.equal((await server.get(WIDGETS)).status, 404);
    const created = await server.given('post', DEFINITIONS, definition());
    assert.equal((await server.get(WIDGETS)).status, 404);
    await server.settle();
    assert.deepEqual(await conditions(server), [
      'NamesAccepted True NoConflicts',
      'Established True InitialNamesAccepted',
    ]);
    const { body } = await server.get(`${DEFINITIONS}/${NAME}`);
    assert.equal(body.metadata.generation, created.metadata.generation);
    assert.equal(body.metadata.finalizers, undefined);
    const list = await server.get(WIDGETS);
    assert.equal(list.status, 200);
    assert.equal(list.body.kind, 'WidgetList');
    assert.equal(server.clock.pending, 0);
  });

  it('adds resources to discovery immediately and removes them with their definition', async () => {
    using server = await withWidgets();
    const { body } = await server.get('/apis/example.com/v1');
    assert.match(JSON.stringify(body['resources']), /"name":"widgets"/);
    assert.match((await server.get('/apis')).text, /example\.com/);
    assert.match((await server.get('/openapi/v3')).text, /apis\/example\.com\/v1/);
    await server.delete(`${DEFINITIONS}/${NAME}`);
    await server.settle();
    assert.equal((await server.get('/apis/example.com/v1')).status, 404);
    assert.doesNotMatch((await server.get('/apis')).text, /example\.com/);
    assert.doesNotMatch((await server.get('/openapi/v3')).text, /example\.com/);
  });

  it("records its own writes under the server's manager name", async () => {
    using server = await withWidgets();
    const { body } = await server.get(`${DEFINITIONS}/${NAME}`);
    const managers = body.metadata.managedFields?.map(
      ({ manager, subresource = '' }) => `${manager}/${subresource}`,
    );
    assert.ok(managers?.includes('kube-apiserver/status'), String(managers));
  });

  it('serves definitions that existed before it', async () => {
    using server = new TestServer();
    server.backend[Symbol.dispose]();
    await server.given('post', DEFINITIONS, definition());
    await server.settle();
    assert.equal((await server.get(WIDGETS)).status, 404);
    using _ = new CustomResourceController(server.backend.core, (error) =>
      assert.fail(String(error)),
    );
    await server.settle();
    assert.equal((await server.get(WIDGETS)).status, 200);
  });

  it('refuses objects that break a rule, and tolerates what an update does not change', async () => {
    using server = new TestServer();
    const x = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] };
    const openAPIV3Schema = (rules: boolean): object => ({
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { x: rules ? x : { type: 'integer' } } },
      },
    });
    const versions = (rules: boolean): object[] => [
      version('v1', { storage: true, schema: { openAPIV3Schema: openAPIV3Schema(rules) } }),
    ];
    await server.given('post', DEFINITIONS, definition(versions(false)));
    await server.settle();
    await server.given('post', WIDGETS, { ...widget('old'), spec: { x: -1 } });
    const changed = { spec: { versions: versions(true) } };
    assert.equal((await server.patch('merge', `${DEFINITIONS}/${NAME}`, changed)).status, 200);
    await server.settle();
    const refused = await server.post(WIDGETS, { ...widget('new'), spec: { x: 0 } });
    assert.equal(refused.status, 422);
    assert.match(
      String(refused.body['message']),
      /spec\.x: Invalid value: 0: failed rule: self > 0/,
    );
    const patch = { metadata: { labels: { a: 'b' } } };
    const labelled = await server.patch('merge', `${WIDGETS}/old`, patch);
    assert.equal(labelled.status, 200);
    assert.deepEqual(labelled.headers['warning'], [
      '299 - "spec.x: Invalid value: -1: failed rule: self > 0"',
    ]);
  });

  it('refuses a definition whose rules do not compile or cost too much', async () => {
    using server = new TestServer();
    const list = { type: 'array', items: { type: 'string' } };
    const create = async (rule: string): Promise<string> => {
      const openAPIV3Schema = {
        type: 'object',
        properties: { list },
        'x-kubernetes-validations': [{ rule }],
      };
      const versions = [version('v1', { storage: true, schema: { openAPIV3Schema } })];
      const { status, body } = await server.post(DEFINITIONS, definition(versions));
      assert.equal(status, 422);
      return String(body['message']);
    };
    assert.match(await create('self.lisp.size() > 0'), /undefined field 'lisp'/);
    assert.match(
      await create('self.list.all(x, self.list.all(y, x == y))'),
      /estimated rule cost exceeds budget by factor of more than 100x/,
    );
  });

  it('deletes a definition whose conditions were overwritten', async () => {
    using server = await withWidgets();
    await server.given('post', WIDGETS, widget('a'));
    const { body } = await server.get(`${DEFINITIONS}/${NAME}`);
    const conditions = [{ type: 'Odd', status: 'True', lastTransitionTime: null }];
    await server.given('put', `${DEFINITIONS}/${NAME}/status`, {
      ...body,
      status: { ...(body['status'] as object), conditions },
    });
    await server.delete(`${DEFINITIONS}/${NAME}`);
    await server.settle();
    assert.equal((await server.get(`${DEFINITIONS}/${NAME}`)).status, 404);
    assert.deepEqual(server.errors, []);
  });

  it('makes a definition wait for names that another one holds', async () => {
    using server = await withWidgets();
    await server.given('post', DEFINITIONS, {
      ...definition(undefined, { plural: 'gadgets', singular: 'widget' }),
      metadata: { name: 'gadgets.example.com' },
    });
    await server.settle();
    assert.deepEqual(await conditions(server, 'gadgets.example.com'), [
      'NamesAccepted False ListKindConflict',
      'Established False NotAccepted',
    ]);
    const gadgets = '/apis/example.com/v1/namespaces/default/gadgets';
    assert.equal((await server.get(gadgets)).status, 404);
    await server.delete(`${DEFINITIONS}/${NAME}`);
    await server.settle();
    assert.deepEqual(await conditions(server, 'gadgets.example.com'), [
      'NamesAccepted True NoConflicts',
      'Established True InitialNamesAccepted',
    ]);
    assert.equal((await server.get(gadgets)).status, 200);
  });

  it('serves under the accepted names, not the requested ones', async () => {
    using server = await withWidgets();
    await server.given('post', DEFINITIONS, {
      metadata: { name: 'gadgets.example.com' },
      spec: {
        ...(definition() as { spec: object }).spec,
        names: { plural: 'gadgets', kind: 'Gadget', shortNames: ['g'] },
      },
    });
    await server.settle();
    await server.patch('merge', `${DEFINITIONS}/${NAME}`, {
      spec: { names: { shortNames: ['g'] } },
    });
    await server.settle();
    assert.deepEqual(await conditions(server), [
      'NamesAccepted False ShortNamesConflict',
      'Established True InitialNamesAccepted',
    ]);
    const shortNames = async (): Promise<unknown> => {
      const { body } = await server.get('/apis/example.com/v1');
      const resources = body['resources'] as { name: string; shortNames?: string[] }[];
      return resources.find(({ name }) => name === 'widgets')?.shortNames;
    };
    assert.equal(await shortNames(), undefined);
    await server.delete(`${DEFINITIONS}/gadgets.example.com`);
    await server.settle();
    assert.deepEqual(await shortNames(), ['g']);
  });
});

describe('CustomResourceController, changes', () => {
  it('applies a new schema immediately, also to stored objects', async () => {
    using server = await withWidgets();
    await server.given('post', WIDGETS, widget('a', { spec: { size: 1, color: 'red' } }));
    const spec = { type: 'object', properties: { color: { type: 'string', default: 'blue' } } };
    const openAPIV3Schema = { type: 'object', properties: { spec } };
    await replace(server, [version('v1', { storage: true, schema: { openAPIV3Schema } })]);
    const { body } = await server.get(`${WIDGETS}/a`);
    assert.deepEqual(body['spec'], { color: 'blue' });
    const again = await server.given('post', WIDGETS, widget('b', { spec: { color: 'green' } }));
    assert.deepEqual(again['spec'], { color: 'green' });
  });

  it('ends watches when the definition changes, but not for its metadata or status', async () => {
    using server = await withWidgets();
    const watch = await server.watch(`${WIDGETS}?watch=1`);
    await server.patch('merge', `${DEFINITIONS}/${NAME}`, { metadata: { labels: { a: 'b' } } });
    await server.settle();
    assert.equal(watch.outcome, undefined);
    await replace(server, [version('v1', { storage: true }), version('v2')]);
    await watch.take();
    assert.equal(watch.outcome, 'end');
  });

  it('serves an object in every version and stores it in one', async () => {
    using server = await withWidgets([version('v1', { storage: true }), version('v2')]);
    const created = await server.given('post', WIDGETS, widget('a', { spec: { size: 1 } }));
    const v2 = WIDGETS.replace('/v1/', '/v2/');
    const { body } = await server.get(`${v2}/a`);
    assert.equal(body.apiVersion, 'example.com/v2');
    assert.equal(body.metadata.resourceVersion, created.metadata.resourceVersion);
    const updated = await server.given('put', `${v2}/a`, { ...body, spec: { size: 2 } });
    assert.equal(updated.apiVersion, 'example.com/v2');
    assert.equal(updated.metadata.generation, 2);
    const { value } = server.backend.core.store.get('/example.com/widgets/default/a') ?? {};
    assert.equal(value?.apiVersion, 'example.com/v1');
  });

  it('treats a write through another version that changes nothing as no change', async () => {
    using server = await withWidgets([version('v1', { storage: true }), version('v2')]);
    const created = await server.given('post', WIDGETS, widget('a', { spec: { size: 1 } }));
    const v2 = WIDGETS.replace('/v1/', '/v2/');
    const { body } = await server.get(`${v2}/a`);
    const { metadata } = await server.given('put', `${v2}/a`, body);
    assert.equal(metadata.generation, 1);
    assert.equal(metadata.resourceVersion, created.metadata.resourceVersion);
  });

  it('stops serving a version while it still stores in it', async () => {
    using server = await withWidgets([version('v1', { storage: true }), version('v2')]);
    await server.given('post', WIDGETS, widget('a', { spec: { size: 1 } }));
    await replace(server, [version('v1', { storage: true, served: false }), version('v2')]);
    assert.equal((await server.get(WIDGETS)).status, 404);
    const v2 = WIDGETS.replace('/v1/', '/v2/');
    const { body } = await server.get(v2);
    assert.deepEqual(
      body.items?.map(({ metadata }) => metadata.name),
      ['a'],
    );
    assert.deepEqual((await server.get('/apis/example.com')).body['versions'], [
      { groupVersion: 'example.com/v2', version: 'v2' },
    ]);
    await server.delete(`${DEFINITIONS}/${NAME}`);
    await server.settle();
    assert.equal((await server.get(`${DEFINITIONS}/${NAME}`)).status, 404);
    assert.equal(server.backend.core.store.count('/example.com/widgets/'), 0);
  });

  it('orders the versions of a group by name across definitions', async () => {
    using server = await withWidgets([version('v1beta1', { storage: true }), version('v1')]);
    await server.given('post', DEFINITIONS, {
      metadata: { name: 'gadgets.example.com' },
      spec: {
        ...(definition([version('v2', { storage: true }), version('v1alpha1')]) as { spec: object })
          .spec,
        names: { plural: 'gadgets', kind: 'Gadget' },
      },
    });
    await server.settle();
    const { body } = await server.get('/apis/example.com');
    const versions = (body['versions'] as { version: string }[]).map((one) => one.version);
    assert.deepEqual(versions, ['v2', 'v1', 'v1beta1', 'v1alpha1']);
  });
});

describe('CustomResourceController, removal', () => {
  it('removes the objects, then the definition, and ends the watches', async () => {
    using server = await withWidgets();
    for (const name of ['a', 'b']) await server.given('post', WIDGETS, widget(name));
    const from = server.revision;
    const widgets = await server.watch(`${WIDGETS}?watch=1&resourceVersion=${from}`);
    const definitions = await server.watch(`${DEFINITIONS}?watch=1&resourceVersion=${from}`);
    const { status, body } = await server.delete(`${DEFINITIONS}/${NAME}`);
    assert.equal(status, 200);
    assert.deepEqual(body.metadata.finalizers, ['customresourcecleanup.apiextensions.k8s.io']);
    assert.equal(body.metadata.generation, 1);
    assert.equal(body.metadata.deletionGracePeriodSeconds, undefined);
    await server.settle();
    assert.deepEqual(await widgets.takeBriefly(), ['DELETED a', 'DELETED b']);
    assert.equal(widgets.outcome, 'end');
    assert.deepEqual(await definitions.takeBriefly(), [
      `MODIFIED ${NAME}`,
      `MODIFIED ${NAME}`,
      `DELETED ${NAME}`,
    ]);
    assert.equal(definitions.outcome, undefined);
    assert.equal((await server.get(WIDGETS)).status, 404);
    definitions.close();
    await server.settle();
    assert.equal(server.clock.pending, 0);
  });

  it('waits for objects with finalizers and rejects new ones', async () => {
    using server = await withWidgets();
    const held = { metadata: { name: 'held', finalizers: ['example.com/hold'] } };
    await server.given('post', WIDGETS, { ...widget('held'), ...held });
    await server.given('post', WIDGETS, widget('free'));
    await server.delete(`${DEFINITIONS}/${NAME}`);
    await server.settle();
    assert.ok((await conditions(server)).includes('Terminating True InstanceDeletionInProgress'));
    const { body } = await server.get(WIDGETS);
    assert.deepEqual(
      body.items?.map(({ metadata }) => metadata.name),
      ['held'],
    );
    const refused = await server.post(WIDGETS, widget('new'));
    assert.equal(refused.status, 403);
    assert.match(refused.body.message ?? '', /custom resource definition is terminating/);
    // Repeated passes accumulate nothing.
    for (const label of ['a', 'b']) {
      await server.patch('merge', `${DEFINITIONS}/${NAME}`, { metadata: { labels: { label } } });
      await server.settle();
    }
    await server.patch('merge', `${WIDGETS}/held`, { metadata: { finalizers: null } });
    await server.settle();
    assert.equal((await server.get(`${DEFINITIONS}/${NAME}`)).status, 404);
    assert.deepEqual(server.errors, []);
  });

  it('keeps a definition with other finalizers and removes its own', async () => {
    using server = new TestServer();
    const finalizers = ['example.com/hold'];
    await server.given('post', DEFINITIONS, {
      ...definition(),
      metadata: { name: NAME, finalizers },
    });
    await server.settle();
    await server.delete(`${DEFINITIONS}/${NAME}`);
    await server.settle();
    const { body } = await server.get(`${DEFINITIONS}/${NAME}`);
    assert.deepEqual(body.metadata.finalizers, finalizers);
    assert.ok((await conditions(server)).includes('Terminating False InstanceDeletionCompleted'));
    await server.patch('merge', `${DEFINITIONS}/${NAME}`, { metadata: { finalizers: null } });
    await server.settle();
    assert.equal((await server.get(`${DEFINITIONS}/${NAME}`)).status, 404);
    assert.equal((await server.get(WIDGETS)).status, 404);
  });

  it('removes a definition that was never established', async () => {
    using server = await withWidgets();
    await server.given('post', DEFINITIONS, {
      ...definition(undefined, { plural: 'gadgets' }),
      metadata: { name: 'gadgets.example.com' },
    });
    await server.settle();
    await server.given('post', WIDGETS, widget('a'));
    await server.delete(`${DEFINITIONS}/gadgets.example.com`);
    await server.settle();
    assert.equal((await server.get(`${DEFINITIONS}/gadgets.example.com`)).status, 404);
    assert.equal((await server.get(`${WIDGETS}/a`)).status, 200);
  });

  it('distinguishes a definition from its successor with the same name', async () => {
    using server = await withWidgets();
    const watch = await server.watch(`${WIDGETS}?watch=1`);
    const { store } = server.backend.core;
    const key = `/apiextensions.k8s.io/customresourcedefinitions/${NAME}`;
    const { value } = store.get(key) ?? {};
    store.delete(key);
    const successor = { ...value, metadata: { ...value?.metadata, uid: 'another' } };
    store.put(key, (revision) => ({
      ...successor,
      metadata: { ...successor.metadata, resourceVersion: String(revision) },
    }));
    await server.settle();
    await watch.take();
    assert.equal(watch.outcome, 'end');
    assert.equal((await server.get(WIDGETS)).status, 200);
  });
});
