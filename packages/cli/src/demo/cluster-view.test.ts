import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ApiServer } from '@client-ts/apiserver';
import { systemClock } from 'client-ts/internal';
import { Clientset } from 'client-ts/kubernetes';
import { coreV1Sink, EventBroadcaster } from 'client-ts/record';
import { VirtualClock } from 'client-ts/testing';
import type { Transport } from 'client-ts/transport';

import { ClusterView, EventRate, podCondition } from './cluster-view.ts';
import { noPods } from './state.ts';

/** Polls the view until it matches. */
async function see(
  view: ClusterView,
  isSeen: (seen: ReturnType<ClusterView['snapshot']>) => boolean,
) {
  for (;;) {
    const seen = view.snapshot();
    if (isSeen(seen)) return seen;
    await new Promise(setImmediate);
  }
}

/** A server with two nodes and some pods, that counts requests. */
async function open() {
  const server = await ApiServer.start();
  let requests = 0;
  const inner = server.transport();
  const transport: Transport = {
    request: (request) => {
      requests += 1;
      return inner.request(request);
    },
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
  const client = new Clientset({ server: server.url, transport });
  for (const name of ['node-10', 'node-2'])
    await client.coreV1.nodes().create({ metadata: { name } });
  const pods = client.coreV1.pods('default');
  const spec = { containers: [{ name: 'main', image: 'x' }] };
  for (const [name, nodeName, phase] of [
    ['a', 'node-2', 'Running'],
    ['b', 'node-2', 'Running'],
    ['c', 'node-10', 'Pending'],
    ['d', 'node-10', 'Succeeded'],
    ['e', undefined, 'Pending'],
  ] as const) {
    await pods.create({ metadata: { name }, spec: { ...spec, ...(nodeName && { nodeName }) } });
    await pods.patch(name, { status: { phase } }, { type: 'merge', subresource: 'status' });
  }
  const view = new ClusterView({ client, clock: systemClock });
  return {
    client,
    view,
    requests: () => requests,
    [Symbol.asyncDispose]: async () => {
      await view[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe('ClusterView', () => {
  it('counts pods by node and condition, nodes in natural order', async () => {
    await using trial = await open();
    trial.view.start();
    const seen = await see(trial.view, ({ informers }) => informers.every(({ isLive }) => isLive));
    assert.deepEqual(seen.nodes, [
      { name: 'node-2', counts: { ...noPods, running: 2 }, note: '' },
      { name: 'node-10', counts: { ...noPods, starting: 1 }, note: '' },
    ]);
    assert.deepEqual(seen.unscheduled, { ...noPods, starting: 1 });
    assert.deepEqual(seen.totals, { ...noPods, running: 2, starting: 2 });
    assert.deepEqual(
      seen.informers.map(({ name, state, objects }) => `${name} ${state} ${objects}`),
      ['pods live 5', 'nodes live 2', 'events live 0'],
    );
  });

  it('counts pods on nodes that are deleted or unreadable', async () => {
    await using trial = await open();
    await trial.client.coreV1.nodes().delete('node-10');
    trial.view.start();
    const seen = await see(trial.view, ({ informers }) => informers.every(({ isLive }) => isLive));
    assert.deepEqual(
      seen.nodes.map(({ name, note }) => `${name} ${note}`),
      ['node-2 ', 'node-10 no such node'],
    );
    assert.deepEqual(seen.totals, { ...noPods, running: 2, starting: 2 });

    await using server = await ApiServer.start({ authorization: 'rbac' });
    await using client = new Clientset(server.config);
    await addReader(client);
    const spec = { nodeName: 'node-1', containers: [{ name: 'main', image: 'x' }] };
    await client.coreV1.pods('default').create({ metadata: { name: 'a' }, spec });
    const impersonate = { user: 'reader' };
    await using reader = new Clientset({ ...server.config, impersonate });
    await using view = new ClusterView({
      client: reader,
      clock: systemClock,
      namespace: 'default',
    });
    view.start();
    const { nodes, informers } = await see(view, ({ nodes }) => nodes.length > 0);
    assert.deepEqual(nodes, [{ name: 'node-1', counts: { ...noPods, starting: 1 }, note: '' }]);
    assert.equal(informers.find(({ name }) => name === 'nodes')?.isLive, false);
  });

  it('reads snapshots from the caches, without a request', async () => {
    await using trial = await open();
    trial.view.start();
    await see(trial.view, ({ informers }) => informers.every(({ isLive }) => isLive));
    const before = trial.requests();
    for (let round = 0; round < 1000; round += 1) trial.view.snapshot();
    await new Promise(setImmediate);
    assert.equal(trial.requests(), before);
  });

  it('reports problems of nodes', async () => {
    await using trial = await open();
    const nodes = trial.client.coreV1.nodes();
    await nodes.patch('node-2', { spec: { unschedulable: true } }, { type: 'merge' });
    const conditions = [{ type: 'Ready', status: 'False' }];
    const options = { type: 'merge', subresource: 'status' } as const;
    await nodes.patch('node-10', { status: { conditions } }, options);
    trial.view.start();
    const seen = await see(trial.view, ({ nodes }) => nodes.length === 2);
    assert.deepEqual(
      seen.nodes.map(({ note }) => note),
      ['cordoned', 'not ready'],
    );
  });

  it('follows events: number, rate and latest warnings', async () => {
    await using trial = await open();
    await using broadcaster = new EventBroadcaster();
    broadcaster.startRecordingToSink(coreV1Sink(trial.client));
    const recorder = broadcaster.newRecorder({ component: 'test' });
    const subject = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'a', uid: 'u' };
    recorder.event(subject, 'Warning', 'Early', 'before anybody looked');
    await settled(broadcaster);
    trial.view.start();
    await see(trial.view, ({ events }) => events.seen === 1);
    assert.deepEqual(trial.view.takeWarnings(), []);
    recorder.event(subject, 'Normal', 'Fine', 'nothing to see');
    recorder.event(subject, 'Warning', 'Late', 'once');
    recorder.event(subject, 'Warning', 'Early', 'before anybody looked');
    const seen = await see(trial.view, ({ events }) => events.seen === 4);
    assert.deepEqual(
      seen.warnings.map(({ reason, object, message, count }) => ({
        reason,
        object,
        message,
        count,
      })),
      [
        { reason: 'Early', object: 'pod/a', message: 'before anybody looked', count: 2 },
        { reason: 'Late', object: 'pod/a', message: 'once', count: 1 },
      ],
    );
    assert.equal(
      seen.events.history.reduce((sum, count) => sum + count, 0),
      3,
    );
    assert.deepEqual(
      trial.view.takeWarnings().map(({ reason }) => reason),
      ['Late', 'Early'],
    );
    assert.deepEqual(trial.view.takeWarnings(), []);
  });
});

describe('podCondition', () => {
  it('returns the condition of a pod', () => {
    const waiting = (reason: string) => ({
      phase: 'Pending',
      containerStatuses: [
        {
          name: 'c',
          image: '',
          imageID: '',
          ready: false,
          restartCount: 0,
          state: { waiting: { reason } },
        },
      ],
    });
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    assert.equal(podCondition({ status: { phase: 'Running' } }), 'running');
    assert.equal(podCondition({ status: { phase: 'Pending' } }), 'starting');
    assert.equal(podCondition({}), 'starting');
    assert.equal(podCondition({ status: waiting('ContainerCreating') }), 'starting');
    assert.equal(podCondition({ status: waiting('CrashLoopBackOff') }), 'failing');
    assert.equal(podCondition({ status: waiting('ImagePullBackOff') }), 'failing');
    assert.equal(
      podCondition({ metadata: { deletionTimestamp }, status: { phase: 'Running' } }),
      'terminating',
    );
    assert.equal(podCondition({ status: { phase: 'Succeeded' } }), undefined);
    assert.equal(podCondition({ status: { phase: 'Failed' } }), undefined);
  });
});

/** A user who may read one namespace. */
async function addReader(client: Clientset): Promise<void> {
  const { rbacV1 } = client;
  const rules = [{ apiGroups: [''], resources: ['pods', 'events'], verbs: ['list', 'watch'] }];
  await rbacV1.roles('default').create({ metadata: { name: 'reader' }, rules });
  await rbacV1.roleBindings('default').create({
    metadata: { name: 'reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'reader' }],
  });
}

async function settled(broadcaster: EventBroadcaster): Promise<void> {
  while (broadcaster.statistics.pending > 0) await new Promise(setImmediate);
}

describe('EventRate', () => {
  it('counts per second', async () => {
    const clock = new VirtualClock();
    const rate = new EventRate(clock);
    rate.add();
    rate.add(2);
    await clock.advance(2500);
    rate.add(4);
    assert.deepEqual(rate.history, [3, 0, 4]);
  });

  it('keeps a minute of history', async () => {
    const clock = new VirtualClock();
    const rate = new EventRate(clock);
    for (let second = 0; second < 100; second += 1) {
      rate.add(second);
      await clock.advance(1000);
    }
    const { history } = rate;
    assert.equal(history.length, 60);
    assert.deepEqual(history.slice(-3), [98, 99, 0]);
  });

  it('averages the last ten seconds', async () => {
    const clock = new VirtualClock();
    const rate = new EventRate(clock);
    assert.equal(rate.perSecond, 0);
    rate.add(3);
    assert.equal(rate.perSecond, 3);
    for (let second = 0; second < 30; second += 1) {
      rate.add(5);
      await clock.advance(1000);
    }
    assert.equal(rate.perSecond, 5);
    await clock.advance(20_000);
    assert.equal(rate.perSecond, 0);
  });
});
