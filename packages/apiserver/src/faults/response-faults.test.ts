import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';

import { decodeWatchFrame, encodeWatchFrame, LengthDelimitedFrames } from 'client-ts/codec';
import { nextTurn } from 'client-ts/internal';
import type { Status } from 'client-ts/meta';
import type { TransportResponse } from 'client-ts/transport';

import type { FaultOptions } from './fault.ts';
import { ADDED, event, LATER, setUp, WATCH, watchResponse } from './test-faults.ts';

const RESET = { code: 'ECONNRESET' };

/** A watch without events. Counts the iterators that were left, like the metrics of a server. */
class EndlessWatch implements AsyncIterable<Uint8Array> {
  ended = 0;

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    let isOpen = true;
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => (end = resolve));
    const done = { done: true, value: undefined } as const;
    return {
      next: () => over.then(() => done),
      return: async () => {
        if (isOpen) this.ended += 1;
        isOpen = false;
        end();
        return done;
      },
    };
  }
}

/** Reads the chunks until the end or an error, as text. */
async function readUntilError(
  response: TransportResponse,
): Promise<[read: string, error: unknown]> {
  let read = '';
  try {
    for await (const chunk of response.body) read += Buffer.from(chunk).toString();
  } catch (error) {
    return [read, error];
  }
  return [read, undefined];
}

describe('reset', () => {
  it('breaks before or after the request takes effect', async () => {
    for (const [at, effects] of [
      ['before-handling', 0],
      ['after-handling', 1],
    ] as const) {
      const { faults, get, handled } = setUp();
      faults.add({ fault: { kind: 'reset', at } });
      await assert.rejects(get(), RESET);
      assert.equal(handled.length, effects, at);
    }
  });

  it('breaks after the headers', async () => {
    const { faults, get } = setUp();
    faults.add({ fault: { kind: 'reset', at: 'after-headers' } });
    for (const path of [WATCH, undefined]) {
      const response = await get(path);
      assert.equal(response.status, 200);
      const [read, error] = await readUntilError(response);
      assert.equal(read, '');
      assert.equal((error as { code?: string }).code, 'ECONNRESET');
    }
  });

  it('breaks after some bytes of a longer content-length', async () => {
    const { faults, get } = setUp();
    faults.add({ fault: { kind: 'reset', afterBytes: 5 } });
    const response = await get();
    assert.equal(response.headers['content-length'], '13');
    const [read, error] = await readUntilError(response);
    assert.equal(read, '{"fin');
    assert.equal((error as { code?: string }).code, 'ECONNRESET');
  });

  it('breaks after some events, independent of chunk boundaries', async () => {
    const everything = ADDED + LATER;
    const middle = everything.length - 20;
    const { faults, get } = setUp({
      handler: async () => watchResponse([everything.slice(0, middle), everything.slice(middle)]),
    });
    faults.add({ fault: { kind: 'reset', afterEvents: 3 } });
    const [read, error] = await readUntilError(await get(WATCH));
    assert.equal(read, ADDED + event('MODIFIED', 'a'));
    assert.equal((error as { code?: string }).code, 'ECONNRESET');
  });
});

describe('stall', () => {
  it('leaves the client waiting until it disconnects', async () => {
    const { faults, get } = setUp();
    faults.add({ fault: { kind: 'stall', afterEvents: 2 } });
    const abort = new AbortController();
    const body = (await get(WATCH, abort.signal)).body[Symbol.asyncIterator]();
    const read = [await body.next(), await body.next()];
    assert.equal(read.map(({ value }) => Buffer.from(value as Uint8Array)).join(''), ADDED);
    const waiting = body.next();
    abort.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
  });

  it('can come before the response', async () => {
    const { faults, get, handled } = setUp();
    faults.add({ fault: { kind: 'stall', at: 'before-handling' } });
    const abort = new AbortController();
    const asked = get(undefined, abort.signal);
    abort.abort(new Error('enough'));
    await assert.rejects(asked, /enough/);
    assert.deepEqual(handled, []);
  });
});

