// The embedded server in a process of its own, with a pod that sends and receives as fast as it can.
import { ApiServer } from '@client-ts/apiserver';
import { FakeKubelet } from '@client-ts/simulator';
import { Clientset } from 'client-ts/kubernetes';

const CHUNK = Buffer.alloc(64 * 1024, 'x');

/**
 * Writes this many bytes, at the speed of the reader.
 * @param {import('node:stream').Writable} stream
 * @param {number} bytes
 */
async function fill(stream, bytes) {
  for (let left = bytes; left > 0 && !stream.destroyed; left -= CHUNK.length) {
    if (stream.write(CHUNK.subarray(0, Math.min(left, CHUNK.length)))) continue;
    await new Promise((resolve) => {
      const done = () => {
        stream.off('drain', done).off('close', done);
        resolve(undefined);
      };
      stream.on('drain', done).on('close', done);
    });
  }
}

const kubelet = new FakeKubelet({
  programs: {
    source: async ({ args, stdout }) => {
      await fill(stdout, Number(args[1]));
      return 0;
    },
    sink: async ({ stdin, stdout }) => {
      let bytes = 0;
      for await (const chunk of stdin) bytes += chunk.length;
      stdout.write(`${bytes}\n`);
      return 0;
    },
    ports: async ({ args, listen, signal }) => {
      const bytes = Number(args[1]);
      using _source = listen(7001, (connection) => {
        connection.on('error', () => undefined).resume();
        void fill(connection, bytes).then(() => connection.end());
      });
      using _sink = listen(7002, (connection) => {
        connection.on('error', () => undefined).resume();
        connection.on('end', () => connection.end('done'));
      });
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      return 0;
    },
  },
});
const server = await ApiServer.start({ kubelet });
const client = new Clientset(server.config);
await client.coreV1.nodes().create({ metadata: { name: 'node-1' } });
const pods = client.coreV1.pods('default');
const command = ['ports', process.argv[2] ?? '0'];
const containers = [{ name: 'app', image: 'app:v1', command }];
const pod = await pods.create({
  metadata: { name: 'web' },
  spec: { nodeName: 'node-1', containers },
});
await pods.updateStatus({ ...pod, status: { phase: 'Running' } });
for await (const _ of pods.logs('web'));
process.send?.({ kubeconfig: server.kubeconfig });
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000 });
});
