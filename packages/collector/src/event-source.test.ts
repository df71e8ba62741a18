import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ListedEvent, ListerWatcher, ListRequest, WatchRequest } from 'client-ts/cache';
import { nextTurn, seededRandom } from 'client-ts/internal';
import { newResourceExpired } from 'client-ts/meta';
import { VirtualClock } from 'client-ts/testing';
import type { ServerEvent } from './collected-event.ts';
import { type EventFeed, followEvents } from './event-source.ts';

function serverEvent(number: number, version = number): ServerEvent {
  const metadata = { uid: `uid-${number}`, name: `e-${number}`, resourceVersion: `${version}` };
  return { metadata, involvedObject: {} };
}

/** A server that pages its list, and tells what it is given when it is watched. */
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
  // Until nothing happens any more but that a watch waits for events.
  for (let round = 0; round < 20; round += 1) {
    await nextTurn();
    await clock.advance(1000);
  }
  stop.abort();
  await running;
  return told;
}

describe('the source of events', () => {
  it('lists page by page, never from the memory of the server, which is not paged', async () => {
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

  it('goes on with a watch, without a list', async () => {
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
    // That 50 was reached is known, and nothing has been heard of the server that would renew it.
    assert.deepEqual(told, ['uid-2 at 51', 'uid-2 at 52', 'reached 53', 'reached 60']);
  });

  it('says that it was interrupted before it lists anew', async () => {
    const script = new Script([[serverEvent(1)]]);
    script.watches = [newResourceExpired('too old resource version')];
    const told = await follow(script, '7');
    assert.deepEqual(told, ['interrupted', 'uid-1 at undefined', 'reached 50']);
    assert.deepEqual(script.requests.at(-1), 'watch version=50');
  });
});
