import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ListerWatcher } from './list-watch.ts';
import { failures } from './test-failures.ts';
import type { TestObject } from './test-objects.ts';
import { TestReflector } from './test-reflector.ts';
import { TestSource } from './test-source.ts';

const options = { name: 'pods', useWatchList: false } as const;

/** The warnings, without debug messages. */
function warnings({ log }: TestReflector): string[] {
  return log.lines.splice(0).filter((line) => !line.startsWith('debug'));
}

describe('the log of a reflector', () => {
  it('has a warning when trouble starts and one when it is over', async () => {
    const source = Object.assign(new TestSource(), { server: '10.0.0.1:6443' });
    const trial = new TestReflector({ ...options, listerWatcher: source });
    const { clock, run, reflector } = trial;
    source.listFailures.push(failures.unreachable, failures.internal, failures.unreachable);
    const { end } = await run();
    assert.deepEqual(warnings(trial), [
      'warn informer "pods" cannot list from 10.0.0.1:6443, next attempt in 0.8 s: ' +
        'connection refused (Check the address and port, and that the server is running.)',
    ]);
    await clock.advance(800 + 1600 + 3200);
    assert.equal(reflector.status.state, 'live');
    await clock.advance(9999);
    assert.deepEqual(warnings(trial), []);
    await clock.advance(1);
    assert.deepEqual(warnings(trial), [
      'warn informer "pods" follows 10.0.0.1:6443 again, after 5.6 s',
    ]);
    await end();
    assert.equal(clock.pending, 0);
  });

  it('has another warning when the kind of trouble changes', async () => {
    const trial = new TestReflector(options);
    const { clock, source, run } = trial;
    source.listFailures.push(failures.unreachable, failures.untrusted, failures.denied);
    const { end } = await run();
    await clock.advance(30_000);
    await clock.advance(30_000);
    assert.deepEqual(
      warnings(trial).map((line) => line.replace(/:.*/, '')),
      [
        'warn informer "pods" cannot list, next attempt in 0.8 s',
        'warn informer "pods" cannot list, next attempt in 30.0 s',
        'warn informer "pods" cannot list, next attempt in 3.2 s',
        'warn informer "pods" follows its server again, after 34.0 s',
      ],
    );
    await end();
  });

  it('has the duration of the trouble, also if a watch broke in between', async () => {
    const trial = new TestReflector(options);
    const { clock, source, run } = trial;
    const { end } = await run();
    await clock.advance(100_000);
    source.watchFailures.push(failures.unreachable);
    source.endWatches();
    await clock.advance(800);
    assert.equal(trial.reflector.status.state, 'live');
    await clock.advance(5000);
    source.watchFailures.push(failures.unreachable);
    source.endWatches();
    await clock.advance(800);
    await clock.advance(9999);
    assert.equal(warnings(trial).length, 1);
    await clock.advance(1);
    assert.deepEqual(warnings(trial), [
      'warn informer "pods" follows its server again, after 6.6 s',
    ]);
    await end();
  });

  it('is silent about watches that end, break, expire or are truncated and resumed', async () => {
    for (const error of [undefined, failures.unreachable, failures.truncated]) {
      const trial = new TestReflector(options);
      const { clock, source, run } = trial;
      const { end } = await run();
      for (let count = 0; count < 5; count += 1) {
        await clock.advance(5000);
        source.endWatches(error);
        if (count === 3) source.compact();
        source.write('a');
      }
      await clock.advance(60_000);
      assert.deepEqual(warnings(trial), []);
      trial.assertEqual();
      await end();
    }
  });

  it('has one warning for a server that accepts watches and breaks them immediately', async () => {
    const source = new TestSource();
    let breaks = true;
    const listerWatcher: ListerWatcher<TestObject> = {
      list: (request) => source.list(request),
      watch: async (request) => {
        const events = await source.watch(request);
        if (breaks) source.endWatches(failures.unreachable);
        return events;
      },
    };
    const trial = new TestReflector({ ...options, listerWatcher });
    const { clock, run } = trial;
    const { end } = await run();
    await clock.advance(600_000);
    assert.equal(warnings(trial).length, 1);
    breaks = false;
    await clock.advance(120_000);
    assert.match(warnings(trial).join(), /^warn informer "pods" follows its server again, after/);
    await end();
    assert.equal(clock.pending, 0);
  });

  it('has a warning for a server that ends each watch after an event', async () => {
    const source = new TestSource();
    const listerWatcher: ListerWatcher<TestObject> = {
      list: (request) => source.list(request),
      watch: async (request) => {
        const events = await source.watch(request);
        source.write('a');
        source.endWatches();
        return events;
      },
    };
    const trial = new TestReflector({ ...options, listerWatcher });
    const { end } = await trial.run();
    await trial.clock.advance(60_000);
    assert.deepEqual(
      warnings(trial).map((line) => line.replace(/ \(.*/, '')),
      [
        'warn informer "pods" cannot watch, next attempt in 1.0 s: ' +
          'the last 10 watches each ended within 1000 ms',
      ],
    );
    await end();
  });
});
