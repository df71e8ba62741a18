import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const NETWORKING = '/apis/networking.k8s.io/v1';

const inSpec = (spec: object): { spec: object } => ({ spec });

describe('a NetworkPolicy', () => {
  const policies = (): TestKind =>
    new TestKind(`${NETWORKING}/namespaces/default/networkpolicies`, {
      metadata: { name: 'p' },
      spec: { podSelector: {} },
    });
  const port = (change: object): { spec: object } => inSpec({ ingress: [{ ports: [change] }] });
  const peer = (change: object): { spec: object } => inSpec({ egress: [{ to: [change] }] });

  it('defaults its policy types', async () => {
    using kind = policies();
    const types = async (change: object): Promise<unknown> =>
      ((await kind.created(inSpec(change)))['spec'] as { policyTypes: string[] }).policyTypes;
    assert.deepEqual(await types({}), ['Ingress']);
    assert.deepEqual(await types({ egress: [{}] }), ['Ingress', 'Egress']);
    assert.deepEqual(await types({ egress: [{}], policyTypes: ['Egress'] }), ['Egress']);
  });

  it('rejects invalid peers and ports', async () => {
    using kind = policies();
    await kind.refusesToCreate([
      [
        port({ protocol: 'X' }),
        'spec.ingress[0].ports[0].protocol: Unsupported value: "X": supported values: "TCP", "UDP", "SCTP"',
      ],
      [
        port({ port: 0 }),
        'spec.ingress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      ],
      [
        port({ port: 'A_' }),
        'spec.ingress[0].ports[0].port: Invalid value: "A_": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'spec.ingress[0].ports[0].port: Invalid value: "A_": must contain at least one letter (a-z)',
      ],
      [
        port({ endPort: 5 }),
        'spec.ingress[0].ports[0].endPort: Invalid value: 5: may not be specified when `port` is not specified',
      ],
      [
        port({ port: 'a', endPort: 5 }),
        'spec.ingress[0].ports[0].endPort: Invalid value: 5: may not be specified when `port` is non-numeric',
      ],
      [
        port({ port: 10, endPort: 5 }),
        'spec.ingress[0].ports[0].endPort: Invalid value: 10: must be greater than or equal to `port`',
      ],
      [peer({}), 'spec.egress[0].to[0]: Required value: must specify a peer'],
      [
        peer({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }),
        'spec.egress[0].to[0]: Forbidden: may not specify both ipBlock and another peer',
      ],
      [peer({ ipBlock: {} }), 'spec.egress[0].to[0].ipBlock.cidr: Required value'],
      [
        peer({ ipBlock: { cidr: 'x' } }),
        'spec.egress[0].to[0].ipBlock.cidr: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
      [
        peer({ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16', '10.0.0.0/8', 'x'] } }),
        'spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
        'spec.egress[0].to[0].ipBlock.except[1]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`',
        'spec.egress[0].to[0].ipBlock.except[2]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
      [
        inSpec({ policyTypes: ['X'] }),
        'spec.policyTypes[0]: Unsupported value: "X": supported values: "Ingress", "Egress"',
      ],
      [
        inSpec({ policyTypes: ['Ingress', 'Egress', 'Ingress'] }),
        'spec.policyTypes: Invalid value: ["Ingress","Egress","Ingress"]: may not specify more than two policyTypes',
      ],
      [
        inSpec({ podSelector: { matchLabels: { 'a b': 'c' } } }),
        "spec.podSelector.matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
    ]);
    await kind.created(peer({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }));
  });
});
