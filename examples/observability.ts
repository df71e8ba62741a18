/**
 * A controller that can be observed: metrics for Prometheus, traces for OpenTelemetry, logs as JSON. It
 * copies every ConfigMap with the label `mirror`.
 *
 *   npx node examples/observability.ts [--kubeconfig FILE] [--port 8080] [--serve]
 *
 * It prints what it logs, measures and traces for one change. With --serve it runs until Ctrl-C, and
 * changes something every second. Traces go to OTEL_EXPORTER_OTLP_ENDPOINT if that is set.
 */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  BatchSpanProcessor,
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { Clientset } from 'client-ts';
import { configMaps } from 'client-ts/api/core/v1';
import { Manager, shutdownSignal } from 'client-ts/controller';
import { Deferred, sleep, systemClock } from 'client-ts/internal';
import { enableTracing, structuredLogger } from 'client-ts/observe';
import { allowed } from 'client-ts/webhook';

import { connect } from './lib/connect.ts';

await using cluster = await connect({
  port: { type: 'string', default: '0' },
  serve: { type: 'boolean', default: false },
});
const { serve } = cluster.flags;

// Logs: entries with stable names, here those of the controller.
const logger = structuredLogger(({ level, event, controller, key, code, message }) => {
  if (controller === undefined) return;
  const text = message.split('\n')[0];
  console.log(JSON.stringify({ level, event, controller, key, code, message: text }));
});

// Traces: any SDK of OpenTelemetry.
const memory = new InMemorySpanExporter();
const endpoint = process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
const provider = new NodeTracerProvider({
  spanProcessors: [
    endpoint === undefined
      ? new SimpleSpanProcessor(memory)
      : new BatchSpanProcessor(new OTLPTraceExporter()),
  ],
});
provider.register();
using _tracing = await enableTracing();

// Metrics: a manager measures itself, and serves /metrics.
const config = { ...cluster.config, logger, qps: 50 };
const stop = new AbortController();
const signal = AbortSignal.any([stop.signal, shutdownSignal()]);
await using manager = new Manager(config, {
  logger,
  metrics: { port: Number(cluster.flags['port']), host: '127.0.0.1' },
  leaderElection: { name: 'mirror', identity: 'example' },
});
const copies = manager.metrics.counter({ name: 'mirror_copies_total', help: 'Copies made.' });
const copied = new Deferred();
let isFirst = true;
manager.controller('mirror', {
  for: {
    resource: configMaps,
    predicates: [({ object }) => object.metadata.labels?.['mirror'] !== undefined],
  },
  reconcile: async ({ metadata, data }, { apply, log }) => {
    const wasFirst = isFirst;
    isFirst = false;
    if (wasFirst) throw new Error('the first attempt fails, to show a retry');
    await apply(configMaps, { metadata: { name: `${metadata.name}-copy` }, data: { ...data } });
    copies.labels({}).inc();
    log.info('copied');
    copied.resolve();
  },
});
manager.webhooks.validating(configMaps, { handle: () => allowed() });

const running = manager.run({ signal });
await using client = new Clientset(cluster.config);
const maps = client.coreV1.configMaps('default');
const source = { metadata: { name: 'prices', labels: { mirror: 'yes' } } };
await maps.create({ ...source, data: { count: '0' } });
await copied.promise;
const address = `http://127.0.0.1:${manager.ports.metrics}/metrics`;
if (serve === true) {
  console.log(`metrics at ${address}`);
  for (let count = 1; !signal.aborted; count += 1) {
    await maps.patch('prices', { data: { count: String(count) } }, { type: 'merge' });
    await sleep(systemClock, 1000, { signal }).catch(() => undefined);
  }
} else {
  const text = await (await fetch(address)).text();
  const shown =
    /^(?:controller_runtime_reconcile_total|mirror_copies_total|leader_election_m).*$/gm;
  for (const [line] of text.matchAll(shown)) console.log(line);
  stop.abort();
}
await running;
await provider.forceFlush().catch((cause: unknown) => {
  const reasons = [cause].flat().map((each) => (each instanceof Error ? each.message : each));
  console.error(`traces cannot be sent to ${endpoint}: ${reasons.join(', ')}`);
});
for (const { name, links, parentSpanContext } of memory.getFinishedSpans()) {
  if (serve === true || !/^(?:reconcile|PATCH)/.test(name)) continue;
  const parent = parentSpanContext === undefined ? '' : ', child of a reconcile';
  console.log(`span ${name}: links ${links.length}${parent}`);
}