describe('faults of watches', () => {
  const read = async (fault: FaultOptions['fault']): Promise<string> => {
    const { faults, get } = setUp();
    faults.add({ fault });
    return text((await get(WATCH)).body);
  };

  it('drop events: all, some types, the first few', async () => {
    assert.equal(await read({ kind: 'drop-events' }), '');
    assert.equal(
      await read({ kind: 'drop-events', types: ['DELETED', 'ADDED'] }),
      event('MODIFIED', 'a'),
    );
    assert.equal(
      await read({ kind: 'drop-events', types: ['ADDED'], first: 1 }),
      event('ADDED', 'b') + LATER,
    );
  });

  it('delay events and keep their order', async () => {
    const { faults, get, clock } = setUp();
    faults.add({ fault: { kind: 'delay-events', ms: 50, types: ['DELETED', 'MODIFIED'] } });
    assert.equal(await text((await get(WATCH)).body), ADDED + LATER);
    assert.deepEqual(clock.waits, [50, 50]);
  });

  it('end a watch early', async () => {
    assert.equal(await read({ kind: 'end-stream', afterEvents: 1 }), event('ADDED', 'a'));
    assert.equal(await read({ kind: 'end-stream', afterEvents: 0 }), '');
  });

  it('send an error event', async () => {
    const lines = (await read({ kind: 'error-event', afterEvents: 1, code: 410 }))
      .trim()
      .split('\n');
    assert.equal(lines.length, 2);
    const { type, object } = JSON.parse(lines[1] ?? '') as { type: string; object: Status };
    assert.deepEqual(
      [type, object.kind, object.code, object.reason],
      ['ERROR', 'Status', 410, 'Expired'],
    );
  });

  it('support protobuf, too', async () => {
    const pod = (name: string): object => ({ kind: 'Pod', apiVersion: 'v1', metadata: { name } });
    const frames = ['a', 'b'].map((name) => encodeWatchFrame({ type: 'ADDED', object: pod(name) }));
    const { faults, get } = setUp({
      handler: async () =>
        watchResponse([Buffer.concat(frames)], 'application/vnd.kubernetes.protobuf;stream=watch'),
    });
    faults.add({ fault: { kind: 'drop-events', first: 1 } });
    faults.add({ fault: { kind: 'error-event', afterEvents: 1, code: 410 } });
    const reader = new LengthDelimitedFrames();
    for await (const chunk of (await get(WATCH)).body) reader.push(chunk);
    const first = decodeWatchFrame(reader.next() ?? new Uint8Array());
    const second = decodeWatchFrame(reader.next() ?? new Uint8Array());
    assert.deepEqual((first.object as { metadata?: object }).metadata, { name: 'b' });
    assert.equal(second.type, 'ERROR');
    assert.equal((second.object as Status).code, 410);
  });

  for (const fault of [
    { kind: 'reset', at: 'after-headers' },
    { kind: 'reset', afterBytes: 0 },
    { kind: 'stall', afterEvents: 0 },
    { kind: 'stall', at: 'after-headers' },
    { kind: 'end-stream', afterEvents: 0 },
    { kind: 'error-event', afterEvents: 0, code: 410 },
    { kind: 'drop-events' },
    { kind: 'delay-events', ms: 1 },
  ] as const) {
    for (const reads of [true, false]) {
      const reader = reads ? 'that reads' : 'that disconnects before the first event';
      it(`release the watch: ${JSON.stringify(fault)}, for a client ${reader}`, async () => {
        const watch = new EndlessWatch();
        const { faults, get } = setUp({
          handler: async () => ({ ...watchResponse([]), body: watch }),
        });
        faults.add({ fault });
        const abort = new AbortController();
        const response = await get(WATCH, abort.signal);
        const read = reads ? readUntilError(response) : undefined;
        await nextTurn();
        abort.abort();
        await read;
        assert.equal(watch.ended, 1);
      });
    }
  }

  it('do not affect other responses', async () => {
    const { faults, get } = setUp();
    faults.add({ fault: { kind: 'drop-events' } });
    assert.equal(await text((await get()).body), '{"fine":true}');
  });
});
