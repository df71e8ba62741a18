import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';

import { systemClock } from 'client-ts/internal';

import { CertificateAuthority } from './certificates.ts';

const authority = new CertificateAuthority({ clock: systemClock });
const ca = new X509Certificate(authority.certificate);

describe('CertificateAuthority', () => {
  it('signs its own certificate and may sign others', () => {
    assert.ok(ca.ca);
    assert.ok(ca.verify(ca.publicKey));
    assert.ok(ca.checkIssued(ca));
  });

  it('issues server certificates for names and addresses', () => {
    const { certificate, key } = authority.issueServerCertificate([
      'localhost',
      '127.0.0.1',
      '::1',
      'api.example.com',
    ]);
    const server = new X509Certificate(certificate);
    assert.ok(server.verify(ca.publicKey));
    assert.ok(server.checkIssued(ca));
    assert.equal(server.ca, false);
    for (const name of ['localhost', 'api.example.com']) assert.equal(server.checkHost(name), name);
    for (const address of ['127.0.0.1', '::1']) assert.equal(server.checkIP(address), address);
    assert.equal(server.checkHost('other.example.com'), undefined);
    assert.equal(server.checkIP('127.0.0.2'), undefined);
    assert.deepEqual(server.keyUsage, ['1.3.6.1.5.5.7.3.1']);
    assert.match(key, /^-----BEGIN PRIVATE KEY-----/);
  });

  it('issues client certificates with user and groups, in any script', () => {
    const { certificate } = authority.issueClientCertificate({
      commonName: 'Jürgen',
      organizations: ['dev', 'system:masters'],
    });
    const client = new X509Certificate(certificate);
    assert.equal(client.subject, 'O=dev\nO=system:masters\nCN=Jürgen');
    assert.deepEqual(client.keyUsage, ['1.3.6.1.5.5.7.3.2']);
    assert.ok(client.verify(ca.publicKey));
    assert.throws(() => authority.issueClientCertificate({ commonName: '' }), {
      code: 'OPTION_INVALID',
    });
  });

  it('issues unique serial numbers and certificates that are valid now', () => {
    const issued = Array.from(
      { length: 20 },
      () => new X509Certificate(authority.issueServerCertificate(['localhost']).certificate),
    );
    const serials = new Set(issued.map(({ serialNumber }) => serialNumber));
    assert.equal(serials.size, issued.length);
    for (const serial of serials) assert.match(serial, /^[4-7][0-9A-F]{31}$/);
    for (const { validFrom, validTo } of issued) {
      assert.ok(Date.parse(validFrom) < systemClock.now());
      assert.ok(Date.parse(validTo) > systemClock.now());
    }
  });

  it('writes years after 2049 with four digits', () => {
    const late = { ...systemClock, now: () => Date.parse('2051-06-01T00:00:00Z') };
    const { validTo } = new X509Certificate(new CertificateAuthority({ clock: late }).certificate);
    assert.equal(Date.parse(validTo), Date.parse('2061-05-29T00:00:00Z'));
  });
});
