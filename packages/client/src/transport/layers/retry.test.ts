import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, it } from 'node:test';
import { messageOf } from '../../lib/errors.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import { seededRandom } from '../../lib/random.ts';
import { recordingLogger } from '../../lib/test-logger.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import type { Middleware, Next } from '../config.ts';
import type { DiagnosticMessages } from '../diagnostics.ts';
import { TransportError, type TransportErrorCode } from '../transport-error.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import { isSafe, retry, retryAfterMs } from './retry.ts';
import { get, post, response, script } from './test-next.ts';

interface Rig {
  readonly clock: VirtualClock;
  readonly layer: Middleware;
  readonly close: AbortController;
  /** What was logged. */
  readonly lines: readonly string[];
  /** Sends a request, and lets all the waits pass. */
  readonly send: (request: TransportRequest, next: Next) => Promise<TransportResponse>;
}

function rig(maxRetries = 10): Rig {
  const clock = new VirtualClock();
  const close = new AbortController();
  const random = seededRandom(1);
  const logger = recordingLogger();
  const server = '127.0.0.1:6443';
  const { signal: closing } = close;
  const layer = retry({ clock, random, maxRetries, server, scheme: 'https', logger, closing });
  const send = async (request: TransportRequest, next: Next): Promise<TransportResponse> => {
    let isOver = false;
    const answer = layer(request, next).finally(() => (isOver = true));
    answer.catch(() => undefined);
    for (;;) {
      await nextTurn();
      if (isOver) return answer;
      await clock.advanceToNext();
    }
  };
  return { clock, layer, close, lines: logger.lines, send };
}

const lost = (code: TransportErrorCode, mayHaveBeenHandled = true): TransportError =>
  new TransportError(code, `127.0.0.1:6443: ${code}`, {
    server: '127.0.0.1:6443',
    mayHaveBeenHandled,
  });

