import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ApiServer } from '@client-ts/apiserver';
import { loadConfig } from 'client-ts/clientcmd';
import { Clientset } from 'client-ts/kubernetes';
import { nextTurn } from 'client-ts/internal';
import { getControllerOf, isBeingDeleted } from 'client-ts/meta';
import { VirtualClock } from 'client-ts/testing';
import { conditions, waitFor } from 'client-ts/wait';

import { deploymentNamed } from './catalogue.ts';
import { Chance } from './chance.ts';
import { brokenTag } from './pod-lifecycle.ts';
import { rolloutLimits } from './rollout.ts';
import { Simulation, type SimulationOptions } from './simulation.ts';
import { simulatedLabel } from './cluster.ts';

/** A simulation on an in-memory server and a virtual clock. */
class Trial implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly errors: unknown[] = [];
  readonly client: Clientset;
  readonly simulation: Simulation;
  readonly #server: ApiServer;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  private constructor(server: ApiServer, options: Partial<SimulationOptions>) {
    this.#server = server;
    this.client = new Clientset({ server: server.url, transport: server.transport() });
    this.simulation = new Simulation({
      client: this.client,
      clock: this.clock,
      onError: (error) => this.errors.push(error),
      ...options,
    });
    this.#running = this.simulation.run({ signal: this.#stop.signal });
  }

  static async start(options: Partial<SimulationOptions> = {}): Promise<Trial> {
    return new Trial(await ApiServer.start(), options);
  }

  /** Advances the clock, and waits for quiescence. */
  async pass(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 0.5) {
      await this.clock.advance(500);
      let quiet = 0;
      while (quiet < 20) {
        quiet = this.simulation.queueDepth === 0 ? quiet + 1 : 0;
        await nextTurn();
      }
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.client[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
  }

  async cluster() {
    const [deployments, sets, pods, nodes] = await Promise.all([
      this.client.appsV1.deployments('shop').list(),
      this.client.appsV1.replicaSets('shop').list(),
      this.client.coreV1.pods('shop').list(),
      this.client.coreV1.nodes().list(),
    ]);
    return {
      deployments: deployments.items,
      sets: sets.items,
      pods: pods.items,
      nodes: nodes.items,
    };
  }
}

