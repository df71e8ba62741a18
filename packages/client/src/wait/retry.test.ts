import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { newConflict, newNotFound } from '../meta/error-factories.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { DEFAULT_BACKOFF, DEFAULT_RETRY, retryOnConflict, retryOnError } from './retry.ts';

const pods = { group: '', resource: 'pods' };
const conflict = newConflict(pods, 'web', 'changed');
const random = { next: () => 0, uuid: () => '' };

/** Work that fails a number of times, and the times of its calls. */
function failing(times: number, clock: VirtualClock, error: unknown = conflict) {
  const at: number[] = [];
  const work = async (): Promise<string> => {
    at.push(Math.round(clock.monotonic()));
    if (at.length <= times) throw error;
    return 'done';
  };
  return { at, work };
}

async function settle<T>(clock: VirtualClock, pending: Promise<T>): Promise<T> {
  const state = { isSettled: false };
  const watched = pending.finally(() => (state.isSettled = true));
  watched.catch(() => undefined);
  while (!state.isSettled) await clock.advance(1);
  return await watched;
}

describe('retryOnConflict', () => {
  it('tries five times, 10 ms apart', async () => {
    const clock = new VirtualClock();
    const { at, work } = failing(4, clock);
    assert.equal(await settle(clock, retryOnConflict(work, { clock, random })), 'done');
    assert.deepEqual(at, [0, 10, 20, 30, 40]);
  });

  it('throws the last error unchanged when the attempts are used up', async () => {
    const clock = new VirtualClock();
    const { at, work } = failing(9, clock);
    await assert.rejects(settle(clock, retryOnConflict(work, { clock, random })), conflict);
    assert.equal(at.length, DEFAULT_RETRY.steps);
    assert.equal(clock.pending, 0);
  });

  it('backs off exponentially with DEFAULT_BACKOFF', async () => {
    const clock = new VirtualClock();
    const { at, work } = failing(3, clock);
    const options = { clock, random, backoff: DEFAULT_BACKOFF };
    assert.equal(await settle(clock, retryOnConflict(work, options)), 'done');
    assert.deepEqual(at, [0, 10, 60, 310]);
  });

  it('adds jitter of up to a tenth', async () => {
    const clock = new VirtualClock();
    const { at, work } = failing(1, clock);
    const most = { next: () => 1, uuid: () => '' };
    await settle(clock, retryOnConflict(work, { clock, random: most }));
    assert.deepEqual(at, [0, 11]);
  });

  it('does not retry other errors', async () => {
    const clock = new VirtualClock();
    const notFound = newNotFound(pods, 'web');
    const { at, work } = failing(9, clock, notFound);
    await assert.rejects(retryOnConflict(work, { clock }), notFound);
    assert.equal(at.length, 1);
  });

  it('recognises a conflict that was wrapped', async () => {
    const clock = new VirtualClock();
    const { at, work } = failing(1, clock, new Error('could not write', { cause: conflict }));
    await settle(clock, retryOnConflict(work, { clock, random }));
    assert.equal(at.length, 2);
  });

  it('stops waiting on abort', async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const work = (): never => {
      stop.abort(new Error('enough'));
      throw conflict;
    };
    await assert.rejects(retryOnConflict(work, { clock, signal: stop.signal }), /enough/);
    assert.equal(clock.pending, 0);
    await assert.rejects(
      retryOnConflict(() => assert.fail('worked'), { signal: stop.signal }),
      /enough/,
    );
  });
});

describe('retryOnError', () => {
  it('refuses a backoff that is not of numbers', async () => {
    const work = (): never => assert.fail('worked');
    for (const [option, value] of [
      ['steps', NaN],
      ['initialMs', -1],
      ['factor', NaN],
      ['jitter', '1'],
    ] as const) {
      const backoff = { ...DEFAULT_RETRY, [option]: value };
      await assert.rejects(
        retryOnError(() => true, work, { backoff }),
        { code: 'OPTION_INVALID', option },
      );
    }
  });

  it('retries the errors that the predicate accepts', async () => {
    const clock = new VirtualClock();
    const { at, work } = failing(2, clock, new Error('odd'));
    const isOdd = (error: unknown): boolean => (error as Error).message === 'odd';
    assert.equal(await settle(clock, retryOnError(isOdd, work, { clock, random })), 'done');
    assert.equal(at.length, 3);
  });
});