describe('retry', () => {
  it('retries when the server requests it, for every verb', async () => {
    for (const request of [get, post, { ...get, method: 'DELETE' }, { ...get, stream: true }]) {
      for (const status of [429, 500, 503]) {
        const { send, clock } = rig();
        const busy = response(status, { 'retry-after': '3' }, ['busy']);
        const { next, requests } = script(busy, response(200));
        assert.equal((await send(request, next)).status, 200);
        assert.equal(requests.length, 2);
        assert.equal(requests[1]?.body, request.body);
        assert.ok(clock.monotonic() >= 3000 && clock.monotonic() < 3300);
        assert.ok(busy.fate.isRead, 'the first answer must be read, to free its connection');
      }
    }
  });

  it('does not retry a response without Retry-After', async () => {
    for (const answer of [
      response(429),
      response(503, { 'retry-after': 'soon' }),
      response(503, { 'retry-after': '-5' }),
      response(503, { 'retry-after': 'Fri, 99 Foo 2026 99:99:99 GMT' }),
      response(404, { 'retry-after': '1' }),
      response(200, { 'retry-after': '1' }),
    ]) {
      const { next, requests } = script(answer);
      assert.equal(await rig().send(get, next), answer);
      assert.equal(requests.length, 1);
    }
  });

  it('waits at most five minutes, even if the server requests more', async () => {
    for (const value of ['99999999999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT']) {
      const { send, clock } = rig();
      const { next } = script(response(503, { 'retry-after': value }), response(200));
      assert.equal((await send(get, next)).status, 200);
      assert.ok(clock.monotonic() >= 300_000 && clock.monotonic() < 300_300, value);
    }
  });

  it('does not wait for the end of a response that requests a retry', async () => {
    const { send } = rig();
    let isLeft = false;
    const endless = {
      ...response(503, { 'retry-after': '1' }),
      body: {
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise<never>(() => undefined),
          return: async () => {
            isLeft = true;
            return { done: true as const, value: undefined };
          },
        }),
      },
    };
    assert.equal((await send(get, script(endless, response(200)).next)).status, 200);
    assert.ok(isLeft);
  });

  it('stops after ten retries and returns the last response unread', async () => {
    const answers = Array.from({ length: 11 }, () => response(429, { 'retry-after': '1' }, ['x']));
    const { next, requests } = script(...answers);
    assert.equal(await rig().send(get, next), answers[10]);
    assert.equal(requests.length, 11);
    assert.deepEqual(
      answers.map(({ fate }) => fate.isRead),
      answers.map((_, index) => index < 10),
    );
  });

  it('makes a safe request again when the connection is lost', async () => {
    for (const code of ['TRANSPORT_CONNECTION_RESET', 'TRANSPORT_CONNECTION_LOST'] as const) {
      const { next, requests } = script(lost(code), lost(code), response(200));
      assert.equal((await rig().send(get, next)).status, 200);
      assert.equal(requests.length, 3);
    }
  });

  it('does not make a request again that may have changed something', async () => {
    for (const code of ['TRANSPORT_CONNECTION_RESET', 'TRANSPORT_CONNECTION_LOST'] as const) {
      const { next, requests } = script(lost(code), response(200));
      await assert.rejects(rig().send(post, next), { code });
      assert.equal(requests.length, 1);
    }
  });

  it('retries any request that the server has not processed, the first time immediately', async () => {
    const { send, clock } = rig();
    const refused = lost('TRANSPORT_STREAM_REFUSED', false);
    const { next, requests } = script(refused, response(200));
    assert.equal((await send(post, next)).status, 200);
    assert.equal(requests.length, 2);
    assert.equal(clock.monotonic(), 0);
    const again = script(refused, refused, response(200));
    await send(post, again.next);
    assert.ok(clock.monotonic() >= 200);
  });

  it('waits for a server that was there before, and not for one that never was', async () => {
    for (const code of [
      'TRANSPORT_CONNECTION_REFUSED',
      'TRANSPORT_DNS',
      'TRANSPORT_TIMEOUT',
      'TRANSPORT_UNREACHABLE',
    ] as const) {
      const { send } = rig();
      const never = script(lost(code, false));
      await assert.rejects(send(get, never.next), { code });
      assert.equal(never.requests.length, 1);
      await send(get, script(response(200)).next);
      const restarting = script(lost(code, false), lost(code, false), response(200));
      assert.equal((await send(post, restarting.next)).status, 200);
      assert.equal(restarting.requests.length, 3);
    }
  });

  it('does not repeat what will fail again', async () => {
    for (const error of [
      lost('TRANSPORT_TLS_UNTRUSTED', false),
      lost('TRANSPORT_TLS_CONFIG', false),
      lost('TRANSPORT_REQUEST_INVALID', false),
      lost('TRANSPORT_CLOSED', false),
      lost('TRANSPORT_PROTOCOL'),
      new Error('of a plugin'),
    ]) {
      const { send } = rig();
      await send(get, script(response(200)).next);
      const { next, requests } = script(error);
      const { message } = error;
      await assert.rejects(send(get, next), (thrown) => messageOf(thrown).includes(message));
      assert.equal(requests.length, 1);
    }
  });

  it('waits longer each time, with jitter, up to a limit', async () => {
    const { clock, layer } = rig();
    const times: number[] = [];
    const answer = layer(get, async () => {
      times.push(clock.monotonic());
      throw lost('TRANSPORT_CONNECTION_RESET');
    });
    const over = assert.rejects(answer);
    while (await clock.advanceToNext());
    await over;
    const waits = times.slice(1).map((time, index) => time - (times[index] as number));
    assert.equal(waits.length, 10);
    for (const [index, wait] of waits.entries()) {
      const least = Math.min(10_000, 100 * 2 ** index);
      assert.ok(wait >= least && wait <= 2 * least, `wait ${index} was ${wait}`);
    }
  });

  it('keeps what went wrong before in the last error', async () => {
    const reset = lost('TRANSPORT_CONNECTION_RESET');
    const refused = lost('TRANSPORT_TLS_UNTRUSTED', false);
    const { next } = script(response(503, { 'retry-after': '1' }), reset, refused);
    await assert.rejects(rig().send(get, next), (error) => {
      assert.ok(error instanceof TransportError);
      assert.equal(error.code, 'TRANSPORT_TLS_UNTRUSTED');
      assert.equal(
        error.message,
        'GET /api/v1/pods: 127.0.0.1:6443: TRANSPORT_TLS_UNTRUSTED (after 3 attempts; the last failure: 127.0.0.1:6443: TRANSPORT_CONNECTION_RESET)',
      );
      assert.equal(error.cause, reset);
      assert.deepEqual(error.previous, [{ status: 503 }, { error: reset }]);
      return true;
    });
  });

  it('stops waiting when aborted, with the reason as it is', async () => {
    const { clock, layer } = rig();
    const controller = new AbortController();
    const { next } = script(lost('TRANSPORT_CONNECTION_RESET'));
    const answer = layer({ ...get, signal: controller.signal }, next);
    await nextTurn();
    const reason = new Error('enough');
    controller.abort(reason);
    await assert.rejects(answer, reason);
    assert.equal(clock.pending, 0);
  });

  it('adds earlier failures to a timeout', async () => {
    const { layer } = rig();
    const controller = new AbortController();
    const { next } = script(response(429, { 'retry-after': '60' }));
    const answer = layer({ ...get, signal: controller.signal }, next);
    await nextTurn();
    controller.abort(lost('TRANSPORT_TIMEOUT'));
    await assert.rejects(
      answer,
      (error) =>
        error instanceof TransportError &&
        error.code === 'TRANSPORT_TIMEOUT' &&
        (error.previous[0] as { status?: number }).status === 429,
    );
  });

  it('does not try again after an abort during an attempt', async () => {
    const controller = new AbortController();
    const reason = lost('TRANSPORT_TIMEOUT', false);
    const { next, requests } = script(() => {
      controller.abort(reason);
      throw reason;
    });
    const { send } = rig();
    await send(get, script(response(200)).next);
    await assert.rejects(send({ ...get, signal: controller.signal }, next), {
      code: 'TRANSPORT_TIMEOUT',
      previous: [],
    });
    assert.equal(requests.length, 1);
  });

  it('stops waiting when the transport closes', async () => {
    const { clock, close, layer } = rig();
    const answer = layer(get, script(response(503, { 'retry-after': '60' })).next);
    await nextTurn();
    close.abort(lost('TRANSPORT_CLOSED', false));
    await assert.rejects(answer, { code: 'TRANSPORT_CLOSED' });
    assert.equal(clock.pending, 0);
  });

  it('can be switched off', async () => {
    const { next, requests } = script(response(429, { 'retry-after': '1' }));
    assert.equal((await rig(0).send(get, next)).status, 429);
    assert.equal(requests.length, 1);
  });
});