describe('Simulation', () => {
  it('runs the pods of its deployments, spread over its nodes', async () => {
    await using trial = await Trial.start({ users: false, nodes: 4, deployments: 5 });
    await trial.pass(8);
    const { deployments, pods, nodes } = await trial.cluster();
    assert.equal(nodes.length, 4);
    assert.equal(deployments.length, 5);
    for (const { metadata, spec, status } of deployments) {
      assert.equal(status?.replicas, spec?.replicas, metadata.name);
      assert.equal(status?.observedGeneration, metadata.generation, metadata.name);
    }
    const wanted = deployments.reduce((sum, { spec }) => sum + (spec?.replicas ?? 0), 0);
    assert.equal(pods.length, wanted);
    assert.ok(pods.every(({ status }) => status?.phase === 'Running'));
    const loads = nodes.map(
      ({ metadata }) => pods.filter((pod) => pod.spec?.nodeName === metadata.name).length,
    );
    assert.ok(Math.max(...loads) - Math.min(...loads) <= 1, loads.join(' '));
    assert.deepEqual(trial.errors, []);
  });

  it('records the events of the real components', async () => {
    await using trial = await Trial.start({ users: false, nodes: 2, deployments: 2 });
    await trial.pass(8);
    await trial.stop();
    const { items } = await trial.client.coreV1.events('shop').list();
    const tellers = new Map(
      items.map(({ reason, reportingComponent, source }) => [
        reason,
        reportingComponent || source?.component,
      ]),
    );
    assert.equal(tellers.get('ScalingReplicaSet'), 'deployment-controller');
    assert.equal(tellers.get('SuccessfulCreate'), 'replicaset-controller');
    assert.equal(tellers.get('Scheduled'), 'default-scheduler');
    for (const reason of ['Pulling', 'Pulled', 'Created', 'Started']) {
      assert.equal(tellers.get(reason), 'kubelet', reason);
    }
    const started = items.find(({ reason }) => reason === 'Started');
    assert.equal(started?.involvedObject.kind, 'Pod');
    assert.match(started.involvedObject.fieldPath ?? '', /^spec\.containers\{\w+\}$/);
    assert.match(started.source?.host ?? '', /^node-\d$/);
  });

  it('reports an unschedulable pod, and schedules it when there is room', async () => {
    await using trial = await Trial.start({ users: false, nodes: 1, deployments: 1 });
    await trial.pass(4);
    const deployments = trial.client.appsV1.deployments('shop');
    await deployments.patch('web', { spec: { replicas: 18 } }, { type: 'merge' });
    await trial.pass(8);
    const { pods } = await trial.cluster();
    assert.equal(pods.filter(({ spec }) => spec?.nodeName === undefined).length, 2);
    const { items } = await trial.client.eventsV1
      .events('shop')
      .list({ fieldSelector: 'reason=FailedScheduling' });
    assert.equal(items[0]?.note, '0/1 nodes are available: 1 Too many pods.');
    await trial.client.coreV1.nodes().create({
      metadata: { name: 'node-2', labels: { [simulatedLabel]: 'true' } },
      status: { capacity: { pods: '1' } },
    });
    // A new node has a taint until its kubelet is ready.
    await trial.client.coreV1
      .nodes()
      .patch('node-2', { spec: { taints: null } }, { type: 'merge' });
    await trial.pass(10);
    const later = await trial.cluster();
    const homeless = later.pods.filter(({ spec }) => spec?.nodeName === undefined);
    assert.equal(homeless.length, 1);
    await deployments.patch('web', { spec: { replicas: 17 } }, { type: 'merge' });
    await trial.pass(2);
    const { pods: left } = await trial.cluster();
    assert.equal(left.length, 17);
    assert.ok(
      left.every(({ spec }) => spec?.nodeName !== undefined),
      'pods that serve were deleted before one that did not',
    );
  });

  it('goes on recording of an image that is not to be had', async () => {
    await using trial = await Trial.start({ users: false, nodes: 1, deployments: 0 });
    await trial.pass(1);
    const deployment = deploymentNamed('web', new Chance(1));
    const containers = [{ name: 'web', image: `shop/web:${brokenTag}` }];
    const { spec } = deployment;
    assert.ok(spec?.template.spec);
    spec.replicas = 1;
    spec.template.spec.containers = containers;
    await trial.client.appsV1.deployments('shop').create(deployment);
    await trial.pass(60);
    await trial.stop();
    const { items } = await trial.client.coreV1.events('shop').list();
    const backOff = items.find(({ reason }) => reason === 'BackOff');
    assert.ok((backOff?.count ?? 0) >= 3, `${backOff?.count}`);
  });

  it('removes old replica sets beyond the history', async () => {
    await using trial = await Trial.start({ users: false, nodes: 2, deployments: 1 });
    await trial.pass(4);
    for (let version = 1; version <= 5; version += 1) {
      const containers = [{ name: 'web', image: `shop/web:v10${version}` }];
      await trial.client.appsV1
        .deployments('shop')
        .patch('web', { spec: { template: { spec: { containers } } } }, { type: 'strategic' });
      await trial.pass(20);
    }
    const { sets } = await trial.cluster();
    assert.equal(sets.length, 3);
  });

  it('rolls out without losing availability', async () => {
    await using trial = await Trial.start({ users: false, deployments: 1, seed: 5 });
    await trial.pass(8);
    const deployments = trial.client.appsV1.deployments('shop');
    await deployments.patch(
      'web',
      {
        spec: {
          replicas: 8,
          template: { spec: { containers: [{ name: 'web', image: 'shop/web:v99' }] } },
        },
      },
      { type: 'strategic' },
    );
    for (let round = 0; round < 60; round += 1) {
      await trial.pass(1);
      const { sets } = await trial.cluster();
      const total = sets.reduce((sum, { spec }) => sum + (spec?.replicas ?? 0), 0);
      assert.ok(total <= rolloutLimits(8).most, `${total} pods`);
    }
    const { pods, sets } = await trial.cluster();
    const images = pods
      .filter((pod) => !isBeingDeleted(pod))
      .map(({ spec }) => spec?.containers[0]?.image);
    assert.deepEqual(
      images,
      Array.from({ length: 8 }, () => 'shop/web:v99'),
    );
    assert.deepEqual(new Set(sets.map(({ spec }) => spec?.replicas)), new Set([0, 8]));
  });

  for (const seed of [1, 2]) {
    it(`never has too many pods while users change things (seed ${seed})`, async () => {
      await using trial = await Trial.start({ seed, rate: 4 });
      for (let round = 0; round < 30; round += 1) {
        await trial.pass(1);
        const { pods, sets, nodes } = await trial.cluster();
        for (const { metadata, spec } of sets) {
          const active = pods.filter(
            (pod) => getControllerOf(pod)?.uid === metadata.uid && !isBeingDeleted(pod),
          );
          assert.ok(
            active.length <= (spec?.replicas ?? 0),
            `${metadata.name} has ${active.length}`,
          );
        }
        for (const { metadata, status } of nodes) {
          const load = pods.filter((pod) => pod.spec?.nodeName === metadata.name).length;
          assert.ok(load <= Number(status?.capacity?.['pods']), `${metadata.name} has ${load}`);
        }
      }
      assert.deepEqual(trial.errors, []);
    });
  }

  it('stops everything, and resumes from the existing objects', async () => {
    await using trial = await Trial.start({ users: false, deployments: 2 });
    await trial.pass(8);
    const before = await trial.cluster();
    await trial.stop();
    assert.equal(trial.clock.pending, 0);
    const stop = new AbortController();
    const again = new Simulation({
      client: trial.client,
      clock: trial.clock,
      users: false,
      deployments: 2,
    });
    const running = again.run({ signal: stop.signal });
    await trial.pass(2);
    const after = await trial.cluster();
    stop.abort();
    await running;
    const names = ({ pods }: typeof before): string[] =>
      pods.map(({ metadata }) => metadata.name).toSorted();
    assert.deepEqual(names(after), names(before));
  });
});

