import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const NETWORKING = '/apis/networking.k8s.io/v1';

const inSpec = (spec: object): { spec: object } => ({ spec });

describe('service ranges', () => {
  it('IPAddress: must be named by its address', async () => {
    using kind = new TestKind(`${NETWORKING}/ipaddresses`, {
      metadata: { name: '192.0.2.1' },
      spec: { parentRef: { resource: 'services', name: 's', namespace: 'default' } },
    });
    await kind.refusesToCreate([
      [
        { metadata: { name: 'x' } },
        'metadata.name: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
      [
        { metadata: { name: '2001:DB8::1' } },
        'metadata.name: Invalid value: "2001:DB8::1": must be in canonical form ("2001:db8::1")',
      ],
      [inSpec({ parentRef: undefined }), 'spec.parentRef: Required value'],
      [
        inSpec({ parentRef: { resource: '', name: '' } }),
        'spec.parentRef.resource: Required value',
        'spec.parentRef.name: Required value',
      ],
    ]);
    const object = await kind.given();
    await kind.refusesToUpdate(object, [
      [
        inSpec({ parentRef: { name: 't' } }),
        'spec.parentRef: Invalid value: {"Group":"","Resource":"services","Namespace":"default","Name":"t"}: field is immutable',
      ],
    ]);
  });

  it('ServiceCIDR: may only add a range of the other family', async () => {
    using kind = new TestKind(`${NETWORKING}/servicecidrs`, {
      metadata: { name: 'c' },
      spec: { cidrs: ['10.96.0.0/16'] },
    });
    await kind.refusesToCreate([
      [inSpec({ cidrs: [] }), 'spec.cidrs: Required value: at least one CIDR required'],
      [
        inSpec({ cidrs: ['10.1.2.3/16'] }),
        'spec.cidrs[0]: Invalid value: "10.1.2.3/16": must not have bits set beyond the prefix length',
      ],
      [
        inSpec({ cidrs: ['10.96.0.0/16', '10.97.0.0/16'] }),
        'spec.cidrs: Invalid value: ["10.96.0.0/16","10.97.0.0/16"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
      ],
      [
        inSpec({ cidrs: ['10.96.0.0/16', 'fd00::/64', '10.97.0.0/16'] }),
        'spec.cidrs: Invalid value: {"CIDRs":["10.96.0.0/16","fd00::/64","10.97.0.0/16"]}: may only hold up to 2 values',
      ],
    ]);
    const object = await kind.given();
    await kind.updated(object, inSpec({ cidrs: ['10.96.0.0/16', 'fd00::/64'] }));
    await kind.refusesToUpdate(object, [
      [
        inSpec({ cidrs: ['10.97.0.0/16'] }),
        'spec.cidrs[0]: Invalid value: "10.97.0.0/16": field is immutable',
      ],
      [inSpec({ cidrs: [] }), 'spec.cidrs: Invalid value: []: field is immutable'],
    ]);
  });
});
