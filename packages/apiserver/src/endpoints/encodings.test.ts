import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { decodeProtobuf, encodeProtobuf } from 'client-ts/codec';

import type { TestObject } from '../testing/test-object.ts';
import { type Answer, TestServer } from '../testing/test-server.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const PODS = '/api/v1/namespaces/default/pods';
const MAPS = '/api/v1/namespaces/default/configmaps';

const pod = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'p', labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '500m' } } }] },
};

function read({ bytes }: Answer): TestObject {
  return decodeProtobuf(bytes) as unknown as TestObject;
}

describe('protobuf', () => {
  const headers = { 'content-type': PROTOBUF, accept: PROTOBUF };

  it('round-trips the same objects as JSON', async () => {
    using server = new TestServer();
    const created = await server.send('POST', PODS, Buffer.from(encodeProtobuf(pod)), { headers });
    assert.equal(created.status, 201);
    assert.equal(created.headers['content-type'], PROTOBUF);
    const { body } = await server.get(`${PODS}/p`);
    assert.deepEqual(read(created), body);
    const list = await server.get(PODS, { headers: { accept: PROTOBUF } });
    assert.deepEqual(read(list), (await server.get(PODS)).body);
    const changed = encodeProtobuf({ ...body, metadata: { ...body.metadata, labels: { a: 'c' } } });
    const updated = await server.send('PUT', `${PODS}/p`, Buffer.from(changed), { headers });
    assert.deepEqual(read(updated).metadata.labels, { a: 'c' });
  });

  it('sends a large list in chunks, with the bytes of the list as a whole', async () => {
    using server = new TestServer();
    const data = { text: 'x'.repeat(300_000) };
    for (const name of ['a', 'b', 'c', 'd']) {
      await server.given('post', MAPS, { metadata: { name }, data });
    }
    const { body } = await server.open(MAPS, { headers: { accept: PROTOBUF } });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    assert.ok(chunks.length > 1);
    const list = (await server.get(MAPS)).body;
    assert.deepEqual(Buffer.concat(chunks), Buffer.from(encodeProtobuf(list)));
  });

  it('encodes errors, too', async () => {
    using server = new TestServer();
    const {
      status,
      headers: sent,
      bytes,
    } = await server.get(`${PODS}/none`, {
      headers: { accept: PROTOBUF },
    });
    assert.equal(status, 404);
    assert.equal(sent['content-type'], PROTOBUF);
    const { message } = decodeProtobuf(bytes) as { message?: string };
    assert.equal(message, 'pods "none" not found');
  });

  it('carries the metadata of custom resources and nothing else', async () => {
    using server = new TestServer();
    await server.given('post', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object' } },
          },
        ],
      },
    });
    await server.settle();
    const widgets = '/apis/example.com/v1/widgets';
    await server.given('post', widgets, {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w' },
    });
    assert.equal((await server.get(widgets, { headers: { accept: PROTOBUF } })).status, 406);
    const accept = `${PROTOBUF};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`;
    const { body } = await server.get(widgets, {
      headers: { accept: accept.replace(PROTOBUF, 'application/json') },
    });
    assert.deepEqual(read(await server.get(widgets, { headers: { accept } })), body);
  });

  for (const [body, message] of [
    ['', 'empty data'],
    [
      '{}',
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    ],
    ['k8s\0\xff', 'unexpected EOF'],
  ] as const) {
    it(`rejects ${JSON.stringify(body)}`, async () => {
      using server = new TestServer();
      const answer = await server.send('POST', PODS, Buffer.from(body, 'latin1'), {
        headers: { 'content-type': PROTOBUF },
      });
      assert.equal(answer.status, 400);
      assert.ok(answer.body.message?.includes(message), answer.body.message);
    });
  }
});

describe('media types of bodies', () => {
  it('default to JSON and reject unknown types', async () => {
    using server = new TestServer();
    const send = (type: string): Promise<Answer> =>
      server.send('POST', PODS, Buffer.from('{}'), { headers: { 'content-type': type } });
    assert.equal((await send('')).status, 422);
    const refused = await send('text/plain');
    assert.equal(refused.status, 415);
    assert.equal(
      refused.body.message,
      'the body of the request was in an unknown format - accepted media types include: ' +
        `application/json, application/yaml, ${PROTOBUF}`,
    );
    const patch = await server.send('PATCH', `${PODS}/p`, Buffer.from('{}'));
    assert.equal(patch.status, 415);
  });
});

