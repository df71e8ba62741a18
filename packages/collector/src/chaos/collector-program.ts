import { join } from 'node:path';
import { Clientset, loadConfig } from 'client-ts';
import {
  EventCollector,
  eventSource,
  SearchSink,
  searchTransport,
  type SinkOpener,
  SqliteSink,
} from '../index.ts';

/**
 * The process that the chaos run kills: a collector in the current directory, with a search sink at
 * the URL of the first argument and, if the second is `sqlite`, a database. SIGTERM stops it
 * gracefully.
 */
const [url = '', database] = process.argv.slice(2);
const directory = process.cwd();
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
const { signal } = stop;

const config = await loadConfig({ kubeconfig: join(directory, 'kubeconfig') });
await using client = new Clientset(config);
const sinks: SinkOpener[] = [
  async () => {
    const transport = await searchTransport({ product: 'elasticsearch', url });
    return new SearchSink({ name: 'elasticsearch', transport });
  },
];
if (database === 'sqlite') {
  sinks.unshift(() => new SqliteSink({ path: join(directory, 'events.db') }));
}
await using collector = await EventCollector.open({
  source: await eventSource(client, { server: config.server, signal }),
  sinks,
  directory: join(directory, 'spool'),
  // Small enough to reach every limit within seconds.
  batchSize: 20,
  maxQueued: 60,
  maxSpoolBytes: 1e6,
  onError: (error) => process.stderr.write(`${String(error)}\n`),
  signal,
});
process.stderr.write('Collecting\n');
await collector.run({ signal });
