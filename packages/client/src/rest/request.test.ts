import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';

import { protobufCodec } from '../codec/codec.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { RESTClient } from './rest-client.ts';
import { type Reply, ScriptedTransport } from './test-transport.ts';

function setUp(...replies: Reply[]) {
  const transport = new ScriptedTransport(...(replies.length > 0 ? replies : [{ body: {} }]));
  return { transport, client: RESTClient.over(transport, { onWarning: () => undefined }) };
}

const invalid = { code: 'REST_REQUEST_INVALID' };

describe('the path of a request', () => {
  const { client } = setUp();

  it('starts with the core group or another one', () => {
    const web = client.get().namespace('default').resource('pods').name('web');
    assert.equal(web.path, '/api/v1/namespaces/default/pods/web');
    assert.equal(web.subresource('status').path, '/api/v1/namespaces/default/pods/web/status');
    const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
    assert.equal(client.get().resource(deployments).path, '/apis/apps/v1/deployments');
    const batch = client.with({ groupVersion: { group: 'batch', version: 'v1' } });
    assert.equal(batch.get().resource('jobs').path, '/apis/batch/v1/jobs');
  });

  it('does not depend on the order of the steps', () => {
    const path = client.get().subresource('log').name('web').resource('pods').namespace('x').path;
    assert.equal(path, '/api/v1/namespaces/x/pods/web/log');
  });

  it('can be set in one step, with the same checks', () => {
    const resource = { group: 'apps', version: 'v1', resource: 'deployments' };
    const scale = { resource, namespace: 'a', name: 'web', subresource: 'scale' };
    const start = client.get();
    assert.equal(start.target(scale).path, '/apis/apps/v1/namespaces/a/deployments/web/scale');
    assert.equal(start.target({ resource, namespace: '' }).path, '/apis/apps/v1/deployments');
    for (const part of ['namespace', 'name', 'subresource']) {
      assert.throws(() => start.target({ ...scale, [part]: '../b' }), invalid, part);
    }
    assert.throws(() => start.target({ resource: { ...resource, resource: 'a/b' } }), invalid);
  });

  it('does not change earlier steps', () => {
    const pods = client.get().resource('pods');
    assert.equal(pods.namespace('a').path, '/api/v1/namespaces/a/pods');
    assert.equal(pods.namespace('b').path, '/api/v1/namespaces/b/pods');
    assert.equal(pods.path, '/api/v1/pods');
  });

  it('can be absolute and have a suffix', () => {
    assert.equal(client.get().absPath('/version').path, '/version');
    assert.equal(client.get().absPath('/').path, '/');
    assert.equal(
      client.get().absPath('/apis', 'x.io/v1').resource('things').path,
      '/apis/x.io/v1/things',
    );
    assert.equal(
      client.get().resource('nodes').name('n').subresource('proxy').suffix('/a/', 'b').path,
      '/api/v1/nodes/n/proxy/a/b',
    );
  });

  it('rejects a second value for the same part', () => {
    const web = client.get().namespace('a').resource('pods').name('web').subresource('log');
    assert.throws(() => web.namespace('b'), {
      ...invalid,
      message: /namespace is already set to a/,
    });
    assert.throws(() => web.resource('nodes'), invalid);
    assert.throws(() => web.name('other'), invalid);
    assert.throws(() => web.subresource('status'), invalid);
    const resource = { group: '', version: 'v1', resource: 'nodes' };
    assert.throws(() => web.target({ resource }), invalid);
  });

  it('rejects an empty namespace for named objects and creations only', async () => {
    const { transport, client } = setUp();
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const request = client.verb(method).namespace('').resource('pods').name('web');
      await assert.rejects(request.do(), invalid, method);
    }
    await assert.rejects(client.post().namespace('').resource('pods').body({}).do(), invalid);
    assert.equal(transport.requests.length, 0);
    await client.get().namespace('').resource('pods').do();
    assert.equal(transport.last.path, '/api/v1/pods');
    await client.delete().namespace('').resource('pods').do();
    await client.post().resource('namespaces').body({}).do();
  });
});

