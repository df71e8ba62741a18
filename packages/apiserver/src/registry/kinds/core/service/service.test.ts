import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../../testing/test-kind.ts';
import type { TestObject } from '../../../../testing/test-object.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const SERVICE = { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } };

const services = (): TestKind => new TestKind(SERVICES, SERVICE);
const inSpec = (spec: object): { spec: object } => ({ spec });

function specOf(service: TestObject): Record<string, unknown> & { ports: { nodePort?: number }[] } {
  return service['spec'] as Record<string, unknown> & { ports: { nodePort?: number }[] };
}

describe('a new service', () => {
  it('gets a cluster IP and its defaults', async () => {
    using kind = services();
    const { clusterIP, ...spec } = specOf(await kind.given());
    assert.match(String(clusterIP), /^10\.0\.0\.\d+$/);
    assert.deepEqual(spec, {
      ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
      clusterIPs: [clusterIP],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
    });
  });

  it('gets node ports if its type needs them', async () => {
    using kind = services();
    const { ports, externalTrafficPolicy } = specOf(
      await kind.given(inSpec({ type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] })),
    );
    assert.equal(ports[0]?.nodePort, 30_080);
    assert.equal(externalTrafficPolicy, 'Cluster');
    await kind.refusesToCreate([
      [
        {
          metadata: { name: 't' },
          spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] },
        },
        'spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated',
      ],
      [
        inSpec({ type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }),
        'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
      ],
    ]);
    const balanced = specOf(
      await kind.created({ metadata: { name: 't' }, spec: { type: 'LoadBalancer' } }),
    );
    assert.equal(balanced['allocateLoadBalancerNodePorts'], true);
    assert.ok((balanced.ports[0]?.nodePort ?? 0) >= 30_000);
    const without = specOf(
      await kind.created({
        metadata: { name: 't' },
        spec: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false },
      }),
    );
    assert.equal(without.ports[0]?.nodePort, undefined);
  });

  it('shares one node port between protocols of the same port', async () => {
    using kind = services();
    const { ports } = specOf(
      await kind.created(
        inSpec({
          type: 'NodePort',
          ports: [
            { name: 'a', port: 53, protocol: 'UDP' },
            { name: 'b', port: 53, protocol: 'TCP' },
          ],
        }),
      ),
    );
    assert.equal(ports[0]?.nodePort, ports[1]?.nodePort);
  });

  it('rejects invalid ports, selectors and policies', async () => {
    using kind = services();
    await kind.refusesToCreate([
      [{ metadata: { name: 'a.b' } }, 'metadata.name: Invalid value: "a.b": must not contain dots'],
      [inSpec({ ports: [] }), 'spec.ports: Required value'],
      [
        inSpec({ ports: [{ port: 0 }] }),
        'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
      ],
      [
        inSpec({ ports: [{ port: 80 }, { port: 81 }] }),
        'spec.ports[0].name: Required value',
        'spec.ports[1].name: Required value',
      ],
      [
        inSpec({
          ports: [
            { name: 'a', port: 80 },
            { name: 'a', port: 81 },
          ],
        }),
        'spec.ports[1].name: Duplicate value: "a"',
      ],
      [
        inSpec({
          ports: [
            { name: 'a', port: 80 },
            { name: 'b', port: 80 },
          ],
        }),
        'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
      ],
      [
        inSpec({ ports: [{ port: 80, protocol: 'X' }] }),
        'spec.ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
      ],
      [
        inSpec({ ports: [{ port: 80, targetPort: 'A_B' }] }),
        'spec.ports[0].targetPort: Invalid value: "A_B": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'spec.ports[0].targetPort: Invalid value: "A_B": must contain at least one letter (a-z)',
      ],
      [
        inSpec({ ports: [{ port: 80, nodePort: 30_001 }] }),
        "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
      ],
      [
        inSpec({ type: 'Open' }),
        'spec.type: Unsupported value: "Open": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
      [
        inSpec({ sessionAffinity: 'Always' }),
        'spec.sessionAffinity: Unsupported value: "Always": supported values: "ClientIP", "None"',
      ],
      [
        inSpec({
          sessionAffinity: 'ClientIP',
          sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } },
        }),
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 0: must be greater than 0 and less than 86400',
      ],
      [
        inSpec({ clusterIP: 'x' }),
        'spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
      [
        inSpec({ clusterIP: '10.0.0.5', clusterIPs: ['10.0.0.6'] }),
        'spec.clusterIPs: Invalid value: ["10.0.0.6"]: first value must match `clusterIP`',
      ],
      [
        inSpec({ clusterIP: '192.0.2.1' }),
        'spec.clusterIPs: Invalid value: ["192.0.2.1"]: failed to allocate IP 192.0.2.1: the provided network does not match the current range',
      ],
      [inSpec({ type: 'ExternalName' }), 'spec.externalName: Required value'],
      [
        inSpec({ type: 'ExternalName', externalName: 'A b' }),
        "spec.externalName: Invalid value: \"A b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
      [
        inSpec({ type: 'ExternalName', externalName: 'a.b', clusterIP: '10.0.0.9' }),
        'spec.clusterIPs: Forbidden: may not be set for ExternalName services',
      ],
      [
        inSpec({ type: 'NodePort', clusterIP: 'None' }),
        'spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services',
      ],
      [
        inSpec({ externalTrafficPolicy: 'Local' }),
        'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
      ],
      [
        inSpec({ internalTrafficPolicy: 'None' }),
        'spec.internalTrafficPolicy: Unsupported value: "None": supported values: "Cluster", "Local"',
      ],
      [
        inSpec({ externalIPs: ['127.0.0.1'] }),
        'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      ],
      [
        inSpec({ loadBalancerSourceRanges: ['10.0.0.0/8'] }),
        "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
      ],
      [
        inSpec({ ipFamilies: ['IPv6'] }),
        'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
      ],
      [inSpec({ ipFamilies: ['IPv4', 'IPv4'] }), 'spec.ipFamilies[1]: Duplicate value: "IPv4"'],
      [
        inSpec({ ipFamilyPolicy: 'RequireDualStack' }),
        'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
      ],
      [
        inSpec({ selector: { 'a b': 'c' } }),
        "spec.selector: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
    ]);
  });

  it('releases its address when it is deleted', async () => {
    using kind = services();
    const clusterIP = String(specOf(await kind.given())['clusterIP']);
    await kind.refusesToCreate([
      [
        { metadata: { name: 't' }, spec: { clusterIP } },
        `spec.clusterIPs: Invalid value: ["${clusterIP}"]: failed to allocate IP ${clusterIP}: provided IP is already allocated`,
      ],
    ]);
    await kind.server.delete(`${SERVICES}/s`);
    await kind.created({ metadata: { name: 't' }, spec: { clusterIP } });
  });

  it('has no address if it is headless or an ExternalName', async () => {
    using kind = services();
    const headless = specOf(await kind.created(inSpec({ clusterIP: 'None' })));
    assert.deepEqual(headless['clusterIPs'], ['None']);
    const name = specOf(await kind.created(inSpec({ type: 'ExternalName', externalName: 'a.b' })));
    assert.equal(name['clusterIP'], undefined);
    assert.equal(name['ipFamilies'], undefined);
  });
});

describe('an update of a service', () => {
  it('keeps its address and node ports if it omits them', async () => {
    using kind = services();
    const service = await kind.given(inSpec({ type: 'NodePort' }));
    const { clusterIP, ports } = specOf(service);
    const updated = specOf(
      await kind.updated(service, {
        spec: { clusterIP: undefined, clusterIPs: undefined, ports: [{ port: 80 }] },
      }),
    );
    assert.equal(updated['clusterIP'], clusterIP);
    assert.equal(updated.ports[0]?.nodePort, ports[0]?.nodePort);
  });

  it('releases what the new type does not need', async () => {
    using kind = services();
    const service = await kind.given(inSpec({ type: 'NodePort' }));
    const { nodePort } = specOf(service).ports[0] ?? {};
    const plain = specOf(await kind.updated(service, inSpec({ type: 'ClusterIP' })));
    assert.equal(plain.ports[0]?.nodePort, undefined);
    assert.equal(plain['externalTrafficPolicy'], undefined);
    const name = specOf(
      await kind.updated(service, inSpec({ type: 'ExternalName', externalName: 'a.b' })),
    );
    assert.equal(name['clusterIP'], undefined);
    await kind.server.given('put', `${SERVICES}/s`, {
      ...service,
      spec: { ...specOf(service), type: 'ClusterIP' },
    });
    const ports = [{ port: 80, nodePort }];
    await kind.created({ metadata: { name: 't' }, spec: { type: 'NodePort', ports } });
  });

  it('rejects a change of the cluster IP', async () => {
    using kind = services();
    const service = await kind.given(inSpec({ clusterIP: '10.0.0.77' }));
    await kind.refusesToUpdate(service, [
      [
        inSpec({ clusterIP: '10.0.0.78', clusterIPs: ['10.0.0.78'] }),
        'spec.clusterIPs[0]: Invalid value: ["10.0.0.78"]: may not change once set',
      ],
      [
        inSpec({ clusterIP: 'None', clusterIPs: ['None'] }),
        'spec.clusterIPs[0]: Invalid value: ["None"]: may not change once set',
      ],
      [
        inSpec({ ipFamilies: ['IPv6'] }),
        'spec.clusterIPs[0]: Invalid value: "10.0.0.77": expected an IPv6 value as indicated by `ipFamilies[0]`',
      ],
      [inSpec({ ports: [] }), 'spec.ports: Required value'],
    ]);
  });

  it('changes the status only through /status', async () => {
    using kind = services();
    const service = await kind.given(inSpec({ type: 'LoadBalancer' }));
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
    assert.deepEqual((await kind.updated(service, { status }))['status'], { loadBalancer: {} });
    assert.deepEqual((await kind.updated(service, { status }, '/status'))['status'], {
      loadBalancer: { ingress: [{ ip: '192.0.2.1', ipMode: 'VIP' }] },
    });
    await kind.refusesToUpdate(
      service,
      [
        [
          { status: { loadBalancer: { ingress: [{ ip: 'x' }] } } },
          'status.loadBalancer.ingress[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        ],
        [
          { status: { loadBalancer: { ingress: [{ hostname: '1.2.3.4' }] } } },
          'status.loadBalancer.ingress[0].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
        ],
      ],
      '/status',
    );
  });
});
