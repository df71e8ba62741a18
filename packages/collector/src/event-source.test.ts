import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { ApiServer } from '@client-ts/apiserver';
import type { ListedEvent, ListerWatcher, ListRequest, WatchRequest } from 'client-ts/cache';
import { nextTurn, seededRandom } from 'client-ts/internal';
import { Clientset } from 'client-ts/kubernetes';
import { newResourceExpired } from 'client-ts/meta';
import { VirtualClock } from 'client-ts/testing';
import type { ServerEvent } from './collected-event.ts';
import { type EventFeed, followEvents, sourceId } from './event-source.ts';

function serverEvent(number: number, version = number): ServerEvent {
  const metadata = { uid: `uid-${number}`, name: `e-${number}`, resourceVersion: `${version}` };
  return { metadata, involvedObject: {} };
}

/** A server with scripted pages and watches. */
class Script implements ListerWatcher<ServerEvent> {
  readonly requests: string[] = [];
  readonly pages: readonly (readonly ServerEvent[])[];
  watches: (readonly ListedEvent<ServerEvent>[] | Error)[] = [];

  constructor(pages: readonly (readonly ServerEvent[])[]) {
    this.pages = pages;
  }

  async list({ limit, continue: token, resourceVersion }: ListRequest) {
    this.requests.push(`list limit=${limit} continue=${token} version=${resourceVersion}`);
    const page = Number(token ?? 0);
    const isLast = page === this.pages.length - 1;
    return {
      metadata: { resourceVersion: '50', ...(!isLast && { continue: `${page + 1}` }) },
      items: this.pages[page] ?? [],
    };
  }

  async watch({ resourceVersion, signal }: WatchRequest) {
    this.requests.push(`watch version=${resourceVersion}`);
    const events = this.watches.shift();
    if (events instanceof Error) throw events;
    return (async function* () {
      yield* events ?? [];
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve());
      });
    })();
  }
}

async function follow(script: Script, resourceVersion?: string): Promise<string[]> {
  const told: string[] = [];
  const feed: EventFeed = {
    event: ({ metadata }, version) => void told.push(`${metadata?.uid} at ${version}`),
    reached: (version) => void told.push(`reached ${version}`),
    interrupted: () => void told.push('interrupted'),
    room: () => undefined,
  };
  const clock = new VirtualClock();
  const stop = new AbortController();
  const options = { events: script, feed, resourceVersion, clock, random: seededRandom(1) };
  const running = followEvents(options, stop.signal);
  // Until only a watch is pending.
  for (let round = 0; round < 20; round += 1) {
    await nextTurn();
    await clock.advance(1000);
  }
  stop.abort();
  await running;
  return told;
}

describe('followEvents', () => {
  it('lists page by page, without a resource version, which would disable paging', async () => {
    const script = new Script([[serverEvent(1), serverEvent(2)], [serverEvent(3)]]);
    const told = await follow(script);
    assert.deepEqual(script.requests, [
      'list limit=500 continue=undefined version=undefined',
      'list limit=500 continue=1 version=undefined',
      'watch version=50',
    ]);
    assert.deepEqual(told, [
      'uid-1 at undefined',
      'uid-2 at undefined',
      'uid-3 at undefined',
      'reached 50',
    ]);
  });

  it('resumes with a watch, without a list', async () => {
    const script = new Script([[serverEvent(1)]]);
    script.watches = [
      [
        { type: 'ADDED', object: serverEvent(2, 51) },
        { type: 'MODIFIED', object: serverEvent(2, 52) },
        { type: 'DELETED', object: serverEvent(2, 53) },
        { type: 'BOOKMARK', object: { metadata: { resourceVersion: '60' } } },
      ],
    ];
    const told = await follow(script, '50');
    assert.deepEqual(script.requests, ['watch version=50']);
    // That 50 was reached is known; nothing from the server has confirmed a later one.
    assert.deepEqual(told, ['uid-2 at 51', 'uid-2 at 52', 'reached 53', 'reached 60']);
  });

  it('reports the interruption before it lists again', async () => {
    const script = new Script([[serverEvent(1)]]);
    script.watches = [newResourceExpired('too old resource version')];
    const told = await follow(script, '7');
    assert.deepEqual(told, ['interrupted', 'uid-1 at undefined', 'reached 50']);
    assert.deepEqual(script.requests.at(-1), 'watch version=50');
  });
});

describe('the id of a source', () => {
  const { signal } = new AbortController();
  /** The address that all clusters of these tests have. */
  const server = 'https://127.0.0.1:6443';

  it('differs between clusters at one address, and between namespaces', async () => {
    const sources = new Set<string>();
    for (let round = 0; round < 2; round += 1) {
      await using cluster = await ApiServer.start();
      await using client = new Clientset(cluster.config);
      const all = await sourceId(client, { server, signal });
      assert.equal(await sourceId(client, { server, signal }), all);
      sources.add(all);
      sources.add(await sourceId(client, { server, namespace: 'shop', signal }));
    }
    assert.equal(sources.size, 4);
  });

  it('is the address where kube-system cannot be read', async () => {
    await using cluster = await ApiServer.start({ authorization: 'rbac' });
    await using client = new Clientset({ ...cluster.config, impersonate: { user: 'guest' } });
    assert.equal(await sourceId(client, { server, signal }), server);
  });

  it('is the address where kube-system has no uid', async (t) => {
    const other = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"kube-system"}}');
    });
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve);
    });
    t.after(() => {
      other.closeAllConnections();
      other.close();
    });
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    await using client = new Clientset({ server: url });
    assert.equal(await sourceId(client, { server, signal }), server);
  });
});
