import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import type { WebSocket } from 'ws';
import { Deferred } from '../lib/deferred.ts';
import { ApiError } from '../meta/api-error.ts';
import { isForbidden } from '../meta/error-guards.ts';
import { startHttpProxy, startSocksProxy } from '../transport/proxy/test-proxies.ts';
import { attach, exec } from './exec.ts';
import { exit, exitMessage, onChannel, TestPodServer } from './test-pod-server.ts';

const pod = { namespace: 'default', name: 'web-0' };

/** What `cat` does: input becomes output, and the end of the input the end of the command. */
function cat(socket: WebSocket): void {
  socket.on('message', (message: Buffer) => {
    if (message[0] === 0) socket.send(onChannel(1, message.subarray(1)));
    else if (message[0] === 255 && message[1] === 0) exit(socket, 0);
  });
}

describe('exec', () => {
  it('requests the streams and returns output and exit code', async () => {
    let url = '';
    await using server = await TestPodServer.start((socket, request) => {
      url = request.url ?? '';
      for (const channel of [1, 2, 3]) socket.send(onChannel(channel));
      socket.send(onChannel(1, 'hello\n'));
      socket.send(onChannel(2, 'oh\n'));
      exit(socket, 7);
    });
    await using client = server.client();
    const session = await exec(client, pod, ['sh', '-c', 'echo "a b"'], { container: 'app' });
    const { exitCode, stdout, stderr } = await session.output();
    assert.deepEqual(
      { exitCode, stdout, stderr },
      { exitCode: 7, stdout: 'hello\n', stderr: 'oh\n' },
    );
    const { pathname, searchParams } = new URL(url, 'http://server');
    assert.equal(pathname, '/api/v1/namespaces/default/pods/web-0/exec');
    assert.deepEqual(searchParams.getAll('command'), ['sh', '-c', 'echo "a b"']);
    assert.deepEqual(
      ['container', 'stdin', 'stdout', 'stderr', 'tty'].map((name) => searchParams.get(name)),
      ['app', 'false', 'true', 'true', 'false'],
    );
    assert.equal(session.protocol, 'v5.channel.k8s.io');
  });

  it('ends the input of the command with the close signal of v5', async () => {
    await using server = await TestPodServer.start(cat);
    await using client = server.client();
    const session = await exec(client, pod, ['cat'], { stdin: true });
    session.stdin.write('one ');
    session.stdin.end('two');
    const { exitCode, stdout } = await session.output();
    assert.deepEqual({ exitCode, stdout }, { exitCode: 0, stdout: 'one two' });
  });

  it('takes Node and web streams as input and output', async () => {
    await using server = await TestPodServer.start(cat);
    await using client = server.client();
    for (const stdin of [
      'text',
      Buffer.from('text'),
      Readable.from(['te', 'xt']),
      new Blob(['text']).stream() as AsyncIterable<Uint8Array>,
    ]) {
      const node = new PassThrough();
      const session = await exec(client, pod, ['cat'], { stdin, stdout: node });
      const [received] = await Promise.all([
        once(node, 'data').then(([chunk]) => String(chunk)),
        session.exited,
      ]);
      assert.ok('text'.startsWith(received));
      assert.equal(node.writableEnded, false, 'the sink stays open');
    }
    const chunks: Uint8Array[] = [];
    const web = new WritableStream<Uint8Array>({ write: (chunk) => void chunks.push(chunk) });
    const session = await exec(client, pod, ['cat'], { stdin: 'web', stdout: web });
    assert.equal((await session.exited).exitCode, 0);
    assert.equal(Buffer.concat(chunks).toString(), 'web');
  });

  it('falls back to v4, which has no end of input', async () => {
    const received: Buffer[] = [];
    await using server = await TestPodServer.start(
      (socket) => {
        socket.on('message', (message: Buffer) => {
          received.push(message);
          if (message.includes('bye')) exit(socket, 0);
        });
      },
      { protocols: ['v4.channel.k8s.io'] },
    );
    await using client = server.client();
    const session = await exec(client, pod, ['cat'], { stdin: true });
    session.stdin.write('bye');
    session.stdin.end();
    assert.equal((await session.exited).exitCode, 0);
    assert.equal(session.protocol, 'v4.channel.k8s.io');
    assert.ok(received.every((message) => message[0] === 0));
  });

  it('sends the size of a terminal, which has no stderr', async () => {
    const sizes: string[] = [];
    await using server = await TestPodServer.start((socket) => {
      socket.on('message', (message: Buffer) => {
        if (message[0] !== 4) return;
        sizes.push(message.subarray(1).toString());
        if (sizes.length === 2) exit(socket, 0);
      });
    });
    await using client = server.client();
    const size = { columns: 80, rows: 24 };
    const session = await exec(client, pod, ['sh'], { stdin: true, tty: true, size });
    session.resize({ columns: 100, rows: 30 });
    await session.exited;
    assert.deepEqual(sizes, ['{"Width":80,"Height":24}', '{"Width":100,"Height":30}']);
    assert.equal(await text(session.stderr), '');
    await assert.rejects(exec(client, pod, ['sh'], { tty: true, stderr: true }), {
      code: 'STREAMS_OPTIONS',
    });
  });

  it('attaches without a command', async () => {
    let url = '';
    await using server = await TestPodServer.start((socket, request) => {
      url = request.url ?? '';
      exit(socket, 0);
    });
    await using client = server.client();
    const session = await attach(client, pod, { container: 'app' });
    assert.equal((await session.exited).exitCode, 0);
    assert.match(url, /\/pods\/web-0\/attach\?container=app&tty=false&stdin=false/);
  });

  it('accepts a Status in several messages', async () => {
    await using server = await TestPodServer.start((socket) => {
      const whole = exitMessage(3).subarray(1);
      socket.send(onChannel(3, whole.subarray(0, 20)));
      socket.send(onChannel(3, whole.subarray(20)));
      socket.close(1000);
    });
    await using client = server.client();
    const session = await exec(client, pod, ['false']);
    assert.equal((await session.exited).exitCode, 3);
  });

  it('refuses invalid calls before anything is sent', async () => {
    await using server = await TestPodServer.start(() => undefined);
    await using client = server.client();
    await assert.rejects(exec(client, pod, []), { code: 'STREAMS_OPTIONS' });
    const nothing = { stdout: false, stderr: false };
    await assert.rejects(exec(client, pod, ['ls'], nothing), { code: 'STREAMS_OPTIONS' });
    assert.equal(server.sockets.size, 0);
  });
});

