import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ADMIN_REQUEST, REQUEST } from '../testing/test-certificate-requests.ts';
import { parseCertificateRequest } from './certificate-request.ts';

const decode = (base64: string): string => Buffer.from(base64, 'base64').toString();
const bytesOf = (pem: string): Buffer =>
  Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
const encode = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;

describe('parseCertificateRequest', () => {
  it('returns the organizations of the subject', () => {
    assert.deepEqual(parseCertificateRequest(decode(REQUEST)), {
      organizations: ['dev'],
      problem: undefined,
    });
    const { organizations } = parseCertificateRequest(decode(ADMIN_REQUEST));
    assert.deepEqual(organizations, ['system:masters']);
  });

  it('finds a signature that is not of the key', () => {
    const bytes = bytesOf(decode(REQUEST));
    const at = bytes.indexOf('bob');
    bytes.write('eve', at);
    const { problem } = parseCertificateRequest(encode(bytes));
    assert.equal(problem, 'x509: ECDSA verification failure');
  });

  it('rejects other blocks', () => {
    const { problem } = parseCertificateRequest(decode(REQUEST).replaceAll(' REQUEST', ''));
    assert.equal(problem, 'PEM block type must be CERTIFICATE REQUEST');
  });

  it('survives every truncation and every changed byte', () => {
    const bytes = bytesOf(decode(REQUEST));
    for (const index of bytes.keys()) {
      assert.notEqual(parseCertificateRequest(encode(bytes.subarray(0, index))).problem, undefined);
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 0xff;
      assert.doesNotThrow(() => parseCertificateRequest(encode(changed)), `byte ${index}`);
    }
  });
});
