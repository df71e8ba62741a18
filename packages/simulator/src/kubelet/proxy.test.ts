import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type ClientHttp2Stream, connect } from 'node:http2';
import { request } from 'node:https';
import type { Duplex } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { TLSSocket } from 'node:tls';
import { gunzipSync, gzipSync } from 'node:zlib';

import { CertificateAuthority } from '@client-ts/apiserver';
import { systemClock } from 'client-ts/internal';
import { Clientset } from 'client-ts/kubernetes';
import { ApiError } from 'client-ts/meta';
import { WebSocketServer } from 'ws';

import type { FakeKubeletOptions } from './fake-kubelet.ts';
import type { Program } from './program.ts';
import { untilKilled } from './programs.ts';
import { TestCluster } from './test-cluster.ts';

const PODS = '/api/v1/namespaces/default/pods';

const upgradeRefusals: ReadonlyMap<string, string> = new Map([
  ['/absent', '404 Not Found'],
  ['/fine', '200 OK'],
]);

/** A program that serves HTTP on port 80. */
function serving(listener: RequestListener): Program {
  return async ({ listen, signal }) => {
    const server = createServer(listener);
    server.on('upgrade', ({ url }, socket: Duplex) => {
      const refusal = upgradeRefusals.get(url ?? '');
      if (refusal !== undefined) {
        socket.end(`HTTP/1.1 ${refusal}\r\nContent-Length: 4\r\n\r\nnope`);
        return;
      }
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n',
      );
      socket.pipe(socket);
    });
    listen(80, (connection) => server.emit('connection', connection));
    return await untilKilled(signal);
  };
}

