import { resolve } from 'node:path';
import { Clientset } from 'client-ts/kubernetes';
import { OptionError, sleep } from 'client-ts/internal';
import {
  type CollectorSharding,
  type CollectorStats,
  EventCollector,
  eventSource,
  fileTarget,
  type LineTarget,
  NdjsonSink,
  otlpEnvironment,
  OtlpSink,
  otlpTransport,
  SearchSink,
  searchTransport,
  type SinkOpener,
  SqliteSink,
} from '@client-ts/collector';
import { inspect } from '@client-ts/inspector';
import { configFor } from '../frame/connect.ts';
import type { ConnectionValues } from '../frame/connection-flags.ts';
import type { CommandContext } from '../frame/context.ts';
import { printableJson } from '../frame/printable.ts';
import { withProgress } from '../frame/progress.ts';
import { sentence } from '../frame/report.ts';
import { stylesFor } from '../frame/styles.ts';
import { UsageError } from '../frame/usage-error.ts';
import { type SearchOptions, searchConnections } from './search-options.ts';

/** Options of `client-ts collect-events`. */
export interface CollectEventsOptions {
  readonly connection: ConnectionValues;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  /** Undefined: no database. */
  readonly database: string | undefined;
  readonly keepMs: number | undefined;
  readonly maxBytes: number | undefined;
  readonly ndjson: readonly string[];
  /** 0: no limit. */
  readonly ndjsonMaxBytes: number;
  readonly ndjsonKeep: number;
  readonly search: SearchOptions;
  /** The URL of a receiver; empty for that of the environment, undefined for none. */
  readonly otlp: string | undefined;
  /** Undefined: this process collects all events. */
  readonly shards: number | undefined;
  /** Undefined: `event-collector`, with the namespace if there is one. */
  readonly lease: string | undefined;
  /** Undefined: that of the context. */
  readonly leaseNamespace: string | undefined;
  readonly directory: string;
  readonly maxSpoolBytes: number;
  readonly maxQueued: number;
  readonly batchSize: number;
  /** Serves the inspector. */
  readonly isInspected: boolean;
}

const REPORT_MS = 10_000;

/** Collects until the signal of the context aborts. */
export async function collectEvents(
  options: CollectEventsOptions,
  context: CommandContext,
): Promise<void> {
  const { signal, clock } = context;
  if (options.maxQueued < 1 || options.batchSize < 1) {
    throw new UsageError('--queue-size and --batch-size must be at least 1');
  }
  if (options.shards !== undefined && options.database !== undefined) {
    throw new UsageError('--shards requires --sqlite=false: a database belongs to one process');
  }
  const { env } = context;
  await using page = options.isInspected
    ? await inspect({ program: 'client-ts collect-events', env, clock })
    : undefined;
  if (page !== undefined) context.err(`Inspector: ${page.url}`);
  const config = await configFor(options.connection, context);
  await using client = new Clientset(config);
  const { namespace } = options;
  const source = await withProgress(
    context,
    `Connecting to ${config.server}`,
    eventSource(client, { server: config.server, namespace, signal }),
  );
  const sinks = await sinkOpeners(options, context);
  const { yellow } = stylesFor(context.stderr);
  const warn = onceEach((text) => context.err(`${yellow('Error:')} ${text}`));
  const directory = resolve(context.workingDirectory, options.directory);
  const opening = EventCollector.open({
    source,
    sinks,
    directory,
    batchSize: options.batchSize,
    maxQueued: options.maxQueued,
    maxSpoolBytes: options.maxSpoolBytes,
    sharding: shardingOf(options, client),
    onError: (error) => warn(sentence(error)),
    signal,
    clock,
  });
  await using collector = await withProgress(context, `Opening ${directory}`, opening);
  const names = collector.stats.sinks.map(({ sink }) => sink).join(', ');
  context.err(`Collecting the events of ${config.server} into ${names}; Ctrl-C stops it.`);
  const running = collector.run({ signal });
  const over = new AbortController();
  const reporting = report(collector, context, over.signal);
  try {
    await running;
  } finally {
    over.abort();
    await reporting;
  }
  context.err(summary(collector.stats));
  if (options.database !== undefined) {
    context.err(`Query them with: client-ts events --file ${options.database}`);
  }
}

function shardingOf(
  { shards, lease, leaseNamespace, namespace }: CollectEventsOptions,
  client: Clientset,
): CollectorSharding | undefined {
  if (shards === undefined) return undefined;
  // Replicas that collect other events must not share shards with these.
  const name = lease ?? (namespace === undefined ? undefined : `event-collector-${namespace}`);
  return { client, shards, name, namespace: leaseNamespace ?? client.namespace };
}

