import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';

import { TestCluster } from './test-cluster.ts';

const NODE = process.execPath;

/** Prints the ids of itself and of a child, and then neither ends by itself. */
const FAMILY = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  process.on('SIGTERM', () => {});
  console.log('ids', process.pid, child.pid);
  setInterval(() => {}, 1000);
`;

const SERVER = `
  require('node:net').createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1', function () {
    console.log('port', this.address().port);
  });
`;

/** True until a process has been reaped. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe(
  'local processes',
  { skip: process.platform === 'win32' && 'needs process groups' },
  () => {
    it('are not used unless asked for', async () => {
      await using cluster = await TestCluster.start();
      await cluster.pod('web');
      const pods = cluster.client.coreV1.pods('default');
      const session = await pods.exec('web', [NODE, '-e', '1']);
      await assert.rejects(session.exited, /executable file not found/);
    });

    it('have input, output, an environment and an exit code', async () => {
      await using cluster = await TestCluster.start({ localProcesses: { env: { EXTRA: 'yes' } } });
      await cluster.pod('web', { env: [{ name: 'GREETING', value: 'hi' }] });
      const pods = cluster.client.coreV1.pods('default');
      const script = `
      process.stdin.on('data', (data) => process.stdout.write(process.env.GREETING + process.env.EXTRA + ' ' + data));
      process.stdin.on('end', () => { console.error('ended', Object.keys(process.env).length < 8); process.exit(3); });
    `;
      const session = await pods.exec('web', [NODE, '-e', script], { stdin: 'hello' });
      const { exitCode, stdout, stderr } = await session.output();
      assert.deepEqual([exitCode, stdout, stderr], [3, 'hiyes hello', 'ended true\n']);
      const missing = await (await pods.exec('web', ['no-such-program'])).output();
      assert.equal(missing.exitCode, 127);
      assert.match(missing.stderr, /ENOENT/);
    });

    it('are killed with their children when the pod is removed, or the client is gone', async () => {
      await using cluster = await TestCluster.start({ localProcesses: true });
      const pod = await cluster.pod('web', { command: [NODE, '-e', FAMILY] });
      const pods = cluster.client.coreV1.pods('default');
      const ids: number[] = [];
      for await (const line of pods.logs('web', { follow: true })) {
        ids.push(...line.split(' ').slice(1).map(Number));
        break;
      }
      const session = await pods.exec('web', [NODE, '-e', FAMILY]);
      const [chunk] = (await once(session.stdout, 'data')) as [Buffer];
      ids.push(...chunk.toString().trim().split(' ').slice(1).map(Number));
      assert.deepEqual(ids.map(isAlive), [true, true, true, true]);
      await session.close();
      cluster.kubelet.remove(pod);
      await cluster.kubelet.close();
      // Children of a killed process are reaped by the system, at a time of its own.
      for (const id of ids) while (isAlive(id) && !isZombie(id)) await new Promise(setImmediate);
    });

    it('are reached by port-forward on the ports that their pod declares', async () => {
      await using cluster = await TestCluster.start({ localProcesses: true });
      await cluster.pod('web', { command: [NODE, '-e', SERVER] });
      const pods = cluster.client.coreV1.pods('default');
      let port = 0;
      for await (const line of pods.logs('web', { follow: true })) {
        port = Number(line.split(' ')[1]);
        break;
      }
      await cluster.pod('open', { ports: [{ containerPort: port }] });
      const { PodDialer } = await import('client-ts/streams');
      const dial = async (name: string): Promise<string> => {
        await using dialer = new PodDialer(cluster.client.rest, { namespace: 'default', name });
        const connection = await dialer.connect(port);
        connection.end('ping');
        return await text(connection);
      };
      assert.equal(await dial('open'), 'ping');
      await assert.rejects(dial('web'), /connection refused/);
    });
  },
);

function isZombie(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !existsSync(`/proc/${pid}/cwd/.`);
}
