import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { nextTurn, seededRandom } from 'client-ts/internal';
import { Clientset } from 'client-ts/kubernetes';
import { isForbidden } from 'client-ts/meta';

import { TestCluster } from './test-cluster.ts';

/*
 * The streams of the client against the embedded server, over TLS.
 */

const MEGABYTE = 1024 * 1024;

/** Bytes that differ everywhere, chunk by chunk. */
function* bytes(megabytes: number): Generator<Buffer> {
  const random = seededRandom(7);
  for (let index = 0; index < megabytes * 16; index += 1) {
    yield Buffer.alloc(MEGABYTE / 16, `${random.next()} ${index} `);
  }
}

/** Returns a function that collects garbage. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

async function cluster(): Promise<TestCluster> {
  const started = await TestCluster.start();
  await started.pod('web', { command: ['echo-server', '7000'] });
  await started.get('/api/v1/namespaces/default/pods/web/log');
  return started;
}

/** The sockets and timers of this process that keep it alive. */
function resources(): string {
  const kinds = process
    .getActiveResourcesInfo()
    .filter((kind) => /TCPSocket|TLS|Timeout/.test(kind));
  return kinds.toSorted().join();
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await nextTurn();
}

/** Writes bytes to a file and returns its path. */
async function fileOf(folder: string, megabytes: number): Promise<string> {
  const path = join(folder, 'input');
  await writeFile(path, Readable.from(bytes(megabytes)));
  return path;
}

describe('exec over TLS', () => {
  it('reads input from a file and writes output to one', async () => {
    await using started = await cluster();
    const pods = started.client.coreV1.pods('default');
    const folder = await mkdtemp(join(tmpdir(), 'client-streams-'));
    const path = await fileOf(folder, 20);
    await using stdin = await open(path);
    const stdout = createWriteStream(join(folder, 'output'));
    const session = await pods.exec('web', ['cat'], { stdin, stdout, stderr: false });
    assert.equal((await session.exited).exitCode, 0);
    assert.equal(stdout.writableEnded, false);
    stdout.end();
    await finished(stdout);
    const [sent, received] = await Promise.all([readFile(path), readFile(join(folder, 'output'))]);
    assert.ok(received.equals(sent));
    await rm(folder, { recursive: true });
  });

  it('gives every reader its own bytes, which it may keep', async () => {
    await using started = await cluster();
    const pods = started.client.coreV1.pods('default');
    const kept: Buffer[] = [];
    const stdout = new Writable({
      write: (chunk: Buffer, _, callback) => {
        kept.push(chunk);
        callback();
      },
    });
    const stdin = Readable.from(bytes(4));
    const session = await pods.exec('web', ['cat'], { stdin, stdout, stderr: false });
    await session.exited;
    assert.ok(Buffer.concat(kept).equals(Buffer.concat([...bytes(4)])));
  });

  it('carries 100 MB each way, unchanged, in constant memory', async () => {
    await using started = await cluster();
    const pods = started.client.coreV1.pods('default');
    const collect = collector();
    const sent = createHash('sha256');
    const source = async function* (): AsyncGenerator<Buffer> {
      for (const chunk of bytes(100)) {
        sent.update(chunk);
        yield chunk;
      }
    };
    const session = await pods.exec('web', ['cat'], { stdin: source(), stderr: false });
    const received = createHash('sha256');
    let [size, next] = [0, 0];
    const samples: number[] = [];
    for await (const chunk of session.stdout as AsyncIterable<Buffer>) {
      received.update(chunk);
      size += chunk.length;
      if (size < next) continue;
      next = size + 5 * MEGABYTE;
      collect();
      samples.push(process.memoryUsage().arrayBuffers);
    }
    assert.equal((await session.exited).exitCode, 0);
    assert.equal(size, 100 * MEGABYTE);
    assert.equal(received.digest('hex'), sent.digest('hex'));
    // What is on the way does not grow with what has been carried.
    const middle = samples.toSorted((one, two) => one - two)[samples.length >> 1] ?? 0;
    assert.ok(middle < 32 * MEGABYTE, `memory grew: ${samples.join()}`);
  });

  it('authenticates with a client certificate, and is refused by the roles of its user', async () => {
    await using started = await TestCluster.start({ authorization: 'rbac' });
    await started.pod('web');
    const { ca, url } = started.server;
    const clientOf = async (commonName: string, ...organizations: string[]): Promise<Clientset> => {
      const user = { commonName, organizations };
      const { certificate: cert, key } = await started.server.issueClientCertificate(user);
      return new Clientset({ server: url, tls: { ca, cert, key } });
    };
    await using admin = await clientOf('ada', 'system:masters');
    const session = await admin.coreV1.pods('default').exec('web', ['echo', 'hello']);
    assert.equal((await session.output()).stdout, 'hello\n');
    await using eve = await clientOf('eve');
    const pods = eve.coreV1.pods('default');
    for (const call of [
      () => pods.exec('web', ['echo', 'hello']),
      () => pods.attach('web'),
      () => pods.portForward('web', [{ local: 0, remote: 80 }]),
    ]) {
      await assert.rejects(call, (error) => {
        assert.ok(isForbidden(error));
        assert.match(String(error), /User "eve" cannot/);
        return true;
      });
    }
  });

  it('runs 100 commands at the same time', async () => {
    await using started = await cluster();
    const pods = started.client.coreV1.pods('default');
    const outputs = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const session = await pods.exec('web', ['echo', String(index)]);
        return await session.output();
      }),
    );
    assert.deepEqual(
      outputs.map(({ exitCode, stdout }) => `${exitCode} ${stdout}`),
      outputs.map((_, index) => `0 ${index}\n`),
    );
  });

  it('is held by a slow reader, which holds no other', async () => {
    await using started = await cluster();
    const pods = started.client.coreV1.pods('default');
    let taken = 0;
    const endless = async function* (): AsyncGenerator<Buffer> {
      for (;;) {
        taken += MEGABYTE;
        yield Buffer.alloc(MEGABYTE);
      }
    };
    const slow = await pods.exec('web', ['cat'], { stdin: endless() });
    const fast = await pods.exec('web', ['cat'], { stdin: Buffer.alloc(20 * MEGABYTE, 'x') });
    const { exitCode, stdout } = await fast.output({ maxBytes: 30 * MEGABYTE });
    assert.deepEqual([exitCode, stdout.length], [0, 20 * MEGABYTE]);
    // What sockets and buffers hold, and no more.
    assert.ok(taken < 64 * MEGABYTE, `${taken} bytes were taken`);
    await slow.close();
  });

  it('leaves no socket and no timer when it is aborted at any moment', async () => {
    await using started = await cluster();
    const pods = started.client.coreV1.pods('default');
    await (await pods.exec('web', ['echo'])).output();
    const random = seededRandom(13);
    await until(() => !resources().includes('TCPSocket,TCPSocket,TCPSocket,TCPSocket,TCPSocket'));
    const before = resources();
    for (let round = 0; round < 60; round += 1) {
      const abort = new AbortController();
      const { signal } = abort;
      const reason = new Error(`round ${round}`);
      const turns = Math.floor(random.next() * 60);
      const running = (async () => {
        const session = await pods.exec('web', ['cat'], { stdin: bytes(1) as never, signal });
        await session.output();
      })();
      const outcome = running.then(
        () => undefined,
        (error: unknown) => error,
      );
      for (let turn = 0; turn < turns; turn += 1) await nextTurn();
      abort.abort(reason);
      const error = await outcome;
      assert.ok(error === undefined || error === reason, String(error));
    }
    await until(() => resources().length <= before.length);
    assert.ok(resources().length <= before.length);
  });
});

