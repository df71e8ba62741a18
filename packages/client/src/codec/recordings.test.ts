import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isJsonObject, type JsonObject } from '../lib/json.ts';
import { parseApiVersion } from '../meta/resource.ts';
import type { TypeMeta } from '../meta/types.ts';
import { jsonCodec, protobufCodec } from './codec.ts';
import { decodeProtobuf, encodeProtobuf, encodeWatchFrame, hasProtobuf } from './protobuf.ts';

/** What a real kube-apiserver and kubectl sent. Here is no opinion of ours in the expectations. */

interface Exchange {
  readonly id: string;
  readonly request: { readonly body?: unknown };
  readonly response: {
    readonly body?: unknown;
    readonly trimmed?: boolean;
    readonly events?: readonly { readonly frame: unknown }[];
  };
}

const folder = new URL('../../../conformance/recordings/', import.meta.url);

function readRecording(name: string): JsonObject {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as JsonObject;
}

function exchangesOf(name: string): Map<string, Exchange> {
  const exchanges = (readRecording(name)['exchanges'] ?? []) as unknown as Exchange[];
  return new Map(exchanges.map((exchange) => [exchange.id, exchange]));
}

function bytesOf(body: unknown): Buffer | undefined {
  const isBinary = isJsonObject(body) && typeof body['base64'] === 'string';
  return isBinary ? Buffer.from(body['base64'] as string, 'base64') : undefined;
}

function bodyOf(exchanges: Map<string, Exchange>, id: string): Buffer {
  const bytes = bytesOf(exchanges.get(id)?.response.body);
  assert.ok(bytes !== undefined, `${id} has no protobuf body`);
  return bytes;
}

function assertSameBytes(actual: Uint8Array, expected: Uint8Array, what: string): void {
  assert.equal(Buffer.from(actual).toString('hex'), Buffer.from(expected).toString('hex'), what);
}

const twins = (
  JSON.parse(readFileSync(new URL('../../data/protobuf-twins.json', import.meta.url), 'utf8')) as {
    twins: { json: JsonObject; protobuf: string }[];
  }
).twins;

test('one object of every kind reads the same in both encodings, and is written byte for byte', () => {
  assert.ok(twins.length >= 79);
  for (const { json, protobuf } of twins) {
    const what = JSON.stringify([json['apiVersion'], json['kind']]);
    const bytes = Buffer.from(protobuf, 'base64');
    assert.deepEqual(decodeProtobuf(bytes), json, what);
    const written = encodeProtobuf(json);
    assert.deepEqual(decodeProtobuf(written), json, what);
    // Its data is raw JSON, with the key order and number notation of its author.
    if (json['kind'] !== 'ControllerRevision') assertSameBytes(written, bytes, what);
  }
});

test('every recorded twin reads the same in both encodings, and is written byte for byte', () => {
  const exchanges = exchangesOf('encodings.json');
  let compared = 0;
  for (const [id, { response }] of exchanges) {
    const bytes = bytesOf(response.body);
    const json = exchanges.get(id.replace(/-protobuf$/, '-json'))?.response.body;
    if (bytes === undefined || !isJsonObject(json) || bytesOf(json) !== undefined) continue;
    assert.deepEqual(decodeProtobuf(bytes), json, id);
    assertSameBytes(encodeProtobuf(json), bytes, id);
    compared++;
  }
  assert.equal(compared, 16);
});

test('partial metadata and discovery read the same in both encodings', () => {
  const discovery = exchangesOf('discovery.json');
  const resources = discovery.get('core-v1')?.response.body;
  assert.deepEqual(decodeProtobuf(bodyOf(discovery, 'core-v1-protobuf')), resources);
  assert.deepEqual(Object.keys(decodeProtobuf(bodyOf(discovery, 'api-protobuf'))), [
    'kind',
    'versions',
    'serverAddressByClientCIDRs',
  ]);

  const tables = exchangesOf('tables.json');
  const item = tables.get('partial-get')?.response.body;
  const list = decodeProtobuf(bodyOf(tables, 'partial-protobuf'));
  assert.deepEqual(list['items'], [item]);
});

