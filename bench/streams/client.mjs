// A program that uses the library as kubectl is used: node client.mjs (source BYTES | sink FILE | forward PORT).
import { open } from 'node:fs/promises';
import { loadConfig } from 'client-ts/clientcmd';
import { Clientset } from 'client-ts/kubernetes';

const [what, value = ''] = process.argv.slice(2);
const client = new Clientset(await loadConfig());
const pods = client.coreV1.pods('default');
if (what === 'source') {
  const options = { stdout: process.stdout, stderr: false };
  const session = await pods.exec('web', ['source', value], options);
  await session.exited;
} else if (what === 'sink') {
  await using stdin = await open(value);
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