describe('the sent request', () => {
  it('has its query, headers and method', async () => {
    const { transport, client } = setUp();
    await client
      .get()
      .resource('pods')
      .param('limit', 5)
      .params({ watch: false, none: undefined })
      .header('X-Own', '1')
      .do();
    const { method, path, headers } = transport.last;
    assert.equal(method, 'GET');
    assert.equal(path, '/api/v1/pods?limit=5&watch=false');
    assert.equal(headers['x-own'], '1');
    assert.equal(headers['accept'], 'application/json, */*');
    assert.equal(transport.last.body, undefined);
    assert.equal(transport.last.stream, undefined);
  });

  it('accepts a path with a query, but no other host', async () => {
    const { transport, client } = setUp();
    await client.get().requestUri('/openapi/v3/api/v1?hash=1%2BA').param('timeout', '1s').do();
    assert.equal(transport.last.path, '/openapi/v3/api/v1?hash=1%2BA&timeout=1s');
    assert.throws(() => client.get().requestUri('https://elsewhere/api'), invalid);
    assert.throws(() => client.get().requestUri('//elsewhere/api'), invalid);
  });

  it('encodes objects, and sends bytes unchanged', async () => {
    const { transport, client } = setUp();
    await client
      .post()
      .resource('namespaces')
      .body({ metadata: { name: 'x' } })
      .do();
    assert.equal(transport.last.headers['content-type'], 'application/json');
    assert.deepEqual(transport.lastBody, { metadata: { name: 'x' } });
    const bytes = Buffer.from('apiVersion: v1');
    await client.post().resource('namespaces').body(bytes, 'application/yaml').do();
    assert.equal(transport.last.headers['content-type'], 'application/yaml');
    assert.equal(transport.last.body, bytes);
  });

  it('sends the content type of each kind of patch', async () => {
    const { transport, client } = setUp();
    const types = {
      json: 'application/json-patch+json',
      merge: 'application/merge-patch+json',
      strategic: 'application/strategic-merge-patch+json',
      apply: 'application/apply-patch+yaml',
    } as const;
    for (const [type, contentType] of Object.entries(types)) {
      const patch = client
        .patch(type as keyof typeof types)
        .resource('nodes')
        .name('n')
        .body([]);
      await patch.do();
      assert.equal(transport.last.method, 'PATCH');
      assert.equal(transport.last.headers['content-type'], contentType);
      assert.deepEqual(transport.lastBody, []);
    }
  });

  it('lets an explicit header win', async () => {
    const { transport, client } = setUp();
    const own = client.with({ headers: { accept: 'application/json;as=Table' } });
    await own.get().resource('pods').do();
    assert.equal(transport.last.headers['accept'], 'application/json;as=Table');
    await own.get().resource('pods').header('Accept', 'text/plain').do();
    assert.equal(transport.last.headers['accept'], 'text/plain');
    await client.post().resource('x').body({}).header('Content-Type', 'application/cbor').do();
    assert.equal(transport.last.headers['content-type'], 'application/cbor');
  });
});

describe('a client that prefers protobuf', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } };

  it('requests, sends and reads it', async () => {
    const { transport, client } = setUp({
      headers: { 'content-type': protobufCodec.mediaType },
      body: protobufCodec.encode(pod),
    });
    const answer = await client
      .with({ codec: 'protobuf' })
      .post()
      .namespace('x')
      .resource('pods')
      .body(pod)
      .into();
    assert.equal(
      transport.last.headers['accept'],
      'application/vnd.kubernetes.protobuf, application/json, */*',
    );
    assert.equal(transport.last.headers['content-type'], protobufCodec.mediaType);
    assert.deepEqual(protobufCodec.decode(transport.last.body ?? new Uint8Array()), answer);
    assert.deepEqual(
      { ...answer, spec: undefined, status: undefined },
      { ...pod, spec: undefined, status: undefined },
    );
  });

  it('sends JSON if protobuf cannot represent a field', async () => {
    const { transport, client } = setUp();
    const protobuf = client.with({ codec: 'protobuf' });
    for (const body of [
      { apiVersion: 'example.com/v1', kind: 'Widget', spec: {} },
      { ...pod, spec: { containers: [], fieldOfTheFuture: 1 } },
      { no: 'kind' },
    ]) {
      await protobuf.post().resource('things').body(body).do();
      assert.equal(transport.last.headers['content-type'], 'application/json');
      assert.deepEqual(transport.lastBody, body);
    }
    const wrong = { ...pod, spec: { containers: 5 } };
    await assert.rejects(protobuf.post().resource('pods').body(wrong).do(), {
      code: 'CODEC_INVALID_VALUE',
    });
  });
});

