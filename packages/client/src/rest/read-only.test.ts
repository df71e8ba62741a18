import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pods as podsDescriptor } from '../api/core/v1.ts';
import { protobufCodec } from '../codec/codec.ts';
import { identityOf } from '../meta/object.ts';
import { isNotFound } from '../meta/error-guards.ts';
import type { ResourceDescriptor } from '../meta/resource.ts';
import { resourceClient } from './resource-client.ts';
import { RESTClient } from './rest-client.ts';
import { ScriptedTransport } from './test-transport.ts';

const pod = { metadata: { name: 'web', resourceVersion: '7' }, spec: { nodeName: 'node-1' } };
const list = {
  kind: 'PodList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '9' },
  items: [pod],
};
const event = { type: 'ADDED', object: { kind: 'Pod', apiVersion: 'v1', ...pod } } as const;
const bookmark = { type: 'BOOKMARK', object: { kind: 'Pod', apiVersion: 'v1', metadata: {} } };
const missing = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound' };
const headers = { 'content-type': protobufCodec.mediaType };
const preferringProtobuf = 'application/vnd.kubernetes.protobuf, application/json, */*';

describe('read-only objects', () => {
  it('are listed as protobuf, whatever the client prefers', async () => {
    const transport = new ScriptedTransport(
      { headers, body: protobufCodec.encode(list) },
      { body: list },
    );
    const client = resourceClient(RESTClient.over(transport), podsDescriptor);
    for (const encoding of ['protobuf', 'JSON, from a server that knows nothing else']) {
      const answer = await client.list({ readOnly: true });
      const [item] = answer.items;
      assert.equal(transport.last.headers['accept'], preferringProtobuf);
      assert.equal(item?.spec?.nodeName, 'node-1', encoding);
      const { key, resourceVersion } = identityOf(item) ?? {};
      assert.deepEqual([key, resourceVersion], ['web', '7']);
      assert.throws(() => Object.assign(item.metadata, { name: 'other' }), TypeError);
      answer.items.pop();
    }
  });

  it('are watched', async () => {
    const frames = [event, bookmark].map((one) => protobufCodec.encodeWatchEvent(one));
    const transport = new ScriptedTransport({ headers, body: Buffer.concat(frames) });
    const client = resourceClient(RESTClient.over(transport), podsDescriptor);
    const options = { readOnly: true, allowWatchBookmarks: true } as const;
    for await (const { type, object } of client.watch(options)) {
      assert.equal(transport.last.headers['accept'], preferringProtobuf);
      assert.ok(identityOf(object) !== undefined && Object.isFrozen(object), type);
    }
  });

  it('are requested as JSON for kinds without protobuf and unknown kinds', async () => {
    const transport = new ScriptedTransport({ body: list });
    const unknown: ResourceDescriptor = { ...podsDescriptor, kind: '' };
    const client = resourceClient(RESTClient.over(transport), unknown as typeof podsDescriptor);
    await client.list({ readOnly: true });
    assert.equal(transport.last.headers['accept'], 'application/json, */*');
  });

  it('report server errors like other requests', async () => {
    const transport = new ScriptedTransport({ body: missing });
    const client = resourceClient(RESTClient.over(transport), podsDescriptor);
    await assert.rejects(client.list({ readOnly: true }), (error) => isNotFound(error));
    const empty = resourceClient(RESTClient.over(new ScriptedTransport({})), podsDescriptor);
    await assert.rejects(empty.list({ readOnly: true }), { code: 'REST_RESPONSE_EMPTY' });
  });

  it('are returned only on request', async () => {
    const client = resourceClient(
      RESTClient.over(new ScriptedTransport({ headers, body: protobufCodec.encode(list) })),
      podsDescriptor,
    );
    const { items } = await client.list();
    for (const item of items) item.metadata.labels = { changed: 'true' };
    assert.deepEqual(items[0]?.metadata.labels, { changed: 'true' });
  });
});
