// The embedded server in a process of its own; the parent measures it from outside.
import { ApiServer } from '@client-ts/apiserver';

const server = await ApiServer.start();
process.on('message', () => {
  globalThis.gc?.();
  process.send({ used: process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers });
});
// The credential of an administrator of a cluster: a client certificate.
const { certificate: cert, key } = await server.issueClientCertificate({
  commonName: 'bench-admin',
  organizations: ['system:masters'],
});
process.send({
  kubeconfig: server.kubeconfig,
  target: { url: server.url, ca: server.ca, cert, key },
});
