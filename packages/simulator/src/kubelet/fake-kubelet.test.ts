import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';

import { Deferred } from 'client-ts/internal';
import { VirtualClock } from 'client-ts/testing';

import { print, type Program } from './program.ts';
import { TestCluster } from './test-cluster.ts';

/** Prints a line per line of its input, until `bye`. */
const greeter: Program = async ({ stdin, stdout }) => {
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    const line = chunk.toString().trim();
    if (line === 'bye') return 7;
    await print(stdout, `hello ${line}\n`);
  }
  return 0;
};

const output = { stdout: 'true', stderr: 'true' };

describe('exec', () => {
  it('runs a command and reports its exit code', async () => {
    await using cluster = await TestCluster.start({ programs: { greeter } });
    await cluster.pod('web');
    const stream = cluster.open('web', 'exec', { ...output, stdin: 'true', command: 'greeter' });
    await stream.opened();
    assert.equal(stream.socket.protocol, 'v5.channel.k8s.io');
    stream.send(0, 'world');
    await stream.until(1, /hello world\n/);
    stream.send(0, 'bye');
    const { closeCode, status, reason, details } = await stream.result();
    assert.deepEqual(
      { closeCode, status, reason, causes: details?.causes },
      {
        closeCode: 1000,
        status: 'Failure',
        reason: 'NonZeroExitCode',
        causes: [{ reason: 'ExitCode', message: '7' }],
      },
    );
  });

  it('ends the input of the process when the client closes the channel', async () => {
    await using cluster = await TestCluster.start();
    await cluster.pod('web');
    const stream = cluster.open('web', 'exec', { ...output, stdin: 'true', command: 'cat' });
    await stream.opened();
    stream.send(0, 'all of it');
    stream.send(255, Buffer.of(0));
    assert.equal((await stream.result()).status, 'Success');
    assert.equal(stream.text(1), 'all of it');
  });

  it('keeps stdout and stderr apart, and joins them on a terminal', async () => {
    const both: Program = async ({ stdout, stderr }) => {
      await print(stdout, 'out\n');
      await print(stderr, 'err\n');
      return 0;
    };
    await using cluster = await TestCluster.start({ programs: { both } });
    await cluster.pod('web');
    const plain = cluster.open('web', 'exec', { ...output, command: 'both' });
    await plain.result();
    assert.deepEqual([plain.text(1), plain.text(2)], ['out\n', 'err\n']);
    const tty = cluster.open('web', 'exec', { ...output, tty: 'true', command: 'both' });
    await tty.result();
    assert.deepEqual([tty.text(1), tty.text(2)], ['out\r\nerr\r\n', '']);
  });

  it('echoes and edits what is typed on a terminal, and follows its size', async () => {
    const wait: Program = async ({ terminal, stdin, stdout }) => {
      await new Promise<void>((resolve) => {
        const tie = terminal?.onResize(({ columns, rows }) => {
          tie?.[Symbol.dispose]();
          stdout.write(`${columns}x${rows}\n`, () => resolve());
        });
        stdout.write('ready\n');
      });
      const [line] = (await once(stdin, 'data')) as [Buffer];
      await print(stdout, `got ${line.toString()}`);
      return 0;
    };
    await using cluster = await TestCluster.start({ programs: { wait } });
    await cluster.pod('web');
    const query = { stdin: 'true', stdout: 'true', tty: 'true', command: 'wait' };
    const stream = cluster.open('web', 'exec', query);
    await stream.until(1, /ready/);
    stream.send(4, '{"Width":120,"Height":40}');
    await stream.until(1, /120x40/);
    stream.send(0, 'abd\x7fc\r');
    assert.equal((await stream.result()).status, 'Success');
    assert.match(stream.text(1), /abd[\b] [\b]c\r\ngot abc\r\n$/);
  });

  it('speaks version 4 and its base64 form', async () => {
    await using cluster = await TestCluster.start();
    await cluster.pod('web');
    const query = { ...output, command: ['echo', 'hi'] };
    const v4 = cluster.open('web', 'exec', query, { protocols: ['v4.channel.k8s.io'] });
    assert.equal((await v4.result()).status, 'Success');
    assert.equal(v4.text(1), 'hi\n');
    const base64 = cluster.open('web', 'exec', query, { protocols: ['v4.base64.channel.k8s.io'] });
    await once(base64.socket, 'close');
    const [ready, data, status] = base64.messages.map(({ data: text }) => text.toString());
    assert.deepEqual([ready, data], ['1', '1aGkK']);
    assert.match(status ?? '', /^3/);
  });

  it('kills the process when the client is gone', async () => {
    const started = new Deferred<AbortSignal>();
    const forever: Program = async ({ signal }) => {
      started.resolve(signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return 0;
    };
    await using cluster = await TestCluster.start({ programs: { forever } });
    await cluster.pod('web');
    const stream = cluster.open('web', 'exec', { ...output, command: 'forever' });
    const signal = await started.promise;
    const killed = once(signal, 'abort');
    stream.socket.terminate();
    await killed;
    assert.ok(signal.aborted);
  });

  it('reports a program that does not exist', async () => {
    await using cluster = await TestCluster.start();
    await cluster.pod('web');
    const stream = cluster.open('web', 'exec', { ...output, command: 'nosuch' });
    const { message, reason } = await stream.result();
    assert.equal(reason, 'InternalError');
    assert.match(message ?? '', /error executing command in container: .*"nosuch": executable/);
  });

  it('refuses unknown subprotocols, pods, containers and plain requests', async () => {
    await using cluster = await TestCluster.start();
    await cluster.pod('web');
    await cluster.client.coreV1
      .pods('default')
      .create({ metadata: { name: 'free' }, spec: { containers: [{ name: 'a', image: 'a' }] } });
    const query = { ...output, command: 'echo' };
    const refuse = async (stream: ReturnType<TestCluster['open']>): Promise<[number, string]> => {
      const { status, text } = await stream.refused();
      return [status, text === '' ? '' : (JSON.parse(text) as { message: string }).message];
    };
    assert.deepEqual(await refuse(cluster.open('web', 'exec', query, { protocols: ['v9'] })), [
      403,
      '',
    ]);
    assert.deepEqual(await refuse(cluster.open('none', 'exec', query)), [
      404,
      'pods "none" not found',
    ]);
    assert.deepEqual(await refuse(cluster.open('free', 'exec', query)), [
      400,
      'pod free does not have a host assigned',
    ]);
    assert.deepEqual(await refuse(cluster.open('web', 'exec', { ...query, container: 'b' })), [
      400,
      'container b is not valid for pod web',
    ]);
    const plain = await cluster.get('/api/v1/namespaces/default/pods/web/exec?command=echo');
    assert.match(plain.text, /"message":"Upgrade request required"/);
  });

  it('needs the permission to create, also for a GET', async () => {
    const tokens = { jane: { name: 'jane', groups: [] } };
    await using cluster = await TestCluster.start({ authorization: 'rbac', tokens });
    await cluster.pod('web');
    const { client } = cluster;
    const grant = async (name: string, verbs: string[]): Promise<void> => {
      const metadata = { name };
      await client.rbacV1
        .roles('default')
        .create({ metadata, rules: [{ verbs, apiGroups: [''], resources: ['pods/exec'] }] });
      await client.rbacV1.roleBindings('default').create({
        metadata,
        subjects: [{ kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' }],
        roleRef: { kind: 'Role', name, apiGroup: 'rbac.authorization.k8s.io' },
      });
    };
    const query = { ...output, command: ['echo', 'hi'] };
    const open = (): ReturnType<TestCluster['open']> =>
      cluster.open('web', 'exec', query, { token: 'jane' });
    assert.match((await open().refused()).text, /cannot get resource/);
    await grant('reader', ['get']);
    assert.equal((await open().refused()).status, 403);
    await grant('writer', ['create']);
    assert.equal((await open().result()).status, 'Success');
  });
});

describe('attach', () => {
  it('connects to the main process until it ends', async () => {
    await using cluster = await TestCluster.start({ programs: { greeter } });
    await cluster.pod('web', { command: ['greeter'], stdin: true });
    const stream = cluster.open('web', 'attach', { ...output, stdin: 'true' });
    await stream.opened();
    stream.send(0, 'you');
    await stream.until(1, /hello you\n/);
    stream.send(0, 'bye');
    assert.equal((await stream.result()).status, 'Success');
    assert.equal((await cluster.get(logPath('web'))).text, 'hello you\n');
  });
});

function logPath(pod: string, query = ''): string {
  return `/api/v1/namespaces/default/pods/${pod}/log?${query}`;
}

describe('logs', () => {
  const count: Program = async ({ args, stdout }) => {
    for (let line = 1; line <= Number(args[1]); line += 1) await print(stdout, `line ${line}\n`);
    return 3;
  };

  it('selects lines, and shows their times', async () => {
    const clock = new VirtualClock({ startMs: Date.parse('2026-01-02T03:04:05.678Z') });
    await using cluster = await TestCluster.start({ programs: { count }, clock });
    await cluster.pod('web', { command: ['count', '4'] });
    const log = async (query: string): Promise<string> =>
      (await cluster.get(logPath('web', query))).text;
    await log('follow=true');
    assert.equal(await log(''), 'line 1\nline 2\nline 3\nline 4\n');
    assert.equal(await log('tailLines=2'), 'line 3\nline 4\n');
    assert.equal(await log('tailLines=0'), '');
    assert.equal(await log('limitBytes=9'), 'line 1\nli');
    assert.equal(
      await log('timestamps=true&tailLines=1'),
      '2026-01-02T03:04:05.678000003Z line 4\n',
    );
    assert.equal(await log('sinceTime=2026-01-02T03:04:05Z&tailLines=1'), 'line 4\n');
    assert.equal(await log('sinceTime=2026-01-02T03:04:06Z'), '');
    assert.match(await log('sinceTime=yesterday'), /cannot parse \\"yesterday\\" as \\"2006\\"/);
    assert.match(await log('stream=Stdout'), /stream: Forbidden: may not be specified/);
  });

  it('follows a log until the container ends, and keeps that of the previous instance', async () => {
    await using cluster = await TestCluster.start({ programs: { greeter } });
    const pod = await cluster.pod('web', { command: ['greeter'], stdin: true });
    assert.match(
      (await cluster.get(logPath('web', 'previous=true'))).text,
      /previous terminated container \\"app\\" in pod \\"web\\" not found/,
    );
    const following = cluster.get(logPath('web', 'follow=true'));
    const stream = await cluster.open('web', 'attach', { ...output, stdin: 'true' }).opened();
    stream.send(0, 'one');
    await stream.until(1, /hello one/);
    stream.send(0, 'bye');
    assert.equal((await following).text, 'hello one\n');
    void cluster.kubelet.start(pod, 'app');
    assert.equal((await cluster.get(logPath('web', 'previous=true'))).text, 'hello one\n');
    assert.equal((await cluster.get(logPath('web'))).text, '');
  });

  it('drops the oldest lines of a long log', async () => {
    await using cluster = await TestCluster.start({ programs: { count }, maxLogBytes: 1000 });
    await cluster.pod('web', { command: ['count', '1000'] });
    await cluster.get(logPath('web', 'follow=true'));
    const { text } = await cluster.get(logPath('web'));
    assert.ok(text.length <= 1000, `${text.length} bytes are left`);
    assert.match(text, /line 999\nline 1000\n$/);
  });
});
