import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, it } from 'node:test';

import { nextTurn } from '../../lib/next-turn.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { TransportError } from '../transport-error.ts';
import { get, response, script } from './test-next.ts';
import { throttle } from './throttle.ts';
import { timeout } from './timeout.ts';

const open = new AbortController().signal;

describe('throttle', () => {
  it('delays requests, publishes each delay, and does not delay streams', async () => {
    const clock = new VirtualClock();
    const { next, requests } = script(response(200));
    const layer = throttle({ clock, qps: 2, burst: 1, closing: open });
    const messages: unknown[] = [];
    const listen = (message: unknown): void => void messages.push(message);
    subscribe('client-ts:request:throttled', listen);
    try {
      await layer(get, next);
      const held = layer(get, next);
      await layer({ ...get, stream: true }, next);
      assert.equal(requests.length, 2);
      await clock.advance(499);
      assert.equal(requests.length, 2);
      await clock.advance(1);
      await held;
      assert.equal(requests.length, 3);
    } finally {
      unsubscribe('client-ts:request:throttled', listen);
    }
    assert.deepEqual(messages, [
      { method: 'GET', path: '/api/v1/pods', waitMs: 500, qps: 2, burst: 1 },
    ]);
  });

  it('ends the wait when aborted or closed, and the token is there for another', async () => {
    const clock = new VirtualClock();
    const { next, requests } = script(response(200));
    const closing = new AbortController();
    const layer = throttle({ clock, qps: 1, burst: 1, closing: closing.signal });
    await layer(get, next);
    const controller = new AbortController();
    const held = layer({ ...get, signal: controller.signal }, next);
    const reason = new Error('enough');
    controller.abort(reason);
    await assert.rejects(held, reason);
    const other = layer(get, next);
    await clock.advance(1000);
    await other;
    assert.equal(requests.length, 2);
    const last = layer(get, next);
    closing.abort(new TransportError('TRANSPORT_CLOSED', 'closed'));
    await assert.rejects(last, { code: 'TRANSPORT_CLOSED' });
    assert.equal(clock.pending, 0);
  });

  it('names the client-side limit in a timeout during the delay', async () => {
    const clock = new VirtualClock();
    const { next } = script(response(200));
    const limit = throttle({ clock, qps: 0.1, burst: 1, closing: open });
    const layer = timeout({ clock, timeoutMs: 5000, server: 'api:6443' });
    const send = (): ReturnType<typeof next> => layer(get, (request) => limit(request, next));
    await send();
    const late = assert.rejects(
      send(),
      (error) =>
        error instanceof TransportError &&
        error.code === 'TRANSPORT_TIMEOUT' &&
        /the client's own limit of 0.1 requests per second/.test(error.message) &&
        /qps/.test(error.hint ?? ''),
    );
    await nextTurn();
    await clock.advance(5000);
    await late;
  });
});
