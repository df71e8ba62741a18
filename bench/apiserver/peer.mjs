// node bench/apiserver/peer.mjs --kube-apiserver PROGRAM --etcd PROGRAM [--directory DIR] [--port N]
// Starts a genuine kube-apiserver with etcd until it is interrupted, with credentials of the same kind as the embedded server's: server
// and client certificates on P-256, signed by one authority. Prints where its kubeconfig is.
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CertificateAuthority } from '@client-ts/apiserver';
import { Connection } from '../lib/connect.mjs';

const { values } = parseArgs({
  options: {
    'kube-apiserver': { type: 'string', default: 'kube-apiserver' },
    etcd: { type: 'string', default: 'etcd' },
    directory: { type: 'string', default: join(tmpdir(), 'client-ts-peer') },
    port: { type: 'string', default: '18443' },
  },
});
const directory = resolve(values.directory);
const port = Number(values.port);
/** etcd's two ports follow that of the server. */
const etcdUrl = `http://127.0.0.1:${port + 1}`;
const file = (name) => join(directory, name);
const clock = { now: () => Date.now() };

rmSync(directory, { recursive: true, force: true });
mkdirSync(directory, { recursive: true });
const authority = new CertificateAuthority({ clock });
const server = authority.issueServerCertificate(['localhost', '127.0.0.1']);
const admin = authority.issueClientCertificate({
  commonName: 'bench-admin',
  organizations: ['system:masters'],
});
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
writeFileSync(file('ca.crt'), authority.certificate);
writeFileSync(file('server.crt'), server.certificate);
writeFileSync(file('server.key'), server.key, { mode: 0o600 });
writeFileSync(file('sa.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });

function start(name, program, args) {
  const log = openSync(file(`${name}.log`), 'w');
  const child = spawn(program, args, { stdio: ['ignore', log, log] });
  child.on('error', (error) => stop(`${program}: ${error.message}`));
  child.on('exit', (code) => stop(`${name} ended with ${code}; see ${file(`${name}.log`)}`));
  return child;
}

const children = [
  start('etcd', values.etcd, [
    `--data-dir=${file('etcd')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=http://127.0.0.1:${port + 2}`,
  ]),
  start('kube-apiserver', values['kube-apiserver'], [
    `--etcd-servers=${etcdUrl}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    `--client-ca-file=${file('ca.crt')}`,
    `--tls-cert-file=${file('server.crt')}`,
    `--tls-private-key-file=${file('server.key')}`,
    `--service-account-key-file=${file('sa.key')}`,
    `--service-account-signing-key-file=${file('sa.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    // There is no controller that would create the accounts.
    '--disable-admission-plugins=ServiceAccount',
  ]),
];

function stop(reason) {
  const [etcd, server] = children;
  for (const child of children) child.removeAllListeners('exit');
  // A kube-apiserver that has lost its etcd does not stop.
  server.once('exit', () => etcd.kill()).kill();
  if (server.exitCode !== null) etcd.kill();
  if (reason !== undefined) console.error(reason);
  process.exitCode = reason === undefined ? 0 : 1;
}
process.on('SIGINT', () => stop());
process.on('SIGTERM', () => stop());

const url = `https://127.0.0.1:${port}`;
const base64 = (text) => Buffer.from(text).toString('base64');
const kubeconfig = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [
    {
      name: 'peer',
      cluster: { server: url, 'certificate-authority-data': base64(authority.certificate) },
    },
  ],
  users: [
    {
      name: 'peer',
      user: {
        'client-certificate-data': base64(admin.certificate),
        'client-key-data': base64(admin.key),
      },
    },
  ],
  contexts: [{ name: 'peer', context: { cluster: 'peer', user: 'peer' } }],
  'current-context': 'peer',
};
writeFileSync(file('kubeconfig'), JSON.stringify(kubeconfig), { mode: 0o600 });

async function isReady() {
  const { certificate: cert, key } = admin;
  const connection = new Connection({ url, ca: authority.certificate, cert, key });
  try {
    return (await connection.call('GET', '/readyz')).status === 200;
  } catch {
    return false;
  } finally {
    connection.close();
  }
}
while (process.exitCode === undefined && !(await isReady())) {
  await new Promise((done) => setTimeout(done, 500));
}
if (process.exitCode === undefined) console.log(file('kubeconfig'));
