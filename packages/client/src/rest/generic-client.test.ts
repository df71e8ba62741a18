import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { deployments } from '../api/apps/v1.ts';
import { certificateSigningRequests } from '../api/certificates/v1.ts';
import { namespaces, type Pod, pods, serviceAccounts, services } from '../api/core/v1.ts';
import { MEDIA_TYPES } from '../codec/media-types.ts';
import { decodeProtobuf, encodeProtobuf } from '../codec/protobuf.ts';
import { UNKNOWN_FIELDS, unknownFieldsOf } from '../codec/mutable-copy.ts';
import { parseFieldSelector } from '../meta/fields.ts';
import { parseLabelSelector } from '../meta/labels.ts';
import type { ResourceDescriptor } from '../meta/resource.ts';
import { resourceClient } from './resource-client.ts';
import { RESTClient } from './rest-client.ts';
import { ScriptedTransport } from './test-transport.ts';
import { createOrUpdate } from '../wait/upsert.ts';

const transport = new ScriptedTransport({ body: { kind: 'Pod' } });
const rest = RESTClient.over(transport);
const web: Pod = { metadata: { name: 'web' }, spec: { containers: [] } };
const typedWeb = { apiVersion: 'v1', kind: 'Pod', ...web };
const client = resourceClient(rest, pods, 'default');
const scaled = resourceClient(rest, deployments, 'default');

/** Method, path and query of the last request, and its body and content type if it had one. */
function sent(): unknown[] {
  const { method, path, body, headers } = transport.last;
  const line = `${method} ${path}`;
  return body === undefined ? [line] : [line, headers['content-type'], transport.lastBody];
}

const base = '/api/v1/namespaces/default/pods';
const json = 'application/json';

describe('reading', () => {
  it('gets, lists and watches', async () => {
    await client.get('web');
    assert.deepEqual(sent(), [`GET ${base}/web`]);
    await client.get('web', { resourceVersion: '0' });
    assert.deepEqual(sent(), [`GET ${base}/web?resourceVersion=0`]);
    await client.list({
      limit: 5,
      continue: 'x',
      resourceVersion: '7',
      resourceVersionMatch: 'Exact',
    });
    assert.deepEqual(sent(), [
      `GET ${base}?resourceVersion=7&resourceVersionMatch=Exact&limit=5&continue=x`,
    ]);
    await client.list({ timeoutSeconds: 5, shardSelector: 's' });
    assert.deepEqual(sent(), [`GET ${base}?shardSelector=s&timeoutSeconds=5`]);
    await client.watch({ allowWatchBookmarks: true, timeoutSeconds: 60 }).open();
    assert.deepEqual(sent(), [`GET ${base}?allowWatchBookmarks=true&timeoutSeconds=60&watch=true`]);
    await resourceClient(rest, pods).list();
    assert.deepEqual(sent(), ['GET /api/v1/pods']);
    await resourceClient(rest, pods).namespace('x').get('web');
    assert.deepEqual(sent(), ['GET /api/v1/namespaces/x/pods/web']);
    await resourceClient(rest, namespaces).get('x');
    assert.deepEqual(sent(), ['GET /api/v1/namespaces/x']);
  });

  it('accepts selectors as text or parsed', async () => {
    const query = '?labelSelector=app%3Dweb&fieldSelector=spec.nodeName%3Dn1';
    await client.list({ labelSelector: 'app=web', fieldSelector: 'spec.nodeName=n1' });
    assert.deepEqual(sent(), [`GET ${base}${query}`]);
    await client.list({
      labelSelector: parseLabelSelector('app=web'),
      fieldSelector: parseFieldSelector('spec.nodeName=n1'),
    });
    assert.deepEqual(sent(), [`GET ${base}${query}`]);
  });

  it('reads null items as an empty list', async () => {
    const odd = RESTClient.over(new ScriptedTransport({ body: { metadata: {}, items: null } }));
    const list = await resourceClient(odd, pods).list();
    assert.deepEqual(list.items, []);
    const deleted = await resourceClient(odd, pods, 'default').deleteCollection();
    assert.deepEqual('items' in deleted && deleted.items, []);
  });

  it('adds the parameters that servers require with sendInitialEvents', async () => {
    const common = 'resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    await client.watch({ sendInitialEvents: true }).open();
    assert.deepEqual(sent(), [`GET ${base}?${common}&sendInitialEvents=true&watch=true`]);
    await client.watch({ sendInitialEvents: true, allowWatchBookmarks: false }).open();
    const quiet = common.replace('true', 'false');
    assert.deepEqual(sent(), [`GET ${base}?${quiet}&sendInitialEvents=true&watch=true`]);
    await client.watch({ sendInitialEvents: false }).open();
    const match = 'resourceVersionMatch=NotOlderThan';
    assert.deepEqual(sent(), [`GET ${base}?${match}&sendInitialEvents=false&watch=true`]);
  });
});

