import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestReflector } from '../cache/test-reflector.ts';
import { MetricsRegistry } from './metrics-registry.ts';
import { reflectorMetrics } from './reflector-metrics.ts';

function valuesOf(registry: MetricsRegistry): Record<string, number> {
  const lines = registry.text().matchAll(/^reflector_(\w+)\{name="pods"\} (.*)$/gm);
  return Object.fromEntries(Array.from(lines, ([, name, value]) => [name, Number(value)]));
}

for (const useWatchList of [true, false]) {
  describe(`reflectorMetrics, ${useWatchList ? 'streaming' : 'listing'}`, () => {
    it('measures lists and watches, and continues after a restart', async () => {
      const registry = new MetricsRegistry();
      const metrics = reflectorMetrics(registry);
      const first = new TestReflector({ useWatchList, metrics, name: 'pods' });
      first.source.write('a');
      first.source.write('b');
      const { end } = await first.run();
      first.source.write('b');
      await first.clock.advance(30_000);
      first.source.endWatches();
      await first.clock.advance(0);
      first.source.endWatches();
      await first.settle();
      const running = valuesOf(registry);
      assert.equal(running['lists_total'], 1);
      assert.equal(running['list_duration_seconds_count'], 1);
      assert.equal(running['items_per_list_sum'], 2);
      assert.equal(running['last_resource_version'], 4);
      assert.ok((running['watches_total'] ?? 0) >= 2);
      assert.equal(running['watch_duration_seconds_sum'], 30);
      assert.ok((running['items_per_watch_sum'] ?? 0) >= 1);
      assert.equal(running['short_watches_total'], 1);
      await end();
      const stopped = valuesOf(registry);
      assert.equal(stopped['last_resource_version'], undefined, 'there while it runs');
      const second = new TestReflector({ useWatchList, metrics, name: 'pods' });
      const again = await second.run();
      const restarted = valuesOf(registry);
      for (const [name, value] of Object.entries(stopped)) {
        assert.ok((restarted[name] ?? 0) >= value, `${name} went back to ${restarted[name]}`);
      }
      assert.equal(restarted['lists_total'], 2);
      await again.end();
    });
  });
}