describe('the response', () => {
  it('is an object, bytes, or both', async () => {
    const { client } = setUp({ status: 201, body: { kind: 'Pod' } });
    const result = await client.get().resource('pods').do();
    assert.equal(result.statusCode, 201);
    assert.equal(result.contentType, 'application/json');
    assert.deepEqual(result.into(), { kind: 'Pod' });
    assert.equal(Buffer.from(result.raw()).toString(), '{"kind":"Pod"}');
    assert.deepEqual(await client.get().resource('pods').into(), { kind: 'Pod' });
    assert.equal((await client.get().resource('pods').raw()).length, 14);
  });

  it('has text() and json(), and prints its request but not its body', async () => {
    const { client } = setUp({ body: { token: 'secret-token' } });
    const result = await client.get().absPath('/version').do();
    assert.equal(result.text(), '{"token":"secret-token"}');
    assert.deepEqual(result.json(), { token: 'secret-token' });
    const shown = inspect(result, { breakLength: Infinity });
    assert.equal(
      shown,
      "Result { request: 'GET /version', statusCode: 200, contentType: 'application/json', bytes: 24, warnings: [] }",
    );
  });

  it('is read as JSON without a content type', async () => {
    const { client } = setUp({ headers: {}, body: '{"a":1}' });
    assert.deepEqual(await client.get().resource('pods').into(), { a: 1 });
  });

  it('is an error if it is a Status other than Success, whatever the HTTP status', async () => {
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      reason: 'Conflict',
      code: 409,
    };
    const { client } = setUp({ body: status });
    await assert.rejects(client.get().resource('pods').into(), {
      code: 'API_CONFLICT',
      request: { verb: 'GET', path: '/api/v1/pods' },
    });
    const done = { kind: 'Status', apiVersion: 'v1', status: 'Success' };
    assert.deepEqual(await setUp({ body: done }).client.delete().resource('pods').into(), done);
  });

  it('must not be empty where an object is expected', async () => {
    const { client } = setUp({ status: 202, body: '' });
    const request = client.get().resource('pods');
    await assert.rejects(request.into(), {
      code: 'REST_RESPONSE_EMPTY',
      message:
        'GET /api/v1/pods: the server answered with status 202, no content type and an empty body',
    });
    assert.equal((await request.raw()).length, 0);
  });

  it('must be readable', async () => {
    const { client } = setUp({ headers: { 'content-type': 'text/plain' }, body: 'ok' });
    assert.equal(Buffer.from(await client.get().absPath('/healthz').raw()).toString(), 'ok');
    await assert.rejects(client.get().absPath('/healthz').into(), {
      code: 'REST_RESPONSE_UNREADABLE',
      message:
        'GET /healthz: the server answered with status 200 and a body (as text/plain), which cannot be read: there is no codec for text/plain',
    });
    await assert.rejects(setUp({ headers: {}, body: '{"a":' }).client.get().into(), {
      code: 'REST_RESPONSE_UNREADABLE',
    });
  });

  it('has the warnings', async () => {
    const told: string[] = [];
    const transport = new ScriptedTransport({
      headers: { warning: '299 - "old"', 'content-type': 'application/json' },
      body: '{}',
    });
    const client = RESTClient.over(transport, { onWarning: ({ text }) => told.push(text) });
    const result = await client.get().resource('pods').do();
    assert.deepEqual(result.warnings, [{ code: 299, agent: '-', text: 'old' }]);
    for await (const _chunk of client.get().resource('pods').stream()) continue;
    assert.deepEqual(told, ['old', 'old']);
  });

  it('ends at the timeout, which is also sent to the server', async () => {
    const clock = new VirtualClock();
    const transport = new ScriptedTransport(
      ({ signal }) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    );
    const client = RESTClient.over(transport, { clock });
    const pending = assert.rejects(client.get().resource('pods').timeout(1500).do(), {
      code: 'TRANSPORT_TIMEOUT',
      message: 'GET /api/v1/pods: no complete answer within the timeout of 1.5 s',
    });
    await clock.advance(1500);
    await pending;
    assert.equal(transport.last.path, '/api/v1/pods?timeout=1.5s');
    assert.equal(clock.pending, 0);
    assert.throws(() => client.get().timeout(0), invalid);
  });

  it('is cancelled on abort, and rejects with the reason', async () => {
    const { transport, client } = setUp();
    await assert.rejects(
      client.get().do({ signal: AbortSignal.abort('enough') }),
      (error) => error === 'enough',
    );
    assert.equal(transport.requests.length, 0);
  });

  it('leaves no timer', async () => {
    const clock = new VirtualClock();
    const client = RESTClient.over(new ScriptedTransport({ body: {} }), { clock });
    await client.get().resource('pods').timeout(1000).do();
    assert.equal(clock.pending, 0);
  });

  it('is read only up to a limit if it is an error', async () => {
    let chunks = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        chunks += 1;
        yield new Uint8Array(1024 * 1024);
      }
    }
    const { client } = setUp({ status: 500, body: endless() });
    await assert.rejects(client.get().resource('pods').do(), { code: 'API_INTERNAL_ERROR' });
    assert.equal(chunks, 5);
  });
});

describe('a client', () => {
  it('closes only the transport that it created', async () => {
    const { transport, client } = setUp();
    await client[Symbol.asyncDispose]();
    await client.with({})[Symbol.asyncDispose]();
    assert.equal(transport.isClosed, false);
    const own = new RESTClient({ server: 'http://server', transport });
    await own[Symbol.asyncDispose]();
    await assert.rejects(own.get().resource('pods').do(), { code: 'TRANSPORT_CLOSED' });
  });

  it('takes maxRetries and retryBackoff from its options or its config', async () => {
    const busy = { status: 429, headers: { 'retry-after': '1' }, body: '' };
    for (const inConfig of [true, false]) {
      const clock = new VirtualClock();
      const transport = new ScriptedTransport(busy);
      const retries = { maxRetries: 2, retryBackoff: { initialMs: 500, factor: 1 } };
      const config = { server: 'http://server', transport, ...(inConfig && retries) };
      await using client = new RESTClient(config, { clock, ...(!inConfig && retries) });
      const refused = assert.rejects(client.get().resource('pods').do(), {
        code: 'API_TOO_MANY_REQUESTS',
      });
      await clock.advance(1499);
      assert.equal(transport.requests.length, 1);
      await clock.advance(1);
      assert.equal(transport.requests.length, 2);
      await clock.advance(1500);
      await refused;
      assert.equal(transport.requests.length, 3);
    }
  });
});
