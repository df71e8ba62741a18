import { readFileSync } from 'node:fs';

import { getKey, type JsonObject, OptionError, setKey } from 'client-ts/internal';
import { apiVersionOf, applyMergePatch, parseApiVersion } from 'client-ts/meta';

import type { OpenApiSchema } from './linker.ts';
import type { ModelFile, ModelResource } from './model-file.ts';

/** The releases of Kubernetes that a server can implement, the oldest first. */
export const KUBERNETES_VERSIONS = ['1.34', '1.35', '1.36'] as const;

/** A release of Kubernetes that a server can implement. */
export type KubernetesVersion = (typeof KUBERNETES_VERSIONS)[number];

/** The release that a server implements unless another one is asked for. */
export const DEFAULT_VERSION: KubernetesVersion = '1.36';

/** Throws if a server cannot implement this release. */
export function checkKubernetesVersion(version: string): asserts version is KubernetesVersion {
  if (KUBERNETES_VERSIONS.some((known) => known === version)) return;
  const known = KUBERNETES_VERSIONS.join(', ');
  throw new OptionError('kubernetesVersion', `${JSON.stringify(version)} is not one of ${known}`);
}

/** A data file: how an older release differs from the model. Made by `@client-ts/codegen`. */
interface ReleaseFile {
  readonly kubernetes: string;
  /** All of its versions, in the order of discovery. */
  readonly groupVersions: readonly string[];
  /** Merge patches for resources, by apiVersion and plural; null for those it lacks. */
  readonly resources: Readonly<Record<string, Readonly<Record<string, JsonObject | null>>>>;
  /** Types that replace those of the model, or are added to them. */
  readonly types: Readonly<Record<string, OpenApiSchema>>;
  /** Merge patches for other types; null for those it lacks. */
  readonly changes: Readonly<Record<string, JsonObject | null>>;
}

/** Returns the content of the model for an older release. The given model stays as it is. */
export function modelFileOf(version: KubernetesVersion, model: ModelFile): ModelFile {
  const url = new URL(`../../data/releases/${version}.json`, import.meta.url);
  const release = JSON.parse(readFileSync(url, 'utf8')) as ReleaseFile;
  return {
    kubernetes: release.kubernetes,
    groupVersions: groupVersionsOf(release, model),
    schemas: schemasOf(release, model),
  };
}

function groupVersionsOf(release: ReleaseFile, model: ModelFile): ModelFile['groupVersions'] {
  const known = new Map(model.groupVersions.map((each) => [apiVersionOf(each), each.resources]));
  return release.groupVersions.map((apiVersion) => {
    const resources = new Map(known.get(apiVersion)?.map((each) => [each.resource, each]));
    for (const [name, changed] of Object.entries(getKey(release.resources, apiVersion) ?? {})) {
      if (changed === null) resources.delete(name);
      else resources.set(name, patched(resources.get(name) ?? {}, changed) as ModelResource);
    }
    const sorted = [...resources].sort(([left], [right]) => (left < right ? -1 : 1));
    return { ...parseApiVersion(apiVersion), resources: sorted.map(([, resource]) => resource) };
  });
}

function schemasOf({ types, changes }: ReleaseFile, model: ModelFile): ModelFile['schemas'] {
  const schemas: Record<string, OpenApiSchema> = {};
  for (const [id, schema] of Object.entries(model.schemas)) {
    const change = getKey(changes, id);
    if (change === null) continue;
    setKey(schemas, id, change === undefined ? schema : (patched(schema, change) as OpenApiSchema));
  }
  return { ...schemas, ...types };
}

function patched(value: object, patch: JsonObject): object {
  return applyMergePatch(value as JsonObject, patch) as JsonObject;
}
