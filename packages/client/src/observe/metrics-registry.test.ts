import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OptionError } from '../lib/option-error.ts';
import { MetricsRegistry } from './metrics-registry.ts';

describe('MetricsRegistry', () => {
  it('prints counters, gauges and histograms in the text format', () => {
    const registry = new MetricsRegistry();
    const requests = registry.counter({
      name: 'requests_total',
      help: 'Requests.',
      labelNames: ['code', 'method'],
    });
    requests.labels({ code: '200', method: 'GET' }).inc();
    requests.labels({ method: 'GET', code: '200' }).inc(2.5);
    requests.labels({ code: '500', method: 'GET' }).inc();
    const depth = registry.gauge({ name: 'depth', help: 'Depth.' }).labels({});
    depth.set(5);
    depth.inc();
    depth.dec(8);
    const wait = registry
      .histogram({ name: 'wait_seconds', help: 'Wait.', buckets: [0.1, 1] })
      .labels({});
    for (const value of [0.0625, 0.1, 0.5, 7]) wait.observe(value);
    assert.equal(
      registry.text(),
      [
        '# HELP requests_total Requests.',
        '# TYPE requests_total counter',
        'requests_total{code="200",method="GET"} 3.5',
        'requests_total{code="500",method="GET"} 1',
        '# HELP depth Depth.',
        '# TYPE depth gauge',
        'depth -2',
        '# HELP wait_seconds Wait.',
        '# TYPE wait_seconds histogram',
        'wait_seconds_bucket{le="0.1"} 2',
        'wait_seconds_bucket{le="1"} 3',
        'wait_seconds_bucket{le="+Inf"} 4',
        'wait_seconds_sum 7.6625',
        'wait_seconds_count 4',
        '',
      ].join('\n'),
    );
  });

  it('escapes help texts and label values', () => {
    const registry = new MetricsRegistry();
    const metric = registry.gauge({ name: 'a', help: 'one\\two\n"three"', labelNames: ['b'] });
    metric.labels({ b: 'x"\\\n,y="z' }).set(1);
    assert.equal(
      registry.text(),
      String.raw`# HELP a one\\two\n"three"
# TYPE a gauge
a{b="x\"\\\n,y=\"z"} 1
`,
    );
  });

  it('keeps series apart whose values look alike when joined', () => {
    const registry = new MetricsRegistry();
    const metric = registry.counter({ name: 'a', help: '', labelNames: ['x', 'y'] });
    metric.labels({ x: '1",y="2', y: '3' }).inc();
    metric.labels({ x: '1', y: '2",y="3' }).inc();
    assert.equal(registry.text().split('\n').length, 5);
  });

  it('prints numbers that JSON cannot hold', () => {
    const registry = new MetricsRegistry();
    const metric = registry.gauge({ name: 'a', help: '', labelNames: ['x'] });
    for (const value of [Infinity, -Infinity, NaN, 1e-8, 1e21]) {
      metric.labels({ x: String(value) }).set(value);
    }
    const values = registry.text().matchAll(/} (.*)/g);
    assert.deepEqual(
      [...values].map(([, value]) => value),
      ['+Inf', '-Inf', 'NaN', '1e-8', '1e+21'],
    );
  });

  it('returns the metric that is already registered, and removes series', () => {
    const registry = new MetricsRegistry();
    const options = { name: 'a_total', help: 'A.', labelNames: ['x'] } as const;
    registry.counter(options).labels({ x: '1' }).inc();
    const again = registry.counter(options);
    again.labels({ x: '1' }).inc();
    assert.match(registry.text(), /a_total{x="1"} 2/);
    again.remove({ x: '1' });
    assert.doesNotMatch(registry.text(), /a_total{/);
  });

  it('prints nothing for a metric that has labels and no series, but its type', () => {
    const registry = new MetricsRegistry();
    registry.counter({ name: 'a_total', help: 'A.', labelNames: ['x'] });
    registry.counter({ name: 'b_total', help: 'B.' });
    assert.doesNotMatch(registry.text(), /^a_total/m);
    assert.match(registry.text(), /^b_total 0$/m);
  });

  for (const [what, use] of Object.entries<(registry: MetricsRegistry) => void>({
    'an invalid name': (registry) => registry.counter({ name: 'a-b', help: '' }),
    'an invalid label': (registry) =>
      registry.gauge({ name: 'a', help: '', labelNames: ['__name__'] }),
    'the label le of a histogram': (registry) =>
      registry.histogram({ name: 'a', help: '', labelNames: ['le'], buckets: [1] }),
    'buckets that do not increase': (registry) =>
      registry.histogram({ name: 'a', help: '', buckets: [1, 1] }),
    'an infinite bucket': (registry) =>
      registry.histogram({ name: 'a', help: '', buckets: [1, Infinity] }),
    'another type for a name': (registry) => {
      registry.counter({ name: 'a', help: '' });
      registry.gauge({ name: 'a', help: '' });
    },
    'other labels for a name': (registry) => {
      registry.counter({ name: 'a', help: '', labelNames: ['x'] });
      registry.counter({ name: 'a', help: '', labelNames: ['y'] });
    },
    'a counter that shrinks': (registry) =>
      registry.counter({ name: 'a', help: '' }).labels({}).inc(-1),
  })) {
    it(`refuses ${what}`, () => assert.throws(() => use(new MetricsRegistry()), OptionError));
  }

  it('prints the sum and the count of a summary', () => {
    const registry = new MetricsRegistry();
    const lists = registry.summary({ name: 'list_seconds', help: 'Lists.' }).labels({});
    for (const value of [0.5, 1.5]) lists.observe(value);
    assert.match(
      registry.text(),
      /^# TYPE list_seconds summary\nlist_seconds_sum 2\nlist_seconds_count 2$/m,
    );
  });

  it('ignores values that would make a sum useless', () => {
    const registry = new MetricsRegistry();
    const wait = registry.histogram({ name: 'wait', help: '', buckets: [1] }).labels({});
    const size = registry.summary({ name: 'size', help: '' }).labels({});
    for (const value of [NaN, Infinity, -Infinity, 1]) {
      wait.observe(value);
      size.observe(value);
    }
    assert.match(registry.text(), /^wait_sum 1\nwait_count 1$/m);
    assert.match(registry.text(), /^size_sum 1\nsize_count 1$/m);
    const counter = registry.counter({ name: 'total', help: '' }).labels({});
    for (const by of [NaN, Infinity, -1]) assert.throws(() => counter.inc(by), OptionError);
  });

  it('replaces what is not text in label values, in one series', () => {
    const registry = new MetricsRegistry();
    const total = registry.counter({ name: 'total', help: '', labelNames: ['name'] });
    total.labels({ name: 'a\0b' }).inc();
    total.labels({ name: 'a\uD800b' }).inc();
    total.labels({ name: 'a\uDFFFb' }).inc();
    assert.match(registry.text(), /^total\{name="a\uFFFDb"\} 3$/m);
  });

  it('reads collected values at each scrape, whatever another collector throws', async () => {
    const registry = new MetricsRegistry();
    const gauge = registry.gauge({ name: 'value', help: '' }).labels({});
    let value = 0;
    registry.onCollect(() => {
      throw new Error('broken');
    });
    const collecting = registry.onCollect(() => gauge.set(++value));
    assert.match(registry.text(), /^value 1$/m);
    await Promise.resolve();
    assert.match(registry.text(), /^value 2$/m);
    await Promise.resolve();
    collecting[Symbol.dispose]();
    assert.match(registry.text(), /^value 2$/m);
  });
});
