// The embedded server in a process of its own; the parent measures it from outside.
import { ApiServer } from '@client-ts/apiserver';

const server = await ApiServer.start();
process.on('message', () => {
  globalThis.gc?.();
  process.send({ used: process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers });
});
process.send({ kubeconfig: server.kubeconfig });
