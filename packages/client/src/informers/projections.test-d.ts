/** Type tests of informers with a projection; the build compiles them. */
import { pods } from '../api/core/v1.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import { ListWatch } from '../cache/list-watch.ts';
import { SharedIndexInformer } from '../cache/shared-index-informer.ts';
import type { DynamicSharedInformerFactory } from './dynamic-shared-informer-factory.ts';
import type { SharedInformerFactory } from './shared-informer-factory.ts';

export function typed(factory: SharedInformerFactory): unknown[] {
  const scheduled = factory.coreV1.pods({
    labelSelector: 'app=web',
    project: ['metadata', 'spec.nodeName', 'status.phase'],
    transform: (pod) => (pod.spec?.nodeName === undefined ? pod : { ...pod }),
  });
  const pod = scheduled.lister.namespace('default').get('web');
  // @ts-expect-error not in the projection
  void pod.spec?.containers;
  scheduled.informer.addIndexers({ node: 'spec.nodeName', phase: 'status.phase' });
  // @ts-expect-error an index of a field that is not in the projection
  scheduled.informer.addIndexers({ ip: 'status.podIP' });
  scheduled.informer.addEventHandler({
    onUpdate: (before, after) => {
      // @ts-expect-error not in the projection
      void after.status?.podIP;
      void before.status?.phase;
    },
  });
  // @ts-expect-error there is no such field
  factory.coreV1.pods({ project: ['spec.nodename'] });
  const again = factory.forResource(pods, { project: ['spec.nodeName'] });
  // @ts-expect-error not in the projection
  void again.lister.get('web').status;
  const bare = factory.coreV1.pods({ dropManagedFields: true }).lister.get('web');
  return [
    bare.spec?.containers,
    pod.spec?.nodeName,
    pod.status?.phase,
    again.lister.get('web').spec?.nodeName,
  ];
}

export function untyped(factory: DynamicSharedInformerFactory): unknown {
  const gvr = { group: 'example.com', version: 'v1', resource: 'widgets' };
  const widgets = factory.forResource(gvr, { project: ['spec.size', 'status.ready'] });
  const widget = widgets.lister.get('a');
  // @ts-expect-error not in the projection
  void widget.spec?.colour;
  return widget.spec?.size ?? widget.status?.ready ?? widget.metadata.labels;
}

export function alone(client: Clientset): unknown {
  const source = new ListWatch(client.coreV1.pods(), { project: ['spec.nodeName'] });
  const { indexer } = new SharedIndexInformer({
    listerWatcher: source,
    indexers: { node: 'spec.nodeName' },
  });
  // @ts-expect-error not in the projection
  void indexer.getByKey('default/web')?.status;
  // @ts-expect-error there is no such field
  void new ListWatch(client.coreV1.pods(), { project: ['spec.nodename'] });
  return indexer.byIndex('node', 'node-1')[0]?.spec?.nodeName;
}