describe('port-forward over TLS', () => {
  it('carries 100 MB each way, unchanged, with a half-close', async () => {
    await using started = await cluster();
    const pods = started.client.coreV1.pods('default');
    await using forward = await pods.portForward('web', [{ local: 0, remote: 7000 }]);
    const socket = connect({ port: forward.ports[0]?.local ?? 0, host: '127.0.0.1' });
    await once(socket, 'connect');
    const sent = createHash('sha256');
    const sending = (async () => {
      for (const chunk of bytes(100)) {
        sent.update(chunk);
        if (!socket.write(chunk)) await once(socket, 'drain');
      }
      socket.end();
    })();
    const received = createHash('sha256');
    let size = 0;
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received.update(chunk);
      size += chunk.length;
    }
    await sending;
    assert.equal(size, 100 * MEGABYTE);
    assert.equal(received.digest('hex'), sent.digest('hex'));
  });

  it('serves many connections at the same time', async () => {
    await using started = await cluster();
    const pods = started.client.coreV1.pods('default');
    await using forward = await pods.portForward('web', [{ local: 0, remote: 7000 }]);
    const port = forward.ports[0]?.local ?? 0;
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const socket = connect({ port, host: '127.0.0.1' });
        socket.end(`hello ${index}`);
        return await text(socket);
      }),
    );
    assert.deepEqual(
      answers,
      answers.map((_, index) => `hello ${index}`),
    );
  });

  it('names the port that nothing listens on', async () => {
    await using started = await cluster();
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const pods = started.client.coreV1.pods('default');
    await using forward = await pods.portForward('web', [{ local: 0, remote: 1 }], { onError });
    const socket = connect({ port: forward.ports[0]?.local ?? 0, host: '127.0.0.1' });
    await new Promise((resolve) => socket.on('error', resolve).on('close', resolve));
    assert.match(String(errors[0]), /forwarding port 1 failed: error forwarding port 1/);
  });
});

describe('logs over TLS', () => {
  it('are the lines of the container', async () => {
    await using started = await cluster();
    await started.pod('talker', { command: ['echo', 'one\ntwo'] });
    const lines: string[] = [];
    const pods = started.client.coreV1.pods('default');
    for await (const line of pods.logs('talker', { follow: true })) lines.push(line);
    assert.deepEqual(lines, ['one', 'two']);
  });
});
