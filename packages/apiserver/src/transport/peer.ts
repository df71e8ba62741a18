import type { Socket } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';

import type { Peer } from '../http.ts';

/** Who is at the other end of a socket, from a client certificate that our CA has signed. */
export function peerOf(socket: Socket): Peer {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return {};
  // A resumed session without a certificate counts as authorized, and has none of this.
  const { subject, fingerprint256 } = socket.getPeerCertificate() as Partial<PeerCertificate>;
  if (subject === undefined || fingerprint256 === undefined) return {};
  const [commonName = ''] = listOf(subject.CN);
  return {
    certificate: {
      commonName,
      organizations: listOf(subject.O),
      sha256: fingerprint256.replaceAll(':', '').toLowerCase(),
    },
  };
}

/** Node gives one value as a string and several as an array. */
function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}
