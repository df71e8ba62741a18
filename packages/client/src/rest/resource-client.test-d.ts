/**
 * Type tests of the clients, seen as a user sees them. The build compiles this file: a line under
 * `@ts-expect-error` that compiles is an error, and so is any other line that does not.
 */
import { subjectAccessReviews } from '../api/authorization/v1.ts';
import { certificateSigningRequests } from '../api/certificates/v1.ts';
import { deployments } from '../api/apps/v1.ts';
import {
  bindings,
  componentStatuses,
  configMaps,
  namespaces,
  nodes,
  pods,
  serviceAccounts,
  services,
} from '../api/core/v1.ts';
import type { Pod } from '../api/core/v1.ts';
import type { DeepReadonly, KubernetesObject, ObjectMeta } from '../meta/types.ts';
import type { ResourceDescriptor, Verb } from '../meta/resource.ts';
import type { CanGet, CanList, CanWatch } from './client-methods.ts';
import type { WatchOptions } from './options.ts';
import { type NotCallable, resourceClient, withType } from './resource-client.ts';
import type { Cached } from './object-types.ts';
import type { RESTClient } from './rest-client.ts';

interface Widget extends KubernetesObject {
  spec: { size: number; parts?: { name: string; weight?: number }[] };
  status?: { ready: boolean };
}

