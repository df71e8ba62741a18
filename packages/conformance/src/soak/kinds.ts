import { configMaps, pods, secrets } from 'client-ts/api/core/v1';
import { type CachedObject, type ListerWatcher, ListWatch } from 'client-ts/cache';
import { DynamicClient, type Unstructured } from 'client-ts/dynamic';
import type { GroupVersionResource } from 'client-ts/meta';
import { resourceClient, type RESTClient } from 'client-ts/rest';
import { conditions, waitFor } from 'client-ts/wait';
import { customResourceDefinitions } from 'client-ts/api/apiextensions/v1';

/** A kind of object that is written and watched. */
export interface SoakKind {
  readonly gvr: GroupVersionResource;
  /** The content of every object besides its metadata. */
  readonly content: Readonly<Record<string, unknown>>;
  /** Returns the source of an informer. */
  readonly source: (rest: RESTClient, namespace: string) => ListerWatcher<CachedObject>;
}

const widgets = { group: 'soak.example.com', version: 'v1', resource: 'widgets' };

/** Typed kinds, in protobuf or JSON, and a custom one in JSON. */
export const kinds: readonly SoakKind[] = [
  {
    gvr: configMaps,
    content: { data: { text: 'some text'.repeat(20) } },
    source: (rest, namespace) => new ListWatch(resourceClient(rest, configMaps, namespace)),
  },
  {
    gvr: secrets,
    content: { data: { bytes: 'AAECAwQ=' } },
    source: (rest, namespace) => new ListWatch(resourceClient(rest, secrets, namespace)),
  },
  {
    gvr: pods,
    content: { spec: { containers: [{ name: 'main', image: 'example.com/image:1' }] } },
    source: (rest, namespace) => new ListWatch(resourceClient(rest, pods, namespace)),
  },
  {
    gvr: widgets,
    content: { apiVersion: 'soak.example.com/v1', kind: 'Widget', spec: { size: 3 } },
    source: (rest, namespace) =>
      new ListWatch(new DynamicClient(rest).resource(widgets).namespace(namespace)),
  },
];

/** Creates the namespace and the custom kind. */
export async function prepare(rest: RESTClient, namespace: string): Promise<void> {
  const dynamic = new DynamicClient(rest);
  await dynamic
    .resource({ group: '', version: 'v1', resource: 'namespaces' })
    .create({ metadata: { name: namespace } });
  const { group, version, resource: plural } = widgets;
  const name = `${plural}.${group}`;
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const definition: Unstructured = {
    metadata: { name },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
  await dynamic.resource(customResourceDefinitions).create(definition);
  await waitFor(resourceClient(rest, customResourceDefinitions), name, conditions.crdEstablished);
}
