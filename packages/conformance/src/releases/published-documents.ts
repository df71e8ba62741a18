import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { getKey, isJsonObject, type JsonObject, type JsonValue, setKey } from 'client-ts/internal';
import { createJsonPatch, type JsonPatchOperation } from 'client-ts/meta';

/** A document that Kubernetes publishes in its source tree, and where a server has it. */
export interface PublishedDocument {
  /** The path on a server: `/apis/apps/v1`, `/openapi/v3/apis/apps/v1`. */
  readonly path: string;
  readonly content: JsonObject;
}

/** Reads the discovery and OpenAPI documents in `api/` of a source tree of Kubernetes. */
export function readPublished(tree: string): readonly PublishedDocument[] {
  return [
    ...documentsIn(join(tree, 'api/discovery'), '.json', '/'),
    ...documentsIn(join(tree, 'api/openapi-spec/v3'), '_openapi.json', '/openapi/v3/'),
    { path: '/openapi/v2', content: readJson(join(tree, 'api/openapi-spec/swagger.json')) },
  ];
}

function documentsIn(directory: string, ending: string, prefix: string): PublishedDocument[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(ending))
    .map((name) => ({
      path: prefix + name.slice(0, -ending.length).replaceAll('__', '/'),
      content: readJson(join(directory, name)),
    }));
}

function readJson(path: string): JsonObject {
  return JSON.parse(readFileSync(path, 'utf8')) as JsonObject;
}

/** Returns what has to change in the published document to make it that of a server. */
export function differences(
  published: JsonObject,
  served: JsonObject,
): readonly JsonPatchOperation[] {
  return createJsonPatch(comparableDocument(published), comparableDocument(served));
}

/**
 * Versions that a server serves only with a feature gate that is off by default. The published
 * documents come from a server with all gates on.
 */
const GATED: ReadonlyMap<string, string> = new Map([
  ['certificates.k8s.io/v1alpha1', 'ClusterTrustBundle'],
  ['certificates.k8s.io/v1beta1', 'ClusterTrustBundle'],
  ['scheduling.k8s.io/v1alpha1', 'GenericWorkload'],
  ['scheduling.k8s.io/v1alpha2', 'GenericWorkload'],
  ['storagemigration.k8s.io/v1alpha1', 'StorageVersionMigrator'],
  ['storagemigration.k8s.io/v1beta1', 'StorageVersionMigrator'],
]);

/** Returns whether a document is about nothing but versions behind a feature gate, or logs. */
export function isLeftOut(path: string): boolean {
  return path.endsWith('/logs') || path.endsWith(`/${GATED_GROUP}`) || isGated(path);
}

/** A group that has no other versions. */
const GATED_GROUP = 'storagemigration.k8s.io';

/** Why documents differ, by the path of the document and the place in it. */
const EXPLANATIONS: readonly (readonly [path: RegExp, place: RegExp, reason: string])[] = [
  [/./, /^\/paths\/~1logs~1/, 'the server has no /logs, which kube-apiserver can switch off'],
  [
    /^\/openapi\/v2$/,
    /^\/paths\/~1apis~1storagemigration\.k8s\.io~1|\.meta\.v1\.GroupResource$/,
    'storagemigration.k8s.io needs the feature gate StorageVersionMigrator',
  ],
  [
    /^\/openapi\/v2$/,
    /\.meta\.v1\.(?:DeleteOptions|WatchEvent)\/x-kubernetes-group-version-kind\//,
    'options and watch events are listed for the versions that are served only',
  ],
];

/** Returns why a document differs in one place; undefined if that is not known. */
export function explain(path: string, { path: place }: JsonPatchOperation): string | undefined {
  return EXPLANATIONS.find(([document, where]) => document.test(path) && where.test(place))?.[2];
}

/** Recognizes the paths, type names and tags of versions behind a feature gate. */
function isGated(name: string): boolean {
  return [...GATED.keys()].some((apiVersion) => {
    const [group = '', version = ''] = apiVersion.split('/');
    const short = group.replace('.k8s.io', '');
    return (
      `${name}/`.includes(`/apis/${apiVersion}/`) ||
      name.startsWith(`io.k8s.api.${short}.${version}.`) ||
      name === `${short}_${version}`
    );
  });
}

