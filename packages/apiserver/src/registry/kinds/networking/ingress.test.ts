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

  it('rejects invalid backends, hosts and paths', async () => {
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

  it('has a separate status', async () => {
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
