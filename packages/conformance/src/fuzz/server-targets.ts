import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { ApiServer } from '@client-ts/apiserver';
import { isJsonObject } from 'client-ts/internal';
import { applyMergePatch } from 'client-ts/meta';
import type { Transport, TransportRequest } from 'client-ts/transport';
import * as fc from 'fast-check';
import { type FuzzTarget, fuzzTarget } from './fuzz-target.ts';
import { anyJson, anyText, damaged, recordOf, wellFormed } from './inputs.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const RESOURCES = [
  'configmaps',
  'secrets',
  'pods',
  'namespaces',
  'serviceaccounts',
  'services',
  'nodes',
];
const PATCHES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const MEDIA = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  ...PATCHES,
];

/**
 * Without subresources that reach nodes, because they answer like a server that cannot reach them.
 */
const segment = fc.oneof(
  fc.constantFrom('api', 'apis', 'v1', 'apps', 'namespaces', 'default', 'status', 'scale', 'token'),
  fc.constantFrom(...RESOURCES),
  anyText.map((text) => encodeURIComponent(wellFormed(text))),
  fc.string({ maxLength: 6, unit: fc.constantFrom('/', '.', '%', '2', 'e', '\\', ';', '?', '#') }),
);
const knownPath = fc
  .tuple(fc.constantFrom(...RESOURCES), fc.option(segment, { nil: undefined }))
  .map(([resource, name]) =>
    ['/api/v1/namespaces/default', resource, name].filter((part) => part !== undefined).join('/'),
  );
const path = fc.oneof(
  knownPath,
  fc.array(segment, { maxLength: 7 }).map((parts) => `/${parts.join('/')}`),
);

const parameter = fc.tuple(
  fc.oneof(
    fc.constantFrom(
      'labelSelector',
      'fieldSelector',
      'limit',
      'continue',
      'resourceVersion',
      'resourceVersionMatch',
      'dryRun',
      'fieldManager',
      'fieldValidation',
      'pretty',
      'timeoutSeconds',
      'propagationPolicy',
      'gracePeriodSeconds',
      'force',
    ),
    anyText,
  ),
  fc.oneof(anyText, fc.integer().map(String)),
);
const query = fc
  .array(parameter, { maxLength: 3 })
  .map((pairs) =>
    pairs
      .map((pair) => pair.map((text) => encodeURIComponent(wellFormed(text))).join('='))
      .join('&'),
  );

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headers = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(
          'accept',
          'content-type',
          'impersonate-user',
          'impersonate-group',
          'impersonate-extra-__proto__',
          'accept-encoding',
          'constructor',
          '__proto__',
          'user-agent',
        ),
        anyText.filter((name) => token.test(name)).map((name) => name.toLowerCase()),
      ),
      fc.oneof(
        fc.constantFrom(...MEDIA),
        anyText.map((value) => encodeURIComponent(wellFormed(value))),
      ),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => Object.fromEntries(pairs));

const document = fc
  .record({
    metadata: fc.oneof(recordOf(anyJson), anyJson),
    data: anyJson,
    spec: anyJson,
    rules: anyJson,
  })
  .map((fields) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...fields }));
const body = damaged(fc.oneof(document, anyJson).map((value) => JSON.stringify(value) ?? ''));

const request: fc.Arbitrary<TransportRequest> = fc
  .record({ method: fc.constantFrom(...METHODS), path, query, headers, body })
  .map(({ method, path: place, query: asked, headers: sent, body: text }) => ({
    method,
    path: asked === '' ? place : `${place}?${asked}`,
    headers: { 'content-type': 'application/json', ...sent },
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.from(text) }),
  }));

interface Http2Trial {
  readonly headers: Readonly<Record<string, string>>;
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The HTTP endpoints of the embedded server, over sockets and in memory, and its patches. */
export const serverTargets: readonly FuzzTarget[] = [
  fuzzTarget({
    name: 'server-requests',
    about: 'every request gets a response below 500, errors as a Status of bounded size',
    input: request,
    open: () =>
      withServer(async (transport, asked: TransportRequest) => {
        const answer = await ask(transport, asked);
        assertAnswer(answer);
      }),
  }),
  fuzzTarget({
    name: 'server-patches',
    about: 'every patch is applied or rejected, and a merge patch follows RFC 7386',
    input: fc.record({
      type: fc.constantFrom(...PATCHES),
      data: recordOf(anyText),
      patch: fc.oneof(fc.record({ data: recordOf(fc.oneof(anyText, fc.constant(null))) }), anyJson),
    }),
    open: () => withServer(checkPatch),
  }),
  fuzzTarget({
    name: 'server-http1',
    about: 'the server survives any bytes on an HTTP/1.1 connection',
    input: rawRequest(),
    open: () =>
      onSockets(async (server, text: string) => {
        const { hostname, port } = new URL(server.url);
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined).resume();
        const closed = once(socket, 'close');
        socket.end(Buffer.from(text, 'latin1'));
        await closed;
      }),
  }),
  fuzzTarget({
    name: 'server-http2',
    about: 'the server survives any headers and bytes on an HTTP/2 connection',
    input: fc.record({ headers, path, bytes: fc.uint8Array({ maxLength: 40 }) }),
    open: () =>
      onSockets(async (server, { headers: sent, path: place, bytes }: Http2Trial) => {
        const session = connectHttp2(server.url, { ca: server.ca });
        session.on('error', () => undefined);
        const closed = once(session, 'close');
        const stream = session.request({ ...sent, ':method': 'POST', ':path': place });
        stream.on('error', () => undefined).resume();
        stream.end(bytes);
        await Promise.race([once(stream, 'close').catch(() => undefined), closed]);
        session.destroy();
        await closed;
      }, false),
  }),
];

