import { isJsonObject, type JsonValue } from '../lib/json.ts';
import { apiVersionOf, type ResourceDescriptor } from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { Unstructured } from '../dynamic/unstructured.ts';
import { parseYamlDocuments, writeYaml, YamlError } from '../yaml/index.ts';
import { splitJson } from './json-stream.ts';
import { ManifestError } from './manifest-error.ts';
import type { Manifest } from './types.ts';

/** Options of {@link parseManifests}. */
export interface ParseManifestsOptions {
  /** The name of the text in errors, such as its path. Default `the text`. */
  readonly source?: string | undefined;
}

/**
 * Returns the objects of a text of YAML or JSON, with any number of documents, read as Kubernetes
 * reads them. Empty documents are skipped, and the items of lists stand for themselves.
 *
 * Throws {@link ManifestError} `MANIFESTS_INVALID` for a document that cannot be parsed, has a key
 * twice, or is not an object with `apiVersion`, `kind` and `metadata.name`. Other fields are not
 * checked: that is the server's part. The error quotes nothing of the text, which may be a secret.
 */
export function parseManifests(text: string, options: ParseManifestsOptions = {}): Manifest[] {
  const { source = 'the text' } = options;
  return documentsOf(text).flatMap((read, index) => {
    const place = `document ${index + 1} of ${source}`;
    return objectsIn(readDocument(read, place)).map((object) => checkManifest(object, place));
  });
}

/**
 * Returns the only object of a text as an object of a known kind. Throws {@link ManifestError}
 * `MANIFESTS_INVALID` if it is another kind or version, or not a single object. Fields are not
 * checked against the type.
 *
 * ```ts
 * const deployment = readManifest(deployments, await readFile('web.yaml', 'utf8'));
 * deployment.spec?.replicas;
 * ```
 */
export function readManifest<T extends KubernetesObject>(
  descriptor: ResourceDescriptor<T>,
  text: string,
  options: ParseManifestsOptions = {},
): Manifest & T {
  const { source = 'the text' } = options;
  const manifests = parseManifests(text, options);
  const [object] = manifests;
  if (object === undefined || manifests.length > 1) {
    throw invalid(`${source} has ${manifests.length} objects instead of one`);
  }
  const { apiVersion, kind } = object;
  const wanted = `${apiVersionOf(descriptor)} ${descriptor.kind}`;
  if (`${apiVersion} ${kind}` !== wanted) {
    throw invalid(`${source} has an object of ${apiVersion} ${kind} instead of ${wanted}`);
  }
  return object as Manifest & T;
}

/**
 * Returns objects as YAML, one document each. What a server adds to every object is left out:
 * `managedFields`, `uid`, `resourceVersion`, `creationTimestamp`, `generation`, and an empty
 * `status`, so that the text can be applied elsewhere.
 */
export function writeManifests(objects: readonly Readonly<KubernetesObject>[]): string {
  return objects.map((object) => writeYaml(withoutServerFields(object))).join('---\n');
}

/** Fields that the server sets on every object. */
const SERVER_FIELDS: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);

function withoutServerFields(object: Readonly<KubernetesObject>): JsonValue {
  const { metadata = {}, ...rest } = plain(object);
  const kept = Object.entries(metadata).filter(([name]) => !SERVER_FIELDS.has(name));
  const { apiVersion, kind, status, ...others } = rest as Unstructured;
  const isEmpty = isJsonObject(status) && Object.keys(status).length === 0;
  return plain({
    apiVersion,
    kind,
    metadata: Object.fromEntries(kept),
    ...others,
    ...(!isEmpty && { status }),
  }) as JsonValue;
}

/** As JSON: without undefined fields, and decoded if it was read-only. */
function plain(object: object): KubernetesObject {
  return JSON.parse(JSON.stringify(object)) as KubernetesObject;
}

/** Returns a function for each document that reads it; undefined for an empty one. */
function documentsOf(text: string): (() => unknown)[] {
  const parts = splitJson(text);
  if (parts !== undefined) return parts.map((part) => () => part);
  return parseYamlDocuments(text).map((document) => () => {
    if (document.isEmpty) return undefined;
    const { value, duplicates } = document.read();
    const [duplicate] = duplicates;
    // kubectl asks servers for strict validation, and they refuse it too.
    if (duplicate !== undefined) throw new YamlError(duplicate, { reason: 'a key is set twice' });
    return value;
  });
}

function readDocument(read: () => unknown, place: string): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const { reason, line } = error;
    const where = line === undefined ? '' : `line ${line}: `;
    // The cause is left out: its message may quote a secret.
    throw invalid(`${place} is not YAML: ${where}${reason}`);
  }
}

/** Returns the objects of a document: itself, or the items of a list. */
function objectsIn(value: unknown): unknown[] {
  if (value === undefined) return [];
  if (!isJsonObject(value)) return [value];
  const { apiVersion, kind, items } = value;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [value];
  // The items of a list that a server sent have no kind of their own.
  const itemKind = kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) };
  return items.flatMap((item) => objectsIn(isJsonObject(item) ? { ...itemKind, ...item } : item));
}

function checkManifest(value: unknown, place: string): Manifest {
  if (!isJsonObject(value)) throw invalid(`${place} is not an object`);
  const { apiVersion, kind, metadata } = value;
  for (const [field, found] of Object.entries({ apiVersion, kind })) {
    if (typeof found !== 'string' || found === '') throw invalid(`${place} has no ${field}`);
  }
  const { name, generateName } = isJsonObject(metadata) ? metadata : {};
  if (typeof name !== 'string' || name === '') {
    const problem = `${place} has no metadata.name in an object of kind ${kind as string}`;
    const hint = 'An object with generateName can be created, but not applied.';
    throw generateName === undefined
      ? invalid(problem)
      : new ManifestError('MANIFESTS_INVALID', problem, { hint });
  }
  return value as unknown as Manifest;
}

function invalid(message: string): ManifestError {
  return new ManifestError('MANIFESTS_INVALID', message);
}
