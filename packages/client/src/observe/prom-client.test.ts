import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AggregatorRegistry, Counter, openMetricsContentType, Registry } from 'prom-client';
import { MetricsRegistry } from './metrics-registry.ts';

function filled(): MetricsRegistry {
  const registry = new MetricsRegistry();
  const jobs = registry.counter({ name: 'jobs_total', help: 'Jobs.', labelNames: ['kind'] });
  jobs.labels({ kind: 'a"b\\c\nd' }).inc(3);
  const wait = registry.histogram({
    name: 'wait_seconds',
    help: 'Wait.',
    buckets: [0.1, 1],
    labelNames: ['queue'],
  });
  for (const value of [0.0625, 0.5, 7]) wait.labels({ queue: 'q' }).observe(value);
  registry.summary({ name: 'list_seconds', help: 'Lists.' }).labels({}).observe(2);
  registry.gauge({ name: 'depth', help: 'Depth.' }).labels({}).set(-Infinity);
  return registry;
}

/** The lines of a text without the empty ones, with the labels of each in order. */
function linesOf(text: string): string[] {
  const sorted = (labels: string): string => labels.split(',').sort().join(',');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/\{(.*)\}/, (_, labels: string) => `{${sorted(labels)}}`));
}

describe('registerIn', () => {
  it('lets prom-client print the same text', async () => {
    const registry = filled();
    const target = registry.registerIn(new Registry());
    assert.deepEqual(linesOf(await target.metrics()), linesOf(registry.text()));
  });

  it('is part of a merged registry, with metrics that are created before the merge', async () => {
    const own = new Registry();
    new Counter({ name: 'own_total', help: 'Own.', registers: [own] }).inc();
    const registry = filled();
    const target = registry.registerIn(new Registry());
    registry.counter({ name: 'later_total', help: 'Later.' }).labels({}).inc();
    const text = await Registry.merge([own, target]).metrics();
    for (const line of ['own_total 1', 'later_total 1', 'wait_seconds_count{queue="q"} 3']) {
      assert.ok(text.includes(`${line}\n`), `${line} is not in ${text}`);
    }
  });

  it('shows values and series of the time of the scrape', async () => {
    const registry = filled();
    const target = registry.registerIn(new Registry());
    await target.metrics();
    const jobs = registry.counter({ name: 'jobs_total', help: 'Jobs.', labelNames: ['kind'] });
    jobs.labels({ kind: 'new' }).inc(7);
    let scrapes = 0;
    const depth = registry.gauge({ name: 'depth', help: 'Depth.' }).labels({});
    registry.onCollect(() => depth.set(++scrapes));
    const text = await target.metrics();
    assert.match(text, /^jobs_total\{kind="new"\} 7$/m);
    assert.match(text, /^depth 1$/m);
    assert.match(await target.metrics(), /^depth 2$/m);
  });

  it('leaves a name that is taken to its owner', async () => {
    const target = new Registry();
    new Counter({ name: 'jobs_total', help: 'Other jobs.', registers: [target] }).inc(41);
    const text = await filled().registerIn(target).metrics();
    assert.match(text, /^jobs_total 41$/m);
    assert.equal(text.match(/^# TYPE jobs_total /gm)?.length, 1);
  });

  it('follows the conventions of OpenMetrics and of clusters', async () => {
    const open = filled().registerIn(new Registry<typeof openMetricsContentType>());
    open.setContentType(openMetricsContentType);
    const text = await open.metrics();
    assert.match(text, /^# TYPE jobs counter$/m);
    assert.match(text, /^jobs_total\{/m);
    const workers = [filled(), filled()].map((one) => one.registerIn(new Registry()));
    const parts = await Promise.all(workers.map((worker) => worker.getMetricsAsJSON()));
    const sum = await AggregatorRegistry.aggregate(parts).metrics();
    assert.match(sum, /^jobs_total\{.*\} 6$/m);
    assert.match(sum, /^wait_seconds_count\{queue="q"\} 6$/m);
  });

  it('keeps counters when prom-client resets its metrics', async () => {
    const registry = filled();
    const target = registry.registerIn(new Registry());
    target.resetMetrics();
    assert.match(registry.text(), /^jobs_total\{.*\} 3$/m);
  });
});