test('every protobuf body of the server can be written again byte for byte', () => {
  let bodies = 0;
  for (const name of recordingNames()) {
    for (const { id, response } of exchangesOf(name).values()) {
      const bytes = bytesOf(response.body);
      if (bytes === undefined) continue;
      assertSameBytes(encodeProtobuf(decodeProtobuf(bytes)), bytes, `${name} ${id}`);
      bodies++;
    }
  }
  assert.ok(bodies >= 29, `${bodies} bodies`);
});

test('every protobuf body that kubectl sent can be written again byte for byte', () => {
  const commands = readRecording('kubectl.json')['commands'] as unknown as {
    command: string;
    requests: { body?: unknown }[];
  }[];
  let bodies = 0;
  for (const { command, requests } of commands) {
    for (const { body } of requests) {
      const bytes = bytesOf(body);
      if (bytes === undefined) continue;
      assertSameBytes(encodeProtobuf(decodeProtobuf(bytes)), bytes, command);
      bodies++;
    }
  }
  assert.equal(bodies, 14);
});

test('watches give the same events in both encodings', () => {
  const exchanges = exchangesOf('watch-encodings.json');
  const frames = (id: string): readonly unknown[] =>
    (exchanges.get(id)?.response.events ?? []).map(({ frame }) => frame);
  const pairs = [
    ['protobuf', 'json-stream'],
    ['protobuf-plain', 'json-stream'],
    ['protobuf-or-json', 'json-stream'],
    ['protobuf-partial', 'partial'],
  ] as const;
  for (const [binary, text] of pairs) {
    const fromProtobuf = protobufCodec.watchDecoder();
    const fromJson = jsonCodec.watchDecoder();
    assert.equal(frames(binary).length, 3);
    for (const frame of frames(binary)) fromProtobuf.push(bytesOf(frame) ?? Buffer.alloc(0));
    for (const frame of frames(text)) fromJson.push(Buffer.from(`${JSON.stringify(frame)}\n`));
    for (const frame of frames(binary)) {
      const event = fromProtobuf.next();
      assert.ok(event !== undefined, binary);
      assert.deepEqual(event, fromJson.next(), binary);
      assertSameBytes(encodeWatchFrame(event), bytesOf(frame) ?? Buffer.alloc(0), binary);
    }
    fromProtobuf.end();
    fromJson.end();
  }
});

test('bookmarks and errors in a protobuf watch are read', () => {
  const exchanges = exchangesOf('watch-encodings.json');
  const last = (id: string): JsonObject => {
    const decoder = protobufCodec.watchDecoder();
    const frame = exchanges.get(id)?.response.events?.at(-1)?.frame;
    decoder.push(bytesOf(frame) ?? Buffer.alloc(0));
    return { ...decoder.next() };
  };
  const bookmark = last('protobuf-bookmark');
  assert.equal(bookmark['type'], 'BOOKMARK');
  assert.deepEqual((bookmark['object'] as JsonObject)['metadata'], {
    resourceVersion: '10058',
    annotations: { 'k8s.io/initial-events-end': 'true' },
  });
  const error = last('protobuf-error');
  assert.equal(error['type'], 'ERROR');
  assert.equal((error['object'] as JsonObject)['code'], 410);
});

test('every JSON object that the server sent survives the way through protobuf', () => {
  let objects = 0;
  const check = (value: unknown, what: string): void => {
    if (!isJsonObject(value)) return;
    const { apiVersion = '', kind = '' } = value as unknown as TypeMeta;
    if (!hasProtobuf({ ...parseApiVersion(apiVersion), kind })) return;
    assert.deepEqual(decodeProtobuf(encodeProtobuf(value)), value, what);
    objects++;
  };
  for (const name of recordingNames()) {
    for (const { id, response } of exchangesOf(name).values()) {
      if (response.trimmed !== true) check(response.body, `${name} ${id}`);
      for (const { frame } of response.events ?? []) {
        if (isJsonObject(frame)) check(frame['object'], `${name} ${id}`);
      }
    }
  }
  assert.ok(objects >= 1200, `${objects} objects`);
});

function recordingNames(): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.json'));
}
