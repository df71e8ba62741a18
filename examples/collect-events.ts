/**
 * Stores events in SQLite for longer than the hour that servers keep them: an informer adds their keys
 * to a work queue, and a writer takes batches from the queue. Stop it with Ctrl-C.
 *
 *   npx node examples/collect-events.ts [--kubeconfig FILE] [--file events.db]
 *
 * `client-ts collect-events` is the production version: it resumes where it stopped, records gaps,
 * buffers on disk while a sink is unreachable, and writes to search servers.
 */
import { Clientset } from 'client-ts';
import type { Event } from 'client-ts/api/core/v1';
import { metaNamespaceKeyFunc, splitMetaNamespaceKey } from 'client-ts/cache';
import { SharedInformerFactory } from 'client-ts/informers';
import type { DeepReadonly } from 'client-ts/meta';
import { RateLimitingQueue } from 'client-ts/workqueue';

import { connect } from './lib/connect.ts';
import { onInterrupt } from './lib/interrupt.ts';
import { openDatabase } from './lib/sqlite.ts';

const BATCH = 500;

await using cluster = await connect({ file: { type: 'string', default: ':memory:' } });
await using client = new Clientset(cluster.config);
await using factory = new SharedInformerFactory(client);
const stop = onInterrupt();

using database = openDatabase(String(cluster.flags['file']));
database.exec(`
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS events (uid TEXT PRIMARY KEY, last_seen TEXT, type TEXT, reason TEXT,
    object TEXT, message TEXT, count INTEGER)`);
// Keyed by uid: writing an event twice stores it once, and a new count replaces the old one.
const upsert = database.prepare(`INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?, ?, ?, ?)`);

// The queue deduplicates: of an event repeated while it waits only the last state is written.
const queue = new RateLimitingQueue<string>();
const { informer, lister } = factory.coreV1.events();
informer.addEventHandler({
  onAdd: (event) => queue.add(metaNamespaceKeyFunc(event)),
  onUpdate: (_, event) => queue.add(metaNamespaceKeyFunc(event)),
  // No onDelete: servers delete events after an hour, and this program keeps them.
});
factory.start({ signal: stop.signal });
await factory.waitForCacheSync({ signal: stop.signal });
console.log(`${informer.indexer.size} events at the start`);

const writing = write();
// The embedded server has no other clients, so write some events.
if (cluster.server !== undefined) {
  await show();
  stop.abort();
}
await new Promise<void>((resolve) => {
  if (stop.signal.aborted) resolve();
  stop.signal.addEventListener('abort', () => resolve());
});
// Writes the queued events before the end.
await queue.shutDownWithDrain();
await writing;

const kept = database.prepare('SELECT * FROM events ORDER BY last_seen, uid').all();
console.log(`stored ${kept.length}`);
for (const { type, reason, object, message, count } of kept.slice(-5)) {
  console.log(`${type} ${reason} ${object} (${count}×): ${message}`);
}

/** Waits for a key, then takes all others in the queue: a transaction costs more than a row. */
async function write(): Promise<void> {
  for (let next = await queue.get(); next.done !== true; next = await queue.get()) {
    const keys = [next.value];
    while (keys.length < BATCH && queue.len > 0) {
      const more = await queue.get();
      if (more.done !== true) keys.push(more.value);
    }
    try {
      database.exec('BEGIN');
      for (const key of keys) keep(key);
      database.exec('COMMIT');
      for (const key of keys) queue.forget(key);
    } catch (error) {
      database.exec('ROLLBACK');
      console.error('write failed, retrying:', error);
      for (const key of keys) queue.addRateLimited(key);
    }
    for (const key of keys) queue.done(key);
  }
}

function keep(key: string): void {
  const { namespace, name } = splitMetaNamespaceKey(key);
  const event: DeepReadonly<Event> | undefined = lister.namespace(namespace).get(name);
  if (event === undefined) return;
  const { metadata, involvedObject, series, reason = '', message = '', type = '' } = event;
  const object = `${involvedObject.kind?.toLowerCase()}/${involvedObject.name}`;
  const lastSeen = series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? '';
  const count = series?.count ?? event.count ?? 1;
  upsert.run(metadata.uid ?? '', lastSeen, type, reason, object, message, count);
}

/** Writes the events of a pod that is scheduled and whose image cannot be pulled three times. */
async function show(): Promise<void> {
  const events = client.coreV1.events('default');
  const involvedObject = { kind: 'Pod', namespace: 'default', name: 'web-0' };
  const at = (minute: number) => ({ lastTimestamp: `2026-01-01T00:0${minute}:00Z` });
  const assigned = { type: 'Normal', reason: 'Scheduled', message: 'assigned to node-1' };
  await events.create({ metadata: { name: 'a' }, involvedObject, ...assigned, ...at(0) });
  const failed = { type: 'Warning', reason: 'Failed', message: 'image not found', count: 1 };
  await events.create({ metadata: { name: 'b' }, involvedObject, ...failed, ...at(1) });
  for (const count of [2, 3]) await events.patch('b', { count, ...at(count) }, { type: 'merge' });
  const { metadata } = await events.get('b');
  await informer.reached(metadata.resourceVersion);
}
