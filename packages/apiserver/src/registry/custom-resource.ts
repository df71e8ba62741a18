import type { CustomResourceDefinition } from 'client-ts/api/apiextensions/v1';
import { jsonEqual, type JsonObject } from 'client-ts/internal';
import { apiVersionOf } from 'client-ts/meta';

import { type CustomResourceVersion, customResourceVersions } from '../crd/custom-resource.ts';
import { type CustomKind, readAs } from '../crd/decode-custom.ts';
import { withSortedKeys } from '../schema/canonical.ts';
import type { Store, StoredObject } from '../store/store.ts';
import { customResourceStrategy } from './custom-resource-strategy.ts';
import type { ApiObject } from './object.ts';
import { Registry } from './registry.ts';
import type { ResourceInfo, SubresourceInfo } from './resource.ts';
import type { ServedResource } from './served-resource.ts';

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const PART_VERBS = ['get', 'patch', 'update'];

/** What a CustomResourceDefinition brings into the API. */
export interface CustomResource {
  /** The name of the definition. */
  readonly crd: string;
  /** One for each version that is served, the preferred one first. */
  readonly served: readonly ServedResource[];
  /** Works on objects in the version that they are stored in, which need not be served. */
  readonly registry: Registry;
  /** The apiVersion that objects are stored in. */
  readonly storedAs: string;
}

/** Makes ready what an established definition describes, under the names that it was granted. */
export function customResource(
  { metadata, spec, status }: CustomResourceDefinition,
  store: Store,
  removed: AbortSignal,
): CustomResource {
  const names = status?.acceptedNames ?? spec.names;
  const versions = customResourceVersions({
    ...(metadata && { metadata }),
    spec: { ...spec, names },
  });
  // Validation sees to it that there is exactly one.
  const stored = versions.find(({ storage }) => storage) as CustomResourceVersion;
  const storedAs = apiVersionOf(stored);
  const schemas = new Map(versions.map(({ version, structural }) => [version, structural]));
  const customKind: CustomKind = {
    group: stored.group,
    kind: stored.kind,
    schemaFor: (version) => schemas.get(version),
  };
  const registries = new Map(
    versions.map((version) => [version, registryOf(version, storedAs, store)]),
  );
  return {
    crd: stored.crd,
    storedAs,
    registry: registries.get(stored) as Registry,
    served: versions
      .filter(({ served }) => served)
      .map((version) => ({
        info: resourceInfo(version, propsOf(spec, version.version)),
        registry: registries.get(version) as Registry,
        conversion: {
          fromStorage: (object): StoredObject => viewAs(object, version),
          toStorage: (object): ApiObject => object,
        },
        customKind,
        removed,
        ...(version.scale && { scale: version.scale }),
        ...(version.deprecation !== undefined && { deprecation: version.deprecation }),
        printerColumns: version.columns,
        fieldLabels: registries.get(version)?.strategy.selectableFieldNames ?? [],
        selectableFields: version.selectableFields,
        uncached: false,
      })),
  };
}

/** Objects are checked in the version of the request, and kept in the version of the storage. */
function registryOf(version: CustomResourceVersion, storedAs: string, store: Store): Registry {
  return new Registry({
    group: version.group,
    resource: version.resource,
    kind: version.kind,
    namespaced: version.scope === 'Namespaced',
    strategy: customResourceStrategy(version),
    hasStatus: version.hasStatus,
    store,
    copyOf: (object) => readAs(object, version) as ApiObject,
    canonical: (object) =>
      withSortedKeys({ ...(object as JsonObject), apiVersion: storedAs }) as ApiObject,
  });
}

/** Most objects look in a version as they are stored; then there is only one of them. */
function viewAs(stored: StoredObject, version: CustomResourceVersion): StoredObject {
  const view = readAs(stored, version) as StoredObject;
  return jsonEqual(view, stored) ? stored : view;
}

function resourceInfo(version: CustomResourceVersion, props: JsonObject): ResourceInfo {
  const { group, kind, resource, singular, listKind, shortNames, categories, scope } = version;
  const subresources: SubresourceInfo[] = [];
  if (version.hasStatus) {
    const own = { group, version: version.version, kind };
    subresources.push({ name: 'status', kind: own, verbs: PART_VERBS });
  }
  if (version.scale !== undefined) {
    const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
    subresources.push({ name: 'scale', kind: scale, verbs: PART_VERBS });
  }
  return {
    group,
    version: version.version,
    kind,
    resource,
    singular,
    listKind,
    shortNames,
    categories,
    scope,
    verbs: VERBS,
    subresources,
    schema: version.schema,
    crd: version.crd,
    openApi: props,
  };
}

function propsOf({ versions }: CustomResourceDefinition['spec'], version: string): JsonObject {
  const found = versions.find(({ name }) => name === version);
  return (found?.schema?.openAPIV3Schema ?? {}) as JsonObject;
}