describe('writing', () => {
  it('adds kind and apiVersion to what it sends, and does not change the object', async () => {
    await client.create(web, { dryRun: true, fieldManager: 'me', fieldValidation: 'Strict' });
    const query = '?dryRun=All&fieldManager=me&fieldValidation=Strict';
    assert.deepEqual(sent(), [`POST ${base}${query}`, json, typedWeb]);
    await client.update(web);
    assert.deepEqual(sent(), [`PUT ${base}/web`, json, typedWeb]);
    await client.updateStatus(web, { dryRun: false });
    assert.deepEqual(sent(), [`PUT ${base}/web/status`, json, typedWeb]);
    assert.deepEqual(web, { metadata: { name: 'web' }, spec: { containers: [] } });
  });

  it('writes back the fields of a newer server, in either encoding', async () => {
    const future = { ...typedWeb, spec: { containers: [], colour: 'blue' }, extra: { deep: [1] } };
    const newer = new ScriptedTransport({ body: future });
    const read = await resourceClient(RESTClient.over(newer), pods, 'default').get('web');
    const labels = { changed: 'yes' };
    const changed = { ...read, metadata: { ...read.metadata, labels } };
    await client.update(changed);
    assert.deepEqual(transport.lastBody, { ...future, metadata: { name: 'web', labels } });

    // Field 100 of a pod, which does not exist yet: a string.
    const unknown = Buffer.from([0xa2, 0x06, 0x03, 0x6e, 0x65, 0x77]);
    const bytes = encodeProtobuf({ ...typedWeb, [UNKNOWN_FIELDS]: unknown });
    const headers = { 'content-type': MEDIA_TYPES.protobuf };
    const binary = new ScriptedTransport({ headers, body: bytes });
    const protobuf = RESTClient.over(binary, { codec: 'protobuf' });
    const own = resourceClient(protobuf, pods, 'default');
    const item = await own.get('web');
    await own.update({ ...item, metadata: { ...item.metadata, labels } });
    const written = decodeProtobuf(binary.last.body ?? new Uint8Array());
    assert.deepEqual(unknownFieldsOf(written), unknown);
    await createOrUpdate(own, { metadata: { name: 'web' } }, (pod) => {
      pod.metadata = { ...pod.metadata, labels };
    });
    const upserted = decodeProtobuf(binary.last.body ?? new Uint8Array());
    assert.deepEqual(unknownFieldsOf(upserted), unknown);

    // Informers receive protobuf, whatever the client prefers.
    await client.update({ ...item, metadata: { ...item.metadata, labels } });
    assert.equal(transport.last.headers['content-type'], MEDIA_TYPES.protobuf);
    const across = decodeProtobuf(transport.last.body ?? new Uint8Array());
    assert.deepEqual(unknownFieldsOf(across), unknown);
  });

  it('keeps the kind and apiVersion of an object', async () => {
    const odd = { apiVersion: 'v2', kind: 'Podlet', ...web } as unknown as Pod;
    await client.update(odd);
    assert.deepEqual(transport.lastBody, odd);
  });

  it('adds nothing for resources of unknown kind', async () => {
    const unknown: ResourceDescriptor = { ...pods, kind: '' };
    await resourceClient(rest, unknown as typeof pods, 'default').create(web);
    assert.deepEqual(transport.lastBody, web);
  });

  it('patches', async () => {
    const operations = [{ op: 'remove', path: '/spec' }] as const;
    await client.patch('web', operations, { type: 'json' });
    assert.deepEqual(sent(), [`PATCH ${base}/web`, 'application/json-patch+json', operations]);
    const merge = { metadata: { labels: { app: null } } };
    await client.patch('web', merge, { type: 'merge', subresource: 'status', dryRun: true });
    assert.deepEqual(sent(), [
      `PATCH ${base}/web/status?dryRun=All`,
      'application/merge-patch+json',
      merge,
    ]);
    await client.patch('web', merge, { type: 'strategic' });
    assert.deepEqual(sent(), [
      `PATCH ${base}/web`,
      'application/strategic-merge-patch+json',
      merge,
    ]);
  });

  it('applies', async () => {
    const apply = 'application/apply-patch+yaml';
    const query = '?fieldManager=me&force=true';
    await client.apply({ metadata: { name: 'web' } }, { fieldManager: 'me', force: true });
    const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } };
    assert.deepEqual(sent(), [`PATCH ${base}/web${query}`, apply, body]);
    await client.applyStatus({ metadata: { name: 'web' } }, { fieldManager: 'me' });
    assert.deepEqual(sent(), [`PATCH ${base}/web/status?fieldManager=me`, apply, body]);
    const options = { type: 'apply', fieldManager: 'me' } as const;
    await client.patch('web', { metadata: { name: 'web' } }, options);
    assert.deepEqual(sent(), [`PATCH ${base}/web?fieldManager=me`, apply, body]);
  });

  it('rejects invalid requests before sending', async () => {
    const before = transport.requests.length;
    const invalid = { code: 'REST_REQUEST_INVALID' };
    const me = { fieldManager: 'me' };
    const managed = { metadata: { name: 'web', managedFields: [] as never } };
    await assert.rejects(client.apply(managed, me), { ...invalid, message: /managedFields/ });
    await assert.rejects(client.apply({ metadata: { name: '' } }, me), invalid);
    await assert.rejects(client.apply({} as never, me), {
      ...invalid,
      message: /metadata\.name is empty/,
    });
    await assert.rejects(client.update({}), {
      ...invalid,
      message: /metadata\.name is empty in an object for pods/,
    });
    await assert.rejects(client.get(''), invalid);
    await assert.rejects(client.get('a/b'), invalid);
    const nowhere = resourceClient(rest, pods, '');
    await assert.rejects(nowhere.get('web'), invalid);
    await assert.rejects(nowhere.create(web), invalid);
    await assert.rejects(nowhere.patch('web', {}, { type: 'merge' }), invalid);
    await assert.rejects(nowhere.delete('web'), invalid);
    const everywhere = resourceClient(rest, pods) as unknown as typeof client;
    await assert.rejects(everywhere.get('web'), invalid);
    await assert.rejects(everywhere.create(web), invalid);
    assert.equal(transport.requests.length, before);
    await nowhere.list();
    assert.deepEqual(sent(), ['GET /api/v1/pods']);
  });

  it('deletes', async () => {
    await client.delete('web');
    assert.deepEqual(sent(), [`DELETE ${base}/web`]);
    await client.delete('web', {
      dryRun: true,
      gracePeriodSeconds: 0,
      propagationPolicy: 'Foreground',
      preconditions: { uid: '1' },
    });
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      dryRun: ['All'],
      gracePeriodSeconds: 0,
      propagationPolicy: 'Foreground',
      preconditions: { uid: '1' },
    };
    assert.deepEqual(sent(), [`DELETE ${base}/web`, json, body]);
    await client.deleteCollection({ labelSelector: 'a=b' });
    assert.deepEqual(sent(), [`DELETE ${base}?labelSelector=a%3Db`]);
    const protobuf = resourceClient(rest.with({ codec: 'protobuf' }), pods, 'default');
    await protobuf.deleteCollection({ gracePeriodSeconds: 1 });
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 1 };
    assert.deepEqual(sent(), [`DELETE ${base}`, json, options]);
  });

  it('accepts a timeout per request', async () => {
    await client.get('web', { timeoutMs: 2500 });
    assert.deepEqual(sent(), [`GET ${base}/web?timeout=2.5s`]);
  });
});

