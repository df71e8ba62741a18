import { readdirSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { MetricsRegistry } from './metrics-registry.ts';

const measured = new WeakSet<MetricsRegistry>();

/**
 * Registers metrics of this process, read when the metrics are: those of controller-runtime for CPU
 * time, memory, start and open files (`process_…`), and those of prom-client for the heap
 * (`nodejs_heap_size_…_bytes`), with `nodejs_eventloop_utilization`: the part of the time since the
 * last scrape in which the event loop was busy, from 0 to 1. A second call for a registry does nothing.
 */
export function processMetrics(registry: MetricsRegistry): void {
  // CPU time would be counted twice.
  if (measured.has(registry)) return;
  measured.add(registry);
  const gauge = (name: string, help: string) => registry.gauge({ name, help }).labels({});
  const cpu = registry
    .counter({ name: 'process_cpu_seconds_total', help: 'User and system CPU time in seconds.' })
    .labels({});
  const resident = gauge('process_resident_memory_bytes', 'Resident memory size in bytes.');
  const openFiles = gauge('process_open_fds', 'Number of open file descriptors.');
  const heapTotal = gauge('nodejs_heap_size_total_bytes', 'Size of the heap in bytes.');
  const heapUsed = gauge('nodejs_heap_size_used_bytes', 'Used size of the heap in bytes.');
  const external = gauge('nodejs_external_memory_bytes', 'Memory of buffers in bytes.');
  const utilization = gauge(
    'nodejs_eventloop_utilization',
    'Part of the time since the last scrape in which the event loop was busy.',
  );
  gauge('process_start_time_seconds', 'Start time of the process in seconds since 1970.').set(
    Math.round(performance.timeOrigin) / 1000,
  );
  let lastCpu = 0;
  let lastUtilization = performance.eventLoopUtilization();
  registry.onCollect(() => {
    const { user, system } = process.cpuUsage();
    const seconds = (user + system) / 1e6;
    cpu.inc(Math.max(0, seconds - lastCpu));
    lastCpu = Math.max(lastCpu, seconds);
    const { rss, heapTotal: total, heapUsed: used, external: outside } = process.memoryUsage();
    resident.set(rss);
    heapTotal.set(total);
    heapUsed.set(used);
    external.set(outside);
    const current = performance.eventLoopUtilization();
    utilization.set(performance.eventLoopUtilization(current, lastUtilization).utilization);
    lastUtilization = current;
    openFiles.set(countOpenFiles());
  });
}

/** Returns 0 where there is no `/proc`. */
function countOpenFiles(): number {
  try {
    // One is that of the directory itself.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return 0;
  }
}
