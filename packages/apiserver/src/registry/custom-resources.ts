import type { CustomResourceDefinition } from 'client-ts/api/apiextensions/v1';
import { cloneJson, isJsonObject, jsonEqual, type JsonObject, type JsonValue } from 'client-ts/lib';
import { apiVersionOf, type KubernetesObject } from 'client-ts/meta';
import { customResourceVersions, type CustomResourceVersion } from '../crd/custom-resource.ts';
import { coerceResource, type CustomKind } from '../crd/decode-custom.ts';
import { validateEmbedded } from '../crd/embedded-metadata.ts';
import { validateListTypes } from '../crd/list-types.ts';
import { validateValue } from '../crd/value-validator.ts';
import { withSortedKeys } from '../schema/canonical.ts';
import type { Store, StoredObject } from '../store/store.ts';
import { type FieldError, invalid } from '../validation/field-error.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../validation/object-meta.ts';
import type { ApiObject } from './object.ts';
import { Registry } from './registry.ts';
import type { ResourceInfo, SubresourceInfo } from './resource.ts';
import type { ServedResource } from './served-resource.ts';
import type { Strategy } from './strategy.ts';

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const PART_VERBS = ['get', 'patch', 'update'];

/** The resources that an established CRD brings: one for each version that is served. */
export function customResources(
  crd: CustomResourceDefinition,
  store: Store,
  removed: AbortSignal,
): ServedResource[] {
  const versions = customResourceVersions(crd);
  const stored = versions.find(({ storage }) => storage);
  if (stored === undefined) return [];
  const schemas = new Map(versions.map(({ version, structural }) => [version, structural]));
  const customKind: CustomKind = {
    group: stored.group,
    kind: stored.kind,
    schemaFor: (version) => schemas.get(version),
  };
  return versions
    .filter(({ served }) => served)
    .map((version) => ({
      ...serveVersion(version, apiVersionOf(stored), customKind, store),
      info: resourceInfo(version, propsOf(crd, version.version)),
      customKind,
      removed,
    }));
}

function serveVersion(
  version: CustomResourceVersion,
  storedAs: string,
  customKind: CustomKind,
  store: Store,
): Omit<ServedResource, 'info'> {
  const servedAs = apiVersionOf(version);
  const registry = new Registry({
    group: version.group,
    resource: version.resource,
    kind: version.kind,
    namespaced: version.scope === 'Namespaced',
    strategy: customStrategy(version),
    hasStatus: version.hasStatus,
    store,
    // Checked in the version of the request, kept in the version of the storage.
    canonical: (object) =>
      withSortedKeys({ ...object, apiVersion: storedAs } as unknown as JsonValue) as ApiObject,
  });
  return {
    registry,
    ...(servedAs !== storedAs && {
      conversion: {
        fromStorage: (object): StoredObject => readAs(object, servedAs, customKind),
        toStorage: (object): ApiObject => object,
      },
    }),
    ...(version.scale && { scale: version.scale }),
    ...(version.deprecation !== undefined && { deprecation: version.deprecation }),
    printerColumns: version.columns,
    selectableFields: version.selectableFields,
    uncached: false,
  };
}

/** A stored object in another version: what that version does not know is not shown. */
function readAs(object: StoredObject, apiVersion: string, kind: CustomKind): StoredObject {
  const view = cloneJson({ ...object, apiVersion }) as unknown as JsonObject;
  coerceResource(view, kind);
  return withSortedKeys(view) as StoredObject;
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

function propsOf({ spec }: CustomResourceDefinition, version: string): JsonObject {
  const found = spec.versions.find(({ name }) => name === version);
  return (found?.schema?.openAPIV3Schema ?? {}) as JsonObject;
}

function customStrategy(version: CustomResourceVersion): Strategy {
  const { structural, hasStatus, selectableFields } = version;
  const namespaced = version.scope === 'Namespaced';
  const check = (object: KubernetesObject, old?: KubernetesObject): FieldError[] => {
    const value = object as JsonObject;
    const findings = [
      ...(object.kind === version.kind
        ? []
        : [invalid('kind', object.kind, `must be ${version.kind}`)]),
      ...validateValue(value, structural, { old: old as JsonObject | undefined }),
      ...validateListTypes(value, structural),
      ...validateEmbedded(value, structural),
    ];
    return findings;
  };
  // Rules in CEL run only on objects that are sound, and a real server says when they did not.
  const noteUnchecked = (findings: FieldError[]): FieldError[] =>
    findings.length > 0 && version.hasRules
      ? [...findings, invalid('<nil>', null, RULES_NOT_CHECKED)]
      : findings;
  const checkUpdate = (object: KubernetesObject, old: KubernetesObject): FieldError[] =>
    noteUnchecked([
      ...validateObjectMetaUpdate(object.metadata, old.metadata, { kubeFinalizers: false }),
      ...check(object, old),
    ]);
  return {
    generation: (object, old) => !jsonEqual(contentOf(object, hasStatus), contentOf(old, hasStatus)),
    unconditionalUpdate: false,
    statusSubresource: hasStatus,
    validate: (object) =>
      noteUnchecked([
        ...validateObjectMeta(object.metadata, { namespaced, kubeFinalizers: false }),
        ...check(object),
      ]),
    validateUpdate: checkUpdate,
    validateStatusUpdate: checkUpdate,
    selectableFields: (object) =>
      Object.fromEntries(selectableFields.map((path) => [path, fieldAt(object as JsonObject, path)])),
  };
}

const RULES_NOT_CHECKED =
  'some validation rules were not checked because the object was invalid; ' +
  'correct the existing errors to complete validation';

/** What counts for the generation: everything but metadata, and status where it is kept apart. */
function contentOf(object: object, hasStatus: boolean): JsonObject {
  const content: JsonObject = { ...(object as JsonObject) };
  delete content['metadata'];
  delete content['apiVersion'];
  if (hasStatus) delete content['status'];
  return content;
}

function fieldAt(object: JsonObject, path: string): string {
  let value: JsonValue | undefined = object;
  for (const step of path.split('.')) value = isJsonObject(value) ? value[step] : undefined;
  return value === undefined || value === null ? '' : String(value as boolean | number | string);
}