describe('watch frames', () => {
  it('are length-prefixed in protobuf, with the same content as JSON lines', async () => {
    using server = new TestServer();
    await server.given('post', PODS, pod);
    const { headers, body } = await server.open(`${PODS}?watch=1`, {
      headers: { accept: PROTOBUF },
    });
    assert.equal(headers['content-type'], `${PROTOBUF};stream=watch`);
    const { value } = await body[Symbol.asyncIterator]().next();
    const frame = Buffer.from(value as Uint8Array);
    assert.equal(frame.readUInt32BE(0), frame.length - 4);
    const watch = await server.watch(`${PODS}?watch=1`);
    const [event] = await watch.take();
    const text = frame.toString('latin1');
    assert.ok(text.includes('ADDED'));
    const embedded = frame.subarray(text.indexOf('k8s\0'));
    assert.deepEqual(decodeProtobuf(embedded), event?.object);
  });

  it('hold partial objects and rows on request', async () => {
    using server = new TestServer();
    await server.given('post', PODS, pod);
    const as = (kind: string): { headers: { accept: string } } => ({
      headers: { accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` },
    });
    const partial = await server.watch(`${PODS}?watch=1`, as('PartialObjectMetadata'));
    const [event] = await partial.take();
    assert.equal(event?.object.kind, 'PartialObjectMetadata');
    assert.equal(event?.object['spec'], undefined);
    const table = await server.watch(`${PODS}?watch=1`, as('Table'));
    const [first] = await table.take();
    assert.ok(Array.isArray(first?.object['columnDefinitions']));
    await server.patch('merge', `${PODS}/p`, { metadata: { labels: { x: 'y' } } });
    const [second] = await table.take();
    assert.equal(second?.object.kind, 'Table');
    assert.equal(second?.object['columnDefinitions'], null);
  });
});

describe('compression', () => {
  const headers = { 'accept-encoding': 'gzip' };

  async function fill(server: TestServer, name: string, size: number): Promise<void> {
    await server.given('post', MAPS, { metadata: { name }, data: { text: 'x'.repeat(size) } });
  }

  it('applies to large responses, for clients that list gzip without parameters', async () => {
    using server = new TestServer();
    await fill(server, 'small', 1000);
    await fill(server, 'large', 200_000);
    const plain = await server.get(`${MAPS}/large`);
    assert.equal(plain.headers['content-encoding'], undefined);
    const { headers: sent, bytes } = await server.get(`${MAPS}/large`, { headers });
    assert.equal(sent['content-encoding'], 'gzip');
    assert.equal(sent['vary'], 'Accept-Encoding');
    assert.equal(gunzipSync(bytes).toString(), plain.text);
    assert.ok(bytes.length < 10_000);
    for (const encoding of ['', 'br', 'gzip;q=1', '*', 'x-gzip']) {
      const answer = await server.get(`${MAPS}/large`, {
        headers: { 'accept-encoding': encoding },
      });
      assert.equal(answer.headers['content-encoding'], undefined, encoding);
    }
    const several = { 'accept-encoding': 'br, gzip' };
    const picked = await server.get(`${MAPS}/large`, { headers: several });
    assert.equal(picked.headers['content-encoding'], 'gzip');
    const small = await server.get(`${MAPS}/small`, { headers });
    assert.equal(small.headers['content-encoding'], undefined);
  });

  it('works on lists that are sent in chunks', async () => {
    using server = new TestServer();
    for (let index = 0; index < 10; index += 1) await fill(server, `m-${index}`, 150_000);
    const plain = await server.get(MAPS);
    const { headers: sent, bytes } = await server.get(MAPS, { headers });
    assert.equal(sent['content-encoding'], 'gzip');
    assert.equal(gunzipSync(bytes).toString(), plain.text);
  });

  it('does not apply to watches', async () => {
    using server = new TestServer();
    await fill(server, 'large', 200_000);
    const watch = await server.watch(`${MAPS}?watch=1`, { headers });
    assert.equal(watch.headers['content-encoding'], undefined);
    assert.deepEqual(await watch.takeBriefly(), ['ADDED large']);
  });

  it('releases a list whose reader leaves halfway', async () => {
    using server = new TestServer();
    for (let index = 0; index < 10; index += 1) await fill(server, `m-${index}`, 150_000);
    const { body } = await server.open(MAPS, { headers });
    for await (const chunk of body) {
      assert.ok(chunk.length > 0);
      break;
    }
    assert.deepEqual(server.errors, []);
  });
});