/** A cluster with the ready pod `web`, which runs `main`. */
async function started(
  main: Program | undefined,
  options: FakeKubeletOptions & { readonly authorization?: 'rbac' } = {},
): Promise<TestCluster> {
  const programs = main === undefined ? {} : { main };
  const cluster = await TestCluster.start({ programs, ...options });
  const command = [main === undefined ? 'http' : 'main'];
  await cluster.pod('web', { command, ports: [{ name: 'web', containerPort: 80 }] });
  const pods = cluster.client.coreV1.pods('default');
  await pods.patch('web', { metadata: { labels: { app: 'web' } } }, { type: 'merge' });
  await pods.patchStatus(
    'web',
    {
      status: { podIP: '10.1.2.3', conditions: [{ type: 'Ready', status: 'True' }] },
    },
    { type: 'strategic' },
  );
  return cluster;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends a request and returns the response with its text. */
async function send(
  { server }: TestCluster,
  path: string,
  { method = 'GET', headers = {}, body = '' }: Sent = {},
): Promise<{ readonly message: IncomingMessage; readonly content: string }> {
  const call = request(`${server.url}${path}`, {
    method,
    ca: server.ca,
    headers: {
      authorization: `Bearer ${server.token}`,
      ...(body !== '' && { 'content-length': String(body.length) }),
      ...headers,
    },
  });
  call.end(body);
  const [message] = (await once(call, 'response')) as [IncomingMessage];
  return { message, content: await text(message) };
}

async function refusal(work: Promise<unknown>): Promise<[number | undefined, string]> {
  const error = await work.then(
    () => assert.fail('was not refused'),
    (failure: unknown) => failure,
  );
  assert.ok(error instanceof ApiError);
  return [error.status.code, error.status.message ?? ''];
}

describe('proxy of pods', () => {
  it('passes methods, queries and bodies on, without the credentials of the client', async () => {
    const seen: IncomingMessage[] = [];
    await using cluster = await started(
      serving((incoming, response) => {
        seen.push(incoming);
        response.setHeader('x-answer', 'yes').setHeader('keep-alive', 'timeout=1');
        response.statusCode = 207;
        incoming.pipe(response);
      }),
    );
    for (const method of ['DELETE', 'PATCH', 'POST', 'PUT']) {
      const headers = {
        'impersonate-user': 'eve',
        'impersonate-group': 'system:masters',
        'x-own': '1',
        'x-hop': '1',
        connection: 'x-hop',
      };
      const path = `${PODS}/web/proxy/a%2Fb//c%20d!?q=1&q=a+b`;
      const { message, content } = await send(cluster, path, { method, headers, body: method });
      assert.equal(message.statusCode, 207);
      assert.equal(content, method);
      assert.equal(message.headers['x-answer'], 'yes');
      assert.notEqual(message.headers['keep-alive'], 'timeout=1');
      const last = seen.at(-1);
      assert.deepEqual([last?.method, last?.url], [method, '/a/b/c%20d%21?q=1&q=a+b']);
      assert.equal(last?.headers['x-own'], '1');
      assert.equal(last?.headers['x-forwarded-for'], '127.0.0.1');
      assert.equal(last?.headers['x-forwarded-uri'], `${PODS}/web/proxy/a/b/c%20d%21`);
      for (const name of ['authorization', 'impersonate-user', 'impersonate-group', 'x-hop']) {
        assert.equal(last?.headers[name], undefined, name);
      }
    }
  });

  it('streams both bodies at the same time, beyond the limit of API objects', async () => {
    await using cluster = await started(serving((incoming, response) => incoming.pipe(response)));
    const call = request(`${cluster.server.url}${PODS}/web:80/proxy/`, {
      method: 'POST',
      ca: cluster.server.ca,
      headers: { authorization: `Bearer ${cluster.server.token}` },
    });
    call.write('first');
    const [message] = (await once(call, 'response')) as [IncomingMessage];
    assert.equal(String(((await once(message, 'data')) as [Buffer])[0]), 'first');
    const content = text(message);
    const rest = 'x'.repeat(5 * 1024 * 1024);
    call.end(rest);
    assert.ok((await content) === rest);
  });

  it('answers the proxy methods of the client', async () => {
    await using cluster = await started(undefined);
    const pods = cluster.client.coreV1.pods('default');
    const body = await pods.proxy('web', { path: '/x', params: { a: 'b' } }).raw();
    assert.equal(Buffer.from(body).toString(), 'Hello from web: GET /x?a=b\n');
  });

  it('answers HEAD with the headers of the pod, and adds none about a body', async () => {
    await using cluster = await started(
      serving(({ url }, response) => {
        if (url === '/counted') response.setHeader('content-length', '28');
        response.setHeader('x-answer', 'yes').end();
      }),
    );
    for (const [path, length] of [
      ['counted', '28'],
      ['plain', undefined],
    ] as const) {
      const { message } = await send(cluster, `${PODS}/web/proxy/${path}`, { method: 'HEAD' });
      assert.equal(message.headers['content-length'], length);
      assert.equal(message.headers['x-answer'], 'yes');
    }
  });

  it('leads the links of a page through the proxy, compressed or not', async () => {
    const page = '<a href="/x?a=1&amp;b=2">x</a><img src=http://10.1.2.3:80/y><a href="z">z</a>';
    await using cluster = await started(
      serving(({ url }, response) => {
        response.setHeader('content-type', 'text/html; charset=utf-8');
        if (url !== '/gzip') return response.end(page);
        return response.setHeader('content-encoding', 'gzip').end(gzipSync(page));
      }),
    );
    const expected = `<a href="${PODS}/web/proxy/x?a=1&amp;b=2">x</a><img src="${PODS}/web/proxy/y"><a href="z">z</a>`;
    assert.equal((await send(cluster, `${PODS}/web/proxy/`)).content, expected);
    const call = request(`${cluster.server.url}${PODS}/web/proxy/gzip`, {
      ca: cluster.server.ca,
      headers: { authorization: `Bearer ${cluster.server.token}` },
    }).end();
    const [message] = (await once(call, 'response')) as [IncomingMessage];
    assert.equal(gunzipSync(await buffer(message)).toString(), expected);
  });

  it('speaks TLS to a port if asked, whatever its certificate', async () => {
    const authority = new CertificateAuthority({ clock: systemClock });
    const { certificate: cert, key } = authority.issueServerCertificate(['web']);
    const server = createServer((_, response) => response.end('secret'));
    await using cluster = await started(async ({ listen, signal }) => {
      listen(443, (connection) => {
        server.emit('connection', new TLSSocket(connection, { isServer: true, cert, key }));
      });
      return await untilKilled(signal);
    });
    const { content } = await send(cluster, `${PODS}/https:web:443/proxy/`);
    assert.equal(content, 'secret');
  });

  it('leads redirects through the proxy, and adds the slash that pages need', async () => {
    const targets = ['/login', 'http://10.1.2.3:80/login', 'https://elsewhere.example/', 'next'];
    await using cluster = await started(
      serving(({ url = '' }, response) =>
        response.writeHead(302, { location: targets[Number(url.slice(1))] ?? '' }).end(),
      ),
    );
    const locations: unknown[] = [];
    for (const index of targets.keys()) {
      const { message } = await send(cluster, `${PODS}/web/proxy/${index}`);
      locations.push(message.headers.location);
    }
    const own = `${PODS}/web/proxy/login`;
    assert.deepEqual(locations, [own, own, 'https://elsewhere.example/', 'next']);
    const { message } = await send(cluster, `${PODS}/web/proxy?a=1`);
    assert.equal(message.statusCode, 301);
    assert.equal(message.headers.location, `${PODS}/web/proxy/?a=1`);
  });

  it('passes an upgrade on, and a refusal of it as a response', async () => {
    await using cluster = await started(serving((_, response) => response.end('no upgrade')));
    const call = request(`${cluster.server.url}${PODS}/web/proxy/`, {
      ca: cluster.server.ca,
      headers: {
        authorization: `Bearer ${cluster.server.token}`,
        connection: 'Upgrade',
        upgrade: 'echo',
      },
    });
    call.end();
    const [, socket] = (await once(call, 'upgrade')) as [IncomingMessage, Duplex];
    socket.end('ping');
    assert.equal(await text(socket), 'ping');

    const headers = { connection: 'Upgrade', upgrade: 'echo' };
    const absent = await send(cluster, `${PODS}/web/proxy/absent`, { headers });
    assert.deepEqual([absent.message.statusCode, absent.content], [404, 'nope']);
    const fine = await send(cluster, `${PODS}/web/proxy/fine`, { headers });
    assert.equal(fine.message.statusCode, 500);
    assert.match(fine.content, /"invalid upgrade response: status code 200"/);
    const refused = await send(cluster, `${PODS}/web:81/proxy/`, { headers });
    assert.match(refused.content, /"error dialing backend: dial tcp 10.1.2.3:81: connect:/);
  });

  it('carries WebSockets of a client of `ws`', async () => {
    const echo = new WebSocketServer({ noServer: true });
    const program: Program = async ({ listen, signal }) => {
      const server = createServer();
      server.on('upgrade', (incoming, socket, head) => {
        echo.handleUpgrade(incoming, socket, head, (accepted) => {
          accepted.on('message', (data) => accepted.send(data));
        });
      });
      listen(80, (connection) => server.emit('connection', connection));
      return await untilKilled(signal);
    };
    await using cluster = await started(program);
    const stream = cluster.openPath(`${PODS}/web/proxy/socket`, {});
    await stream.opened();
    stream.socket.send('hello');
    const [data] = (await once(stream.socket, 'message')) as [Buffer];
    assert.equal(data.toString(), 'hello');
    stream.socket.close();
    await once(stream.socket, 'close');
  });

  it('refuses with the messages of a real server', async () => {
    await using cluster = await started(
      serving(({ url }, response) => {
        if (url === '/broken') response.write('half', () => response.destroy());
        else response.destroy();
      }),
    );
    const pods = cluster.client.coreV1.pods('default');
    const get = (name: string): Promise<unknown> => pods.proxy(name).raw();
    const trying = 'error trying to reach service:';
    assert.deepEqual(await refusal(get('web:81')), [
      503,
      `${trying} dial tcp 10.1.2.3:81: connect: connection refused`,
    ]);
    assert.deepEqual(await refusal(get('web:web')), [
      503,
      `${trying} dial tcp 10.1.2.3:web: connect: connection refused`,
    ]);
    assert.deepEqual(await refusal(get('web')), [503, `${trying} EOF`]);
    assert.deepEqual(await refusal(get('ftp:web:80')), [400, 'invalid pod request "ftp:web:80"']);
    assert.deepEqual(await refusal(get('none')), [404, 'pods "none" not found']);
    await cluster.pod('new');
    assert.deepEqual(await refusal(get('new')), [400, 'address not allowed']);
    assert.deepEqual(await refusal(get('https:web:80')), [
      503,
      `${trying} tls: first record does not look like a TLS handshake`,
    ]);
    assert.equal(
      (await send(cluster, `${PODS}/web/proxy/`, { method: 'TRACE' })).message.statusCode,
      405,
    );
  });

  it('breaks a response off that the pod breaks off, over both versions of HTTP', async () => {
    await using cluster = await started(
      serving((_, response) => void response.write('half', () => response.destroy())),
    );
    await assert.rejects(send(cluster, `${PODS}/web/proxy/`), { code: 'ECONNRESET' });
    const { url, ca, token } = cluster.server;
    const session = connect(url, { ca });
    const get = (path: string): ClientHttp2Stream =>
      session.request({ ':path': path, authorization: `Bearer ${token}` });
    await assert.rejects(text(get(`${PODS}/web/proxy/`)));
    assert.match(await text(get(`${PODS}/web`)), /"name":"web"/);
    session.close();
  });
});

describe('proxy of services', () => {
  it('finds a ready pod by the number or name of a port', async () => {
    await using cluster = await started(undefined);
    const services = cluster.client.coreV1.services('default');
    const pods = cluster.client.coreV1.pods('default');
    await services.create({
      metadata: { name: 'shop' },
      spec: { selector: { app: 'web' }, ports: [{ name: 'main', port: 8080, targetPort: 'web' }] },
    });
    for (const port of ['main', 8080]) {
      const body = await services.proxy('shop', { port, path: '/y' }).raw();
      assert.equal(Buffer.from(body).toString(), 'Hello from web: GET /y\n');
    }
    const none = 'no endpoints available for service "shop"';
    assert.deepEqual(await refusal(services.proxy('shop').raw()), [503, none]);
    assert.deepEqual(await refusal(services.proxy('shop', { port: 9 }).raw()), [
      503,
      'no service port 9 found for service "shop"',
    ]);
    await pods.patchStatus(
      'web',
      { status: { conditions: [{ type: 'Ready', status: 'False' }] } },
      { type: 'strategic' },
    );
    assert.deepEqual(await refusal(services.proxy('shop', { port: 8080 }).raw()), [503, none]);
    await cluster.client.discoveryV1.endpointSlices('default').create({
      metadata: { name: 'shop-1', labels: { 'kubernetes.io/service-name': 'shop' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.2.3'], targetRef: { kind: 'Pod', name: 'web' } }],
      ports: [{ name: 'main', port: 80 }],
    });
    const body = await services.proxy('shop', { port: 8080 }).raw();
    assert.equal(Buffer.from(body).toString(), 'Hello from web: GET /\n');
    await cluster.client.coreV1.endpoints('default').create({ metadata: { name: 'shop' } });
    assert.deepEqual(await refusal(services.proxy('shop', { port: 8080 }).raw()), [503, none]);
    await cluster.client.coreV1.endpoints('default').update({
      metadata: { name: 'shop' },
      subsets: [
        {
          addresses: [{ ip: '10.1.2.3', targetRef: { kind: 'Pod', name: 'web' } }],
          ports: [{ name: 'main', port: 80 }],
        },
      ],
    });
    await services.proxy('shop', { port: 'main', scheme: 'http' }).raw();
    assert.deepEqual(await refusal(services.proxy('shop', { port: 'other' }).raw()), [
      503,
      'no endpoints available for service "shop:other"',
    ]);
    assert.deepEqual(await refusal(services.proxy('nothing').raw()), [
      404,
      'services "nothing" not found',
    ]);
  });
});

describe('proxy of nodes', () => {
  it('leads to the API of the kubelet', async () => {
    await using cluster = await started(undefined);
    const nodes = cluster.client.coreV1.nodes();
    for (const port of ['', 10250]) {
      const body = await nodes.proxy('node-1', { port, path: '/healthz' }).raw();
      assert.equal(Buffer.from(body).toString(), 'ok');
    }
    const log = await nodes.proxy('node-1', { path: '/containerLogs/default/web/app' }).raw();
    assert.match(Buffer.from(log).toString(), /listening/);
    assert.equal((await refusal(nodes.proxy('node-1', { path: '/none' }).raw()))[0], 404);
    assert.deepEqual(await refusal(nodes.proxy('node-1', { port: 1 }).raw()), [
      503,
      'error trying to reach service: dial tcp node-1:1: connect: connection refused',
    ]);
    assert.equal((await refusal(nodes.proxy('none').raw()))[0], 404);
  });
});

describe('permission to proxy', () => {
  it('is the verb of the method on the subresource', async () => {
    await using cluster = await started(undefined, { authorization: 'rbac' });
    const { client, server } = cluster;
    await client.rbacV1.roles('default').create({
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['pods/proxy'], verbs: ['get'] }],
    });
    await client.rbacV1.roleBindings('default').create({
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve' }],
    });
    const { certificate: cert, key } = await server.issueClientCertificate({ commonName: 'eve' });
    await using eve = new Clientset({ server: server.url, tls: { ca: server.ca, cert, key } });
    const pods = eve.coreV1.pods('default');
    await pods.proxy('web').raw();
    assert.equal((await refusal(pods.proxy('web', { method: 'POST' }).raw()))[0], 403);
  });
});
