import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';

import { CertificateAuthority } from '@client-ts/apiserver';
import { configMaps } from 'client-ts/api/core/v1';
import { defineResource } from 'client-ts/crd';
import { SharedInformerFactory } from 'client-ts/informers';
import { systemClock } from 'client-ts/internal';
import { isForbidden, isNotFound } from 'client-ts/meta';
import { VirtualClock } from 'client-ts/testing';
import { conditions, waitFor } from 'client-ts/wait';
import { denied, Webhooks, WebhookServer } from 'client-ts/webhook';

import { SimulatorError } from '../simulator-error.ts';
import { type TestBed, testBed } from './bed.ts';
import { useTestBed } from './use-bed.ts';

const sites = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Site',
  schema: {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { image: { type: 'string' } } },
      status: { type: 'object', properties: { ready: { type: 'boolean' } } },
    },
  },
  subresources: { status: {} },
});

const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } } as const;

describe('seeds', () => {
  it('are files, folders, patterns, URLs, objects and declared resources', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'client-ts-seeds-'));
    await mkdir(join(folder, 'more'));
    const map = (name: string): string =>
      JSON.stringify({ ...settings, metadata: { name, namespace: 'shop' } });
    await writeFile(join(folder, 'a.yaml'), `---\n${map('a1')}\n---\n${map('a2')}\n`);
    await writeFile(join(folder, 'b.json'), map('b'));
    await writeFile(join(folder, 'more', 'c.yml'), map('c'));
    await writeFile(join(folder, 'readme.md'), '# no object');
    const site = { metadata: { name: 'one', namespace: 'shop' }, spec: { image: 'nginx' } };
    await using bed = await testBed({
      crds: [sites],
      objects: [
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
        join(folder, '*.{yaml,json}'),
        pathToFileURL(join(folder, 'more', 'c.yml')),
        { ...site, apiVersion: 'example.com/v1', kind: 'Site', status: { ready: true } },
      ],
    });
    await rm(folder, { recursive: true });
    const { items } = await bed.client.coreV1.configMaps('shop').list();
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['a1', 'a2', 'b', 'c'],
    );
    const one = await bed.client.resource(sites, 'shop').get('one');
    assert.deepEqual([one.spec, one.status], [{ image: 'nginx' }, { ready: true }]);
  });

  it('name the option and the pattern that matches nothing', async () => {
    await assert.rejects(testBed({ crds: ['nowhere/*.yaml'] }), (error) => {
      assert.ok(error instanceof SimulatorError);
      assert.equal(error.code, 'SIMULATOR_SEED_INVALID');
      assert.match(error.message, /^crds: no file matches "nowhere\/\*\.yaml"/);
      return true;
    });
    await assert.rejects(
      testBed({ objects: [{ metadata: { name: 'x' } }] }),
      /^SimulatorError: objects: an object has no apiVersion/,
    );
  });

  it('are there on a clock that stands still', async () => {
    const clock = new VirtualClock();
    const startMs = clock.now();
    await using bed = await testBed({ crds: [sites], objects: [settings], clock });
    const { metadata } = await bed.client.coreV1.configMaps('default').get('settings');
    assert.equal(Date.parse(metadata.creationTimestamp), startMs);
    assert.equal(clock.now(), startMs);
  });
});

describe('releases of Kubernetes', () => {
  it('are chosen for each bed', async () => {
    await using old = await testBed({ kubernetesVersion: '1.34', controllers: 'simulated' });
    await using current = await testBed();
    const path = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies';
    const read = async (bed: TestBed): Promise<number> => {
      await using transport = bed.server.transport();
      const { status } = await transport.request({ method: 'GET', path, headers: {} });
      return status;
    };
    assert.deepEqual([await read(old), await read(current)], [404, 200]);
  });
});

