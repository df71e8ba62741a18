import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nodes, pods } from '../api/core/v1.ts';
import { RESTClient } from '../rest/rest-client.ts';
import { ScriptedTransport } from '../rest/test-transport.ts';
import { DynamicClient } from './dynamic-client.ts';

const widgets = { group: 'example.com', version: 'v1', resource: 'widgets' };
const root = '/apis/example.com/v1';
const one = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' } };

function clientOver(
  transport: ScriptedTransport,
  codec: 'json' | 'protobuf' = 'json',
): DynamicClient {
  return new DynamicClient(RESTClient.over(transport, { codec }));
}

describe('DynamicClient', () => {
  it('sends every verb to its path', async () => {
    const transport = new ScriptedTransport({ body: one });
    const client = clientOver(transport).resource(widgets).namespace('default');
    const calls: readonly (readonly [string, string, () => Promise<unknown>])[] = [
      ['GET', '/widgets/one', () => client.get('one')],
      ['GET', '/widgets?limit=5', () => client.list({ limit: 5 })],
      ['POST', '/widgets?dryRun=All', () => client.create(one, { dryRun: true })],
      ['PUT', '/widgets/one', () => client.update(one)],
      ['PUT', '/widgets/one/status', () => client.updateStatus(one)],
      [
        'PATCH',
        '/widgets/one',
        () => client.patch('one', { spec: { size: 1 } }, { type: 'merge' }),
      ],
      ['PATCH', '/widgets/one?fieldManager=me', () => client.apply(one, { fieldManager: 'me' })],
      [
        'PATCH',
        '/widgets/one/status?fieldManager=me&force=true',
        () => client.applyStatus(one, { fieldManager: 'me', force: true }),
      ],
      ['DELETE', '/widgets/one', () => client.delete('one')],
      [
        'DELETE',
        '/widgets?labelSelector=a%3Db',
        () => client.deleteCollection({ labelSelector: 'a=b' }),
      ],
    ];
    for (const [method, path, call] of calls) {
      await call();
      const { last } = transport;
      assert.deepEqual([last.method, last.path], [method, `${root}/namespaces/default${path}`]);
    }
  });

  it('suggests a namespace where the server has no such path without one', async () => {
    const missing = { status: 404, body: '404 page not found\n' };
    const client = clientOver(new ScriptedTransport(missing)).resource(widgets);
    for (const call of [
      () => client.get('one'),
      () => client.create(one),
      () => client.apply(one, { fieldManager: 'me' }),
    ]) {
      await assert.rejects(call, { code: 'API_NOT_FOUND', hint: /namespaced, call \.namespace/ });
    }
    await assert.rejects(client.namespace('default').get('one'), { hint: undefined });
    const absent = { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 };
    const served = clientOver(new ScriptedTransport({ status: 404, body: absent }));
    await assert.rejects(served.resource(widgets).get('one'), { hint: undefined });
  });

  it('treats an empty namespace as none', async () => {
    const transport = new ScriptedTransport({ body: one });
    const client = clientOver(transport).resource(widgets);
    for (const scope of [client, client.namespace(), client.namespace('')]) {
      await scope.get('one');
      assert.equal(transport.last.path, `${root}/widgets/one`);
      await scope.list();
      assert.equal(transport.last.path, `${root}/widgets`);
    }
  });

  it('uses JSON even where the other clients use protobuf', async () => {
    const transport = new ScriptedTransport({ body: one });
    const client = clientOver(transport, 'protobuf').resource({
      group: '',
      version: 'v1',
      resource: 'pods',
    });
    await client.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one' } });
    const { headers } = transport.last;
    assert.equal(headers['content-type'], 'application/json');
    assert.doesNotMatch(String(headers['accept']), /protobuf/);
  });

  it('sends objects without apiVersion and kind unchanged', async () => {
    const transport = new ScriptedTransport({ body: one });
    await clientOver(transport)
      .resource(widgets)
      .create({ metadata: { name: 'one' } });
    assert.deepEqual(transport.lastBody, { metadata: { name: 'one' } });
  });

  it('fills in kind and apiVersion from a descriptor', async () => {
    const transport = new ScriptedTransport({ body: one });
    const client = clientOver(transport);
    await client
      .resource(pods)
      .namespace('default')
      .create({ metadata: { name: 'one' } });
    assert.deepEqual(transport.lastBody, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'one' },
    });
    assert.throws(() => client.resource(nodes).namespace('default'), {
      code: 'REST_REQUEST_INVALID',
      message: 'nodes are cluster-scoped: leave out the namespace default',
    });
    await assert.rejects(client.resource(pods).get('one'), { code: 'REST_REQUEST_INVALID' });
  });

  it('adds kind and apiVersion to the items of a list', async () => {
    const bare = { metadata: { name: 'one' } };
    const full = { apiVersion: 'example.com/v2', kind: 'Other', metadata: { name: 'two' } };
    const list = { apiVersion: 'example.com/v1', kind: 'WidgetList', metadata: {} };
    const transport = new ScriptedTransport({ body: { ...list, items: [bare, full] } });
    const client = clientOver(transport).resource(widgets);
    assert.deepEqual((await client.list()).items, [one, full]);
    const all = [];
    for await (const item of client.listAll()) all.push(item.kind);
    assert.deepEqual(all, ['Widget', 'Other']);
    const other = new ScriptedTransport({ body: { ...list, kind: 'List', items: [bare] } });
    assert.deepEqual((await clientOver(other).resource(widgets).list()).items, [bare]);
  });

  it('watches', async () => {
    const transport = new ScriptedTransport({
      headers: { 'content-type': 'application/json' },
      body: `${JSON.stringify({ type: 'ADDED', object: one })}\n`,
    });
    const events = [];
    for await (const event of clientOver(transport).resource(widgets).watch()) events.push(event);
    assert.deepEqual(events, [{ type: 'ADDED', object: one }]);
    assert.equal(transport.last.path, `${root}/widgets?watch=true`);
  });

  it('rejects names that would change the path before sending', async () => {
    const transport = new ScriptedTransport({ body: one });
    const client = clientOver(transport);
    const invalid = { code: 'REST_REQUEST_INVALID' };
    for (const name of ['', '.', '..', 'a/b', '100%']) {
      await assert.rejects(client.resource(widgets).get(name), invalid);
      await assert.rejects(client.resource(widgets).delete(name), invalid);
      await assert.rejects(client.resource(widgets).update({ metadata: { name } }), invalid);
      if (name !== '') {
        await assert.rejects(client.resource(widgets).namespace(name).list(), invalid);
        await assert.rejects(client.resource({ ...widgets, resource: name }).list(), invalid);
        await assert.rejects(client.resource({ ...widgets, group: name }).list(), invalid);
      }
    }
    assert.equal(transport.requests.length, 0);
  });

  it('rejects an apply with managedFields', async () => {
    const transport = new ScriptedTransport({ body: one });
    const read = { ...one, metadata: { name: 'one', managedFields: [{ manager: 'me' }] } };
    const client = clientOver(transport).resource(widgets);
    // As in a program that reads an object, changes it and applies the result.
    const applied = read as unknown as typeof one;
    const options = { fieldManager: 'me' };
    await assert.rejects(client.apply(applied, options), /managedFields/);
    await assert.rejects(client.applyStatus(applied, options), /managedFields/);
    assert.equal(transport.requests.length, 0);
  });

  it('closes only the connections that it opened', async () => {
    const transport = new ScriptedTransport({ body: one });
    const own = new DynamicClient({ server: 'https://192.0.2.1', transport });
    await own.resource(widgets).get('one');
    await own[Symbol.asyncDispose]();
    await assert.rejects(own.resource(widgets).get('one'), { code: 'TRANSPORT_CLOSED' });
    const borrowed = clientOver(transport);
    await borrowed[Symbol.asyncDispose]();
    assert.equal((await borrowed.resource(widgets).get('one')).kind, 'Widget');
  });
});