describe('retry, log', () => {
  it('warns when retries take longer than two seconds, and when they are over', async () => {
    const reset = lost('TRANSPORT_CONNECTION_RESET');
    const { send, lines } = rig();
    const secret = { ...get, path: '/api/v1/pods?token=secret' };
    const { next } = script(reset, reset, reset, reset, reset, reset, reset, response(200));
    await send(secret, next);
    const [first = '', ...others] = lines.filter((line) => line.startsWith('warn '));
    assert.match(
      first,
      /^warn GET \/api\/v1\/pods: 127\.0\.0\.1:6443: attempt \d failed: 127\.0\.0\.1:6443: TRANSPORT_CONNECTION_RESET; next attempt in \d+\.\d s$/,
    );
    assert.equal(others.length, 1);
    assert.match(
      others[0] ?? '',
      /^warn GET \/api\/v1\/pods: 127\.0\.0\.1:6443: answered after 8 attempts in \d+\.\d s$/,
    );
    assert.ok(!lines.join('\n').includes('secret'));
  });

  it('warns of the end also when it is a failure or an abort', async () => {
    const { send, lines } = rig();
    await assert.rejects(send(get, script(lost('TRANSPORT_CONNECTION_RESET')).next));
    assert.match(lines.at(-1) ?? '', /^warn .*: failed after 11 attempts in \d+\.\d s: .*RESET$/);
    const other = rig();
    const controller = new AbortController();
    const busy = script(response(503, { 'retry-after': '30' }));
    const answer = other.layer({ ...get, signal: controller.signal }, busy.next);
    await nextTurn();
    assert.match(other.lines.join(), /attempt 1 failed: status 503; next attempt in 30\.\d s$/);
    controller.abort(new Error('enough'));
    await assert.rejects(answer, /enough/);
    assert.match(other.lines.at(-1) ?? '', /^warn .*: failed after 1 attempts in 0\.0 s: enough$/);
  });

  it('is silent about retries that are over soon', async () => {
    const { send, lines } = rig();
    await send(get, script(lost('TRANSPORT_CONNECTION_RESET'), response(200)).next);
    assert.deepEqual(
      lines.filter((line) => !line.startsWith('debug')),
      [],
    );
  });
});