describe('namespaces', () => {
  it('are different for each test and deleted at its end', async () => {
    await using bed = await testBed();
    const names: string[] = [];
    for (const labels of [undefined, { team: 'a' }]) {
      await using namespace = await bed.namespace({ labels });
      names.push(namespace.name);
      const { metadata } = await bed.client.coreV1.namespaces().get(namespace.name);
      if (labels !== undefined) assert.equal(metadata.labels?.['team'], 'a');
    }
    assert.deepEqual(names, ['test-1', 'test-2']);
    for (const name of names) {
      await waitFor(bed.client.coreV1.namespaces(), name, conditions.deleted());
    }
  });
});

describe('users', () => {
  it('may do what RBAC allows them', async () => {
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
    };
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'readers' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' },
      subjects: [
        { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'readers' },
        { kind: 'ServiceAccount', namespace: 'ops', name: 'robot' },
      ],
    };
    await using bed = await testBed({ objects: [role, binding] });
    await bed.as('jane', ['readers']).coreV1.configMaps('default').list();
    await bed.asServiceAccount('ops', 'robot').coreV1.configMaps('default').list();
    await assert.rejects(bed.as('joe').coreV1.configMaps('default').list(), isForbidden);
    assert.deepEqual(
      bed.requests({ resource: 'configmaps' }).map(({ user, status }) => [user, status]),
      [
        ['jane', 200],
        ['system:serviceaccount:ops:robot', 200],
        ['joe', 403],
      ],
    );
    assert.deepEqual(bed.requests({ user: 'jane' })[0]?.groups, [
      'readers',
      'system:authenticated',
    ]);
  });
});

describe('requests', () => {
  it('are listed by user, verb, resource, namespace, name and status, with their bodies', async () => {
    await using bed = await testBed({ objects: [settings] });
    const maps = bed.client.coreV1.configMaps('default');
    await maps.create({ metadata: { name: 'a' }, data: { key: 'value' } });
    await maps.patch('a', { data: { key: 'other' } }, { type: 'merge' });
    await assert.rejects(maps.get('b'), isNotFound);
    assert.deepEqual(bed.requests().map(String), [
      'create configmaps default/a',
      'patch configmaps default/a',
      'get configmaps default/b',
    ]);
    const [created] = bed.requests({ verb: 'create', name: 'a' });
    assert.deepEqual(created?.body, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
      data: { key: 'value' },
    });
    assert.equal(bed.requests({ verb: ['create', 'patch'], namespace: 'default' }).length, 2);
    assert.equal(bed.requests({ status: 404 })[0]?.name, 'b');
    assert.equal(bed.requests({ where: ({ url }) => url.includes('watch') }).length, 0);
    bed.clearRequests();
    assert.deepEqual(bed.requests(), []);
  });

  it('cannot be configured with what would be ignored', async () => {
    const wrong: readonly (readonly [string, object])[] = [
      ['controllers', { controllers: 'Simulated' }],
      ['crds', { crds: 'crds/*.yaml' }],
      ['objects', { objects: 'objects.yaml' }],
      ['maxRequests', { maxRequests: -1 }],
      ['authorization', { server: { authorization: 'RBAC' } }],
    ];
    for (const [option, options] of wrong) {
      await assert.rejects(testBed(options), new RegExp(`${option}.* (?:is neither|is not)`));
    }
  });

  it('are remembered up to a number, the newest', async () => {
    await using bed = await testBed({ maxRequests: 2 });
    const maps = bed.client.coreV1.configMaps('default');
    for (const name of ['a', 'b', 'c']) await maps.create({ metadata: { name } });
    assert.deepEqual(
      bed.requests().map(({ name }) => name),
      ['b', 'c'],
    );
  });

  it('can be awaited, before and after they were received', async () => {
    await using bed = await testBed();
    const waiting = bed.waitForRequest({ verb: 'create', name: 'b' });
    const maps = bed.client.coreV1.configMaps('default');
    await maps.create({ metadata: { name: 'a' } });
    await maps.create({ metadata: { name: 'b' } });
    assert.equal((await waiting).status, 201);
    assert.equal((await bed.waitForRequest({ name: 'a' })).verb, 'create');
    const stop = new AbortController();
    const endless = bed.waitForRequest({ name: 'c' }, { signal: stop.signal });
    stop.abort();
    await assert.rejects(endless, { name: 'AbortError' });
    await assert.rejects(bed.waitForRequest({ name: 'd' }, { timeoutMs: 1 }), (error) => {
      assert.ok(error instanceof SimulatorError);
      assert.match(error.message, /\{"name":"d"\}.*the newest are: .*create configmaps default\/b/);
      return true;
    });
  });
});

