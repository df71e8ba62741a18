// A program that uses the library as kubectl is used: node client.mjs (source BYTES | sink FILE | forward PORT).
import { createReadStream } from 'node:fs';
import { loadConfig } from 'client-ts/clientcmd';
import { Clientset } from 'client-ts/kubernetes';

const [what, value = ''] = process.argv.slice(2);
const client = new Clientset(await loadConfig());
const pods = client.coreV1.pods('default');
if (what === 'source') {
  const session = await pods.exec('web', ['source', value], { stderr: false });
  let received = 0;
  session.stdout.on('data', (chunk) => {
    received += chunk.length;
  });
  await session.exited;
  if (received !== Number(value)) throw new Error(`${received} bytes arrived`);
} else if (what === 'sink') {
  // Node reads files in pieces of 64 KiB by default, which costs more than sending them.
  const stdin = createReadStream(value, { highWaterMark: 1024 * 1024 });
  const session = await pods.exec('web', ['sink'], { stdin });
  await session.output();
} else {
  const forward = await pods.portForward('web', [{ local: 0, remote: Number(value) }], {
    addresses: ['127.0.0.1'],
  });
  console.log(`Forwarding from 127.0.0.1:${forward.ports[0]?.local} -> ${value}`);
  await forward.closed;
}
await client.close();