export async function tests(
  rest: RESTClient,
  widgets: ResourceDescriptor<Widget, 'Namespaced', Verb, 'status'>,
  anyOptions: WatchOptions,
): Promise<void> {
  // Scopes.
  const inDefault = resourceClient(rest, pods, 'default');
  const everywhere = resourceClient(rest, pods);
  const clusterWide = resourceClient(rest, nodes);
  // @ts-expect-error nodes live in no namespace
  resourceClient(rest, nodes, 'default');
  // @ts-expect-error nodes need no way into one
  void clusterWide.namespace;
  // @ts-expect-error one object needs its namespace
  await everywhere.get('web');
  // @ts-expect-error nothing is created in all namespaces
  await everywhere.create({});
  // @ts-expect-error nothing is deleted in all namespaces
  await everywhere.deleteCollection();
  // The error of the compiler has the name of this type in it.
  everywhere.create satisfies NotCallable<"give a namespace: pods('default') or pods().namespace('default')">;
  everywhere.create.instead satisfies string;
  const needsGet = (_: CanGet<Pod>): void => undefined;
  needsGet(inDefault);
  // @ts-expect-error it cannot get
  needsGet(everywhere);
  await everywhere.namespace('default').get('web');
  await everywhere.list();

  // What comes back is there.
  const pod = await inDefault.get('web');
  pod.metadata.name satisfies string;
  pod.metadata.uid satisfies string;
  pod.spec?.nodeName satisfies string | undefined;
  pod satisfies Pod;
  // @ts-expect-error no such field
  void pod.specs;
  const list = await inDefault.list({ limit: 40 });
  for await (const event of inDefault.watch({ resourceVersion: list.metadata.resourceVersion })) {
    event.type satisfies 'ADDED' | 'DELETED' | 'MODIFIED';
    event.object.metadata.name satisfies string;
  }
  for await (const item of everywhere.listAll({ pageSize: 500 })) item satisfies Pod;
  // @ts-expect-error pages have their own size
  everywhere.listAll({ limit: 10 });

  // The types of events follow from the options.
  for await (const event of inDefault.watch({ allowWatchBookmarks: true })) {
    if (event.type === 'BOOKMARK') event.object.metadata.resourceVersion satisfies string;
    // @ts-expect-error errors are thrown
    if (event.type === 'ERROR') break;
  }
  for await (const event of inDefault.watch({ errorEvents: true })) {
    if (event.type === 'ERROR') event.object.reason satisfies string | undefined;
    // @ts-expect-error bookmarks were not requested
    if (event.type === 'BOOKMARK') break;
  }
  for await (const event of inDefault.watch()) {
    // @ts-expect-error bookmarks were not requested
    if (event.type === 'BOOKMARK') break;
  }
  for await (const event of inDefault.watch(anyOptions)) {
    // With options that are not known to the compiler, every event is possible.
    if (event.type === 'BOOKMARK' || event.type === 'ERROR') break;
  }

  // Verbs.
  // @ts-expect-error bindings can only be created
  await resourceClient(rest, bindings, 'default').list();
  // @ts-expect-error component statuses cannot be watched
  resourceClient(rest, componentStatuses).watch();
  // @ts-expect-error namespaces are deleted one by one
  await resourceClient(rest, namespaces).deleteCollection();
  const review = await resourceClient(rest, subjectAccessReviews).create({ spec: { user: 'me' } });
  review.status?.allowed satisfies boolean | undefined;
  review.metadata satisfies ObjectMeta | undefined;
  // @ts-expect-error reviews are not stored, so their metadata may be absent
  void review.metadata.name;

  // Objects.
  await inDefault.create({ metadata: { name: 'web' }, spec: { containers: [] } });
  // @ts-expect-error a deployment is not created as a pod
  await inDefault.create({ kind: 'Deployment' });
  // @ts-expect-error a config map has no spec
  await resourceClient(rest, configMaps, 'default').update({ spec: {} });

  // Patches.
  await inDefault.patch('web', [{ op: 'remove', path: '/spec' }], { type: 'json' });
  await inDefault.patch('web', { metadata: { labels: { app: null } } }, { type: 'merge' });
  await inDefault.patch(
    'web',
    { spec: { containers: [{ name: 'web', $patch: 'delete' }] } },
    { type: 'strategic', subresource: 'status' },
  );
  const order = [{ name: 'web' }, { name: 'sidecar' }];
  await inDefault.patch(
    'web',
    { spec: { '$setElementOrder/containers': order } },
    { type: 'strategic' },
  );
  const { spec } = await inDefault.get('web');
  await inDefault.patch('web', spec === undefined ? {} : { spec }, { type: 'strategic' });
  const cached: DeepReadonly<Pod> = await inDefault.get('web');
  await inDefault.update({ ...cached, metadata: { ...cached.metadata, labels: {} } });
  await inDefault.create(cached);
  await inDefault.updateStatus(cached);
  const finalizers = cached.metadata?.finalizers ?? [];
  await inDefault.patch('web', { metadata: { finalizers } }, { type: 'merge' });
  // @ts-expect-error no such directive
  await inDefault.patch('web', { spec: { $path: 'delete' } }, { type: 'strategic' });
  // @ts-expect-error a JSON patch is a list
  await inDefault.patch('web', { metadata: {} }, { type: 'json' });
  // @ts-expect-error a merge patch is none
  await inDefault.patch('web', [{ op: 'remove', path: '/spec' }], { type: 'merge' });
  // @ts-expect-error lists are replaced as a whole: their items must be whole
  await inDefault.patch('web', { spec: { containers: [{ image: 'x' }] } }, { type: 'merge' });
  // @ts-expect-error no such type
  await inDefault.patch('web', {}, { type: 'replace' });
  // @ts-expect-error the type is required
  await inDefault.patch('web', {}, {});
  // @ts-expect-error pods have no scale
  await inDefault.patch('web', {}, { type: 'merge', subresource: 'scale' });
  // @ts-expect-error the field manager is required
  await inDefault.patch('web', { metadata: { name: 'web' } }, { type: 'apply' });

  // Apply.
  await inDefault.apply({ metadata: { name: 'web' } }, { fieldManager: 'me', force: true });
  await inDefault.apply(
    { metadata: { name: 'web' }, spec: { containers: [{ name: 'web' }] } },
    { fieldManager: 'me' },
  );
  // @ts-expect-error what is applied has a name
  await inDefault.apply({ spec: {} }, { fieldManager: 'me' });
  // @ts-expect-error the field manager is required
  await inDefault.apply({ metadata: { name: 'web' } }, {});
  // @ts-expect-error a field that a pod does not have
  await inDefault.apply({ metadata: { name: 'web' }, data: {} }, { fieldManager: 'me' });
  // @ts-expect-error not at any depth
  await inDefault.apply({ metadata: { name: 'web' }, spec: { nodes: 1 } }, { fieldManager: 'me' });
  // @ts-expect-error managed fields are the server's
  await inDefault.apply({ metadata: { name: 'web', managedFields: [] } }, { fieldManager: 'me' });

  // A variable of the resource's type can be applied as it is.
  const whole: Pod = { metadata: { name: 'web' }, spec: { containers: [] } };
  await inDefault.apply(whole, { fieldManager: 'me' });
  await inDefault.applyStatus(whole, { fieldManager: 'me' });
  // @ts-expect-error a deployment is not applied as a pod
  await resourceClient(rest, deployments, 'default').apply(whole, { fieldManager: 'me' });

  // Optional options accept undefined.
  const labelSelector: string | undefined = undefined;
  await inDefault.list({
    labelSelector,
    limit: undefined,
    timeoutMs: undefined,
    signal: undefined,
  });
  inDefault.watch({ resourceVersion: undefined, readOnly: undefined });
  await inDefault.delete('web', { gracePeriodSeconds: undefined, preconditions: undefined });
  await inDefault.apply(whole, { fieldManager: 'me', force: undefined, dryRun: undefined });

  // A descriptor under another type keeps scope, verbs and subresources.
  const retyped = resourceClient(rest, withType<Widget>()(pods), 'default');
  (await retyped.get('web')).spec.size satisfies number;
  await retyped.evict('web');
  // @ts-expect-error pods have no scale
  await retyped.getScale('web');

  // A function that reads fields accepts a cached object; one that asks for arrays takes DeepReadonly.
  const readsPhase = (object: Pick<Pod, 'status' | 'metadata'>): unknown => object.status?.phase;
  const cachedPod: Cached<Pod> = (await inDefault.list({ readOnly: true })).items[0]!;
  cachedPod.metadata.name satisfies string;
  const readsAnything = (object: DeepReadonly<Pod>): unknown => object.spec?.containers[0]?.image;
  readsAnything(cachedPod);
  readsAnything(pod);
  readsAnything(whole);
  // @ts-expect-error it may write to the arrays of the status
  readsPhase(cachedPod);

  // Subresources.
  await resourceClient(rest, deployments, 'default').updateScale('web', { spec: { replicas: 3 } });
  await inDefault.evict('web', { gracePeriodSeconds: 0 });
  await inDefault.bind('web', 'node-1');
  await inDefault.updateResize(pod);
  await resourceClient(rest, serviceAccounts, 'default').createToken('default');
  await resourceClient(rest, namespaces).finalize({ metadata: { name: 'old' } });
  await resourceClient(rest, certificateSigningRequests).updateApproval({
    spec: { request: '', signerName: '' },
  });
  await resourceClient(rest, services, 'default').proxy('web', { port: 'http' }).raw();
  // @ts-expect-error pods have no scale
  await inDefault.getScale('web');
  // @ts-expect-error deployments are not evicted
  await resourceClient(rest, deployments, 'default').evict('web');
  // @ts-expect-error config maps have no status
  await resourceClient(rest, configMaps, 'default').updateStatus({});

  // Read-only objects say so; what was not asked for as such can be written.
  const { items } = await inDefault.list({ readOnly: true });
  // @ts-expect-error read-only at any depth
  for (const item of items) item.metadata.labels = {};
  // @ts-expect-error also when it comes page by page
  for await (const item of inDefault.listAll({ readOnly: true })) item.metadata.name = 'other';
  for await (const { object } of inDefault.watch({ readOnly: true })) {
    // @ts-expect-error and in a watch
    object.metadata.name = 'other';
  }
  for (const item of (await inDefault.list({ limit: 5 })).items) item.metadata.labels = {};

  // Custom resources are typed by their descriptor alone.
  const custom = resourceClient(rest, widgets, 'default');
  const widget = await custom.get('one');
  widget.spec.size satisfies number;
  await custom.updateStatus({ ...widget, status: { ready: true } });
  await custom.apply({ metadata: { name: 'one' }, spec: { size: 2 } }, { fieldManager: 'me' });
  // @ts-expect-error the size is a number
  await custom.create({ metadata: { name: 'one' }, spec: { size: 'large' } });
  // @ts-expect-error widgets have no scale
  await custom.getScale('one');

  // Helpers ask for verbs, and get clients that have them.
  const follow = (client: CanList<Pod> & CanWatch<Pod>): unknown => client;
  follow(inDefault);
  follow(everywhere);
  // @ts-expect-error deployments are no pods
  follow(resourceClient(rest, deployments, 'default'));
}
