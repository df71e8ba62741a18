import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';

import { type Clock, type ScheduledCall, seededRandom } from 'client-ts/lib';
import { decodeWatchFrame, encodeWatchFrame, LengthDelimitedFrames } from 'client-ts/codec';
import type { Status } from 'client-ts/meta';
import type { TransportResponse } from 'client-ts/transport';

import type { ApiResponse, Handler } from '../http.ts';
import { memoryTransport } from '../transport/memory.ts';
import type { FaultOptions } from './fault.ts';
import { Faults, type Identify } from './faults.ts';

/** Time stands still until somebody waits for it; then it is there at once. */
class JumpingClock implements Clock {
  readonly waits: number[] = [];
  now(): number {
    return 0;
  }
  monotonic(): number {
    return 0;
  }
  schedule(delayMs: number, callback: () => void): ScheduledCall {
    this.waits.push(delayMs);
    queueMicrotask(callback);
    return { cancel: () => undefined, [Symbol.dispose]: () => undefined };
  }
}

const event = (type: string, name: string): string =>
  `${JSON.stringify({ type, object: { kind: 'Pod', metadata: { name } } })}\n`;

const watchResponse = (
  chunks: readonly (string | Uint8Array)[],
  contentType = 'application/json',
): ApiResponse => ({
  status: 200,
  headers: { 'content-type': contentType },
  body: (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  })(),
});

const ADDED = event('ADDED', 'a') + event('ADDED', 'b');
const LATER = event('MODIFIED', 'a') + event('DELETED', 'b');

interface Setting {
  handler?: Handler;
  identify?: Identify;
}

function setUp({ handler, identify }: Setting = {}): {
  faults: Faults;
  clock: JumpingClock;
  handled: string[];
  get: (path?: string, signal?: AbortSignal, method?: string) => Promise<TransportResponse>;
} {
  const clock = new JumpingClock();
  const faults = new Faults({ clock, random: seededRandom(7) });
  const handled: string[] = [];
  const fallback: Handler = async ({ url }) =>
    url.includes('watch=1')
      ? watchResponse([ADDED, LATER])
      : { status: 200, headers: {}, body: Buffer.from('{"fine":true}') };
  const wrapped = faults.wrap(async (request) => {
    handled.push(request.url);
    return (handler ?? fallback)(request);
  }, identify);
  const transport = memoryTransport(wrapped);
  const get = (
    path = '/api/v1/namespaces/n/pods',
    signal?: AbortSignal,
    method = 'GET',
  ): Promise<TransportResponse> =>
    transport.request({ method, path, headers: {}, ...(signal !== undefined && { signal }) });
  return { faults, clock, handled, get };
}

const WATCH = '/api/v1/namespaces/n/pods?watch=1';
const RESET = { code: 'ECONNRESET' };

/** The chunks up to the end or the error, as text. */
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

describe('Faults', () => {
  it('changes nothing without faults, and nothing for others', async () => {
    const { faults, get } = setUp();
    assert.equal(await text((await get()).body), '{"fine":true}');
    faults.add({ match: { resource: 'nodes' }, fault: { kind: 'status', code: 500 } });
    assert.equal((await get()).status, 200);
  });

  it('matches by every part of a request', async () => {
    const { faults, get } = setUp({ identify: () => 'jane' });
    const path = '/apis/apps/v1/namespaces/n/deployments/d/scale';
    const fitting: FaultOptions['match'][] = [
      {},
      { verb: 'get' },
      { verb: ['list', 'get'], group: 'apps', resource: 'deployments' },
      { namespace: 'n', name: 'd', subresource: 'scale' },
      { path },
      { path: /deployments/g },
      { user: 'jane' },
      { where: ({ version }) => version === 'v1' },
    ];
    for (const match of fitting) {
      using rule = faults.add({ match: match ?? {}, fault: { kind: 'status', code: 503 } });
      assert.equal((await get(path)).status, 503, JSON.stringify(match));
      assert.equal((await get(path)).status, 503, 'the second time');
      assert.equal(rule.hits, 2);
    }
    const others: FaultOptions['match'][] = [
      { verb: 'list' },
      { group: '' },
      { resource: ['pods', 'nodes'] },
      { namespace: 'other' },
      { name: '' },
      { subresource: 'status' },
      { path: '/' },
      { path: /^pods/ },
      { user: 'bob' },
      { where: () => false },
    ];
    for (const match of others) {
      using rule = faults.add({ match: match ?? {}, fault: { kind: 'status', code: 503 } });
      assert.equal((await get(path)).status, 200, JSON.stringify(match));
      assert.equal(rule.matched, 0);
    }
  });

  it('takes a request without good credentials for nobody', async () => {
    const { faults, get } = setUp({
      identify: () => {
        throw new Error('401');
      },
    });
    faults.add({ match: { user: 'jane' }, fault: { kind: 'status', code: 503 } });
    assert.equal((await get()).status, 200);
  });

  it('skips some, hits some, and then lets go', async () => {
    const { faults, get } = setUp();
    const rule = faults.add({ fault: { kind: 'status', code: 500 }, after: 2, count: 3 });
    const statuses: number[] = [];
    for (let round = 0; round < 7; round += 1) statuses.push((await get()).status);
    assert.deepEqual(statuses, [200, 200, 500, 500, 500, 200, 200]);
    assert.deepEqual([rule.matched, rule.hits], [7, 3]);
  });

  it('draws by probability, repeatably with a seed', async () => {
    const draw = async (seed: number): Promise<string> => {
      const { faults, get } = setUp();
      faults.add({ fault: { kind: 'status', code: 500 }, probability: 0.5, seed });
      let drawn = '';
      for (let round = 0; round < 40; round += 1) drawn += (await get()).status === 500 ? 'x' : '.';
      return drawn;
    };
    const first = await draw(1);
    assert.equal(await draw(1), first);
    assert.notEqual(await draw(2), first);
    assert.match(first, /x.*\.|\..*x/);
  });

  it('is gone when it is disposed, removed or cleared', async () => {
    const { faults, get } = setUp();
    const options: FaultOptions = { fault: { kind: 'status', code: 500 } };
    {
      using _ = faults.add(options);
      assert.equal((await get()).status, 500);
    }
    assert.equal((await get()).status, 200);
    faults.add(options).remove();
    assert.equal((await get()).status, 200);
    faults.add(options);
    faults.clear();
    assert.equal((await get()).status, 200);
  });

  it('refuses numbers that make no sense', () => {
    const { faults } = setUp();
    const fault = { kind: 'status', code: 500 } as const;
    const nonsense: FaultOptions[] = [
      { fault, probability: 1.5 },
      { fault, probability: Number.NaN },
      { fault, count: -1 },
      { fault, after: -1 },
      { fault: { kind: 'latency', ms: -5 } },
      { fault: { kind: 'reset', afterBytes: -1 } },
    ];
    for (const options of nonsense) assert.throws(() => faults.add(options), RangeError);
  });
});

