import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { describe, it } from 'node:test';

import { open, read, statusLine, statusOf, Target } from './test-target.ts';

const SECRETS = '/api/v1/namespaces/default/secrets';
const PROTOTYPE_NAMES = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
];

describe('a server under attack', () => {
  it('survives headers named like members of Object.prototype', async () => {
    await using target = await Target.start({ authorization: 'allow' });
    for (const name of PROTOTYPE_NAMES) {
      const twice = [`${name}: x`, `${name}: y`];
      assert.equal(statusLine(await target.request(`GET ${SECRETS}`, twice)), 401, name);
      const known = [...twice, `Authorization: ${target.authorization}`];
      assert.equal(statusLine(await target.request(`GET ${SECRETS}`, known)), 200, name);
      const lower = name.toLowerCase();
      // Own properties, so that the client sends them.
      const headers = Object.fromEntries([
        [':path', SECRETS],
        ['authorization', target.authorization],
        [lower, 'x'],
        [`impersonate-extra-${lower}`, 'x'],
        ['impersonate-user', 'jane'],
      ]);
      assert.equal(await target.request2(headers), 200, name);
    }
    await target.survives();
  });

  it('survives queries, names and labels named like members of Object.prototype', async () => {
    await using target = await Target.start();
    const authorization = `Authorization: ${target.authorization}`;
    for (const name of PROTOTYPE_NAMES) {
      for (const path of [
        `/api/v1/secrets?${name}=x`,
        `/api/v1/secrets?labelSelector=${name}%3Dx`,
        `/api/v1/secrets?fieldSelector=${name}%3Dx`,
        `/${name}`,
        `/api/${name}`,
        `/api/v1/${name}`,
        `/apis/${name}/${name}`,
        `/apis/${name}/v1/${name}/${name}`,
        `/api/v1/namespaces/default/pods/${name}`,
        `/api/v1/namespaces/default/pods/x/${name}`,
        `/openapi/v3/apis/${name}/${name}`,
        `/healthz/${name}`,
      ]) {
        const status = statusLine(await target.request(`GET ${path}`, [authorization]));
        assert.ok(status >= 200 && status < 500, `${path}: ${status}`);
      }
    }
    await target.survives();
  });

  it('parses a megabyte of slashes, escapes and clauses before authentication', async () => {
    await using target = await Target.start({ anonymous: false });
    for (const path of [
      `${'/'.repeat(900_000)}x`,
      `/api/v1${'/'.repeat(900_000)}x`,
      `/api/v1/${'%2f'.repeat(300_000)}x`,
      `/api?${'a=b&'.repeat(225_000)}`,
      `/api/v1/pods?fieldSelector=${'metadata.name=x,'.repeat(50_000)}`,
    ]) {
      assert.equal(statusLine(await target.request(`GET ${path}`)), 401);
      // Does not cut an escape sequence in half.
      const short = path.slice(0, 59_999);
      assert.equal(await target.request2({ ':path': short }), 401);
    }
    const accept = `Accept: ${'application/json,*/*,'.repeat(40_000)}a/b`;
    assert.equal(statusLine(await target.request('GET /api', [accept])), 401);
    assert.equal(
      statusLine(await target.request('GET /api', [`X: ${'x'.repeat(2_000_000)}`])),
      431,
    );
    await target.survives();
  });

  it('rejects requests that are not HTTP/1.1', async () => {
    await using target = await Target.start();
    const requests = [
      'nonsense\r\n\r\n',
      'GET\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nA: \u0000\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET http://user:pass@x/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ];
    for (const request of requests) {
      const status = statusLine(await target.say(request));
      // Closing the connection counts as a rejection; a broken body is noticed after the 403.
      assert.ok([0, 400, 403].includes(status), `${JSON.stringify(request)}: ${status}`);
    }
    for (const headers of [
      ['Upgrade: websocket', 'Sec-WebSocket-Key: x'],
      ['Upgrade: h2c', 'HTTP2-Settings: AAAA'],
      ['Expect: 100-continue'],
      ['Expect: everything'],
    ]) {
      const status = statusLine(await target.request('GET /api', headers));
      assert.ok([100, 403, 417].includes(status), `${headers.join()}: ${status}`);
    }
    await target.survives();
  });

  it('drops connections that are not TLS or not HTTP/2', async () => {
    await using target = await Target.start();
    for (const bytes of [
      Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
      Buffer.alloc(10_000, 0xff),
      Buffer.from([0x16, 0x03, 0x01, 0xff, 0xff, ...Buffer.alloc(70_000)]),
    ]) {
      const socket = connectTcp(target.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(bytes);
      await new Promise((resolve) => socket.resume().on('close', resolve));
    }
    const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    const frames = [
      Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
      Buffer.concat([preface, Buffer.alloc(100, 0xff)]),
      // HEADERS on stream 0, WINDOW_UPDATE of 0.
      Buffer.concat([
        preface,
        Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1, 1, 5, 0, 0, 0, 0, 0x82]),
      ]),
      Buffer.concat([
        preface,
        Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
      ]),
    ];
    for (const bytes of frames) {
      const socket = await target.secure('h2');
      socket.write(bytes);
      await read(socket);
    }
    await target.survives();
  });

  it('rejects forged credentials', async () => {
    await using target = await Target.start({ anonymous: true, authorization: 'rbac' });
    const part = (value: unknown): string =>
      Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = {
      iss: 'https://kubernetes.default.svc',
      sub: 'system:serviceaccount:kube-system:x',
    };
    for (const token of [
      'x',
      '.',
      '..',
      'a.b.c',
      `${part({ alg: 'none' })}.${part(claims)}.`,
      `${part({ alg: 'HS256', kid: '__proto__' })}.${part(claims)}.AAAA`,
      `${part({ alg: 'RS256', kid: 'constructor' })}.${part({ ...claims, exp: -1 })}.AAAA`,
      `${part([])}.${part(null)}.${part('x')}`,
      `${part({ alg: 'ES256' })}.${'x'.repeat(500_000)}.AAAA`,
      'é'.repeat(1000),
      target.server.token.slice(0, -1),
      `${target.server.token}x`,
    ]) {
      const answer = await target.request(`GET ${SECRETS}`, [`Authorization: Bearer ${token}`]);
      assert.equal(statusLine(answer), 401, token.slice(0, 80));
    }
    // Other schemes count as no credentials.
    for (const value of ['Basic YWRtaW46eA==', 'Bearer', 'Bearer  ', target.server.token]) {
      const answer = await target.request(`GET ${SECRETS}`, [`Authorization: ${value}`]);
      assert.equal(statusLine(answer), 403, value);
    }
    await target.survives();
  });

  it('handles uploads that break off', async () => {
    await using target = await Target.start();
    const path = '/api/v1/namespaces/default/configmaps';
    const { authorization } = target;
    for (const framing of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const socket = await target.secure();
        const head = `${method} ${path}/x HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n`;
        socket.write(`${head}Content-Type: application/json\r\n${framing}\r\n\r\n5\r\n{"a":`);
        socket.destroySoon();
        await read(socket);
      }
    }
    const session = target.http2();
    for (let round = 0; round < 20; round += 1) {
      const headers = { ':method': 'POST', ':path': path, authorization };
      const stream = open(session, headers, false);
      stream.write('{"metadata":');
      stream.close();
      await once(stream, 'close');
    }
    const dying = open(target.http2(), { ':method': 'POST', ':path': path, authorization }, false);
    dying.write('{');
    await once(dying, 'ready');
    dying.session?.destroy();
    await target.survives();
  });

  it('survives floods of streams and requests', async () => {
    await using target = await Target.start();
    const { authorization } = target;
    const flood = target.http2();
    const streams = Array.from({ length: 500 }, () =>
      open(flood, { ':path': '/api/v1/configmaps', authorization }, true),
    );
    for (const [index, stream] of streams.entries()) if (index % 2 === 0) stream.close();
    const statuses = await Promise.all(streams.map(statusOf));
    assert.ok(statuses.filter((status) => status === 200).length > 0);

    // Streams that are opened and reset until the server closes the session or the flood ends.
    const rapid = target.http2();
    for (let round = 0; round < 2000 && !rapid.destroyed && !rapid.closed; round += 1) {
      open(rapid, { ':path': '/api/v1/configmaps?watch=1', authorization }, true).close();
      if (round % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }

    const pipelined = await target.secure();
    const request = `GET /version HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`;
    pipelined.write(request.repeat(50));
    pipelined.write(request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    const answers = (await read(pipelined)).toString().match(/HTTP\/1\.1 200 OK/g);
    assert.equal(answers?.length, 51);
    await target.survives();
  });

  it('ends watches whose clients disappear', async () => {
    await using target = await Target.start();
    const path = '/api/v1/configmaps?watch=1';
    for (let round = 0; round < 10; round += 1) {
      const socket = await target.secure();
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${target.authorization}\r\n\r\n`,
      );
      await once(socket, 'data');
      if (round % 2 === 0) socket.destroy();
      else socket.end();
    }
    const session = target.http2();
    const stream = open(session, { ':path': path, authorization: target.authorization }, true);
    await statusOf(stream);
    session.destroy();
    await target.survives();
  });

  it('rejects bodies that are too large, too deep or malicious', async () => {
    await using target = await Target.start();
    const headers = {
      ':method': 'POST',
      ':path': '/api/v1/namespaces/default/configmaps',
      authorization: target.authorization,
    };
    const yaml = { ...headers, 'content-type': 'application/yaml' };
    const bomb = Array.from({ length: 40 }, (_, n) =>
      n === 0 ? 'a0: &a0 [x]' : `a${n}: &a${n} [*a${n - 1}, *a${n - 1}]`,
    ).join('\n');
    const large = `{"metadata":{"name":"x"},"data":{"a":"${'x'.repeat(3 * 1024 * 1024)}"}}`;
    assert.equal(await target.request2(headers, large), 413);
    assert.equal(await target.request2(headers, '{"a":'.repeat(9000)), 400);
    assert.equal(await target.request2(headers, '['.repeat(1_000_000)), 400);
    assert.equal(await target.request2(yaml, bomb), 400);
    assert.equal(await target.request2(yaml, '['.repeat(50_000)), 400);
    assert.equal(await target.request2({ ...yaml, 'content-type': '\u00e9;;=' }, '{}'), 415);
    const odd = '{"metadata":{"name":"x"},"data":{"constructor":"x","__proto__":"y"}}';
    assert.equal(await target.request2(headers, odd), 201);
    await target.survives();
  });

  it('encodes warnings about names that a header cannot hold', async () => {
    await using target = await Target.start();
    const body = JSON.stringify({ metadata: { name: 'x' }, 'ünbekannt 😀': 1, 'a\nb': 2, c: 3 });
    const headers = [
      `Authorization: ${target.authorization}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    const socket = await target.secure();
    const lines = ['POST /api/v1/namespaces/default/configmaps HTTP/1.1', 'Host: x', ...headers];
    socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`);
    const answer = (await read(socket)).toString();
    assert.equal(statusLine(answer), 201, answer);
    assert.match(answer, /Warning: 299 - "unknown field \\"ünbekannt 😀\\""/i);
    await target.survives();
  });

  it('answers with a Status when a handler throws, and keeps serving', async () => {
    await using target = await Target.start();
    const failure = new Error('a defect of the server');
    const where = (): never => {
      throw failure;
    };
    using fault = target.server.faults.add({
      match: { where },
      fault: { kind: 'status', code: 500 },
    });
    const answer = await target.request('GET /version');
    assert.equal(statusLine(answer), 500);
    assert.match(answer, /"kind":"Status"/);
    assert.ok(!answer.includes(failure.message));
    assert.equal(await target.request2({ ':path': '/version' }), 500);
    assert.deepEqual(target.errors, [failure, failure]);
    fault.remove();
    target.errors.length = 0;
    await target.survives();
  });
});
