import type { ReflectorMetricsProvider } from '../cache/reflector-metrics.ts';
import type { MetricsRegistry } from './metrics-registry.ts';

/**
 * Returns a provider for the `metrics` option of informers and their factories, which measures as
 * `reflector_…{name}`, the names of client-go. The name is that of the informer. Counters continue
 * when an informer stops and starts again; `reflector_last_resource_version` is there while it runs.
 */
export function reflectorMetrics(registry: MetricsRegistry): ReflectorMetricsProvider {
  const labelNames = ['name'] as const;
  const counter = (name: string, help: string) =>
    registry.counter({ name: `reflector_${name}`, help, labelNames });
  const summary = (name: string, help: string) =>
    registry.summary({ name: `reflector_${name}`, help, labelNames });
  const lists = counter('lists_total', 'Number of readings of the whole state.');
  const listDuration = summary(
    'list_duration_seconds',
    'How long reading the whole state takes in seconds.',
  );
  const itemsPerList = summary('items_per_list', 'Number of objects in a list.');
  const watches = counter('watches_total', 'Number of watches.');
  const shortWatches = counter(
    'short_watches_total',
    'Number of watches that ended within a second without an event.',
  );
  const watchDuration = summary('watch_duration_seconds', 'How long watches last in seconds.');
  const itemsPerWatch = summary('items_per_watch', 'Number of events of a watch.');
  const lastVersion = registry.gauge({
    name: 'reflector_last_resource_version',
    help: 'Last resource version that was read.',
    labelNames,
  });
  return {
    forReflector: (name, reflector) => {
      const values = { name };
      const collecting = registry.onCollect(() => {
        lastVersion.labels(values).set(Number(reflector.lastSyncResourceVersion));
      });
      return {
        lists: lists.labels(values),
        listDuration: listDuration.labels(values),
        itemsPerList: itemsPerList.labels(values),
        watches: watches.labels(values),
        shortWatches: shortWatches.labels(values),
        watchDuration: watchDuration.labels(values),
        itemsPerWatch: itemsPerWatch.labels(values),
        ended: () => {
          collecting[Symbol.dispose]();
          lastVersion.remove(values);
        },
      };
    },
  };
}
