import type { Cluster } from '../registry/cluster.ts';
import { GarbageCollector } from './garbage-collector.ts';
import { NamespaceController } from './namespace-controller.ts';
import { PolicyStatusController } from './policy-status-controller.ts';

/** Starts the controllers that every cluster needs. Disposing one stops it. */
export function startControllers(
  cluster: Cluster,
  onError: (error: unknown) => void,
): readonly Disposable[] {
  return [
    new GarbageCollector(cluster, onError),
    new NamespaceController(cluster, onError),
    new PolicyStatusController(cluster, onError),
  ];
}