const kubeconfig = process.env['CONFORMANCE_KUBECONFIG'];

describe(`Simulation ${kubeconfig === undefined ? 'over TLS' : `with ${kubeconfig}`}`, () => {
  it('makes its deployments available, and removes the pods of deleted ones', async () => {
    await using server = kubeconfig === undefined ? await ApiServer.start() : undefined;
    const config = server?.config ?? (await loadConfig({ kubeconfig: kubeconfig ?? '' }));
    await using client = new Clientset(config);
    const stop = new AbortController();
    const errors: unknown[] = [];
    const namespace = `simulated-${crypto.randomUUID().slice(0, 8)}`;
    const simulation = new Simulation({
      client,
      namespace,
      rate: 20,
      users: false,
      deployments: 3,
      onError: (error) => errors.push(error),
    });
    const running = simulation.run({ signal: stop.signal });
    try {
      const deployments = client.appsV1.deployments(namespace);
      for (const name of ['web', 'api', 'cart']) {
        await waitFor(deployments, name, conditions.deploymentAvailable, { timeoutMs: 60_000 });
      }
      // A kube-apiserver alone does not delete dependents.
      const owned = await client.appsV1.replicaSets(namespace).list({ labelSelector: 'app=web' });
      const pods = await client.coreV1.pods(namespace).list({ labelSelector: 'app=web' });
      await deployments.delete('web', { propagationPolicy: 'Background' });
      for (const { metadata } of owned.items) {
        await waitFor(
          client.appsV1.replicaSets(namespace),
          metadata.name,
          conditions.deleted(metadata.uid),
        );
      }
      for (const { metadata } of pods.items) {
        await waitFor(
          client.coreV1.pods(namespace),
          metadata.name,
          conditions.deleted(metadata.uid),
        );
      }
    } finally {
      stop.abort();
      await running;
      await client.coreV1.namespaces().delete(namespace);
    }
    assert.deepEqual(errors, []);
  });
});
