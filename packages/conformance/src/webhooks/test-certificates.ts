import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '@client-ts/apiserver';
import { systemClock } from 'client-ts/internal';

/** A directory with a certificate for 127.0.0.1 and its key, as a mounted Secret has them. */
export interface CertificateDirectory extends AsyncDisposable {
  readonly path: string;
  readonly authority: CertificateAuthority;
  /** Writes another pair of the same authority. */
  renew(): Promise<void>;
  /** Writes a key that does not belong to the certificate. */
  spoil(): Promise<void>;
}

/** Creates a directory with a certificate and its key. Disposing it removes the directory. */
export async function certificateDirectory(): Promise<CertificateDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'client-ts-webhook-'));
  const authority = new CertificateAuthority({ clock: systemClock });
  const issue = () => authority.issueServerCertificate(['127.0.0.1', 'localhost']);
  const write = (name: string, text: string): Promise<void> => writeFile(join(path, name), text);
  const renew = async (): Promise<void> => {
    const { certificate, key } = issue();
    await write('tls.crt', certificate);
    await write('tls.key', key);
  };
  await write('ca.crt', authority.certificate);
  await renew();
  return {
    path,
    authority,
    renew,
    spoil: () => write('tls.key', issue().key),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
}
