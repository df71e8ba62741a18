import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LeaderElectionError } from '../leaderelection/leader-election-error.ts';
import { Deferred } from '../lib/deferred.ts';
import { sleep } from '../lib/clock.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { RateLimitingQueue } from '../workqueue/rate-limiting-queue.ts';
import { requeueAfter, terminal } from '../workqueue/reconcile.ts';
import { runWorkers } from '../workqueue/run-workers.ts';
import { measureLeadership, measureReconcile } from './controller-metrics.ts';
import { MetricsRegistry } from './metrics-registry.ts';

function value(registry: MetricsRegistry, series: string): number {
  const line = registry
    .text()
    .split('\n')
    .find((text) => text.startsWith(`${series} `));
  assert.ok(line !== undefined, `${series} is missing`);
  return Number(line.slice(series.length + 1));
}

describe('measureReconcile', () => {
  it('counts results, errors, terminal errors and timeouts, and measures time', async () => {
    const registry = new MetricsRegistry();
    const clock = new VirtualClock();
    const queue = new RateLimitingQueue<string>({ clock });
    const stop = new AbortController();
    const attempts = new Map<string, number>();
    const reconcile = measureReconcile<string>(
      registry,
      { controller: 'site', workers: 5, clock },
      async (key, { signal }) => {
        const attempt = (attempts.get(key) ?? 0) + 1;
        attempts.set(key, attempt);
        await sleep(clock, key === 'slow' && attempt === 1 ? 60_000 : 100, { signal });
        if (key === 'failing' && attempt === 1) throw new Error('not yet');
        if (key === 'faulty' && attempt === 1) Reflect.apply(undefined as never, undefined, []);
        if (key === 'broken') throw terminal(new Error('never'));
        return key === 'periodic' && attempt === 1 ? requeueAfter(1000) : undefined;
      },
    );
    const options = { signal: stop.signal, clock, workers: 5, timeoutMs: 500, onError: () => {} };
    const workers = runWorkers(queue, options, reconcile);
    for (const key of ['failing', 'broken', 'periodic', 'slow', 'faulty']) queue.add(key);
    await clock.advance(50);
    assert.equal(value(registry, 'controller_runtime_active_workers{controller="site"}'), 5);
    await clock.advance(10_000);
    const total = 'controller_runtime_reconcile_total{controller="site",result=';
    assert.equal(value(registry, `${total}"success"}`), 4);
    assert.equal(value(registry, `${total}"requeue_after"}`), 1);
    assert.equal(value(registry, `${total}"error"}`), 4);
    assert.equal(value(registry, `${total}"requeue"}`), 0);
    for (const [name, expected] of [
      ['reconcile_errors_total', 4],
      ['reconcile_panics_total', 1],
      ['terminal_reconcile_errors_total', 1],
      ['reconcile_timeouts_total', 1],
      ['active_workers', 0],
      ['max_concurrent_reconciles', 5],
      ['reconcile_time_seconds_count', 9],
      ['reconcile_time_seconds_sum', 1.3],
    ] as const) {
      const measured = value(registry, `controller_runtime_${name}{controller="site"}`);
      assert.equal(Number(measured.toFixed(6)), expected, name);
    }
    stop.abort();
    await workers;
    queue.shutDown();
  });
});

describe('measureLeadership', () => {
  const status = 'leader_election_master_status{name="lease"}';

  it('is 1 while the work runs and 0 before and after', async () => {
    const registry = new MetricsRegistry();
    const end = new Deferred<string>();
    const work = measureLeadership(registry, 'lease', () => end.promise);
    assert.equal(value(registry, status), 0);
    const working = work(new AbortController().signal);
    assert.equal(value(registry, status), 1);
    end.resolve('result');
    assert.equal(await working, 'result');
    assert.equal(value(registry, status), 0);
  });

  it('is 0 when the lease is lost, and 1 until the work has ended when it is stopped', async () => {
    for (const [reason, expected] of [
      [new LeaderElectionError('LEADERELECTION_LOST', 'lost'), 0],
      [new Error('stop'), 1],
    ] as const) {
      const registry = new MetricsRegistry();
      const end = new Deferred();
      const term = new AbortController();
      const working = measureLeadership(registry, 'lease', () => end.promise)(term.signal);
      term.abort(reason);
      assert.equal(value(registry, status), expected);
      end.resolve();
      await working;
      assert.equal(value(registry, status), 0);
    }
  });

  it('is 0 after work that failed', async () => {
    const registry = new MetricsRegistry();
    const work = measureLeadership(registry, 'lease', () => {
      throw new Error('failed');
    });
    await assert.rejects(work(new AbortController().signal), /failed/);
    assert.equal(value(registry, status), 0);
  });
});
