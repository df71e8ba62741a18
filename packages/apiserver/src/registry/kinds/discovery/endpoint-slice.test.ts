import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { type Part, TestKind } from '../../../testing/test-kind.ts';

describe('an EndpointSlice', () => {
  const slices = (): TestKind =>
    new TestKind('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
      metadata: { name: 'e' },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.1'] }],
      ports: [{ port: 80 }],
    });

  it('rejects invalid addresses, ports and address types', async () => {
    using kind = slices();
    await kind.refusesToCreate([
      [{ addressType: undefined }, 'addressType: Required value'],
      [
        { addressType: 'X' },
        'addressType: Unsupported value: "X": supported values: "FQDN", "IPv4", "IPv6"',
      ],
      [
        { endpoints: [{ addresses: [] }] },
        'endpoints[0].addresses: Required value: must contain at least 1 address',
      ],
      [
        { endpoints: [{ addresses: ['x'] }] },
        'endpoints[0].addresses[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
      [
        { endpoints: [{ addresses: ['fd00::1'] }] },
        'endpoints[0].addresses: Invalid value: "fd00::1": must be an IPv4 address',
      ],
      [
        { addressType: 'IPv6', endpoints: [{ addresses: ['FD00::1'] }] },
        'endpoints[0].addresses[0]: Invalid value: "FD00::1": must be in canonical form ("fd00::1")',
      ],
      [
        { addressType: 'FQDN', endpoints: [{ addresses: ['a'] }] },
        'endpoints[0].addresses[0]: Invalid value: "a": should be a domain with at least two segments separated by dots',
      ],
      [
        { endpoints: [{ addresses: ['192.0.2.1'], hostname: 'A', nodeName: 'A' }] },
        "endpoints[0].nodeName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "endpoints[0].hostname: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
      [
        {
          endpoints: [
            { addresses: ['192.0.2.1'], hints: { forZones: [{ name: 'z' }, { name: 'z' }] } },
          ],
        },
        'endpoints[0].hints.forZones[1].name: Duplicate value: "z"',
      ],
      [
        { ports: [{ name: 'A' }] },
        "ports[0].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
      [{ ports: [{ port: 80 }, { port: 81 }] }, 'ports[1].name: Duplicate value: ""'],
      [
        { ports: [{ protocol: 'X' }] },
        'ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
      ],
    ]);
    assert.deepEqual(
      await kind.warnings({ addressType: 'FQDN', endpoints: [{ addresses: ['a.b'] }] }),
      ['spec.addressType: FQDN endpoints are deprecated'],
    );
  });

  it('rejects too many zone and node hints', async () => {
    using kind = slices();
    const hints = (length: number): Part => {
      const names = Array.from({ length }, (_, index) => ({ name: `z${index}` }));
      const endpoint = { addresses: ['192.0.2.1'], hints: { forZones: names, forNodes: names } };
      return { endpoints: [endpoint] };
    };
    await kind.created(hints(8));
    await kind.refusesToCreate([
      [hints(9), 'endpoints[0].hints.forZones: Too many: 9: must have at most 8 items'],
    ]);
  });

  it('increments its generation for changed endpoints and labels, not for annotations', async () => {
    using kind = slices();
    const slice = await kind.given();
    const generation = async (change: Part): Promise<unknown> =>
      (await kind.updated(slice, change)).metadata.generation;
    assert.equal(await generation({ endpoints: [] }), 2);
    assert.equal(await generation({ metadata: { labels: { a: 'b' } } }), 2);
    assert.equal(await generation({ metadata: { annotations: { a: 'b' } } }), 1);
    await kind.refusesToUpdate(slice, [
      [
        { addressType: 'FQDN', endpoints: [] },
        'addressType: Invalid value: "FQDN": field is immutable',
      ],
    ]);
  });
});
