import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject } from 'client-ts/internal';
import type { ApiClient } from '../http/api-client.ts';
import type { ApiObject } from '../http/exchange.ts';
import { textAt } from '../json/pointer.ts';
import type { Kit } from './check.ts';
import { eventually, ok } from './expect.ts';

/** Returns the path of a core resource in a namespace. */
export function core(namespace: string, resource: string): string {
  return `/api/v1/namespaces/${namespace}/${resource}`;
}

/** Returns the path of a resource of the `apps` group. */
export function apps(namespace: string, resource: string): string {
  return `/apis/apps/v1/namespaces/${namespace}/${resource}`;
}

export function configMap(
  name: string,
  data: JsonObject = {},
  metadata: JsonObject = {},
): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}

/** A Deployment that no controller acts on: paused and without replicas. */
export function deployment(name: string, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      paused: true,
      replicas: 0,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'main', image: 'registry.example.com/app:1' }] },
      },
      ...spec,
    },
  };
}

/** A Pod that stays Pending on any cluster: there is no scheduler with this name. */
export function pod(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: {
      schedulerName: 'conformance.example.com',
      automountServiceAccountToken: false,
      containers: [{ name: 'main', image: 'registry.example.com/app:1' }],
      ...spec,
    },
  };
}

/** Creates an object and asserts that the server has filled in its metadata. */
export async function create(
  api: ApiClient,
  collection: string,
  object: object,
): Promise<ApiObject> {
  return owned(ok(await api.post(collection, object), 201));
}

/** Asserts fields that only a server sets: without them, a response could be a mere echo. */
function owned(object: ApiObject): ApiObject {
  const { uid, resourceVersion, creationTimestamp } = object.metadata;
  for (const value of [uid, resourceVersion, creationTimestamp]) {
    assert.match(value ?? '', /./, `not stored: ${JSON.stringify(object)}`);
  }
  return object;
}

/**
 * Creates a Pod. Waits for the namespace's default ServiceAccount where the server requires one.
 */
export async function createPod(
  { api, clock }: Kit,
  namespace: string,
  object: JsonObject,
): Promise<ApiObject> {
  return eventually(clock, 'a ServiceAccount for the Pod', async () => {
    const reply = await api.post(core(namespace, 'pods'), object);
    if (reply.status === 403 && reply.text.includes('serviceaccount')) return undefined;
    return owned(ok(reply, 201));
  });
}

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A custom kind: its paths and how to write its objects. */
export interface CustomKind {
  readonly crd: ApiObject;
  readonly crdPath: string;
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  /** Returns the path of the collection in a namespace, by version. */
  readonly collection: (namespace: string, version?: string) => string;
  readonly object: (name: string, content?: JsonObject) => JsonObject;
}

export interface CustomKindOptions {
  readonly schema?: JsonObject;
  /** Merged into the only version. */
  readonly version?: JsonObject;
  /** Replaces the only version. */
  readonly versions?: JsonObject[];
  readonly names?: JsonObject;
  readonly spec?: JsonObject;
}

/** Creates a CRD, waits until it is served, and deletes it after the area. */
export async function customKind(kit: Kit, options: CustomKindOptions = {}): Promise<CustomKind> {
  const { api, clock } = kit;
  const singular = kit.unique('thing').replaceAll('-', '');
  const plural = `${singular}s`;
  const group = 'conformance.example.com';
  const kind = singular[0]?.toUpperCase() + singular.slice(1);
  const name = `${plural}.${group}`;
  const crdPath = `${CRDS}/${name}`;
  const versions = options.versions ?? [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: options.schema ?? anyObject },
      ...options.version,
    },
  ];
  const spec = {
    group,
    scope: 'Namespaced',
    names: { plural, singular, kind, ...options.names },
    versions,
    ...options.spec,
  };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec,
  };
  const crd = await create(api, CRDS, definition);
  kit.cleanUp(() => api.delete(crdPath));
  const collection = (namespace: string, version = 'v1'): string =>
    `/apis/${group}/${version}/namespaces/${namespace}/${plural}`;
  for (const version of versions) {
    if (version['served'] !== true) continue;
    const served = collection(kit.namespace, textAt(version, '/name'));
    await eventually(clock, `${name} being served`, async () => {
      const established = ok(await api.get(crdPath));
      const { status } = await api.get(served);
      return isEstablished(established) && status === 200 ? true : undefined;
    });
  }
  return {
    crd,
    crdPath,
    group,
    plural,
    kind,
    collection,
    object: (objectName, content = {}) => ({
      apiVersion: `${group}/v1`,
      kind,
      metadata: { name: objectName },
      ...content,
    }),
  };
}

/** A structural schema that preserves unknown fields. */
export const anyObject: JsonObject = {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
};

/** True if the CRD has the condition `Established`. */
export function isEstablished(crd: ApiObject): boolean {
  const { status } = crd;
  const conditions = isJsonObject(status) ? status['conditions'] : undefined;
  return (
    Array.isArray(conditions) &&
    conditions.some(
      (condition) =>
        isJsonObject(condition) &&
        condition['type'] === 'Established' &&
        condition['status'] === 'True',
    )
  );
}
