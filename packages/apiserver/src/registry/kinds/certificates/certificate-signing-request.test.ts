import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { REQUEST } from '../../../testing/test-certificate-requests.ts';
import { TestKind } from '../../../testing/test-kind.ts';

const inSpec = (spec: object): { spec: object } => ({ spec });

describe('a CertificateSigningRequest', () => {
  const CSRS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
  const pem = (type: string): string =>
    Buffer.from(`-----BEGIN ${type}-----\nAA==\n-----END ${type}-----\n`).toString('base64');
  const requests = (): TestKind =>
    new TestKind(CSRS, {
      metadata: { name: 'Any Name' },
      spec: {
        request: REQUEST,
        signerName: 'example.com/signer',
        usages: ['client auth'],
      },
    });
  const condition = (type: string, status = 'True'): object => ({ type, status });

  it('records the requesting user, whatever the client sends', async () => {
    using kind = requests();
    const { spec, status } = await kind.created(inSpec({ username: 'other', groups: ['x'] }));
    const { username, groups } = spec as { username: string; groups: string[] };
    assert.equal(username, 'admin');
    assert.ok(groups.includes('system:authenticated'));
    assert.deepEqual(status, {});
  });

  it('rejects invalid requests, signers and usages', async () => {
    using kind = requests();
    await kind.refusesToCreate([
      [
        inSpec({ request: pem('CERTIFICATE') }),
        'spec.request: Invalid value: "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=": PEM block type must be CERTIFICATE REQUEST',
      ],
      [inSpec({ usages: [] }), 'spec.usages: Required value'],
      [
        inSpec({ usages: ['x', 'any', 'any'] }),
        'spec.usages[0]: Unsupported value: "x": supported values: "any", "cert sign", "client auth", "code signing", "content commitment", "crl sign", "data encipherment", "decipher only", "digital signature", "email protection", "encipher only", "ipsec end system", "ipsec tunnel", "ipsec user", "key agreement", "key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime", "server auth", "signing", "timestamping"',
        'spec.usages[2]: Duplicate value: "any"',
      ],
      [
        inSpec({ signerName: 'x' }),
        'spec.signerName: Invalid value: "x": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
      ],
      [
        inSpec({ signerName: 'kubernetes.io/legacy-unknown' }),
        'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
      ],
      [
        inSpec({ expirationSeconds: 5 }),
        'spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 600 seconds (10 minutes)',
      ],
    ]);
  });

  it('is approved through /approval and issued through /status', async () => {
    using kind = requests();
    const request = await kind.given({ metadata: { name: 'r' } });
    const approved = { status: { conditions: [condition('Approved')] } };
    await kind.refusesToUpdate(
      request,
      [
        [
          approved,
          'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
        ],
      ],
      '/status',
    );
    await kind.refusesToUpdate(
      request,
      [
        [
          { status: { conditions: [condition('Approved'), condition('Denied')] } },
          'status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
        ],
        [
          { status: { conditions: [condition('Approved', 'False')] } },
          'status.conditions[0].status: Unsupported value: "False": supported values: "True"',
        ],
        [
          { status: { conditions: [condition('X'), condition('X'), {}] } },
          'status.conditions[1].type: Duplicate value: "X"',
          'status.conditions[2].type: Required value',
          'status.conditions[2].status: Required value',
        ],
      ],
      '/approval',
    );
    const { status } = await kind.updated(request, approved, '/approval');
    const [first] = (status as { conditions: Record<string, string>[] }).conditions;
    assert.deepEqual(first, {
      type: 'Approved',
      status: 'True',
      lastUpdateTime: '2026-01-01T00:00:00Z',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    });
    const stored = await kind.server.given('put', `${CSRS}/r/approval`, {
      ...request,
      ...approved,
    });
    await kind.refusesToUpdate(
      stored,
      [
        [
          { status: { conditions: [] } },
          'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
        ],
      ],
      '/approval',
    );
    await kind.refusesToUpdate(
      stored,
      [
        [
          { status: { certificate: pem('CERTIFICATE REQUEST') } },
          'status.certificate: Invalid value: "<certificate data>": only CERTIFICATE PEM blocks are allowed, found "CERTIFICATE REQUEST"',
        ],
        [
          { status: { certificate: Buffer.from('x').toString('base64') } },
          'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
        ],
      ],
      '/status',
    );
    const signed = await kind.server.given('put', `${CSRS}/r/status`, {
      ...stored,
      status: { ...(stored['status'] as object), certificate: pem('CERTIFICATE') },
    });
    const other = Buffer.from(pem('CERTIFICATE'), 'base64').toString().repeat(2);
    await kind.refusesToUpdate(
      signed,
      [
        [
          { status: { certificate: Buffer.from(other).toString('base64') } },
          'status.certificate: Forbidden: updates may not modify existing certificate content',
        ],
      ],
      '/status',
    );
    const { spec } = await kind.updated(signed, inSpec({ usages: ['server auth'] }));
    assert.deepEqual((spec as { usages: string[] }).usages, ['client auth']);
    const { body } = await kind.server.get(
      `${CSRS}?fieldSelector=spec.signerName%3Dexample.com/signer`,
    );
    assert.equal(body.items?.length, 1);
  });
});
