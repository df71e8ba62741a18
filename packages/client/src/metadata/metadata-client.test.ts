import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RESTClient } from '../rest/rest-client.ts';
import { ScriptedTransport } from '../rest/test-transport.ts';
import { MetadataClient } from './metadata-client.ts';

const widgets = { group: 'example.com', version: 'v1', resource: 'widgets' };
const root = '/apis/example.com/v1/namespaces/default/widgets';

const metadata = { name: 'one', uid: 'u1', labels: { app: 'web' } };
const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata };
const full = { apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec: { size: 3 } };
const success = { apiVersion: 'v1', kind: 'Status', status: 'Success' };

function clientOver(
  transport: ScriptedTransport,
  codec: 'json' | 'protobuf' = 'json',
): ReturnType<ReturnType<MetadataClient['resource']>['namespace']> {
  const client = new MetadataClient(RESTClient.over(transport, { codec }));
  return client.resource(widgets).namespace('default');
}

const asObject = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';
const asList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

describe('MetadataClient', () => {
  it('requests only metadata', async () => {
    const transport = new ScriptedTransport({ body: partial });
    const client = clientOver(transport);
    assert.deepEqual(await client.get('one', { resourceVersion: '0' }), partial);
    assert.equal(transport.last.path, `${root}/one?resourceVersion=0`);
    assert.equal(transport.last.headers['accept'], asObject);
    const merge = { metadata: { labels: { app: null } } };
    assert.deepEqual(await client.patch('one', merge, { type: 'merge' }), partial);
    assert.equal(transport.last.method, 'PATCH');
    assert.equal(transport.last.headers['accept'], asObject);
    assert.equal(transport.last.headers['content-type'], 'application/merge-patch+json');
    assert.deepEqual(transport.lastBody, merge);
    await client.patch('one', [{ op: 'remove', path: '/metadata/labels' }], {
      type: 'json',
      subresource: 'status',
    });
    assert.equal(transport.last.path, `${root}/one/status`);
  });

  it('prefers protobuf if the config does', async () => {
    const transport = new ScriptedTransport({ body: partial });
    const client = clientOver(transport, 'protobuf');
    await client.get('one');
    assert.equal(
      transport.last.headers['accept'],
      `application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,${asObject}`,
    );
    await client.delete('one', { gracePeriodSeconds: 0 });
    assert.equal(transport.last.headers['content-type'], 'application/json');
  });

  it('returns read-only objects as decoded, from protobuf if the server supports it', async () => {
    const list = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' };
    const frames = [partial, full].map((object) => JSON.stringify({ type: 'ADDED', object }));
    const transport = new ScriptedTransport(
      { body: { ...list, metadata: {}, items: [partial, full] } },
      { body: frames.join('\n') },
    );
    const client = clientOver(transport);
    const protobuf = 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata';
    const { items } = await client.list({ readOnly: true });
    assert.equal(transport.last.headers['accept'], `${protobuf}List;g=meta.k8s.io;v=v1,${asList}`);
    const watched: object[] = [];
    for await (const { object } of client.watch({ readOnly: true })) watched.push(object);
    assert.equal(transport.last.headers['accept'], `${protobuf};g=meta.k8s.io;v=v1,${asObject}`);
    for (const object of [...items, ...watched]) {
      assert.deepEqual(object, partial);
      assert.ok(Object.isFrozen(object));
    }
  });

  it('lists', async () => {
    const list = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' };
    const transport = new ScriptedTransport(
      { body: { ...list, metadata: { resourceVersion: '7', continue: 'next' }, items: [partial] } },
      { body: { ...list, metadata: { resourceVersion: '7' }, items: [partial] } },
    );
    const client = clientOver(transport);
    const names = [];
    for await (const item of client.listAll({ pageSize: 1 })) names.push(item.metadata.name);
    assert.deepEqual(names, ['one', 'one']);
    assert.equal(transport.last.headers['accept'], asList);
    assert.equal(transport.last.path, `${root}?limit=1&continue=next`);
  });

  it('accepts whole objects from a server', async () => {
    const object = clientOver(new ScriptedTransport({ body: full }));
    assert.deepEqual(await object.get('one'), partial);
    const list = { apiVersion: 'example.com/v1', kind: 'WidgetList' };
    const items = [{ metadata, spec: { size: 3 } }];
    const body = { ...list, metadata: { resourceVersion: '7' }, items };
    assert.deepEqual(await clientOver(new ScriptedTransport({ body })).list(), {
      apiVersion: 'meta.k8s.io/v1',
      kind: 'PartialObjectMetadataList',
      metadata: { resourceVersion: '7' },
      items: [partial],
    });
  });

  it('rejects responses without metadata', async () => {
    for (const body of [{ hello: 'world' }, { kind: 'Widget', apiVersion: 'x/v1', metadata: {} }]) {
      const client = clientOver(new ScriptedTransport({ body }));
      await assert.rejects(client.get('one'), { name: 'MetadataError', code: 'METADATA_MISSING' });
    }
  });

  it('watches, with bookmarks and errors unchanged', async () => {
    const bookmark = { kind: 'Widget', apiVersion: 'x/v1', metadata: { resourceVersion: '9' } };
    const gone = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 410 };
    const events = [
      { type: 'ADDED', object: partial },
      { type: 'MODIFIED', object: full },
      { type: 'BOOKMARK', object: bookmark },
      { type: 'ERROR', object: gone },
    ];
    const transport = new ScriptedTransport({
      headers: { 'content-type': 'application/json' },
      body: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
    });
    const options = { allowWatchBookmarks: true, errorEvents: true, resourceVersion: '7' } as const;
    const seen = [];
    for await (const event of clientOver(transport).watch(options)) seen.push(event);
    assert.deepEqual(seen, [
      { type: 'ADDED', object: partial },
      { type: 'MODIFIED', object: partial },
      { type: 'BOOKMARK', object: { ...partial, metadata: { resourceVersion: '9' } } },
      { type: 'ERROR', object: gone },
    ]);
    assert.equal(transport.last.headers['accept'], asObject);
    assert.equal(
      transport.last.path,
      `${root}?resourceVersion=7&allowWatchBookmarks=true&watch=true`,
    );
    const thrown = clientOver(transport).watch();
    await assert.rejects(
      async () => {
        for await (const _ of thrown);
      },
      { code: 'API_GONE' },
    );
  });

  it('yields what has arrived without waiting, as other watches do', async () => {
    const frames = [partial, full].map((object) => JSON.stringify({ type: 'ADDED', object }));
    const bookmark = { metadata: { resourceVersion: '9' } };
    frames.push(JSON.stringify({ type: 'BOOKMARK', object: bookmark }));
    for (const readOnly of [false, true]) {
      const transport = new ScriptedTransport({ body: `${frames.join('\n')}\n` });
      const watch = clientOver(transport).watch({ readOnly, allowWatchBookmarks: true });
      assert.equal(watch.ready(), undefined);
      assert.deepEqual((await watch.next()).value?.object, partial);
      assert.deepEqual(watch.ready()?.object, partial);
      assert.equal(watch.ready()?.type, 'BOOKMARK');
      assert.equal(watch.ready(), undefined);
      assert.equal((await watch.next()).done, true);
    }
  });

  it('ends a watch on abort, and throws a rejection', async () => {
    const stop = new AbortController();
    const endless = (async function* () {
      yield Buffer.from(`${JSON.stringify({ type: 'ADDED', object: partial })}\n`);
      await new Promise((resolve) => stop.signal.addEventListener('abort', resolve));
    })();
    const headers = { 'content-type': 'application/json' };
    const transport = new ScriptedTransport({ headers, body: endless });
    const seen = [];
    for await (const event of clientOver(transport).watch({ signal: stop.signal })) {
      seen.push(event.type);
      stop.abort();
    }
    assert.deepEqual(seen, ['ADDED']);
    const refused = clientOver(new ScriptedTransport({ status: 403, body: 'no' })).watch();
    await assert.rejects(refused.open(), { code: 'API_FORBIDDEN' });
  });

  it('deletes, one or many', async () => {
    const transport = new ScriptedTransport(
      { body: success },
      { body: full },
      { body: success },
      { body: { kind: 'WidgetList', apiVersion: 'x/v1', metadata: {}, items: [full] } },
    );
    const client = clientOver(transport);
    assert.deepEqual(await client.delete('one'), success);
    const uid = { preconditions: { uid: 'u1' } };
    assert.deepEqual(await client.delete('one', uid), partial);
    assert.deepEqual(transport.lastBody, { apiVersion: 'v1', kind: 'DeleteOptions', ...uid });
    assert.deepEqual(await client.deleteCollection({ labelSelector: 'a=b' }), success);
    assert.equal(transport.last.path, `${root}?labelSelector=a%3Db`);
    const many = await client.deleteCollection();
    assert.deepEqual('items' in many && many.items, [partial]);
  });

  it('needs no namespace', async () => {
    const transport = new ScriptedTransport({ body: partial });
    await using client = new MetadataClient({ server: 'https://192.0.2.1', transport });
    const resource = client.resource(widgets);
    for (const scope of [resource, resource.namespace(), resource.namespace('')]) {
      await scope.get('one');
      assert.equal(transport.last.path, '/apis/example.com/v1/widgets/one');
    }
    await client[Symbol.asyncDispose]();
    await assert.rejects(resource.get('one'), { code: 'TRANSPORT_CLOSED' });
  });
});
