import type { CustomResourceDefinition } from '../api/apiextensions/v1.ts';
import { isNoMatchError } from '../discovery/mapping-error.ts';
import type { DynamicResourceClient } from '../dynamic/dynamic-client.ts';
import type { Unstructured } from '../dynamic/unstructured.ts';
import { guardCallback } from '../lib/callback.ts';
import { systemClock } from '../lib/clock.ts';
import { jsonEqual, type JsonValue } from '../lib/json.ts';
import { isNotFound } from '../meta/error-guards.ts';
import { parseApiVersion } from '../meta/resource.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { Stored } from '../rest/object-types.ts';
import { crdEstablished } from '../wait/conditions.ts';
import { pollUntil } from '../wait/poll.ts';
import { waitFor } from '../wait/wait-for.ts';
import { checkPrune, type PruneOptions, pruneObjects } from './prune.ts';
import { readManifestFiles, type ReadManifestsOptions } from './read-manifests.ts';
import type { AppliedResult, ApplyResult, Manifest } from './types.ts';
import {
  definedKind,
  failed,
  groupKindOf,
  type ManifestClient,
  resourceOf,
  type SendManifestsOptions,
  stagesOf,
  throwIfFailed,
} from './target.ts';

/** Options of {@link applyObjects}. */
export interface ApplyObjectsOptions extends SendManifestsOptions {
  /** The name of your program. It owns the fields of the objects. */
  readonly fieldManager: string;
  /** Takes over fields that other managers own. Default false: they are a conflict. */
  readonly force?: boolean | undefined;
  /** Deletes objects that were applied before and are no longer among these. */
  readonly prune?: PruneOptions | undefined;
  /** How long to wait until the server serves a new custom resource. Default 30 seconds. */
  readonly definitionTimeoutMs?: number | undefined;
  /** Called for each result as it arrives. */
  readonly onResult?: ((result: ApplyResult) => void) | undefined;
}

/** Options of {@link applyFile}. */
export interface ApplyFileOptions extends ApplyObjectsOptions, ReadManifestsOptions {}

/**
 * Applies the objects of files, or of the files of folders: {@link applyObjects} with what
 * `readManifestFiles` returns. Nothing is sent if a document is invalid.
 *
 * ```ts
 * const results = await applyFile(client, 'shop.yaml', { fieldManager: 'deploy-script' });
 * for (const { outcome, object } of results) console.log(object.kind, object.metadata.name, outcome);
 * ```
 */
export async function applyFile(
  client: ManifestClient,
  paths: string | readonly string[],
  options: ApplyFileOptions,
): Promise<ApplyResult[]> {
  const { recursive } = options;
  return await applyObjects(client, await readManifestFiles(paths, { recursive }), options);
}

/**
 * Applies objects of any kinds with server-side apply: custom resource definitions first, until the
 * server serves them, then namespaces, then the rest in the given order. An object that fails does
 * not stop the others. Resolves with a result for each object, in the order in which they were
 * sent: `created`, `configured`, `unchanged` or `pruned`. Rejects with `ManifestError`
 * `MANIFESTS_FAILED`, which has all results, if one is `failed`. The server refuses unknown fields.
 *
 * With `dryRun`, objects in namespaces and of kinds that do not exist yet fail, as with kubectl.
 */
export async function applyObjects(
  client: ManifestClient,
  objects: readonly Manifest[],
  options: ApplyObjectsOptions,
): Promise<ApplyResult[]> {
  const { prune, signal } = options;
  if (prune !== undefined) checkPrune(prune);
  const onResult = guardCallback('onResult', options.onResult, client.rest.logger);
  const results: ApplyResult[] = [];
  const report = (result: ApplyResult): void => {
    results.push(result);
    onResult(result);
  };
  const { definition, namespace, other } = stagesOf(objects);
  const isNew = new Set(definition.map(definedKind));
  for (const object of definition) report(await applyDefinition(client, object, options));
  // A version that a definition has gained is not in what was read before.
  if (definition.length > 0) client.mapper.reset();
  for (const object of [...namespace, ...other]) {
    signal?.throwIfAborted();
    try {
      if (isNew.has(groupKindOf(object))) await untilMapped(client, object, options);
      report(await applyOne(client, object, options));
    } catch (error) {
      report(failed(object, error, signal));
    }
  }
  throwIfFailed('applied', results);
  if (prune !== undefined) {
    for await (const result of pruneObjects(client, results, prune, options)) report(result);
    throwIfFailed('pruned', results);
  }
  return results;
}

async function applyOne(
  client: ManifestClient,
  object: Manifest,
  options: ApplyObjectsOptions,
): Promise<AppliedResult> {
  const { fieldManager, force, dryRun, signal } = options;
  const resource = await resourceOf(client, object, options);
  const before = await find(resource, object.metadata.name, signal);
  const request = { fieldManager, force, dryRun, signal };
  // Exported objects have them, and a server refuses them in an apply.
  const { managedFields: _, ...metadata } = object.metadata;
  const after = await resource.apply({ ...object, metadata }, request);
  const outcome =
    before === undefined ? 'created' : isSame(before, after) ? 'unchanged' : 'configured';
  return { outcome, object, before, after };
}

/** Applies a definition and waits until the server serves what it defines. */
async function applyDefinition(
  client: ManifestClient,
  object: Manifest,
  options: ApplyObjectsOptions,
): Promise<ApplyResult> {
  const { dryRun = false, definitionTimeoutMs: timeoutMs = 30_000, signal } = options;
  try {
    const result = await applyOne(client, object, options);
    if (!dryRun) {
      const definitions = await resourceOf(client, object, options);
      const isEstablished = (found: KubernetesObject | undefined): boolean =>
        crdEstablished(found as CustomResourceDefinition | undefined);
      await waitFor(definitions, object.metadata.name, isEstablished, { timeoutMs, signal });
    }
    return result;
  } catch (error) {
    return failed(object, error, signal);
  }
}

/** Discovery can follow a new definition by a moment. */
async function untilMapped(
  { mapper, rest }: ManifestClient,
  { apiVersion, kind }: Manifest,
  { dryRun = false, definitionTimeoutMs = 30_000, signal }: ApplyObjectsOptions,
): Promise<void> {
  if (dryRun) return;
  const isMapped = async (whileAsked: AbortSignal): Promise<boolean> => {
    try {
      await mapper.mapping({ ...parseApiVersion(apiVersion), kind }, { signal: whileAsked });
      return true;
    } catch (error) {
      if (!isNoMatchError(error)) throw error;
      mapper.reset();
      return false;
    }
  };
  await pollUntil(isMapped, {
    intervalMs: 100,
    timeoutMs: definitionTimeoutMs,
    what: `discovery of ${apiVersion} ${kind}`,
    clock: rest.clock ?? systemClock,
    signal,
  });
}

async function find(
  resource: DynamicResourceClient,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Stored<Unstructured> | undefined> {
  try {
    return await resource.get(name, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Compares what users write: an apply may record its manager and change nothing else. */
function isSame(before: Stored<Unstructured>, after: Stored<Unstructured>): boolean {
  return jsonEqual(comparable(before), comparable(after));
}

function comparable({ metadata, ...rest }: Stored<Unstructured>): JsonValue {
  const { managedFields: _, resourceVersion: __, ...kept } = metadata;
  const object: object = { ...rest, metadata: kept };
  return object as JsonValue;
}
