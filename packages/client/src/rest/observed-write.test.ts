import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { pods } from '../api/core/v1.ts';
import { DynamicClient } from '../dynamic/dynamic-client.ts';
import { Clientset } from '../kubernetes/clientset.ts';
import { recordingLogger } from '../lib/test-logger.ts';
import { MetadataClient } from '../metadata/metadata-client.ts';
import { TransportError } from '../transport/transport-error.ts';
import type { ObservedWrite, WriteAnswer, WriteObserver, WriteOutcome } from './write-observer.ts';
import { RESTClient } from './rest-client.ts';
import { type Reply, ScriptedTransport } from './test-transport.ts';

const silentLogger = recordingLogger();
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', uid: 'u' },
} as const;

/** A client whose writes are recorded, over a transport that answers with these replies. */
function observed(...replies: readonly (Reply | (() => Reply))[]) {
  const writes: ObservedWrite[] = [];
  const outcomes: WriteOutcome[] = [];
  const onWrite: WriteObserver = (write) => {
    writes.push(write);
    return (outcome) => void outcomes.push(outcome);
  };
  const transport = new ScriptedTransport(...(replies.length === 0 ? [{ body: pod }] : replies));
  const rest = RESTClient.over(transport, { logger: silentLogger }).with({ onWrite });
  return { writes, outcomes, rest, client: new Clientset(rest) };
}

function summary({ verb, resource, namespace, name, subresource }: ObservedWrite): string {
  const place = [namespace, resource.resource, name ?? '?', subresource].filter(Boolean).join('/');
  return `${verb} ${place}`;
}

