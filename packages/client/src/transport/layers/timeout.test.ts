import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';

import { Deferred } from '../../lib/deferred.ts';
import { abortable } from '../../lib/signal.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import { get, response, script, textOf } from './test-next.ts';
import { timeout } from './timeout.ts';

describe('timeout', () => {
  it('ends a request that gets no answer in time', async () => {
    const clock = new VirtualClock();
    const layer = timeout({ clock, timeoutMs: 2000, server: 'api:6443' });
    const answer = layer(get, ({ signal }) =>
      abortable(new Promise<never>(() => undefined), signal),
    );
    const ended = assert.rejects(answer, {
      code: 'TRANSPORT_TIMEOUT',
      mayHaveBeenHandled: true,
      message: 'GET /api/v1/pods: api:6443: no complete answer within the timeout of 2 s',
    });
    await clock.advance(2000);
    await ended;
    assert.equal(clock.pending, 0);
  });

  it('counts the body, too', async () => {
    const clock = new VirtualClock();
    const layer = timeout({ clock, timeoutMs: 2000, server: 'api:6443' });
    const stalled = async ({ signal }: TransportRequest): Promise<TransportResponse> => ({
      ...response(200),
      body: (async function* () {
        yield Buffer.from('first');
        await abortable(new Promise<never>(() => undefined), signal);
      })(),
    });
    const reading = assert.rejects(textOf(await layer(get, stalled)), {
      code: 'TRANSPORT_TIMEOUT',
    });
    await clock.advance(2000);
    await reading;
  });

  it('leaves nothing behind when the body has been read, left or has failed', async () => {
    const clock = new VirtualClock();
    const { signal } = new AbortController();
    const layer = timeout({ clock, timeoutMs: 2000, server: 'api:6443' });
    const send = (answer: TransportResponse | Error): Promise<TransportResponse> =>
      layer({ ...get, signal }, script(answer).next);
    await textOf(await send(response(200, {}, ['hello'])));
    const { body } = await send(response(200, {}, ['hello', 'world']));
    for await (const _ of body) break;
    await assert.rejects(send(new Error('broken')), /broken/);
    const failing = {
      ...response(200),
      body: (async function* (): AsyncGenerator<Uint8Array> {
        yield Buffer.from('first');
        throw new Error('broken');
      })(),
    };
    await assert.rejects(textOf(await send(failing)), /broken/);
    assert.equal(clock.pending, 0);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('passes on the abort of the caller with its reason', async () => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    const layer = timeout({ clock, timeoutMs: 2000, server: 'api:6443' });
    const seen = new Deferred<AbortSignal>();
    const answer = layer({ ...get, signal: controller.signal }, ({ signal }) => {
      seen.resolve(signal as AbortSignal);
      return abortable(new Promise<never>(() => undefined), signal);
    });
    const reason = new Error('enough');
    controller.abort(reason);
    await assert.rejects(answer, reason);
    assert.equal((await seen.promise).reason, reason);
  });

  it('does not touch streams', async () => {
    const clock = new VirtualClock();
    const { next, requests } = script(response(200));
    const request = { ...get, stream: true };
    await timeout({ clock, timeoutMs: 1, server: 'api:6443' })(request, next);
    assert.equal(requests[0], request);
    assert.equal(clock.pending, 0);
  });
});
