import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MetricsRegistry } from './metrics-registry.ts';
import { processMetrics } from './process-metrics.ts';

function valueOf(registry: MetricsRegistry, name: string): number {
  const [, value] = new RegExp(`^${name} (.*)$`, 'm').exec(registry.text()) ?? [];
  return Number(value);
}

describe('processMetrics', () => {
  it('measures the process when the metrics are read', () => {
    const registry = new MetricsRegistry();
    processMetrics(registry);
    const { user, system } = process.cpuUsage();
    const seconds = valueOf(registry, 'process_cpu_seconds_total');
    assert.ok(seconds >= (user + system) / 1e6, `${seconds} s are less than before`);
    for (const name of [
      'process_resident_memory_bytes',
      'process_start_time_seconds',
      'nodejs_heap_size_total_bytes',
      'nodejs_heap_size_used_bytes',
    ]) {
      assert.ok(valueOf(registry, name) > 0, name);
    }
    const utilization = valueOf(registry, 'nodejs_eventloop_utilization');
    assert.ok(utilization >= 0 && utilization <= 1, `${utilization}`);
  });

  it('counts CPU time once if it is called twice', async () => {
    const registry = new MetricsRegistry();
    processMetrics(registry);
    processMetrics(registry);
    const seconds = valueOf(registry, 'process_cpu_seconds_total');
    const { user, system } = process.cpuUsage();
    assert.ok(seconds <= (user + system) / 1e6, `${seconds} s are more than there are`);
  });
});
