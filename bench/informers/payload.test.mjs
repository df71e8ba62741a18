import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ListWatch, SharedIndexInformer } from 'client-ts/cache';
import { jsonCodec, protobufCodec } from 'client-ts/codec';
import { Clientset } from 'client-ts/kubernetes';
import { payloads, requestOf } from './payload.mjs';
import { replayTransport } from './replay-transport.mjs';

const OBJECTS = 123;
const codecs = { json: jsonCodec, protobuf: protobufCodec };
const join = (blocks) => Buffer.concat([...blocks]);

function eventsIn(codec, blocks) {
  const decoder = codec.watchDecoder();
  const events = [];
  for (const block of blocks) {
    decoder.push(block);
    for (let event = decoder.next(); event !== undefined; event = decoder.next()) {
      events.push(event);
    }
  }
  decoder.end();
  return events;
}

describe('replayed bytes', () => {
  for (const [path, encodings] of Object.entries(payloads({ forSocket: false }))) {
    for (const [encoding, payload] of Object.entries(encodings)) {
      const codec = codecs[encoding];

      it(`${path}, ${encoding}: are lists, whole and in pages, of different objects`, () => {
        const whole = payload.page(0, OBJECTS, true);
        const bytes = join(whole.blocks());
        assert.equal(bytes.length, whole.size);
        const { items, metadata, kind } = codec.decode(bytes);
        assert.match(kind, /List$/);
        assert.equal(metadata.continue, undefined);
        const names = new Set(
          items.map((item) => `${item.metadata.namespace}/${item.metadata.name}`),
        );
        assert.equal(names.size, OBJECTS);
        const first = codec.decode(join(payload.page(0, 100, false).blocks()));
        assert.equal(first.metadata.continue, '100');
        const last = codec.decode(join(payload.page(100, OBJECTS, true).blocks()));
        assert.deepEqual([...first.items, ...last.items], items);
      });

      it(`${path}, ${encoding}: are the same objects as events, and changes of them`, () => {
        const initial = eventsIn(codec, payload.initialEvents(OBJECTS));
        const bookmark = initial.pop();
        assert.equal(bookmark.type, 'BOOKMARK');
        const ends = bookmark.object.metadata.annotations['k8s.io/initial-events-end'];
        assert.equal(ends, 'true');
        const { items } = codec.decode(join(payload.page(0, OBJECTS, true).blocks()));
        assert.deepEqual(
          initial.map(({ type, object }) => `${type} ${object.metadata.name}`),
          items.map(({ metadata }) => `ADDED ${metadata.name}`),
        );
        const changes = eventsIn(codec, payload.modifications(OBJECTS, 0, 300));
        assert.equal(changes.length, 300);
        const versions = changes.map(({ object }) => Number(object.metadata.resourceVersion));
        assert.deepEqual(
          versions,
          [...versions].sort((left, right) => left - right),
        );
        assert.equal(new Set(versions).size, 300);
        assert.equal(changes[OBJECTS].object.metadata.name, items[0].metadata.name);
      });
    }
  }

  it('come in chunks of HTTP/1.1 for sockets, one for every event', () => {
    const { json } = payloads({ forSocket: true })['/api/v1/pods'];
    const text = join(json.initialEvents(2)).toString('latin1');
    const sizes = [];
    for (let at = 0; at < text.length;) {
      const lineEnd = text.indexOf('\r\n', at);
      const size = Number.parseInt(text.slice(at, lineEnd), 16);
      assert.equal(text[lineEnd + 2], '{');
      at = lineEnd + 2 + size + 2;
      assert.equal(text.slice(at - 3, at), '\n\r\n');
      sizes.push(size);
    }
    assert.equal(sizes.length, 3);
  });

  it('answer to what clients ask for', () => {
    const all = payloads({ forSocket: false });
    const asked = '/api/v1/pods?watch=true&sendInitialEvents=true';
    const watch = requestOf(asked, 'application/vnd.kubernetes.protobuf, */*', all);
    assert.equal(watch.payload, all['/api/v1/pods'].protobuf);
    assert.deepEqual([watch.isWatch, watch.wantsInitialEvents], [true, true]);
    const page = requestOf('/api/v1/pods?limit=500&continue=1000', 'application/json', all);
    assert.deepEqual([page.limit, page.from, page.isWatch], [500, 1000, false]);
    assert.equal(requestOf('/api/v1/pods?limit=500&resourceVersion=0', '', all).limit, 0);
    assert.equal(requestOf('/api/v1/nodes', '', all), undefined);
  });

  it('fill the cache of an informer, and change it', async () => {
    const transport = replayTransport(OBJECTS);
    const client = new Clientset({ server: 'http://replay', transport });
    const informer = new SharedIndexInformer({
      listerWatcher: new ListWatch(client.coreV1.pods()),
    });
    const stop = new AbortController();
    const versions = [];
    let finish;
    const finished = new Promise((resolve) => (finish = resolve));
    const { synced } = informer.addEventHandler({
      onUpdate: (_, { metadata }) => {
        versions.push(metadata.resourceVersion);
        if (versions.length === 300) finish();
      },
    });
    const running = informer.run({ signal: stop.signal });
    await synced;
    assert.equal(informer.indexer.size, OBJECTS);
    transport.change(300);
    await finished;
    assert.equal(informer.indexer.size, OBJECTS);
    assert.equal(new Set(versions).size, 300);
    stop.abort();
    await running;
    await client[Symbol.asyncDispose]();
  });
});
