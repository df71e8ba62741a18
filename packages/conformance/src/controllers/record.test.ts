import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pods } from 'client-ts/api/core/v1';
import { Clientset } from 'client-ts/kubernetes';
import {
  coreV1Sink,
  EventBroadcaster,
  eventsV1Sink,
  EventsV1Broadcaster,
  type RecordError,
  getReference,
} from 'client-ts/record';
import { type RunningTarget, targets } from '../clients/test-targets.ts';

for (const { name, start } of targets) {
  describe(`events ${name}`, () => {
    let target: RunningTarget;
    let client: Clientset;
    let namespace: string;

    before(async () => {
      target = await start();
      client = new Clientset(target.config);
      const { metadata } = await client.coreV1
        .namespaces()
        .create({ metadata: { generateName: 'record-' } });
      namespace = metadata.name;
    });

    after(async () => {
      await client.coreV1.namespaces().delete(namespace);
      await client[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    });

    /** Creates a ConfigMap and returns it as a list does: without a kind. */
    async function listedMap() {
      const maps = client.coreV1.configMaps(namespace);
      const { metadata } = await maps.create({ metadata: { generateName: 'subject-' } });
      const { items } = await maps.list({ fieldSelector: `metadata.name=${metadata.name}` });
      const [map] = items;
      assert.ok(map);
      return map;
    }

    const descriptor = { group: '', version: 'v1', kind: 'ConfigMap' };

    it('are created, counted and aggregated as core/v1', async () => {
      const map = await listedMap();
      const errors: RecordError[] = [];
      {
        await using broadcaster = new EventBroadcaster({ onError: (error) => errors.push(error) });
        broadcaster.startRecordingToSink(coreV1Sink(client));
        const recorder = broadcaster.newRecorder({ component: 'conformance', host: 'here' });
        const object = getReference(map, { descriptor });
        for (let round = 0; round < 3; round += 1) {
          recorder.event(object, 'Normal', 'Seen', 'the same each time');
        }
        for (let index = 0; index < 12; index += 1) {
          recorder.event(object, 'Warning', 'Odd', `number ${index}`, {
            annotations: { 'example.com/number': `${index}` },
          });
        }
      }
      assert.deepEqual(errors, []);
      const { items } = await client.coreV1
        .events(namespace)
        .list({ fieldSelector: `involvedObject.uid=${map.metadata.uid}` });
      const told = items
        .toSorted((left, right) => ((left.message ?? '') < (right.message ?? '') ? -1 : 1))
        .map(({ type, reason, message, count }) => [type, reason, message, count]);
      assert.deepEqual(told, [
        ['Warning', 'Odd', '(combined from similar events): number 11', 3],
        ...Array.from({ length: 9 }, (_, index) => ['Warning', 'Odd', `number ${index}`, 1]),
        ['Normal', 'Seen', 'the same each time', 3],
      ]);
      const seen = items.find(({ reason }) => reason === 'Seen');
      assert.deepEqual(seen?.involvedObject, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: map.metadata.name,
        namespace,
        uid: map.metadata.uid,
        resourceVersion: map.metadata.resourceVersion,
      });
      assert.deepEqual(seen.source, { component: 'conformance', host: 'here' });
      assert.equal(seen.reportingComponent, 'conformance');
      assert.equal(seen.reportingInstance, 'here');
      const first = items.find(({ message }) => message === 'number 0');
      assert.deepEqual(first?.metadata.annotations, { 'example.com/number': '0' });
    });

    it('become series as events.k8s.io/v1, which core/v1 shows, too', async () => {
      const map = await listedMap();
      const errors: RecordError[] = [];
      {
        await using broadcaster = new EventsV1Broadcaster({
          onError: (error) => errors.push(error),
        });
        broadcaster.startRecordingToSink(eventsV1Sink(client));
        const recorder = broadcaster.newRecorder({
          reportingController: 'example.com/conformance',
          reportingInstance: 'here',
        });
        for (let round = 0; round < 5; round += 1) {
          recorder.event(getReference(map, { descriptor }), {
            type: 'Normal',
            reason: 'Seen',
            action: 'Looking',
            note: `round ${round}`,
            related: { apiVersion: 'v1', kind: 'Node', name: 'node-1' },
          });
        }
      }
      assert.deepEqual(errors, []);
      const { items } = await client.eventsV1
        .events(namespace)
        .list({ fieldSelector: `regarding.uid=${map.metadata.uid}` });
      const [event] = items;
      assert.equal(items.length, 1);
      assert.equal(event?.series?.count, 5);
      assert.equal(event.note, 'round 0');
      assert.equal(event.action, 'Looking');
      assert.equal(event.reportingController, 'example.com/conformance');
      assert.equal(event.reportingInstance, 'here');
      assert.deepEqual(event.related, { apiVersion: 'v1', kind: 'Node', name: 'node-1' });
      const core = await client.coreV1.events(namespace).get(event.metadata.name);
      assert.equal(core.message, 'round 0');
      assert.equal(core.series?.count, 5);
      assert.equal(core.involvedObject.uid, map.metadata.uid);
    });

    it('are created again after they have expired', async () => {
      const map = await listedMap();
      await using broadcaster = new EventBroadcaster();
      broadcaster.startRecordingToSink(coreV1Sink(client));
      const recorder = broadcaster.newRecorder({ component: 'conformance' });
      const object = getReference(map, { descriptor });
      recorder.event(object, 'Normal', 'Seen', 'again');
      const fieldSelector = `involvedObject.uid=${map.metadata.uid}`;
      const events = client.coreV1.events(namespace);
      await settled(broadcaster);
      await events.deleteCollection({ fieldSelector });
      recorder.event(object, 'Normal', 'Seen', 'again');
      await broadcaster.shutdown();
      const { items } = await events.list({ fieldSelector });
      assert.deepEqual(
        items.map(({ count }) => count),
        [2],
      );
    });

    it('of cluster-scoped objects are in default, also for unusual names', async () => {
      const reason = `Probed-${namespace}`;
      {
        await using broadcaster = new EventsV1Broadcaster();
        broadcaster.startRecordingToSink(eventsV1Sink(client));
        const recorder = broadcaster.newRecorder({
          reportingController: 'example.com/conformance',
        });
        for (const subject of [
          { apiVersion: 'v1', kind: 'Node', name: 'node-1' },
          { apiVersion: 'networking.k8s.io/v1', kind: 'IPAddress', name: '2001:db8::123' },
        ]) {
          recorder.event(subject, { type: 'Warning', reason, action: 'Probing', note: 'hello' });
        }
      }
      const events = client.eventsV1.events('default');
      const { items } = await events.list({ fieldSelector: `reason=${reason}` });
      assert.deepEqual(items.map(({ regarding }) => regarding?.kind ?? '').toSorted(), [
        'IPAddress',
        'Node',
      ]);
      for (const { metadata } of items) await events.delete(metadata.name);
    });

    it('that the server rejects are reported and not retried', async () => {
      const errors: RecordError[] = [];
      await using broadcaster = new EventBroadcaster({ onError: (error) => errors.push(error) });
      broadcaster.startRecordingToSink(coreV1Sink(client));
      const recorder = broadcaster.newRecorder({ component: 'conformance' });
      const lost = { metadata: { name: 'web', namespace: 'no-such-namespace' } };
      recorder.event(getReference(lost, { descriptor: pods }), 'Normal', 'Lost', 'nowhere');
      await broadcaster.shutdown();
      assert.deepEqual(
        errors.map(({ code }) => code),
        ['RECORD_REFUSED'],
      );
      assert.match(errors[0]?.message ?? '', /namespaces "no-such-namespace" not found/);
      assert.equal(broadcaster.statistics.refused, 1);
    });
  });
}

/** Resolves when all recorded events have been written. */
async function settled(broadcaster: EventBroadcaster): Promise<void> {
  while (broadcaster.statistics.pending > 0) await new Promise(setImmediate);
}
