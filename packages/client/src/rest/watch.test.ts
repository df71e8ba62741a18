import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';

import { jsonCodec, protobufCodec } from '../codec/codec.ts';
import type { KubernetesObject, WatchEvent } from '../meta/types.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { RESTClient } from './rest-client.ts';
import { ScriptedTransport } from './test-transport.ts';

function object(version: number): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `map-${version}`, resourceVersion: String(version) },
  };
}

const changes: WatchEvent<KubernetesObject>[] = [
  { type: 'ADDED', object: object(1) },
  { type: 'MODIFIED', object: object(2) },
  { type: 'DELETED', object: object(3) },
  { type: 'BOOKMARK', object: object(4) },
];

const expired = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'too old resource version: 1 (5)',
  reason: 'Expired',
  code: 410,
};

async function* chunksOf(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

function watching(bytes: Uint8Array, contentType = 'application/json', size = bytes.length) {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  const headers = { 'content-type': contentType };
  const transport = new ScriptedTransport({ headers, body: chunksOf(...chunks) });
  return { transport, request: RESTClient.over(transport).get().resource('configmaps') };
}

function jsonStream(events: readonly WatchEvent<object>[]): Uint8Array {
  return Buffer.concat(events.map((event) => jsonCodec.encodeWatchEvent(event)));
}

async function collect<E>(events: AsyncIterable<E>): Promise<E[]> {
  const all: E[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** A body whose chunks are overwritten when the reader has returned them. */
function overwritingBody(bytes: Uint8Array, size: number) {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size)
    chunks.push(Uint8Array.from(bytes.subarray(at, at + size)));
  let taken: Uint8Array | undefined;
  const body = {
    returned: 0,
    next: async (): Promise<IteratorResult<Uint8Array>> => {
      taken = chunks.shift();
      return taken === undefined ? { done: true, value: undefined } : { done: false, value: taken };
    },
    ready: (): Uint8Array | undefined => undefined,
    reuse: () => {
      if (taken !== undefined) body.returned += 1;
      taken?.fill(0x7d);
    },
    [Symbol.asyncIterator]: () => body,
  };
  return body;
}

describe('a watch', () => {
  it('returns chunks whose memory the connection uses again, and needs them no longer', async () => {
    const frames = { json: jsonCodec, protobuf: protobufCodec };
    for (const [name, codec] of Object.entries(frames)) {
      const bytes = Buffer.concat(changes.map((change) => codec.encodeWatchEvent(change)));
      for (const readOnly of [false, true]) {
        for (const size of [1, 7, 50, 100, bytes.length]) {
          const body = overwritingBody(bytes, size);
          const headers = { 'content-type': codec.watchMediaType };
          const transport = new ScriptedTransport({ headers, body });
          const request = RESTClient.over(transport).get().resource('configmaps');
          const events = await collect(request.watch<KubernetesObject>({ readOnly }));
          const what = `${name}, ${readOnly ? 'read-only' : 'plain'}, chunks of ${size}`;
          assert.deepEqual(JSON.parse(JSON.stringify(events)), changes, what);
          assert.equal(body.returned, Math.ceil(bytes.length / size), what);
        }
      }
    }
  });

  it('is a stream for the transport, and requests a watch', async () => {
    const { transport, request } = watching(jsonStream(changes));
    await collect(request.param('resourceVersion', '0').watch());
    assert.equal(transport.last.path, '/api/v1/configmaps?resourceVersion=0&watch=true');
    assert.equal(transport.last.stream, true);
  });

  it('yields every event, however the bytes are split', async () => {
    const bytes = jsonStream(changes);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: bytes.length }), async (size) => {
        const { request } = watching(bytes, 'application/json', size);
        assert.deepEqual(await collect(request.watch()), changes);
      }),
    );
  });

  it('reads protobuf if the server sends it', async () => {
    const bytes = Buffer.concat(changes.map((event) => protobufCodec.encodeWatchEvent(event)));
    const { request } = watching(bytes, protobufCodec.watchMediaType, 7);
    const events = await collect(request.watch());
    assert.deepEqual(
      events.map(({ type, object }) => `${type} ${object.metadata?.name}`),
      ['ADDED map-1', 'MODIFIED map-2', 'DELETED map-3', 'BOOKMARK map-4'],
    );
  });

  it('throws the Status of an ERROR event, after everything before it', async () => {
    const stream = jsonStream([...changes, { type: 'ERROR', object: expired }]);
    const seen: string[] = [];
    await assert.rejects(
      async () => {
        for await (const { type } of watching(stream).request.watch()) seen.push(type);
      },
      {
        code: 'API_EXPIRED',
        message: 'too old resource version: 1 (5) (GET /api/v1/configmaps)',
        request: { verb: 'GET', path: '/api/v1/configmaps' },
      },
    );
    assert.deepEqual(seen, ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);
  });

  it('yields ERROR events with errorEvents', async () => {
    const { request } = watching(jsonStream([{ type: 'ERROR', object: expired }]));
    const [event] = await collect(request.watch({ errorEvents: true }));
    assert.deepEqual(event, { type: 'ERROR', object: expired });
  });

  it('refuses an ERROR event without a Status', async () => {
    const { request } = watching(jsonStream([{ type: 'ERROR', object: object(1) }]));
    await assert.rejects(collect(request.watch({ errorEvents: true })), {
      code: 'META_UNEXPECTED_OBJECT',
    });
  });

  it('rejects unknown event types and invalid frames', async () => {
    const unknown = jsonStream([{ type: 'RENAMED', object: object(1) }]);
    await assert.rejects(collect(watching(unknown).request.watch()), {
      code: 'REST_WATCH_EVENT_INVALID',
      message: 'a watch event has the type RENAMED',
    });
    await assert.rejects(collect(watching(Buffer.from('{"type":1}\n')).request.watch()), {
      code: 'CODEC_MALFORMED_JSON',
    });
    const half = jsonStream(changes).subarray(0, 30);
    await assert.rejects(collect(watching(half).request.watch()), { code: 'CODEC_TRUNCATED' });
  });

  it('ends with an error when an event is larger than allowed', async () => {
    const { request } = watching(jsonStream(changes));
    await assert.rejects(collect(request.watch({ maxFrameBytes: 20 })), {
      code: 'CODEC_FRAME_TOO_LARGE',
    });
  });

  it('throws the Status of a rejected watch', async () => {
    const forbidden = { ...expired, reason: 'Forbidden', message: 'no', code: 403 };
    const transport = new ScriptedTransport({ status: 403, body: forbidden });
    const watch = RESTClient.over(transport).get().resource('secrets').watch();
    await assert.rejects(watch.open(), {
      code: 'API_FORBIDDEN',
      message: 'no (GET /api/v1/secrets)',
    });
    await assert.rejects(watch.next(), { code: 'API_FORBIDDEN' });
  });

  it('reads more bytes only when all events of the last chunk were taken', async () => {
    let asked = 0;
    async function* body(): AsyncGenerator<Uint8Array> {
      for (;;) {
        asked += 1;
        yield jsonStream(changes);
      }
    }
    const transport = new ScriptedTransport({ headers: {}, body: body() });
    await using watch = RESTClient.over(transport).get().resource('configmaps').watch();
    for (let event = 1; event <= changes.length; event += 1) await watch.next();
    assert.equal(asked, 1);
    await watch.next();
    assert.equal(asked, 2);
  });

  it('returns from ready the events of one chunk without waiting', async () => {
    const { request } = watching(jsonStream(changes));
    await using watch = request.watch();
    await watch.open();
    assert.equal(watch.ready(), undefined, 'no bytes have been asked for');
    const { value } = await watch.next();
    assert.deepEqual([value, watch.ready(), watch.ready(), watch.ready()], changes);
    assert.equal(watch.ready(), undefined);
    assert.deepEqual(await watch.next(), { done: true, value: undefined });
  });

  it('throws the error of an invalid event in its turn', async () => {
    const stream = jsonStream([...changes, { type: 'ERROR', object: expired }, ...changes]);
    const { request } = watching(stream);
    await using watch = request.watch();
    await watch.next();
    let ready = 0;
    while (watch.ready() !== undefined) ready += 1;
    assert.equal(ready, changes.length - 1);
    await assert.rejects(watch.next(), { code: 'API_EXPIRED' });
    assert.equal(watch.ready(), undefined);
    assert.deepEqual(await watch.next(), { done: true, value: undefined });
  });

  it('closes the connection after an invalid event', async () => {
    let isFree = false;
    async function* body(): AsyncGenerator<Uint8Array> {
      try {
        yield jsonStream([{ type: 'RENAMED', object: object(1) }]);
        yield jsonStream(changes);
      } finally {
        isFree = true;
      }
    }
    const transport = new ScriptedTransport({ headers: {}, body: body() });
    const watch = RESTClient.over(transport).get().resource('configmaps').watch();
    await assert.rejects(watch.next(), { code: 'REST_WATCH_EVENT_INVALID' });
    assert.equal(isFree, true);
  });

  it('keeps events in order for concurrent reads', async () => {
    const { request } = watching(jsonStream(changes), 'application/json', 40);
    const watch = request.watch();
    const results = await Promise.all(Array.from({ length: 5 }, () => watch.next()));
    assert.deepEqual(
      results.map(({ value }) => value),
      [...changes, undefined],
    );
  });

  it('is aborted when it exceeds the timeout that was sent to the server', async () => {
    const clock = new VirtualClock();
    const transport = new ScriptedTransport(({ signal }) => ({
      headers: {},
      body: (async function* (): AsyncGenerator<Uint8Array> {
        yield jsonStream(changes.slice(0, 1));
        await new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        });
      })(),
    }));
    const watch = RESTClient.over(transport, { clock })
      .get()
      .resource('configmaps')
      .param('timeoutSeconds', 300)
      .watch();
    await watch.next();
    const pending = assert.rejects(watch.next(), { code: 'REST_WATCH_OVERDUE' });
    await clock.advance(329_000);
    assert.equal(clock.pending, 1);
    await clock.advance(1000);
    await pending;
    assert.equal(clock.pending, 0);
  });

  it('leaves no timer, also if it is never read', async () => {
    const clock = new VirtualClock();
    const transport = new ScriptedTransport({ headers: {}, body: chunksOf() });
    const request = RESTClient.over(transport, { clock }).get().param('timeoutSeconds', 300);
    await using opened = request.watch();
    await opened.open();
    assert.equal(clock.pending, 1);
    await opened.return();
    assert.equal(clock.pending, 0);
    assert.deepEqual(await collect(request.watch()), []);
    assert.equal(clock.pending, 0);
  });
});
