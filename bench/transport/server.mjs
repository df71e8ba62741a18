// The embedded server in a process of its own, and a door to it that counts who comes in.
import { connect, createServer } from 'node:net';
import { ApiServer } from '@client-ts/apiserver';

const server = await ApiServer.start({ historyLimit: 1_000_000 });
const target = Number(new URL(server.url).port);
let connections = 0;

/** Every connection that the door carries is one TLS handshake. */
const door = createServer((client) => {
  connections += 1;
  const upstream = connect(target, '127.0.0.1');
  for (const socket of [client, upstream]) socket.setNoDelay(true).on('error', () => undefined);
  client.pipe(upstream).pipe(client);
});
door.listen(0, '127.0.0.1', () => {
  const { port } = door.address();
  const { url, ca, token, kubeconfig } = server;
  process.send({ url, ca, token, kubeconfig, doorUrl: `https://127.0.0.1:${port}` });
});
process.on('message', () => process.send({ connections }));
