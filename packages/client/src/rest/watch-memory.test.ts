import assert from 'node:assert/strict';
import { it } from 'node:test';

import { jsonCodec, protobufCodec } from '../codec/codec.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { seededRandom } from '../lib/random.ts';
import type { KubernetesObject, WatchEvent } from '../meta/types.ts';
import { type Call, startPool, TestServer } from '../transport/connections/test-rig.ts';
import type { Transport } from '../transport/transport.ts';
import { RESTClient } from './rest-client.ts';

const random = seededRandom(2_026);

function below(limit: number): number {
  return Math.floor(random.next() * limit);
}

/** Mostly short, sometimes longer than a read of a socket. */
function text(): string {
  const size = below(20) === 0 ? below(200_000) : below(800);
  return `${below(1e9).toString(36)}ü`.repeat(Math.ceil(size / 6));
}

function change(version: number): WatchEvent<KubernetesObject> {
  const metadata = { name: `map-${version % 7}`, resourceVersion: String(version) };
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { text: `-${text()}` } };
  return { type: 'MODIFIED', object };
}

/** Sends a body in pieces of any size, in turns with other bodies. */
async function send({ output }: Call, body: Buffer): Promise<void> {
  for (let at = 0; at < body.length && !output.destroyed;) {
    const size = 1 + below(below(3) === 0 ? 20 : 20_000);
    output.write(body.subarray(at, at + size));
    at += size;
    await nextTurn();
  }
  output.end();
}

it('a reader of a watch is not woken for a part of an event, and is for its end', async () => {
  const calls: Call[] = [];
  await using server = await TestServer.start('h2', (call) => {
    call.head(200, { 'content-type': protobufCodec.watchMediaType });
    calls.push(call);
  });
  await using rig = startPool('h2', server.port);
  const stream = RESTClient.over({
    request: (request) => rig.request(request),
    [Symbol.asyncDispose]: async () => undefined,
  })
    .get()
    .absPath('/watch')
    .watch({ readOnly: true });
  await stream.open();
  const [call = assert.fail()] = calls;
  let woken = 0;
  const read = async (): Promise<string> => {
    for (;;) {
      const event = stream.ready();
      if (event !== undefined) return event.type;
      const arrival = stream.arrival();
      if (arrival === undefined) return String((await stream.next()).done);
      await arrival;
      woken += 1;
    }
  };

  const bytes = protobufCodec.encodeWatchEvent(change(1));
  for (const cuts of [[1, 20], [3, 5, 10], []]) {
    woken = 0;
    const reading = read();
    let from = 0;
    for (const cut of [...cuts, bytes.length]) {
      call.output.write(bytes.subarray(from, cut));
      from = cut;
      for (let turns = 0; turns < 20; turns += 1) await nextTurn();
    }
    assert.equal(await reading, 'MODIFIED');
    assert.equal(woken, 1);
  }
  const ending = read();
  call.output.end(bytes.subarray(0, 10));
  await assert.rejects(ending, { code: 'CODEC_TRUNCATED' });
});

it('watches of one connection, and what is read beside them, do not overwrite each other', async () => {
  const bodies = new Map<string, { readonly contentType: string; readonly bytes: Buffer }>();
  const serve = (call: Call): void => {
    const { contentType, bytes } = bodies.get(call.path) ?? assert.fail(call.path);
    call.head(200, { 'content-type': contentType });
    void send(call, bytes);
  };
  await using server = await TestServer.start('h2', serve);
  await using rig = startPool('h2', server.port);
  const transport: Transport = {
    request: (request) => rig.request(request),
    [Symbol.asyncDispose]: async () => undefined,
  };
  const client = RESTClient.over(transport);

  const watch = async (nth: number): Promise<void> => {
    const codec = nth % 2 === 0 ? jsonCodec : protobufCodec;
    const changes = Array.from({ length: 60 }, (_, version) => change(version + 1));
    const bytes = Buffer.concat(changes.map((event) => codec.encodeWatchEvent(event)));
    bodies.set(`/watch-${nth}?watch=true`, { contentType: codec.watchMediaType, bytes });
    const stream = client
      .get()
      .absPath(`/watch-${nth}`)
      .watch({ readOnly: nth % 4 < 2 });
    const events: unknown[] = [];
    // Some are left in the middle.
    const most = nth % 5 === 0 ? 30 : changes.length;
    for await (const event of stream) {
      events.push(event);
      if (events.length === most) break;
      for (let turns = nth % 3 === 0 ? below(6) : 0; turns > 0; turns -= 1) await nextTurn();
    }
    // Not before the others have received more.
    for (let turns = 0; turns < 50; turns += 1) await nextTurn();
    assert.deepEqual(JSON.parse(JSON.stringify(events)), changes.slice(0, most), `watch ${nth}`);
  };

  const read = async (nth: number): Promise<void> => {
    const bytes = Buffer.from(Array.from({ length: 20 }, text).join('\n'));
    bodies.set(`/log-${nth}`, { contentType: 'text/plain', bytes });
    const chunks: Uint8Array[] = [];
    for await (const chunk of client.get().absPath(`/log-${nth}`).stream()) {
      chunks.push(chunk);
      await nextTurn();
    }
    for (let turns = 0; turns < 50; turns += 1) await nextTurn();
    assert.ok(Buffer.concat(chunks).equals(bytes), `log ${nth}`);
  };

  const watches = Array.from({ length: 20 }, (_, nth) => watch(nth));
  const reads = Array.from({ length: 5 }, (_, nth) => read(nth));
  await Promise.all([...watches, ...reads]);
  assert.equal(rig.opened(), 1);
});