/**
 * Keywords that are not compared: descriptions are in words of our own, the published documents
 * have no enums though servers do, and addresses and versions are those of the server.
 */
const NOT_COMPARED = new Set(['description', 'enum', 'info', 'serverAddressByClientCIDRs']);

/** Lists whose order means nothing. */
const UNORDERED = new Set([
  'consumes',
  'parameters',
  'produces',
  'required',
  'schemes',
  'x-kubernetes-group-version-kind',
]);

/** Parameters have names with a hash of their content in OpenAPI v2, so they are compared in place. */
function comparableDocument(published: JsonObject): JsonValue {
  const { parameters, ...document } = withoutGatedVersions(published);
  if (!isJsonObject(parameters)) return comparable(document, '') ?? null;
  const inlined = JSON.stringify(document).replaceAll(
    /\{"\$ref":"#\/parameters\/([^"]+)"\}/g,
    (reference, name: string) => JSON.stringify(getKey(parameters, name)) ?? reference,
  );
  return comparable(JSON.parse(inlined) as JsonValue, '') ?? null;
}

/** Removes gated versions from the lists of groups, and groups without any other. */
function withoutGatedVersions(document: JsonObject): JsonObject {
  const copy = { ...document };
  for (const list of ['groups', 'items']) {
    const groups = getKey(document, list) as readonly DiscoveredGroup[] | undefined;
    if (groups === undefined) continue;
    const kept = groups.map((group) => {
      const name = group.name ?? group.metadata?.name ?? '';
      const isKept = ({ version }: { version: string }): boolean =>
        !GATED.has(`${name}/${version}`);
      return { ...group, versions: group.versions.filter(isKept) };
    });
    setKey(copy, list, kept.filter(({ versions }) => versions.length > 0) as JsonValue[]);
  }
  return copy;
}

/** A group in `/apis`, in both forms of discovery. */
interface DiscoveredGroup {
  readonly name?: string;
  readonly metadata?: { readonly name?: string };
  readonly versions: readonly { readonly version: string }[];
}

/** Removes what is not compared, and brings what is into one form. */
function comparable(value: JsonValue, parent: string): JsonValue | undefined {
  if (Array.isArray(value)) {
    const items = value.map((item) => comparable(item, '')).filter((item) => item !== undefined);
    return UNORDERED.has(parent) ? items.toSorted(byText) : items;
  }
  if (typeof value === 'string') return value.includes('cbor') ? undefined : value;
  if (!isJsonObject(value)) return value;
  if (isGatedItem(value)) return undefined;
  const copy: JsonObject = {};
  const entries = Object.entries(flattened(value));
  for (const [key, item] of entries.toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    if (item === undefined || isIgnored(key, parent)) continue;
    // In the properties of a type, `properties` is the name of a field.
    const kept = comparable(item, parent === 'properties' ? '' : key);
    if (kept !== undefined) setKey(copy, key, kept);
  }
  return copy;
}

/** A field of a type can have the name of a keyword. */
function isIgnored(key: string, parent: string): boolean {
  if (parent === 'properties') return false;
  return NOT_COMPARED.has(key) || key.includes('cbor') || isGated(key);
}

/** A reference with a description is wrapped in OpenAPI v3, one without is not. */
function flattened(schema: JsonObject): JsonObject {
  const { allOf, ...rest } = schema;
  const [only] = Array.isArray(allOf) ? allOf : [];
  return isJsonObject(only) ? { ...rest, ...only } : schema;
}

/** A version in a list of groups, versions or kinds that needs a feature gate. */
function isGatedItem({ groupVersion, group, version }: JsonObject): boolean {
  const asText = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
  return GATED.has(asText(groupVersion)) || GATED.has(`${asText(group)}/${asText(version)}`);
}

function byText(left: JsonValue, right: JsonValue): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1;
}
