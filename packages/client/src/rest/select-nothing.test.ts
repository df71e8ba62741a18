import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pods } from '../api/core/v1.ts';
import { DynamicClient } from '../dynamic/dynamic-client.ts';
import { FieldMatcher } from '../meta/fields.ts';
import { LabelMatcher, labelSelectorAsSelector } from '../meta/labels.ts';
import { MetadataClient } from '../metadata/metadata-client.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { resourceClient } from './resource-client.ts';
import { RESTClient } from './rest-client.ts';
import { RestError } from './rest-error.ts';
import { retryWatch } from './retry-watch.ts';
import { ScriptedTransport } from './test-transport.ts';

const everything = {
  body: { apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: '9' }, items: [{}] },
};

function start() {
  const transport = new ScriptedTransport(everything);
  const clock = new VirtualClock();
  const rest = RESTClient.over(transport, { clock });
  const place = { group: '', version: 'v1', resource: 'pods' };
  const clients = {
    typed: resourceClient(rest, pods, 'default'),
    dynamic: new DynamicClient(rest).resource(place).namespace('default'),
    metadata: new MetadataClient(rest).resource(place).namespace('default'),
  };
  return { transport, clock, clients };
}

const selections = [
  { labelSelector: LabelMatcher.nothing },
  { fieldSelector: FieldMatcher.nothing },
  { labelSelector: labelSelectorAsSelector(undefined), fieldSelector: 'spec.nodeName=n1' },
];

describe('a selector that selects nothing', () => {
  it('lists nothing, without a request', async () => {
    const { transport, clients } = start();
    for (const client of Object.values(clients)) {
      for (const selection of selections) {
        assert.deepEqual((await client.list(selection)).items, []);
        assert.deepEqual((await client.listAll(selection).toList()).items, []);
      }
    }
    assert.equal(transport.requests.length, 0);
  });

  it('returns a list in the form of a server', async () => {
    const { clients } = start();
    const list = {
      apiVersion: 'v1',
      kind: 'PodList',
      metadata: { resourceVersion: '1' },
      items: [],
    };
    const [selection] = selections;
    assert.deepEqual(await clients.typed.list(selection), list);
    assert.equal(
      (await clients.typed.list({ ...selection, resourceVersion: '7' })).metadata.resourceVersion,
      '7',
    );
    const signal = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(clients.typed.list({ ...selection, signal }), /stopped/);
  });

  it('rejects the deletion of a collection', async () => {
    const { transport, clients } = start();
    for (const client of Object.values(clients)) {
      for (const selection of selections) {
        const error = await client.deleteCollection(selection).catch((cause: unknown) => cause);
        assert.ok(error instanceof RestError);
        assert.equal(error.code, 'REST_REQUEST_INVALID');
        assert.match(error.message, /^(label|field)Selector selects nothing/);
      }
    }
    assert.equal(transport.requests.length, 0);
  });

  it('watches without events until the timeout of the watch, without a request', async () => {
    const { transport, clock, clients } = start();
    for (const client of Object.values(clients)) {
      const watch = client.watch({ ...selections[0], sendInitialEvents: true, timeoutSeconds: 5 });
      const first = await watch.next();
      assert.deepEqual(first.value?.object.metadata?.annotations, {
        'k8s.io/initial-events-end': 'true',
      });
      const end = watch.next();
      await clock.advance(5000);
      assert.equal((await end).done, true);
    }
    assert.equal(transport.requests.length, 0);
  });

  it('ends a watch that is cancelled while it waits', async () => {
    const { transport, clients } = start();
    const [selection] = selections;
    const watch = clients.typed.watch({ ...selection });
    const next = watch.next();
    await watch.return();
    assert.equal((await next).done, true);
    const stop = new AbortController();
    const { resourceVersion } = (await clients.typed.list(selection)).metadata;
    const retried = retryWatch(clients.typed, {
      ...selection,
      resourceVersion,
      signal: stop.signal,
    });
    const none = retried.next();
    stop.abort();
    assert.equal((await none).done, true);
    assert.equal(transport.requests.length, 0);
  });
});