function rawRequest(): fc.Arbitrary<string> {
  const part = fc.oneof(
    fc.constantFrom(
      'GET ',
      'POST ',
      '/api/v1/pods',
      ' HTTP/1.1\r\n',
      'host: a\r\n',
      'content-length: 5\r\n',
      'transfer-encoding: chunked\r\n',
      '\r\n',
      '5\r\nhello\r\n',
      '0\r\n\r\n',
      'connection: upgrade\r\nupgrade: websocket\r\n',
      'expect: 100-continue\r\n',
      '__proto__: x\r\n',
      'constructor: x\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    ),
    anyText,
  );
  return fc.array(part, { maxLength: 14 }).map((parts) => parts.join(''));
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

const INVALID_VERSION = /"message":"resourceVersion: Invalid value/;

/** More than any single response to a small request needs. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

async function ask(transport: Transport, asked: TransportRequest): Promise<Answer> {
  const { status, body: chunks } = await transport.request(asked);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    size += chunk.length;
    assert.ok(size <= MAX_ANSWER_BYTES, `the answer is longer than ${MAX_ANSWER_BYTES} bytes`);
  }
  return { status, text: Buffer.concat(pieces).toString() };
}

function assertAnswer({ status, text }: Answer): void {
  // 501 and 504 are valid: an unknown verb, a time limit that was requested. For a resourceVersion
  // that is not a number, kube-apiserver answers 500, too.
  const isAnswer = status < 500 || status === 501 || status === 504 || INVALID_VERSION.test(text);
  assert.ok(isAnswer, `${status}: ${text.slice(0, 500)}`);
  assert.doesNotMatch(text, /\n\s+at .*\.[jt]s:\d+/, 'the answer has a stack trace');
}

interface PatchTrial {
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
  readonly patch: unknown;
}

async function checkPatch(transport: Transport, { type, data, patch }: PatchTrial): Promise<void> {
  const place = '/api/v1/namespaces/default/configmaps';
  const json = { 'content-type': 'application/json' };
  const name = 'tried';
  await ask(transport, { method: 'DELETE', path: `${place}/${name}`, headers: json });
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
  const made = await ask(transport, {
    method: 'POST',
    path: place,
    headers: json,
    body: Buffer.from(JSON.stringify(object)),
  });
  assertAnswer(made);
  if (made.status !== 201) return;
  const manager = type.includes('apply') ? '?fieldManager=a&force=true' : '';
  const patched = await ask(transport, {
    method: 'PATCH',
    path: `${place}/${name}${manager}`,
    headers: { 'content-type': type },
    body: Buffer.from(JSON.stringify(patch) ?? 'null'),
  });
  assertAnswer(patched);
  if (patched.status !== 200) return;
  const read = await ask(transport, { method: 'GET', path: `${place}/${name}`, headers: {} });
  assert.deepEqual(JSON.parse(read.text), JSON.parse(patched.text));
  // The patch library of kube-apiserver treats a patch that is not an object as empty.
  if (type !== 'application/merge-patch+json' || !isJsonObject(patch)) return;
  const wanted = applyMergePatch(JSON.parse(made.text), patch) as { data?: object };
  const got = JSON.parse(read.text) as { data?: object };
  assert.deepEqual(got.data ?? {}, wanted.data ?? {});
}

async function withServer<I>(
  check: (transport: Transport, input: I) => Promise<void>,
): Promise<AsyncDisposable & { check(input: I): Promise<void> }> {
  const server = await ApiServer.start();
  const transport = server.transport();
  return {
    check: (input) => check(transport, input),
    [Symbol.asyncDispose]: async () => {
      await transport[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** After each input the server must still answer another client. */
async function onSockets<I>(
  check: (server: ApiServer, input: I) => Promise<void>,
  insecure = true,
): Promise<AsyncDisposable & { check(input: I): Promise<void> }> {
  const server = await ApiServer.start({ insecure });
  const transport = server.transport();
  return {
    check: async (input) => {
      await check(server, input);
      const { status } = await ask(transport, { method: 'GET', path: '/readyz', headers: {} });
      assert.equal(status, 200);
    },
    [Symbol.asyncDispose]: async () => {
      await transport[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