describe('retry, diagnostics', () => {
  it('publishes every attempt, without query, headers or body', async () => {
    const seen: [string, unknown][] = [];
    const names = ['start', 'attempt', 'end'].map((name) => `client-ts:request:${name}`);
    const listen = (message: unknown, name: string | symbol): void =>
      void seen.push([String(name), message]);
    for (const name of names) subscribe(name, listen);
    const reset = lost('TRANSPORT_CONNECTION_RESET');
    try {
      const { next } = script(response(429, { 'retry-after': '1' }), reset, response(200));
      const secret = { authorization: 'Bearer secret' };
      await rig().send({ ...get, headers: secret, path: '/a?token=secret' }, next);
    } finally {
      for (const name of names) unsubscribe(name, listen);
    }
    assert.equal(JSON.stringify(seen).includes('secret'), false);
    const attempts = seen.slice(1, -1).map(([name, message]) => {
      assert.equal(name, 'client-ts:request:attempt');
      return message as DiagnosticMessages['client-ts:request:attempt'];
    });
    assert.deepEqual(
      attempts.map(({ attempt, outcome, retryInMs }) => [
        attempt,
        outcome,
        retryInMs !== undefined,
      ]),
      [
        [1, { status: 429 }, true],
        [2, { error: reset, code: 'TRANSPORT_CONNECTION_RESET' }, true],
        [3, { status: 200 }, false],
      ],
    );
    const [start, end] = [seen[0], seen.at(-1)] as [[string, unknown], [string, unknown]];
    const { addHeader, ...shown } = start[1] as DiagnosticMessages['client-ts:request:start'];
    const { id } = shown;
    assert.equal(typeof addHeader, 'function');
    assert.deepEqual(
      [start[0], shown],
      [
        'client-ts:request:start',
        { id, method: 'GET', path: '/a', stream: false, server: '127.0.0.1:6443', scheme: 'https' },
      ],
    );
    const last = end[1] as DiagnosticMessages['client-ts:request:end'];
    assert.equal(end[0], 'client-ts:request:end');
    assert.deepEqual([last.id, last.attempts, last.outcome], [id, 3, { status: 200 }]);
    assert.ok(last.durationMs >= 1000);
  });
});

describe('retry, headers of subscribers', () => {
  it('are sent with every attempt, and replace none of the request', async () => {
    const name = 'client-ts:request:start';
    const listen = (message: unknown): void => {
      const { addHeader } = message as DiagnosticMessages[typeof name];
      addHeader('traceparent', '00-a-b-01');
      addHeader('authorization', 'Bearer other');
    };
    subscribe(name, listen);
    const sent: unknown[] = [];
    const { next } = script(response(429, { 'retry-after': '1' }), response(200));
    try {
      const headers = { authorization: 'Bearer own' };
      await rig().send({ ...get, headers }, (request) => {
        sent.push(request.headers);
        return next(request);
      });
    } finally {
      unsubscribe(name, listen);
    }
    const expected = { authorization: 'Bearer own', traceparent: '00-a-b-01' };
    assert.deepEqual(sent, [expected, expected]);
  });
});

describe('retryAfterMs', () => {
  const now = Date.UTC(2026, 0, 1);

  it('reads seconds and dates, of 429 and 5xx only', () => {
    const ask = (status: number, value?: string): number | undefined =>
      retryAfterMs({ status, headers: { 'retry-after': value } }, now);
    assert.equal(ask(429, '0'), 0);
    assert.equal(ask(503, '120'), 120_000);
    assert.equal(ask(503, new Date(now + 5000).toUTCString()), 5000);
    assert.equal(ask(503, new Date(now - 5000).toUTCString()), 0);
    assert.equal(ask(503), undefined);
    assert.equal(ask(503, '-1'), undefined);
    assert.equal(ask(503, '1.5x'), undefined);
    assert.equal(ask(409, '1'), undefined);
  });
});

describe('isSafe', () => {
  it('holds for reading only', () => {
    const verbs = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
    assert.deepEqual(verbs.filter(isSafe), ['GET', 'HEAD', 'OPTIONS']);
  });
});

const NOW = Date.parse('2026-01-01T00:00:00Z');

function waitFor(value: string | readonly string[], status = 503): number | undefined {
  return retryAfterMs({ status, headers: { 'retry-after': value } }, NOW);
}

describe('retryAfterMs', () => {
  it('reads seconds and dates, at most five minutes', () => {
    assert.equal(waitFor('3'), 3000);
    assert.equal(waitFor('0', 429), 0);
    assert.equal(waitFor('Thu, 01 Jan 2026 00:00:05 GMT'), 5000);
    assert.equal(waitFor('Wed, 31 Dec 2025 00:00:05 GMT'), 0);
    assert.equal(waitFor('300'), 300_000);
    assert.equal(waitFor('301'), 300_000);
    assert.equal(waitFor('9'.repeat(400)), 300_000);
    assert.equal(waitFor('Thu, 01 Jan 2099 00:00:05 GMT'), 300_000);
  });

  it('ignores what is neither, and other answers', () => {
    for (const value of [
      'soon',
      '-1',
      '1.5',
      '',
      'Xxx, 99 Foo 2026 99:99:99 GMT',
      'Thu, 32 Jan 2026 00:00:05 GMT',
      ['1', '2'],
    ]) {
      assert.equal(waitFor(value), undefined, String(value));
    }
    assert.equal(waitFor('3', 404), undefined);
    assert.equal(waitFor('3', 200), undefined);
  });
});
