import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { TestKind } from '../../../testing/test-kind.ts';

const NAMESPACE = '/api/v1/namespaces/default';

describe('a ConfigMap', () => {
  const maps = (): TestKind =>
    new TestKind(`${NAMESPACE}/configmaps`, { metadata: { name: 'c' }, data: { a: '1' } });

  it('has keys that can be files, each once, and not too much of it', async () => {
    using kind = maps();
    await kind.refusesToCreate([
      [
        { metadata: { name: 'A' } },
        "metadata.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
      [
        { data: { 'a b': '1' } },
        "data[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      ],
      [{ data: { '..': '1' } }, 'data[..]: Invalid value: "..": must not be \'..\''],
      [
        { data: { ['a'.repeat(254)]: '1' } },
        'data[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 253 characters',
      ],
      [
        { binaryData: { a: 'AA==' } },
        'data[a]: Invalid value: "a": duplicate of key present in binaryData',
      ],
      [
        { data: { a: 'x'.repeat(1024 * 1024 + 1) } },
        '[]: Too long: may not be more than 1048576 bytes',
      ],
    ]);
    await kind.created({ data: { a: 'x'.repeat(1024 * 1024) } });
  });

  it('stays as it is once it is immutable', async () => {
    using kind = maps();
    const map = await kind.given({ immutable: true });
    await kind.updated(map, { metadata: { labels: { a: 'b' } } });
    await kind.refusesToUpdate(map, [
      [{ data: { a: '2' } }, 'data: Forbidden: field is immutable when `immutable` is set'],
      [
        { binaryData: { b: 'AA==' } },
        'binaryData: Forbidden: field is immutable when `immutable` is set',
      ],
      [{ immutable: false }, 'immutable: Forbidden: field is immutable when `immutable` is set'],
      [
        { immutable: undefined },
        'immutable: Forbidden: field is immutable when `immutable` is set',
      ],
    ]);
  });
});

describe('a Secret', () => {
  const secrets = (): TestKind =>
    new TestKind(`${NAMESPACE}/secrets`, { metadata: { name: 's' }, data: { a: 'MQ==' } });

  it('is opaque by default, and takes text as data', async () => {
    using kind = secrets();
    const secret = await kind.created({ stringData: { a: '2', b: '3' } });
    assert.equal(secret['type'], 'Opaque');
    assert.deepEqual(secret['data'], { a: 'Mg==', b: 'Mw==' });
    assert.equal(secret['stringData'], undefined);
  });

  it('has what its type needs', async () => {
    using kind = secrets();
    await kind.refusesToCreate([
      [
        { type: 'kubernetes.io/tls' },
        'data[tls.crt]: Required value',
        'data[tls.key]: Required value',
      ],
      [{ type: 'kubernetes.io/dockercfg' }, 'data[.dockercfg]: Required value'],
      [{ type: 'kubernetes.io/dockerconfigjson' }, 'data[.dockerconfigjson]: Required value'],
      [
        { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': 'eA==' } },
        'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": invalid character \'x\' looking for beginning of value',
      ],
      [
        { type: 'kubernetes.io/basic-auth' },
        'data[username]: Required value',
        'data[password]: Required value',
      ],
      [{ type: 'kubernetes.io/ssh-auth' }, 'data[ssh-privatekey]: Required value'],
      [
        { type: 'kubernetes.io/service-account-token' },
        'metadata.annotations[kubernetes.io/service-account.name]: Required value',
      ],
      [
        { data: { 'a/b': 'MQ==' } },
        "data[a/b]: Invalid value: \"a/b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      ],
      [
        { data: { a: Buffer.alloc(1024 * 1024 + 1).toString('base64') } },
        'data: Too long: may not be more than 1048576 bytes',
      ],
    ]);
    await kind.created({ type: 'kubernetes.io/basic-auth', data: { username: 'eA==' } });
  });

  it('keeps its type, and everything once it is immutable', async () => {
    using kind = secrets();
    const secret = await kind.given({ immutable: true });
    await kind.refusesToUpdate(secret, [
      [{ type: 'other' }, 'type: Invalid value: "other": field is immutable'],
      [{ data: { a: 'Mg==' } }, 'data: Forbidden: field is immutable when `immutable` is set'],
      [
        { immutable: undefined },
        'immutable: Forbidden: field is immutable when `immutable` is set',
      ],
    ]);
    const { type } = (await kind.updated(secret, { type: undefined })) as { type?: string };
    assert.equal(type, 'Opaque');
  });

  it('can be found by its type', async () => {
    using kind = secrets();
    await kind.given({ type: 'example.com/x' });
    const { body } = await kind.server.get(
      `${NAMESPACE}/secrets?fieldSelector=type%3Dexample.com/x`,
    );
    assert.equal(body.items?.length, 1);
  });
});

describe('a ServiceAccount', () => {
  it('only has to have a name', async () => {
    using kind = new TestKind(`${NAMESPACE}/serviceaccounts`, { metadata: { name: 'a' } });
    await kind.refusesToCreate([
      [
        { metadata: { name: 'A' } },
        "metadata.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ]);
    const account = await kind.given({ secrets: [{ name: 's' }] });
    await kind.updated(account, { secrets: [] });
  });
});

describe('a Namespace', () => {
  const namespaces = (): TestKind =>
    new TestKind('/api/v1/namespaces', { metadata: { name: 'n' } });

  it('carries its name as a label and a finalizer', async () => {
    using kind = namespaces();
    const namespace = await kind.created({ metadata: { labels: { a: 'b' } }, spec: {} });
    assert.deepEqual(namespace.metadata.labels, { a: 'b', 'kubernetes.io/metadata.name': 'n' });
    assert.deepEqual(namespace['spec'], { finalizers: ['kubernetes'] });
    assert.deepEqual(namespace['status'], { phase: 'Active' });
    await kind.refusesToCreate([
      [{ metadata: { name: 'a.b' } }, 'metadata.name: Invalid value: "a.b": must not contain dots'],
      [
        { spec: { finalizers: ['x'] } },
        'spec.finalizers: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
      ],
    ]);
  });

  it('keeps the label and the finalizers, except through finalize', async () => {
    using kind = namespaces();
    const namespace = await kind.given();
    const updated = await kind.updated(namespace, {
      metadata: { labels: undefined },
      spec: { finalizers: [] },
    });
    assert.deepEqual(updated.metadata.labels, { 'kubernetes.io/metadata.name': 'n' });
    assert.deepEqual(updated['spec'], { finalizers: ['kubernetes'] });
    const finalized = await kind.updated(namespace, { spec: { finalizers: [] } }, '/finalize');
    assert.deepEqual(finalized['spec'], {});
    await kind.refusesToUpdate(
      namespace,
      [
        [
          { spec: { finalizers: ['x'] } },
          'spec.finalizers[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
        ],
      ],
      '/finalize',
    );
    await kind.refusesToUpdate(
      namespace,
      [
        [
          { status: { phase: 'Terminating' } },
          'status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
        ],
      ],
      '/status',
    );
  });
});

describe('a Node', () => {
  const nodes = (): TestKind => new TestKind('/api/v1/nodes', { metadata: { name: 'n' } });

  it('is not ready at first', async () => {
    using kind = nodes();
    const { spec } = await kind.created();
    assert.deepEqual(spec, {
      taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
    });
  });

  it('has addresses and taints that can be', async () => {
    using kind = nodes();
    await kind.refusesToCreate([
      [
        { spec: { podCIDRs: ['x'], podCIDR: 'x' } },
        'spec.podCIDRs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
      [
        { spec: { taints: [{ key: 'a b', effect: 'NoSchedule' }] } },
        "metadata.taints[0].key: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        { spec: { taints: [{ key: 'a', effect: 'Go' }] } },
        'metadata.taints[0].effect: Unsupported value: "Go": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
      [
        {
          spec: {
            taints: [
              { key: 'a', effect: 'NoSchedule' },
              { key: 'a', effect: 'NoSchedule' },
            ],
          },
        },
        'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
      ],
      [
        { status: { capacity: { cpu: '-1' } } },
        'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
        'status.allocatable.cpu: Invalid value: "-1": must be greater than or equal to 0',
      ],
    ]);
  });

  it('keeps its addresses and its provider', async () => {
    using kind = nodes();
    const node = await kind.given({ spec: { podCIDR: '10.1.0.0/24', providerID: 'a' } });
    await kind.refusesToUpdate(node, [
      [
        { spec: { podCIDR: '10.2.0.0/24', podCIDRs: ['10.2.0.0/24'] } },
        'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      ],
      [
        { spec: { providerID: 'b' } },
        'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
      ],
    ]);
    await kind.refusesToUpdate(
      node,
      [
        [
          {
            status: {
              addresses: [
                { type: 'InternalIP', address: 'a' },
                { type: 'InternalIP', address: 'a' },
              ],
            },
          },
          'status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"a"}',
        ],
      ],
      '/status',
    );
    await kind.updated(node, { spec: { unschedulable: true } });
  });
});
