import { describe, it } from 'node:test';

import { type Part, TestKind } from '../../../testing/test-kind.ts';

describe('Endpoints', () => {
  const endpoints = (): TestKind =>
    new TestKind('/api/v1/namespaces/default/endpoints', {
      metadata: { name: 'e' },
      subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }],
    });
  const subset = (change: object): Part => ({
    subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }], ...change }],
  });

  it('rejects invalid addresses and ports', async () => {
    using kind = endpoints();
    await kind.refusesToCreate([
      [
        { subsets: [{ ports: [{ port: 80 }] }] },
        'subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`',
      ],
      [
        subset({ addresses: [{ ip: 'x' }] }),
        'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address',
      ],
      [
        subset({ addresses: [{ ip: '127.0.0.1' }] }),
        'subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      ],
      [
        subset({ addresses: [{ ip: '192.0.2.1', hostname: 'A', nodeName: 'A' }] }),
        "subsets[0].addresses[0].hostname: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        "subsets[0].addresses[0].nodeName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
      [
        subset({ ports: [{ port: 0 }] }),
        'subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      ],
      [
        subset({ ports: [{ port: 80 }, { port: 81 }] }),
        'subsets[0].ports[0].name: Required value',
        'subsets[0].ports[1].name: Required value',
      ],
      [
        subset({ ports: [{ port: 80, protocol: 'X', appProtocol: 'a b' }] }),
        'subsets[0].ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
        "subsets[0].ports[0].appProtocol: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
    ]);
  });
});
