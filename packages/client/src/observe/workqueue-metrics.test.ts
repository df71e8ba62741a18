import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { LOW_PRIORITY, PriorityQueue } from '../workqueue/priority-queue.ts';
import { RateLimitingQueue } from '../workqueue/rate-limiting-queue.ts';
import { MetricsRegistry } from './metrics-registry.ts';
import { workqueueMetrics } from './workqueue-metrics.ts';

/** The samples of a text without histogram buckets. */
function samples(registry: MetricsRegistry): string[] {
  return registry
    .text()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !line.includes('_bucket'));
}

describe('workqueueMetrics', () => {
  it('measures a queue under the names of client-go', async () => {
    const registry = new MetricsRegistry();
    const clock = new VirtualClock();
    const metrics = workqueueMetrics(registry);
    const queue = new RateLimitingQueue<string>({ name: 'sites', metrics, clock });
    queue.add('a');
    queue.add('b');
    await clock.advance(250);
    await queue.get();
    await clock.advance(1000);
    assert.deepEqual(samples(registry), [
      'workqueue_depth{name="sites",controller="sites",priority=""} 1',
      'workqueue_adds_total{name="sites",controller="sites"} 2',
      'workqueue_queue_duration_seconds_sum{name="sites",controller="sites"} 0.25',
      'workqueue_queue_duration_seconds_count{name="sites",controller="sites"} 1',
      'workqueue_work_duration_seconds_sum{name="sites",controller="sites"} 0',
      'workqueue_work_duration_seconds_count{name="sites",controller="sites"} 0',
      'workqueue_unfinished_work_seconds{name="sites",controller="sites"} 1',
      'workqueue_longest_running_processor_seconds{name="sites",controller="sites"} 1',
      'workqueue_retries_total{name="sites",controller="sites"} 0',
    ]);
    queue.addRateLimited('a');
    queue.done('a');
    assert.match(registry.text(), /workqueue_retries_total{.*} 1\n/);
    assert.match(registry.text(), /workqueue_work_duration_seconds_bucket{.*le="1"} 1\n/);
    queue.shutDown();
  });

  it('measures the depth of each priority, and the sum of those beyond 25', async () => {
    const registry = new MetricsRegistry();
    const metrics = workqueueMetrics(registry);
    const queue = new PriorityQueue<number>({ name: 'sites', metrics });
    queue.add(-1, { priority: LOW_PRIORITY });
    for (let priority = 1; priority <= 30; priority += 1) queue.add(priority, { priority });
    const depths = (): string[] => samples(registry).filter((line) => line.includes('_depth'));
    assert.equal(depths().length, 26);
    assert.equal(depths()[0], 'workqueue_depth{name="sites",controller="sites",priority="-100"} 1');
    assert.match(depths()[25] ?? '', /priority="exceeded_cardinality_limit"} 6$/);
    await queue.get();
    assert.match(depths()[25] ?? '', /priority="exceeded_cardinality_limit"} 5$/);
    queue.shutDown();
  });
});