describe('a request for a command', () => {
  it('rejects with the Status of a refused upgrade', async () => {
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'pods "web-0" is forbidden: User "eve" cannot create resource "pods/exec"',
      reason: 'Forbidden',
      code: 403,
    };
    await using server = await TestPodServer.start(() => undefined, {
      onUpgrade: (_, socket) => {
        const body = JSON.stringify(status);
        socket.end(
          `HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
        return true;
      },
    });
    await using client = server.client();
    await assert.rejects(exec(client, pod, ['ls']), (error) => {
      assert.ok(error instanceof ApiError && isForbidden(error));
      assert.equal(error.status.message, status.message);
      assert.match(error.message, /GET \/api\/v1\/namespaces\/default\/pods\/web-0\/exec/);
      return true;
    });
  });

  it('rejects with the Status of the error channel', async () => {
    await using server = await TestPodServer.start((socket) => {
      const status = { status: 'Failure', message: 'container not found ("x")', code: 500 };
      socket.send(onChannel(3, JSON.stringify(status)));
      socket.close(1000);
    });
    await using client = server.client();
    const session = await exec(client, pod, ['ls']);
    await assert.rejects(session.exited, (error) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.status.message, 'container not found ("x")');
      return true;
    });
  });

  it('is not repeated after the request may have reached the server', async () => {
    let requests = 0;
    await using server = await TestPodServer.start(() => undefined, {
      onUpgrade: (_, socket) => {
        requests += 1;
        socket.destroy();
        return true;
      },
    });
    await using client = server.client();
    await assert.rejects(exec(client, pod, ['ls']), { code: 'TRANSPORT_CONNECTION_RESET' });
    assert.equal(requests, 1);
  });

  for (const [kind, startProxy] of [
    ['http', startHttpProxy],
    ['socks5', startSocksProxy],
  ] as const) {
    it(`runs through a proxy of the kind ${kind}, with its credentials`, async () => {
      await using server = await TestPodServer.start(cat);
      await using proxy = await startProxy({ credentials: 'ada:secret', target: server.port });
      const proxyUrl = `${kind}://ada:secret@127.0.0.1:${proxy.port}`;
      await using client = server.client({ server: 'http://pods.example:80', proxyUrl });
      const session = await exec(client, pod, ['cat'], { stdin: 'through' });
      assert.equal((await session.output()).stdout, 'through');
      assert.equal(proxy.asked.length, 1);
      await using refused = server.client({
        server: 'http://pods.example:80',
        proxyUrl: `${kind}://ada:wrong@127.0.0.1:${proxy.port}`,
      });
      await assert.rejects(exec(refused, pod, ['cat']), { code: 'TRANSPORT_PROXY' });
    });
  }

  it('is sent again with new credentials after a 401', async () => {
    const seen: (string | undefined)[] = [];
    await using server = await TestPodServer.start((socket) => exit(socket, 0), {
      onUpgrade: (request, socket) => {
        seen.push(request.headers.authorization);
        assert.equal(request.headers['impersonate-user'], 'ada');
        if (request.headers.authorization === 'Bearer new') return false;
        socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
        return true;
      },
    });
    let token = 'old';
    const source = {
      get: async () => ({ authorization: `Bearer ${token}` }),
      refused: () => {
        token = 'new';
      },
    };
    await using client = server.client({ auth: { source }, impersonate: { user: 'ada' } });
    const session = await exec(client, pod, ['ls']);
    assert.equal((await session.exited).exitCode, 0);
    assert.deepEqual(seen, ['Bearer old', 'Bearer new']);
  });
});

describe('a session that is cut short', () => {
  it('rejects with the reason of its signal and closes the connection', async () => {
    const closed = new Deferred();
    await using server = await TestPodServer.start((socket) => {
      socket.send(onChannel(1, 'begin'));
      socket.on('close', () => closed.resolve());
    });
    await using client = server.client();
    const abort = new AbortController();
    const session = await exec(client, pod, ['sleep'], { stdin: true, signal: abort.signal });
    await once(session.stdout, 'data');
    const reason = new Error('enough');
    abort.abort(reason);
    await assert.rejects(session.exited, reason);
    await closed.promise;
    assert.ok(session.stdout.destroyed && session.stdin.destroyed);
  });

  it('rejects during the handshake, and leaves no connection', async () => {
    const arrived = new Deferred<Socket>();
    await using server = await TestPodServer.start(() => undefined, {
      onUpgrade: (_, socket) => {
        arrived.resolve(socket);
        return true;
      },
    });
    await using client = server.client();
    const abort = new AbortController();
    const opening = exec(client, pod, ['sleep'], { signal: abort.signal });
    const socket = await arrived.promise;
    abort.abort(new Error('enough'));
    await assert.rejects(opening, { message: 'enough' });
    await once(socket.resume(), 'end');
  });

  it('fails its streams when the connection is lost', async () => {
    await using server = await TestPodServer.start((socket) => {
      socket.send(onChannel(1, 'begin'), () => socket.terminate());
    });
    await using client = server.client();
    const session = await exec(client, pod, ['sleep']);
    await assert.rejects(session.exited, { code: 'STREAMS_CONNECTION_LOST' });
    await assert.rejects(text(session.stdout));
  });

  it('fails if the server closes without a Status', async () => {
    await using server = await TestPodServer.start((socket) => socket.close(1000));
    await using client = server.client();
    const session = await exec(client, pod, ['sleep']);
    await assert.rejects(session.exited, { code: 'STREAMS_CONNECTION_LOST' });
  });

  it('names the code and the words of another end', async () => {
    await using server = await TestPodServer.start((socket) =>
      socket.close(1011, 'kubelet is gone'),
    );
    await using client = server.client();
    const session = await exec(client, pod, ['sleep']);
    await assert.rejects(session.exited, {
      code: 'STREAMS_CONNECTION_LOST',
      message: 'the connection was closed with code 1011: "kubelet is gone"',
    });
  });

  it('ends with its client', async () => {
    await using server = await TestPodServer.start(() => undefined);
    const client = server.client();
    const session = await exec(client, pod, ['sleep']);
    await client.close();
    await assert.rejects(session.exited, { code: 'STREAMS_CONNECTION_LOST' });
  });

  it('closes', async () => {
    await using server = await TestPodServer.start(() => undefined);
    await using client = server.client();
    const session = await exec(client, pod, ['sleep']);
    await session.close();
    await assert.rejects(session.exited, { code: 'STREAMS_CONNECTION_LOST' });
  });
});