describe('reset', () => {
  it('returns to the seeds or to a snapshot, and informers follow', async () => {
    await using bed = await testBed({ objects: [settings] });
    const maps = bed.client.coreV1.configMaps('default');
    await using factory = new SharedInformerFactory(bed.client);
    const { informer, lister } = factory.coreV1.configMaps({ namespace: 'default' });
    factory.start();
    await factory.waitForCacheSync();
    const names = async (): Promise<string[]> => {
      const { metadata } = await maps.list();
      await informer.reached(metadata?.resourceVersion ?? '');
      return lister
        .namespace('default')
        .list()
        .map(({ metadata: { name } }) => name)
        .toSorted();
    };
    await maps.create({ metadata: { name: 'a' } });
    const snapshot = bed.snapshot();
    await maps.delete('a');
    await maps.create({ metadata: { name: 'b' } });
    await bed.reset(snapshot);
    assert.deepEqual(bed.requests(), []);
    const withA = await names();
    await bed.reset();
    const seeded = await names();
    assert.deepEqual(
      [withA, seeded].map((list) => list.filter((name) => name !== 'kube-root-ca.crt')),
      [['a', 'settings'], ['settings']],
    );
  });
});

describe('webhooks', () => {
  function handlers(): Webhooks {
    const webhooks = new Webhooks();
    webhooks.validating(configMaps, {
      handle: ({ object }) =>
        object?.data?.['forbidden'] === 'yes' ? denied('not here') : undefined,
    });
    webhooks.mutating(configMaps, {
      mutate: (map) => {
        map.data = { team: 'unknown', ...map.data };
      },
    });
    return webhooks;
  }

  it('are served and registered from their handlers', async () => {
    await using bed = await testBed({ webhooks: handlers() });
    const maps = bed.client.coreV1.configMaps('default');
    const { data } = await maps.create({ metadata: { name: 'a' } });
    assert.deepEqual(data, { team: 'unknown' });
    const refused = maps.create({ metadata: { name: 'b' }, data: { forbidden: 'yes' } });
    await assert.rejects(refused, /denied the request: not here/);
  });

  const service = { namespace: 'ops', name: 'webhook', path: '/mutate--v1-configmap' };
  const manifest = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'mine' },
    webhooks: [
      {
        name: 'mine.example.com',
        clientConfig: { service },
        rules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: ['configmaps'],
          },
        ],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  };

  it('are registered from manifests, with the local address instead of the service', async () => {
    await using bed = await testBed({ webhooks: { handlers: handlers(), manifests: [manifest] } });
    const maps = bed.client.coreV1.configMaps('default');
    const { data } = await maps.create({ metadata: { name: 'a' }, data: { forbidden: 'yes' } });
    assert.deepEqual(data, { team: 'unknown', forbidden: 'yes' });
  });

  it('are called at the url of a server of your own', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'client-ts-webhooks-'));
    t.after(() => rm(directory, { recursive: true }));
    const authority = new CertificateAuthority({ clock: systemClock });
    const { certificate, key } = authority.issueServerCertificate(['127.0.0.1']);
    await writeFile(join(directory, 'tls.crt'), certificate);
    await writeFile(join(directory, 'tls.key'), key);
    const host = '127.0.0.1';
    await using server = new WebhookServer(handlers(), { certDir: directory, port: 0, host });
    await server.start();
    const url = `https://${host}:${server.port}/`;
    const caBundle = authority.certificate;
    const { clientConfig: _service, ...webhook } = manifest.webhooks[0] ?? {};
    const elsewhere = {
      url: 'https://webhooks.example.com/mutate--v1-configmap',
      caBundle: 'eA==',
    };
    for (const clientConfig of [{ service }, elsewhere]) {
      const manifests = [{ ...manifest, webhooks: [{ ...webhook, clientConfig }] }];
      await using bed = await testBed({ webhooks: { url, caBundle, manifests } });
      const maps = bed.client.coreV1.configMaps('default');
      const { data } = await maps.create({ metadata: { name: 'a' }, data: { forbidden: 'yes' } });
      assert.deepEqual(data, { team: 'unknown', forbidden: 'yes' });
    }
    await using bed = await testBed({ webhooks: { url, caBundle, handlers: handlers() } });
    const maps = bed.client.coreV1.configMaps('default');
    const refused = maps.create({ metadata: { name: 'b' }, data: { forbidden: 'yes' } });
    await assert.rejects(refused, /denied the request: not here/);
  });

  it('are not trusted without the CA of their server, and need an https url', async (t) => {
    const authority = new CertificateAuthority({ clock: systemClock });
    const { certificate: cert, key } = authority.issueServerCertificate(['127.0.0.1']);
    const server = createServer({ cert, key }).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `https://127.0.0.1:${port}`;
    await using bed = await testBed({ webhooks: { url, manifests: [manifest] } });
    const created = bed.client.coreV1.configMaps('default').create({ metadata: { name: 'a' } });
    await assert.rejects(created, /failed calling webhook "mine.example.com".*certificate/);
    for (const [webhooks, message] of [
      [{ url: 'http://127.0.0.1:1', manifests: [manifest] }, /webhooks.url: .*not an https URL/],
      [{ url }, /webhooks: a url needs manifests/],
      [{ manifests: [manifest] }, /webhooks: needs handlers or the url of a server/],
    ] as const) {
      await assert.rejects(testBed({ webhooks }), { name: 'OptionError', message });
    }
  });

  it('convert the objects of CRDs', async () => {
    const common = { group: 'example.com', kind: 'Page' } as const;
    const v1 = defineResource({
      ...common,
      version: 'v1',
      schema: { type: 'object', properties: { image: { type: 'string' } } },
    });
    const v2 = defineResource({
      ...common,
      version: 'v2',
      schema: { type: 'object', properties: { container: { type: 'string' } } },
    });
    const { customResourceDefinition } = await import('client-ts/crd');
    const webhooks = new Webhooks();
    webhooks.conversion([v1, v2], {
      convert: (page) =>
        page.apiVersion === 'example.com/v1'
          ? { container: page.image }
          : { image: page.container },
    });
    await using bed = await testBed({ crds: [customResourceDefinition([v1, v2])], webhooks });
    await bed.client.resource(v1, 'default').create({ metadata: { name: 'a' }, image: 'nginx' });
    assert.equal((await bed.client.resource(v2, 'default').get('a')).container, 'nginx');
  });
});

describe('beds', () => {
  it('share nothing, and leave nothing when they are closed', async () => {
    const beds = await Promise.all([testBed(), testBed({ objects: [settings] })]);
    const maps = (bed: TestBed) => bed.client.coreV1.configMaps('default');
    await assert.rejects(maps(beds[0]).get('settings'), isNotFound);
    await maps(beds[1]).get('settings');
    await Promise.all(beds.map((bed) => bed.close()));
    await assert.rejects(beds[0].client.coreV1.namespaces().list());
  });
});

describe('useTestBed', () => {
  const bed = useTestBed({ before, after, beforeEach }, { objects: [settings] });

  for (const round of [1, 2]) {
    it(`starts test ${round} with the seeds`, async () => {
      const maps = bed().client.coreV1.configMaps('default');
      await maps.delete('settings');
      await maps.create({ metadata: { name: 'new' } });
      assert.equal(bed().requests().length, 2);
    });
  }

  it('has no bed outside of tests', () => {
    const other = useTestBed({ beforeAll: () => undefined, afterAll: () => undefined });
    assert.throws(other, /in tests and hooks only/);
  });
});
