import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { nextTurn } from 'client-ts/internal';
import type { ObservedRecord } from 'client-ts/observe';
import { VirtualClock } from 'client-ts/testing';
import { EventStreams } from './event-streams.ts';
import { RecordStore } from './record-store.ts';
import { eventsOf, TestBrowser } from './test-browser.ts';

const KEY = 'k'.repeat(500);

function record(seq: number): ObservedRecord {
  return { type: 'queue.add', at: 0, seq, queue: 'q', key: KEY, trigger: { kind: 'call' } };
}

it('a slow reader costs no memory, and learns what it has missed', async () => {
  const clock = new VirtualClock();
  const totals = {
    requests: 0,
    failedRequests: 0,
    openRequests: 0,
    recordedEvents: 0,
    guardWarnings: 0,
    unrecorded: 0,
  };
  const none = { informers: [], queues: [], controllers: [], connections: [], elections: [] };
  const snapshot = { at: 0, seq: 0, totals, ...none };
  const store = new RecordStore({ bytes: 500_000, durationMs: Infinity });
  const source = { records: store, snapshot: () => snapshot };
  using streams = new EventStreams(source, clock);
  const server = createServer((request, response) => streams.open(request, response, 0));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const browser = new TestBrowser(`http://127.0.0.1:${port}`);
  const response: IncomingMessage = await browser.stream('/');
  response.pause();
  let seq = 0;
  // More than the sockets buffer, however large their buffers are: until nothing is written any more.
  for (let round = 0; round < 400; round += 1) {
    for (let count = 0; count < 500; count += 1) store.add(record((seq += 1)));
    await clock.advance(100);
    await nextTurn();
  }
  const gaps: { after: number; before: number }[] = [];
  let last = 0;
  for await (const { event, data } of eventsOf(response)) {
    if (event === 'gap') gaps.push(JSON.parse(data) as { after: number; before: number });
    if (event === 'records') {
      const records = JSON.parse(data) as ObservedRecord[];
      last = records.at(-1)?.seq ?? 0;
    }
    if (last === seq) break;
    await clock.advance(100);
  }
  assert.ok(gaps.length >= 1, 'a gap is reported');
  assert.ok((gaps[0]?.before ?? 0) > (gaps[0]?.after ?? 0) + 1);
  response.destroy();
  server.close();
  server.closeAllConnections();
});
