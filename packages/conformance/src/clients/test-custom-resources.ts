import {
  type CustomResourceDefinition,
  customResourceDefinitions,
} from 'client-ts/api/apiextensions/v1';
import { namespaces } from 'client-ts/api/core/v1';
import { DynamicClient, type Unstructured } from 'client-ts/dynamic';
import { systemClock, systemRandom } from 'client-ts/internal';
import { type GroupVersionResource, isNotFound } from 'client-ts/meta';
import { resourceClient, RESTClient, type Stored } from 'client-ts/rest';
import { conditions, waitFor } from 'client-ts/wait';
import type { Config } from 'client-ts/transport';
import { eventually } from '../suite/expect.ts';

/** A custom kind on a server, and a namespace for its objects; disposing it deletes both. */
export interface CustomResource extends AsyncDisposable {
  readonly gvr: GroupVersionResource;
  readonly kind: string;
  readonly shortName: string;
  readonly namespace: string;
  readonly crd: Stored<CustomResourceDefinition>;
  /** Returns an object of the kind. */
  object(name: string, spec?: object): Unstructured;
  /** Deletes the definition, and resolves when it is no longer served. */
  uninstall(): Promise<void>;
}

/** Creates a CRD with status and scale, and resolves when it is served. */
export async function installCustomResource(config: Config): Promise<CustomResource> {
  const rest = new RESTClient(config);
  const dynamic = new DynamicClient(rest);
  const id = `t${systemRandom.uuid().slice(0, 8)}`;
  const group = `${id}.example.com`;
  const gvr = { group, version: 'v1', resource: `${id}widgets` };
  const kind = 'Widget';
  const definitions = dynamic.resource(customResourceDefinitions);
  const allNamespaces = dynamic.resource(namespaces);
  await allNamespaces.create({ metadata: { name: id } });
  const name = `${gvr.resource}.${group}`;
  await definitions.create(definitionOf(gvr, kind, id));
  const typed = resourceClient(rest, customResourceDefinitions);
  const crd = await waitFor(typed, name, conditions.crdEstablished, { timeoutMs: 15_000 });
  const removed = async (): Promise<void> => {
    await definitions.delete(name).catch(unlessMissing);
    await eventually(systemClock, `the removal of ${name}`, async () =>
      definitions.get(name).then(() => undefined, isNotFound),
    );
  };
  return {
    gvr,
    kind,
    shortName: `${id}w`,
    namespace: id,
    crd,
    object: (objectName, spec = {}) => ({
      apiVersion: `${group}/v1`,
      kind,
      metadata: { name: objectName },
      spec,
    }),
    uninstall: removed,
    [Symbol.asyncDispose]: async () => {
      await removed();
      await allNamespaces.delete(id).catch(unlessMissing);
      await rest[Symbol.asyncDispose]();
    },
  };
}

function definitionOf(gvr: GroupVersionResource, kind: string, id: string): Unstructured {
  const { group, version, resource: plural } = gvr;
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const version1 = {
    name: version,
    served: true,
    storage: true,
    schema: {
      openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } },
    },
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
  };
  const names = {
    plural,
    singular: `${id}widget`,
    kind,
    listKind: `${kind}List`,
    shortNames: [`${id}w`],
    categories: [`${id}things`],
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names, versions: [version1] },
  };
}

function unlessMissing(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
