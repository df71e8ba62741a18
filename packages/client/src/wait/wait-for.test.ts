import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { configMaps, nodes } from '../api/core/v1.ts';
import { DynamicClient } from '../dynamic/dynamic-client.ts';
import { MetadataClient } from '../metadata/metadata-client.ts';
import { anyClient } from '../rest/resource-client.ts';
import { RESTClient } from '../rest/rest-client.ts';
import { ScriptedTransport } from '../rest/test-transport.ts';
import { newForbidden, newResourceExpired } from '../meta/error-factories.ts';
import { recordingLogger } from '../lib/test-logger.ts';
import type { KubernetesObject } from '../meta/types.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { TransportError } from '../transport/transport-error.ts';
import { listAt, objectAt, ScriptedClient } from '../rest/test-watch.ts';
import { conditionTrue, deleted, exists } from './conditions.ts';
import { untilWithoutRetry, waitFor } from './wait-for.ts';

const ready = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
const isReady = conditionTrue('Ready');
const random = { next: () => 0, uuid: () => '' };

describe('waitFor', () => {
  it('does not watch if the condition is already met', async () => {
    const client = new ScriptedClient([], [listAt(5, objectAt(3, ready))]);
    const object = await waitFor(client, 'web', isReady);
    assert.equal(object.metadata.resourceVersion, '3');
    assert.equal(client.lists[0]?.fieldSelector, 'metadata.name=web');
    assert.equal(client.watches.length, 0);
  });

  it('watches from the version of the list, so that no event is missed', async () => {
    const client = new ScriptedClient(
      [
        {
          events: [
            { type: 'MODIFIED', object: objectAt(6) },
            { type: 'MODIFIED', object: objectAt(7, ready) },
          ],
        },
      ],
      [listAt(5, objectAt(3))],
    );
    const object = await waitFor(client, objectAt(3), isReady);
    assert.equal(object.metadata.resourceVersion, '7');
    const { resourceVersion, fieldSelector } = client.watches[0] ?? {};
    assert.deepEqual([resourceVersion, fieldSelector], ['5', 'metadata.name=web']);
    assert.equal(client.open, 0);
  });

  it('waits for creation and for deletion', async () => {
    const appears = new ScriptedClient(
      [{ events: [{ type: 'ADDED', object: objectAt(6, ready) }] }],
      [listAt(5)],
    );
    assert.equal((await waitFor(appears, 'web', isReady)).metadata.uid, '1');
    const goes = new ScriptedClient(
      [{ events: [{ type: 'DELETED', object: objectAt(6, ready) }] }],
      [listAt(5, objectAt(3))],
    );
    assert.equal(await waitFor(goes, 'web', deleted('1')), undefined);
    const replaced = new ScriptedClient([], [listAt(5, objectAt(3))]);
    assert.equal((await waitFor(replaced, 'web', deleted('0')))?.metadata.uid, '1');
  });

  it('lists again when the resourceVersion has expired', async () => {
    const client = new ScriptedClient(
      [{ ending: newResourceExpired('too old') }, {}],
      [listAt(5), listAt(9, objectAt(8, ready))],
    );
    assert.equal((await waitFor(client, 'web', isReady)).metadata.resourceVersion, '8');
    assert.equal(client.lists.length, 2);
  });

  it('backs off when the resourceVersion expires every time', async () => {
    const clock = new VirtualClock();
    const tooOld = newResourceExpired('too old');
    const client = new ScriptedClient(
      [{ ending: tooOld }, { ending: tooOld }, { ending: tooOld }],
      [listAt(5), listAt(6), listAt(7), listAt(9, objectAt(8, ready))],
    );
    const logger = recordingLogger();
    const waiting = waitFor(client, 'web', isReady, { clock, random, logger });
    await clock.advance(0);
    assert.equal(client.lists.length, 2);
    await clock.advance(2000);
    assert.equal(client.lists.length, 3);
    await clock.advance(4000);
    assert.equal((await waiting).metadata.resourceVersion, '8');
  });

  it('survives a temporary outage of the server', async () => {
    const clock = new VirtualClock();
    const refused = new TransportError('TRANSPORT_CONNECTION_REFUSED', 'not there');
    const client = new ScriptedClient([], [refused, refused, listAt(5, objectAt(3, ready))]);
    const logger = recordingLogger();
    const waiting = waitFor(client, 'web', isReady, { clock, random, logger });
    await clock.advance(3000);
    assert.equal((await waiting).metadata.resourceVersion, '3');
    assert.deepEqual(
      logger.lines.map((line) => line.replace(/:.*/, '')),
      [
        'warn the watch of objects fails, next attempt in 1.0 s',
        'debug the watch of objects fails, next attempt in 2.0 s',
        'warn the watch of objects works again',
      ],
    );
  });

  it('rejects on errors that a retry cannot fix', async () => {
    const forbidden = newForbidden({ group: '', resource: 'pods' }, '', 'no');
    await assert.rejects(waitFor(new ScriptedClient([], [forbidden]), 'web', isReady), forbidden);
    const client = new ScriptedClient([{ ending: forbidden }], [listAt(5)]);
    await assert.rejects(waitFor(client, 'web', isReady), forbidden);
    const untrusted = new TransportError('TRANSPORT_TLS_UNTRUSTED', 'self-signed certificate');
    await assert.rejects(waitFor(new ScriptedClient([], [untrusted]), 'web', isReady), untrusted);
  });

  it('names what it has waited for in a timeout', async () => {
    const states: [ScriptedClient, RegExp][] = [
      [
        new ScriptedClient([], [listAt(5)]),
        /^the object "web" does not exist and did not meet condition Ready within 1000 ms$/,
      ],
      [new ScriptedClient([], [listAt(5, objectAt(3))]), /"web" is at resourceVersion 3/],
      [
        new ScriptedClient([], [new TransportError('TRANSPORT_DNS', 'no such host')]),
        /"web" could not be read \(no such host\) and did not meet/,
      ],
    ];
    for (const [client, message] of states) {
      const clock = new VirtualClock();
      const waiting = waitFor(client, 'web', isReady, {
        timeoutMs: 1000,
        clock,
        logger: recordingLogger(),
        random: { ...random, next: () => 1 },
      });
      const rejected = assert.rejects(waiting, { code: 'WAIT_TIMEOUT', message });
      await clock.advance(1000);
      await rejected;
      assert.equal(client.open, 0);
      assert.equal(clock.pending, 0);
    }
    const named = Object.assign(new ScriptedClient([], [listAt(5)]), {
      descriptor: { resource: 'pods' },
    });
    const clock = new VirtualClock();
    const logger = recordingLogger();
    const rejected = assert.rejects(
      waitFor(named, 'web', isReady, { timeoutMs: 1, clock, logger }),
      /pods "web"/,
    );
    await clock.advance(1);
    await rejected;
    assert.deepEqual(logger.lines, [], 'the end of the wait is no failure');
  });

  it('refuses a client without the namespace of the object', async () => {
    const found = { kind: 'ConfigMap', metadata: { name: 'a', namespace: 'prod', uid: '1' } };
    const transport = new ScriptedTransport({
      body: { kind: 'ConfigMapList', metadata: { resourceVersion: '5' }, items: [found] },
    });
    const rest = RESTClient.over(transport);
    const code = 'WAIT_NAMESPACE_INVALID';
    const hint = /pods\('default'\)/;
    for (const namespace of [undefined, '', 'default']) {
      const client = anyClient(rest, configMaps, namespace);
      await assert.rejects(waitFor(client, found, exists), { code, hint });
    }
    await assert.rejects(waitFor(anyClient(rest, configMaps, ''), 'a', exists), { code });
    assert.equal(transport.requests.length, 0);
    for (const dynamic of [new DynamicClient(rest), new MetadataClient(rest)]) {
      const anywhere = dynamic.resource({ group: '', version: 'v1', resource: 'configmaps' });
      await assert.rejects(waitFor<KubernetesObject>(anywhere, found, exists), { code });
      await assert.rejects(
        waitFor<KubernetesObject>(anywhere, 'a', exists),
        { code },
        'the object has a namespace',
      );
      await waitFor<KubernetesObject>(anywhere.namespace('prod'), found, exists);
    }
    await waitFor(anyClient(rest, configMaps, 'prod'), found, exists);
  });

  it('waits for cluster-scoped objects without a namespace', async () => {
    const found = { kind: 'Node', metadata: { name: 'one', uid: '1' } };
    const body = { kind: 'NodeList', metadata: { resourceVersion: '5' }, items: [found] };
    const rest = RESTClient.over(new ScriptedTransport({ body }));
    const byName = new DynamicClient(rest).resource({
      group: '',
      version: 'v1',
      resource: 'nodes',
    });
    for (const client of [anyClient(rest, nodes, undefined), byName]) {
      assert.equal((await waitFor<KubernetesObject>(client, found, exists)).metadata.uid, '1');
    }
  });

  it('refuses a timeout that is not a number of milliseconds', async () => {
    const client = new ScriptedClient([], [listAt(5, objectAt(3, ready))]);
    for (const timeoutMs of [NaN, -1, '5' as unknown as number]) {
      const refusal = { code: 'OPTION_INVALID', option: 'timeoutMs' };
      await assert.rejects(waitFor(client, 'web', isReady, { timeoutMs }), refusal);
      await assert.rejects(
        untilWithoutRetry(client.watch(), () => true, { timeoutMs }),
        refusal,
      );
    }
    assert.equal(client.lists.length, 0);
  });

  it('rejects with the reason of the signal', async () => {
    const stop = new AbortController();
    const clock = new VirtualClock();
    const client = new ScriptedClient([], [listAt(5)]);
    const waiting = waitFor<KubernetesObject>(client, 'web', isReady, {
      signal: stop.signal,
      clock,
    });
    const rejected = assert.rejects(waiting, /enough/);
    await clock.advance(1);
    stop.abort(new Error('enough'));
    await rejected;
    assert.equal(client.open, 0);
  });
});
