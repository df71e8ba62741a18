import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deferred } from './deferred.ts';
import { SingleFlight } from './single-flight.ts';

describe('SingleFlight', () => {
  it('runs the work once for concurrent callers', async () => {
    const flight = new SingleFlight<number>();
    const gate = new Deferred<number>();
    let runs = 0;
    const work = (): Promise<number> => {
      runs += 1;
      return gate.promise;
    };
    const all = [flight.run(work), flight.run(work), flight.run(work)];
    gate.resolve(7);
    assert.deepEqual(await Promise.all(all), [7, 7, 7]);
    assert.equal(runs, 1);
    assert.equal(await flight.run(work), 7);
    assert.equal(runs, 2, 'a finished run is not a cache');
  });

  it('rejects all of them with the same failure, and forgets it', async () => {
    const flight = new SingleFlight<number>();
    const failure = new Error('no');
    const all = [1, 2].map(() => flight.run(() => Promise.reject(failure)));
    for (const result of all) await assert.rejects(result, failure);
    assert.equal(await flight.run(async () => 1), 1);
  });

  it('continues while a caller waits, and is aborted when none does', async () => {
    const flight = new SingleFlight<number>();
    const gate = new Deferred<number>();
    const signals: AbortSignal[] = [];
    const work = (signal: AbortSignal): Promise<number> => {
      signals.push(signal);
      return gate.promise;
    };
    const [first, second] = [new AbortController(), new AbortController()];
    const one = flight.run(work, first.signal);
    const two = flight.run(work, second.signal);
    const reason = new Error('enough');
    first.abort(reason);
    await assert.rejects(one, reason);
    assert.equal(signals[0]?.aborted, false, 'the second still waits');
    second.abort(reason);
    await assert.rejects(two, reason);
    assert.equal(signals[0]?.aborted, true);
    const three = flight.run(work);
    gate.resolve(3);
    assert.equal(await three, 3);
    assert.equal(signals.length, 2, 'an abandoned run is not joined');
  });

  it('does not start for a caller that is aborted already', async () => {
    const flight = new SingleFlight<number>();
    const reason = new Error('enough');
    const work = (): Promise<number> => assert.fail('started');
    await assert.rejects(flight.run(work, AbortSignal.abort(reason)), reason);
  });

  it('starts another run after forget, while current callers keep theirs', async () => {
    const flight = new SingleFlight<string>();
    const [old, fresh] = [new Deferred<string>(), new Deferred<string>()];
    const before = flight.run(() => old.promise);
    flight.forget();
    const after = flight.run(() => fresh.promise);
    old.resolve('old');
    assert.equal(await before, 'old');
    const joined = flight.run(() => assert.fail('the fresh one is still under way'));
    fresh.resolve('fresh');
    assert.deepEqual(await Promise.all([after, joined]), ['fresh', 'fresh']);
  });
});
