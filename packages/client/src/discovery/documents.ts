import { getKey, isJsonObject, type JsonObject } from '../lib/json.ts';
import type { APIResourceList } from '../meta/types.ts';
import { DiscoveryError } from './discovery-error.ts';

/** One version of a group: `apps/v1` and `v1`. */
export interface GroupVersionForDiscovery {
  readonly groupVersion: string;
  readonly version: string;
}

/** A group with its versions. The core group has the empty name. */
export interface APIGroup {
  readonly name: string;
  /** In the order of the server: the newest stable one first. */
  readonly versions: readonly GroupVersionForDiscovery[];
  /** The preferred version; undefined if the group has no versions. */
  readonly preferredVersion?: GroupVersionForDiscovery;
}

/** The response of `GET /version`. */
export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
  readonly emulationMajor?: string;
  readonly emulationMinor?: string;
  readonly minCompatibilityMajor?: string;
  readonly minCompatibilityMinor?: string;
}

/*
 * The documents of unaggregated discovery, which caches also hold. They may come from a damaged
 * file: a document of another kind is refused, and an entry without a name is skipped.
 */

/** `GET /api`: the core group, or nothing if the server has none. */
export function parseApiVersions(document: unknown): APIGroup[] {
  const versions = entries(document, 'APIVersions', 'versions').filter(
    (version) => typeof version === 'string',
  );
  const [first] = versions;
  if (first === undefined) return [];
  return [
    {
      name: '',
      versions: versions.map((version) => ({ groupVersion: version, version })),
      preferredVersion: { groupVersion: first, version: first },
    },
  ];
}

/** `GET /apis`: all other groups. */
export function parseApiGroupList(document: unknown): APIGroup[] {
  return entries(document, 'APIGroupList', 'groups').flatMap((group) => {
    if (!isJsonObject(group) || typeof group['name'] !== 'string') return [];
    const versions = list(group['versions']).filter(isGroupVersion);
    const preferred = isGroupVersion(group['preferredVersion'])
      ? group['preferredVersion']
      : versions[0];
    return [
      {
        name: group['name'],
        versions,
        ...(preferred !== undefined && { preferredVersion: preferred }),
      },
    ];
  });
}

/** `GET /apis/<group>/<version>`: resources, and subresources as `parent/sub`. */
export function parseApiResourceList(document: unknown, groupVersion: string): APIResourceList {
  const resources = entries(document, 'APIResourceList', 'resources').flatMap((resource) => {
    if (!isJsonObject(resource)) return [];
    const { name, kind, singularName, namespaced, verbs } = resource;
    if (typeof name !== 'string' || typeof kind !== 'string') return [];
    return [
      {
        ...resource,
        name,
        // Servers before 1.5 do not send it; it can be guessed from the kind.
        singularName: typeof singularName === 'string' ? singularName : '',
        namespaced: namespaced === true,
        kind,
        verbs: strings(verbs),
      },
    ];
  });
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

/** `GET /version`. */
export function parseVersionInfo(document: unknown): VersionInfo {
  if (isJsonObject(document) && typeof document['gitVersion'] === 'string') {
    return document as unknown as VersionInfo;
  }
  throw invalidDocument('has no gitVersion');
}

/**
 * Returns the main list of a document. Go writes an empty one as null or omits it; in a document of
 * another kind that is an error.
 */
export function entries(document: unknown, kind: string, field: string): readonly unknown[] {
  if (!isJsonObject(document)) throw invalidDocument('is not a JSON object');
  const value = getKey(document, field) ?? null;
  if (Array.isArray(value)) return value;
  if (value !== null) throw invalidDocument(`has ${field} that are not a list`);
  if (document['kind'] !== kind) throw invalidDocument(`has no ${field}`);
  return [];
}

/** Returns a list that may be missing. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the strings of a list that may be missing. */
export function strings(value: unknown): string[] {
  return list(value).filter((item) => typeof item === 'string');
}

function isGroupVersion(value: unknown): value is GroupVersionForDiscovery & JsonObject {
  return (
    isJsonObject(value) &&
    typeof value['groupVersion'] === 'string' &&
    typeof value['version'] === 'string'
  );
}

function invalidDocument(what: string): DiscoveryError {
  return new DiscoveryError('DISCOVERY_DOCUMENT_INVALID', `the discovery document ${what}`);
}

/** Options of every discovery call. */
export interface DiscoveryOptions {
  /**
   * Aborting releases the connections immediately; the promise rejects with the reason of the
   * signal.
   */
  readonly signal?: AbortSignal | undefined;
}