describe('the observer of writes', () => {
  it('looks at the object that the caller gets, and decodes others to keep', async () => {
    const peeked: object[] = [];
    let result: WriteAnswer | undefined;
    const onWrite: WriteObserver = () => (outcome) => {
      if (outcome.type !== 'accepted') return;
      ({ result } = outcome);
      peeked.push(result.peek(), result.peek());
    };
    const rest = RESTClient.over(new ScriptedTransport({ body: pod }), { logger: silentLogger });
    const answer = await rest.with({ onWrite }).put().absPath('/api/v1/pods/web').body(pod).do();
    const object = answer.into();
    assert.ok(peeked.every((one) => one === object));
    const kept = result?.into();
    assert.deepEqual(kept, pod);
    assert.notEqual(kept, object);
    assert.notEqual(answer.into(), object, 'handed out once');
  });

  it('sees every verb and subresource of typed clients', async () => {
    const { client, writes } = observed();
    const web = client.coreV1.pods('ns');
    await web.create({ metadata: { generateName: 'web-' } });
    await web.create(pod);
    await web.update(pod);
    await web.patch('web', {}, { type: 'merge' });
    await web.apply(pod, { fieldManager: 'me' });
    await web.updateStatus(pod);
    await web.patchStatus('web', {}, { type: 'merge' });
    await web.applyStatus(pod, { fieldManager: 'me' });
    await web.evict('web');
    await web.bind('web', 'node-1');
    await web.updateEphemeralContainers(pod);
    await web.delete('web');
    await web.deleteCollection({ labelSelector: 'a=b' });
    await client.appsV1.deployments('ns').updateScale('web', { spec: { replicas: 2 } });
    await client.appsV1.deployments('ns').patchScale('web', {}, { type: 'merge' });
    await client.coreV1.namespaces().finalize({ metadata: { name: 'ns' } });
    assert.deepEqual(writes.map(summary), [
      'create ns/pods/?',
      'create ns/pods/web',
      'update ns/pods/web',
      'patch ns/pods/web',
      'apply ns/pods/web',
      'update ns/pods/web/status',
      'patch ns/pods/web/status',
      'apply ns/pods/web/status',
      'create ns/pods/web/eviction',
      'create ns/pods/web/binding',
      'update ns/pods/web/ephemeralcontainers',
      'delete ns/pods/web',
      'deletecollection ns/pods/?',
      'update ns/deployments/web/scale',
      'patch ns/deployments/web/scale',
      'update namespaces/ns/finalize',
    ]);
    assert.deepEqual(writes[13]?.resource, {
      group: 'apps',
      version: 'v1',
      resource: 'deployments',
    });
  });

  it('sees the writes of dynamic and metadata clients, and raw requests', async () => {
    const { rest, writes } = observed();
    await new DynamicClient(rest).resource(pods).namespace('ns').update(pod);
    await new MetadataClient(rest).resource(pods).namespace('ns').delete('web');
    await new MetadataClient(rest)
      .resource(pods)
      .namespace('ns')
      .patch('web', {}, { type: 'merge' });
    await rest.put().namespace('ns').resource('pods').name('web').body(pod).raw();
    await rest.with({ codec: 'protobuf' }).delete().namespace('ns').resource('pods').name('w').do();
    assert.deepEqual(writes.map(summary), [
      'update ns/pods/web',
      'delete ns/pods/web',
      'patch ns/pods/web',
      'update ns/pods/web',
      'delete ns/pods/w',
    ]);
  });

  it('sees writes to paths that are given as a whole', async () => {
    const { rest, writes } = observed();
    await rest.delete().absPath('/apis/apps/v1/namespaces/ns/deployments/web').raw();
    await rest.put().absPath('/api/v1/namespaces/ns/pods/web/status').body(pod).raw();
    await rest.post().requestUri('/api/v1/namespaces/ns/pods?fieldManager=me').body(pod).raw();
    await rest.delete().absPath('/api/v1/namespaces/ns/pods').raw();
    await rest.delete().absPath('/api/v1/namespaces/ns').raw();
    await rest.put().absPath('/api/v1/namespaces/ns/finalize').body(pod).raw();
    await rest.delete().absPath('/apis/rbac.authorization.k8s.io/v1/clusterroles/a:b').raw();
    await rest.post().absPath('/api/v1/namespaces/ns/pods/web/exec').raw();
    assert.deepEqual(writes.map(summary), [
      'delete ns/deployments/web',
      'update ns/pods/web/status',
      'create ns/pods/web',
      'deletecollection ns/pods/?',
      'delete namespaces/ns',
      'update namespaces/ns/finalize',
      'delete clusterroles/a:b',
    ]);
    const [first] = writes;
    assert.deepEqual(first?.resource, { group: 'apps', version: 'v1', resource: 'deployments' });
  });

  it('does not see reads, dry runs, tokens and proxied requests', async () => {
    const { client, rest, writes } = observed();
    const web = client.coreV1.pods('ns');
    await web.get('web');
    await web.create(pod, { dryRun: true });
    await web.delete('web', { dryRun: true });
    await client.coreV1.serviceAccounts('ns').createToken('robot');
    await web.proxy('web', { method: 'POST' }).raw();
    await rest.verb('POST').absPath('/token').raw();
    assert.deepEqual(writes, []);
  });

  it('learns whether the server has done a write, has not, or may have', async () => {
    const lost = (mayHaveBeenHandled: boolean) => (): Reply => {
      throw new TransportError('TRANSPORT_CONNECTION_RESET', 'lost', { mayHaveBeenHandled });
    };
    const status = (code: number): Reply => ({
      status: code,
      body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code },
    });
    const replies = [{ body: pod }, status(409), status(504), lost(true), lost(false)];
    const { client, outcomes } = observed(...replies);
    const web = client.coreV1.pods('ns');
    for (const _ of replies) await web.update(pod).catch(() => undefined);
    assert.deepEqual(
      outcomes.map(({ type }) => type),
      ['accepted', 'refused', 'unknown', 'unknown', 'refused'],
    );
  });

  it('learns that an aborted write may have been done, unless it was not sent', async () => {
    const stop = new AbortController();
    const { client, outcomes } = observed(() => {
      stop.abort();
      throw stop.signal.reason;
    });
    const web = client.coreV1.pods('ns');
    await assert.rejects(web.update(pod, { signal: stop.signal }));
    await assert.rejects(web.update(pod, { signal: stop.signal }));
    assert.deepEqual(
      outcomes.map(({ type }) => type),
      ['unknown'],
    );
  });

  it('delays the answer until its promise has settled, and cannot fail the write', async () => {
    const steps: string[] = [];
    const transport = new ScriptedTransport({ body: pod });
    const rest = RESTClient.over(transport, { logger: silentLogger });
    const slow = rest.with({
      onWrite: () => async () => {
        await Promise.resolve();
        steps.push('observed');
        throw new Error('broken');
      },
    });
    await new Clientset(slow).coreV1.pods('ns').update(pod);
    steps.push('resolved');
    const broken = rest.with({
      onWrite: () => {
        throw new Error('broken');
      },
    });
    await new Clientset(broken).coreV1.pods('ns').update(pod);
    assert.deepEqual(steps, ['observed', 'resolved']);
  });

  it('is added to that of the client it comes from', async () => {
    const { rest, writes } = observed();
    const second: string[] = [];
    const both = rest.with({ onWrite: (write) => void second.push(summary(write)) });
    await new Clientset(both).coreV1.pods('ns').update(pod);
    assert.deepEqual(writes.map(summary), ['update ns/pods/web']);
    assert.deepEqual(second, ['update ns/pods/web']);
  });
});