describe('subresources', () => {
  const scale = '/apis/apps/v1/namespaces/default/deployments/web/scale';

  it('scales', async () => {
    await scaled.getScale('web');
    assert.deepEqual(sent(), [`GET ${scale}`]);
    await scaled.updateScale('web', { spec: { replicas: 3 } });
    const metadata = { name: 'web', namespace: 'default' };
    const kind = { apiVersion: 'autoscaling/v1', kind: 'Scale' };
    assert.deepEqual(sent(), [`PUT ${scale}`, json, { ...kind, metadata, spec: { replicas: 3 } }]);
    await scaled.patchScale('web', { spec: { replicas: 3 } }, { type: 'merge', dryRun: true });
    assert.deepEqual(sent(), [
      `PATCH ${scale}?dryRun=All`,
      'application/merge-patch+json',
      { spec: { replicas: 3 } },
    ]);
    await scaled.patchScale(
      'web',
      { metadata: { name: 'web' } },
      { type: 'apply', fieldManager: 'me' },
    );
    assert.deepEqual(transport.lastBody, { ...kind, metadata: { name: 'web' } });
  });

  it('reads and patches the status', async () => {
    await client.getStatus('web', { resourceVersion: '0' });
    assert.deepEqual(sent(), [`GET ${base}/web/status?resourceVersion=0`]);
    await client.patchStatus('web', { status: { phase: 'Failed' } }, { type: 'merge' });
    assert.deepEqual(sent(), [
      `PATCH ${base}/web/status`,
      'application/merge-patch+json',
      { status: { phase: 'Failed' } },
    ]);
  });

  it('evicts, binds and issues tokens', async () => {
    const metadata = { name: 'web' };
    await client.evict('web');
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata };
    assert.deepEqual(sent(), [`POST ${base}/web/eviction`, json, eviction]);
    await client.evict('web', { gracePeriodSeconds: 0 });
    const deleteOptions = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 };
    assert.deepEqual(transport.lastBody, { ...eviction, deleteOptions });
    await client.bind('web', 'node-1', { dryRun: true });
    assert.deepEqual(sent(), [
      `POST ${base}/web/binding?dryRun=All`,
      json,
      {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata,
        target: { apiVersion: 'v1', kind: 'Node', name: 'node-1' },
      },
    ]);
    await resourceClient(rest, serviceAccounts, 'default').createToken('me', {
      expirationSeconds: 600,
    });
    assert.deepEqual(sent(), [
      'POST /api/v1/namespaces/default/serviceaccounts/me/token',
      json,
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: 600 },
      },
    ]);
  });

  it('updates subresources', async () => {
    await client.updateEphemeralContainers(web);
    assert.deepEqual(sent(), [`PUT ${base}/web/ephemeralcontainers`, json, typedWeb]);
    await client.updateResize(web);
    assert.deepEqual(sent(), [`PUT ${base}/web/resize`, json, typedWeb]);
    await resourceClient(rest, namespaces).finalize({ metadata: { name: 'x' } });
    assert.deepEqual(sent()[0], 'PUT /api/v1/namespaces/x/finalize');
    const request = { metadata: { name: 'x' }, spec: { request: '', signerName: 'x/y' } };
    await resourceClient(rest, certificateSigningRequests).updateApproval(request);
    assert.deepEqual(
      sent()[0],
      'PUT /apis/certificates.k8s.io/v1/certificatesigningrequests/x/approval',
    );
  });

  it('builds proxy requests', () => {
    const proxied = resourceClient(rest, services, 'default');
    const root = '/api/v1/namespaces/default/services';
    assert.equal(proxied.proxy('web').path, `${root}/web/proxy/`);
    assert.equal(proxied.proxy('web', { port: 80 }).path, `${root}/web:80/proxy/`);
    const secure = { scheme: 'https', port: 'api', path: '/a b/', params: { q: 1 } } as const;
    assert.equal(proxied.proxy('web', secure).path, `${root}/https:web:api/proxy/a%20b/`);
    assert.equal(proxied.proxy('web', { scheme: 'https' }).path, `${root}/https:web:/proxy/`);
  });
});
