import { once } from 'node:events';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { SecureVersion } from 'node:tls';

import { CertificateAuthority } from '@client-ts/apiserver';
import { type Clock, systemClock } from 'client-ts/internal';

/** With an offset, the CA issues certificates that are not valid now. */
export function authority(offsetMs = 0): CertificateAuthority {
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + offsetMs };
  return new CertificateAuthority({ clock });
}

export interface TlsServer extends AsyncDisposable {
  readonly url: string;
  readonly server: Http2SecureServer;
  /** The common names of client certificates. */
  readonly visitors: (string | undefined)[];
}

export interface TlsServerOptions {
  readonly ca: CertificateAuthority;
  readonly names?: readonly string[];
  /** Rejects clients without a certificate of the CA. */
  readonly wantsCertificate?: boolean;
  readonly maxVersion?: SecureVersion;
}

/** Starts a server that answers everything with 200, over HTTP/2 or HTTP/1.1. */
export async function startTlsServer(options: TlsServerOptions): Promise<TlsServer> {
  const { ca, names = ['127.0.0.1'], wantsCertificate = false, maxVersion = 'TLSv1.3' } = options;
  const { certificate: cert, key } = ca.issueServerCertificate(names);
  const server = createSecureServer({
    cert,
    key,
    ca: ca.certificate,
    requestCert: wantsCertificate,
    rejectUnauthorized: wantsCertificate,
    allowHTTP1: true,
    maxVersion,
  });
  const sockets = new Set<Socket>();
  const visitors: (string | undefined)[] = [];
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('secureConnection', (socket) => {
    const { subject } = socket.getPeerCertificate() as { subject?: { CN?: string } };
    visitors.push(subject?.CN);
  });
  server.on('request', (_, response) => response.end('hello'));
  server.on('sessionError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    visitors,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
