import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { type Part, TestKind } from '../../../testing/test-kind.ts';

const NETWORKING = '/apis/networking.k8s.io/v1';
const inSpec = (spec: object): { spec: object } => ({ spec });

describe('an Ingress', () => {
  const backend = { service: { name: 's', port: { number: 80 } } };
  const ingresses = (): TestKind =>
    new TestKind(`${NETWORKING}/namespaces/default/ingresses`, {
      metadata: { name: 'i' },
      spec: { defaultBackend: backend },
    });
  const path = (change: object): { spec: object } =>
    inSpec({
      rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...change }] } }],
    });

  it('leads somewhere', async () => {
    using kind = ingresses();
    await kind.refusesToCreate([
      [
        inSpec({ defaultBackend: undefined }),
        'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified',
      ],
      [
        inSpec({ defaultBackend: { service: undefined } }),
        'spec.defaultBackend: Invalid value: "": resource or service backend is required',
      ],
      [
        inSpec({ defaultBackend: { service: { name: '', port: { number: undefined } } } }),
        'spec.defaultBackend.service.name: Required value',
        'spec.defaultBackend: Required value: port name or number is required',
      ],
      [
        inSpec({ defaultBackend: { service: { port: { name: 'x' } } } }),
        'spec.defaultBackend: Invalid value: "": cannot set both port name & port number',
      ],
      [
        inSpec({ defaultBackend: { resource: { kind: 'X', name: 'x' } } }),
        'spec.defaultBackend: Invalid value: "": cannot set both resource and service backends',
      ],
      [
        inSpec({ rules: [{ host: '1.2.3.4' }] }),
        'spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
      ],
      [
        inSpec({ rules: [{ host: '*.A' }] }),
        "spec.rules[0].host: Invalid value: \"*.A\": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
      [inSpec({ rules: [{ http: { paths: [] } }] }), 'spec.rules[0].http.paths: Required value'],
      [
        path({ pathType: undefined }),
        'spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified',
      ],
      [
        path({ pathType: 'X' }),
        'spec.rules[0].http.paths[0].pathType: Unsupported value: "X": supported values: "Exact", "ImplementationSpecific", "Prefix"',
      ],
      [
        path({ path: 'x' }),
        'spec.rules[0].http.paths[0].path: Invalid value: "x": must be an absolute path',
      ],
      [
        path({ path: '/a//b/..' }),
        'spec.rules[0].http.paths[0].path: Invalid value: "/a//b/..": must not contain \'//\'',
        'spec.rules[0].http.paths[0].path: Invalid value: "/a//b/..": cannot end with \'/..\'',
      ],
      [
        path({ path: 'x', pathType: 'ImplementationSpecific' }),
        'spec.rules[0].http.paths[0].path: Invalid value: "x": must be an absolute path',
      ],
      [
        inSpec({ tls: [{ hosts: ['A'], secretName: 'A' }] }),
        "spec.tls[0].hosts[0]: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "spec.tls[0].secretName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
      [
        inSpec({ ingressClassName: 'A' }),
        "spec.ingressClassName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
      [
        {
          metadata: { annotations: { 'kubernetes.io/ingress.class': 'a' } },
          spec: { ingressClassName: 'b' },
        },
        'annotations.kubernetes.io/ingress.class: Invalid value: "a": must match `ingressClassName` when both are specified',
      ],
    ]);
    await kind.created(path({ path: '', pathType: 'ImplementationSpecific' }));
  });

  it('gets the default class, unless it names one', async () => {
    using kind = ingresses();
    await kind.server.given('post', `${NETWORKING}/ingressclasses`, {
      metadata: {
        name: 'c',
        annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' },
      },
      spec: { controller: 'example.com/c' },
    });
    const classOf = async (change: Part): Promise<unknown> =>
      ((await kind.created(change))['spec'] as { ingressClassName?: string }).ingressClassName;
    assert.equal(await classOf({}), 'c');
    assert.equal(await classOf(inSpec({ ingressClassName: 'd' })), 'd');
    const old = { metadata: { annotations: { 'kubernetes.io/ingress.class': 'a' } } };
    assert.equal(await classOf(old), undefined);
    assert.deepEqual(await kind.warnings(old), [
      'annotation "kubernetes.io/ingress.class" is deprecated, please use \'spec.ingressClassName\' instead',
    ]);
  });

  it('has a status of its own', async () => {
    using kind = ingresses();
    const object = await kind.given();
    await kind.refusesToUpdate(
      object,
      [
        [
          { status: { loadBalancer: { ingress: [{ ip: 'x' }, { hostname: '1.2.3.4' }] } } },
          'status.loadBalancer.ingress[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
          'status.loadBalancer.ingress[1].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
        ],
      ],
      '/status',
    );
  });
});

describe('an IngressClass', () => {
  it('names a controller, for good', async () => {
    using kind = new TestKind(`${NETWORKING}/ingressclasses`, {
      metadata: { name: 'c' },
      spec: { controller: 'example.com/c', parameters: { kind: 'K', name: 'n' } },
    });
    const object = await kind.given();
    const { parameters } = object['spec'] as { parameters: { scope: string } };
    assert.equal(parameters.scope, 'Cluster');
    await kind.refusesToUpdate(object, [
      [
        inSpec({ controller: 'example.com/d' }),
        'spec.controller: Invalid value: "example.com/d": field is immutable',
      ],
      [
        inSpec({ parameters: { kind: '', name: '' } }),
        'spec.parameters.kind: Required value',
        'spec.parameters.name: Required value',
      ],
      [
        inSpec({ parameters: { scope: 'X' } }),
        'spec.parameters.scope: Unsupported value: "X": supported values: "Cluster", "Namespace"',
      ],
      [
        inSpec({ parameters: { scope: 'Namespace' } }),
        "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
      ],
      [
        inSpec({ parameters: { namespace: 'a' } }),
        "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'",
      ],
    ]);
  });
});

describe('a NetworkPolicy', () => {
  const policies = (): TestKind =>
    new TestKind(`${NETWORKING}/namespaces/default/networkpolicies`, {
      metadata: { name: 'p' },
      spec: { podSelector: {} },
    });
  const port = (change: object): { spec: object } => inSpec({ ingress: [{ ports: [change] }] });
  const peer = (change: object): { spec: object } => inSpec({ egress: [{ to: [change] }] });

  it('is for what it says something about', async () => {
    using kind = policies();
    const types = async (change: object): Promise<unknown> =>
      ((await kind.created(inSpec(change)))['spec'] as { policyTypes: string[] }).policyTypes;
    assert.deepEqual(await types({}), ['Ingress']);
    assert.deepEqual(await types({ egress: [{}] }), ['Ingress', 'Egress']);
    assert.deepEqual(await types({ egress: [{}], policyTypes: ['Egress'] }), ['Egress']);
  });

  it('names peers and ports that can be', async () => {
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

describe('the ranges of services', () => {
  it('IPAddress: is called what it is', async () => {
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

  it('ServiceCIDR: gains a family at most', async () => {
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