async function sinkOpeners(
  options: CollectEventsOptions,
  context: CommandContext,
): Promise<SinkOpener[]> {
  const { database, keepMs: maxAgeMs, maxBytes, ndjson, search } = options;
  const connections = await searchConnections(search, context);
  const sinks: SinkOpener[] = [];
  if (database !== undefined) {
    const path = resolve(context.workingDirectory, database);
    sinks.push(() => new SqliteSink({ path, maxAgeMs, maxBytes }));
  }
  for (const [index, file] of ndjson.entries()) {
    const name = index === 0 ? 'ndjson' : `ndjson-${index + 1}`;
    sinks.push(async () => new NdjsonSink(await lineTarget(file, options, context), name));
  }
  for (const connection of connections) {
    const { index: prefix, dataStream } = search;
    sinks.push(async () => {
      const transport = await searchTransport(connection);
      return new SearchSink({ name: connection.product, transport, prefix, dataStream });
    });
  }
  if (options.otlp !== undefined) sinks.push(await otlpSink(options.otlp, context));
  if (sinks.length === 0) {
    throw new UsageError('no destination: set --ndjson, --elasticsearch, --opensearch or --otlp');
  }
  return sinks;
}

async function otlpSink(
  given: string,
  { env, clock, workingDirectory: directory }: CommandContext,
): Promise<SinkOpener> {
  const base = given.replace(/\/+$/, '');
  const isBase = URL.canParse(base) && new URL(base).pathname === '/';
  const url = isBase ? `${base}/v1/logs` : base;
  try {
    const options = { url: url === '' ? undefined : url, directory };
    const { connection, resource } = await otlpEnvironment(env, options);
    const transport = otlpTransport(connection, { clock });
    return () => new OtlpSink({ transport, resource, clock });
  } catch (error) {
    throw error instanceof OptionError ? new UsageError(`--otlp: ${error.message}`) : error;
  }
}

/** Reopens the file on SIGHUP, for logrotate. */
async function lineTarget(
  file: string,
  { ndjsonMaxBytes, ndjsonKeep }: CollectEventsOptions,
  context: CommandContext,
): Promise<LineTarget> {
  if (file === '-') return outputTarget(context);
  const path = resolve(context.workingDirectory, file);
  const maxBytes = ndjsonMaxBytes === 0 ? Infinity : ndjsonMaxBytes;
  const target = await fileTarget({ path, maxBytes, keep: ndjsonKeep });
  const hangup = context.onHangup(() => {
    target.reopen().catch((error: unknown) => context.err(sentence(error)));
  });
  return {
    write: (text) => target.write(text),
    close: async () => {
      hangup[Symbol.dispose]();
      await target.close();
    },
  };
}

function outputTarget({ stdout }: CommandContext): LineTarget {
  return {
    write: async (text) => {
      stdout.write(stdout.isTTY ? printableJson(text) : text);
      await stdout.drained();
    },
    close: () => Promise.resolve(),
  };
}

/** Prints statistics regularly when they change, in place on a terminal. */
async function report(
  collector: EventCollector,
  context: CommandContext,
  over: AbortSignal,
): Promise<void> {
  const { clock, stderr } = context;
  let last = summary(collector.stats);
  const interval = stderr.isTTY ? 1000 : REPORT_MS;
  while (!over.aborted) {
    await sleep(clock, interval, { signal: over }).catch(() => undefined);
    const text = summary(collector.stats);
    if (over.aborted || text === last) continue;
    last = text;
    if (stderr.isTTY) stderr.write(`\r\u001B[K${text}`);
    else context.err(text);
  }
  if (stderr.isTTY) stderr.write('\r\u001B[K');
}

function summary({ received, gaps, sinks }: CollectorStats): string {
  const number = (value: number): string => value.toLocaleString('en-US');
  const parts = sinks.map(({ sink, written, queued, spoolBytes, dropped, rejected }) => {
    const details = [
      queued > 0 ? `${number(queued)} waiting` : '',
      spoolBytes > 0 ? `${number(spoolBytes)} bytes on disk` : '',
      dropped > 0 ? `${number(dropped)} dropped` : '',
      rejected > 0 ? `${number(rejected)} refused` : '',
    ].filter((detail) => detail !== '');
    const more = details.length === 0 ? '' : ` (${details.join(', ')})`;
    return `${number(written)} in ${sink}${more}`;
  });
  const missing = gaps === 0 ? '' : `; ${gaps} ${gaps === 1 ? 'gap' : 'gaps'}`;
  return `${number(received)} events: ${parts.join(', ')}${missing}`;
}

/** Suppresses repetitions of the last message. */
function onceEach(write: (text: string) => void): (text: string) => void {
  let last = '';
  return (text) => {
    if (text !== last) write(text);
    last = text;
  };
}
