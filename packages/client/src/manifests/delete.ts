import { isNoMatchError } from '../discovery/mapping-error.ts';
import { guardCallback } from '../lib/callback.ts';
import { isNotFound } from '../meta/error-guards.ts';
import { isStatus } from '../meta/status.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { DeletionOptions } from '../rest/options.ts';
import { deleted } from '../wait/conditions.ts';
import { waitFor } from '../wait/wait-for.ts';
import { readManifestFiles, type ReadManifestsOptions } from './read-manifests.ts';
import type { DeleteResult, Manifest } from './types.ts';
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

/** Options of {@link deleteObjects}. */
export interface DeleteObjectsOptions
  extends SendManifestsOptions, Pick<DeletionOptions, 'gracePeriodSeconds'> {
  /** What happens to dependents. Default `Background`: the garbage collector deletes them. */
  readonly propagationPolicy?: DeletionOptions['propagationPolicy'] | undefined;
  /** Waits until each object is gone, finalizers included. Default false. */
  readonly wait?: boolean | undefined;
  /** How long to wait for each object. Default: no timeout. */
  readonly timeoutMs?: number | undefined;
  /** Called for each result as it arrives. */
  readonly onResult?: ((result: DeleteResult) => void) | undefined;
}

/** Options of {@link deleteFile}. */
export interface DeleteFileOptions extends DeleteObjectsOptions, ReadManifestsOptions {}

/** Deletes the objects of files, or of the files of folders: {@link deleteObjects}. */
export async function deleteFile(
  client: ManifestClient,
  paths: string | readonly string[],
  options: DeleteFileOptions = {},
): Promise<DeleteResult[]> {
  const { recursive } = options;
  return await deleteObjects(client, await readManifestFiles(paths, { recursive }), options);
}

/**
 * Deletes objects of any kinds, in the reverse order of `applyObjects`: namespaces and custom
 * resource definitions last. An object that does not exist is `absent` and not a failure. Rejects
 * with `ManifestError` `MANIFESTS_FAILED`, which has all results, if one is `failed`.
 */
export async function deleteObjects(
  client: ManifestClient,
  objects: readonly Manifest[],
  options: DeleteObjectsOptions = {},
): Promise<DeleteResult[]> {
  const { signal } = options;
  const onResult = guardCallback('onResult', options.onResult, client.rest.logger);
  const { definition, namespace, other } = stagesOf(objects);
  const defined = new Set(definition.map(definedKind));
  const results: DeleteResult[] = [];
  for (const object of [...definition, ...namespace, ...other].reverse()) {
    signal?.throwIfAborted();
    let result: DeleteResult;
    try {
      result = await deleteOne(client, object, options);
    } catch (error) {
      // Without its definition there is no object either.
      const isGone = isNoMatchError(error) && defined.has(groupKindOf(object));
      result = isGone ? { outcome: 'absent', object } : failed(object, error, signal);
    }
    results.push(result);
    onResult(result);
  }
  throwIfFailed('deleted', results);
  return results;
}

async function deleteOne(
  client: ManifestClient,
  object: Manifest,
  options: DeleteObjectsOptions,
): Promise<DeleteResult> {
  const { dryRun = false, gracePeriodSeconds, signal, timeoutMs, wait = false } = options;
  const { propagationPolicy = 'Background' } = options;
  const { name } = object.metadata;
  const resource = await resourceOf(client, object, options);
  try {
    const request = { dryRun, gracePeriodSeconds, propagationPolicy, signal };
    const answer = await resource.delete(name, request);
    const uid = isStatus(answer) ? answer.details?.uid : answer.metadata.uid;
    if (wait && !dryRun) {
      await waitFor<KubernetesObject>(resource, name, deleted(uid), { timeoutMs, signal });
    }
    return { outcome: 'deleted', object };
  } catch (error) {
    if (isNotFound(error)) return { outcome: 'absent', object };
    throw error;
  }
}