describe('latency', () => {
  it('waits on the clock of the server, and adds up', async () => {
    const { faults, get, clock, handled } = setUp();
    faults.add({ fault: { kind: 'latency', ms: 100 } });
    faults.add({ fault: { kind: 'latency', ms: [10, 20] } });
    assert.equal((await get()).status, 200);
    assert.equal(clock.waits[0], 100);
    assert.ok((clock.waits[1] ?? 0) >= 10 && (clock.waits[1] ?? 0) < 20);
    assert.equal(handled.length, 1);
  });

  it('gives up when the client does', async () => {
    const { faults, get, handled } = setUp();
    faults.add({ fault: { kind: 'latency', ms: 100 } });
    await assert.rejects(get(undefined, AbortSignal.abort(new Error('enough'))), /enough/);
    assert.deepEqual(handled, []);
  });
});

describe('status', () => {
  it('answers in place of the server', async () => {
    const { faults, get, handled } = setUp();
    faults.add({ fault: { kind: 'status', code: 429, retryAfterSeconds: 3 } });
    const response = await get();
    assert.equal(response.headers['retry-after'], '3');
    const status = JSON.parse(await text(response.body)) as Status;
    assert.deepEqual(
      [status.kind, status.code, status.reason, status.details],
      ['Status', 429, 'TooManyRequests', { retryAfterSeconds: 3 }],
    );
    assert.deepEqual(handled, []);
  });

  it('says what it was told to', async () => {
    const { faults, get } = setUp();
    faults.add({
      fault: { kind: 'status', code: 418, reason: 'Teapot', message: 'short and stout' },
    });
    const status = JSON.parse(await text((await get()).body)) as Status;
    assert.deepEqual([status.reason, status.message], ['Teapot', 'short and stout']);
  });

  it('can hide an effect', async () => {
    let left = false;
    const { faults, get, handled } = setUp({
      handler: async () => ({
        status: 200,
        headers: {},
        body: {
          [Symbol.asyncIterator]: () => ({
            next: async () => ({ done: true, value: undefined }),
            return: async () => {
              left = true;
              return { done: true, value: undefined };
            },
          }),
        },
      }),
    });
    faults.add({ fault: { kind: 'status', code: 504, takesEffect: true } });
    assert.equal((await get()).status, 504);
    assert.equal(handled.length, 1);
    assert.ok(left);
  });

  it('settles a request, so that later faults do not count it', async () => {
    const { faults, get } = setUp();
    faults.add({ fault: { kind: 'status', code: 500 } });
    const later = faults.add({ fault: { kind: 'status', code: 503 } });
    assert.equal((await get()).status, 500);
    assert.deepEqual([later.matched, later.hits], [0, 0]);
  });
});

describe('reset', () => {
  it('breaks before the request has an effect, or after', async () => {
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

  it('breaks after some bytes, and has promised more', async () => {
    const { faults, get } = setUp();
    faults.add({ fault: { kind: 'reset', afterBytes: 5 } });
    const response = await get();
    assert.equal(response.headers['content-length'], '13');
    const [read, error] = await readUntilError(response);
    assert.equal(read, '{"fin');
    assert.equal((error as { code?: string }).code, 'ECONNRESET');
  });

  it('breaks after some events, wherever the chunks end', async () => {
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
  it('leaves the client waiting until it gives up', async () => {
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

  it('can come before the answer', async () => {
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

  it('report an error in a watch', async () => {
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

  it('read and write protobuf as well', async () => {
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

  it('leave other answers alone', async () => {
    const { faults, get } = setUp();
    faults.add({ fault: { kind: 'drop-events' } });
    assert.equal(await text((await get()).body), '{"fine":true}');
  });
});
