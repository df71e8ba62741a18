import type { Mappable } from '../discovery/rest-mapper.ts';
import { DynamicClient } from '../dynamic/dynamic-client.ts';
import { OptionError } from '../lib/option-error.ts';
import { isNotFound } from '../meta/error-guards.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { ApplyResult, Manifest } from './types.ts';
import { failed, type ManifestClient, type SendManifestsOptions } from './target.ts';

/**
 * Which objects an apply deletes: those with these labels, of these resources, that the same field
 * manager has applied before, in the namespaces of the applied objects.
 */
export interface PruneOptions {
  /** Only objects with these labels. Give all objects of one file a label that no other has. */
  readonly labelSelector: string;
  /** The resources to look at, such as `deployments.apps` or `{ resource: 'configmaps' }`. */
  readonly allow: readonly Mappable[];
}

/** Throws `OptionError` for options that would delete too much, or nothing. */
export function checkPrune({ labelSelector, allow }: PruneOptions): void {
  if (typeof labelSelector !== 'string' || labelSelector.trim() === '') {
    throw new OptionError(
      'prune.labelSelector',
      'must select by a label: it would match everything',
    );
  }
  if (!Array.isArray(allow) || allow.length === 0) {
    throw new OptionError('prune.allow', 'must name at least one resource');
  }
}

/** Deletes what was applied before and is not among the results, and yields a result for each. */
export async function* pruneObjects(
  client: ManifestClient,
  results: readonly ApplyResult[],
  { labelSelector, allow }: PruneOptions,
  options: SendManifestsOptions & { readonly fieldManager: string },
): AsyncGenerator<ApplyResult, void, undefined> {
  const { fieldManager, dryRun, namespace = client.rest.namespace, signal } = options;
  const applied = results.flatMap((result) => ('after' in result ? [result.after] : []));
  const kept = new Set(applied.map(({ metadata }) => metadata.uid));
  const namespaces = new Set(applied.map(({ metadata }) => metadata.namespace ?? namespace));
  const dynamic = new DynamicClient(client.rest);
  for (const wanted of allow) {
    const descriptor = await client.mapper.mapping(wanted, { signal });
    const resource = dynamic.resource(descriptor);
    const places =
      descriptor.scope === 'Cluster'
        ? [resource]
        : [...namespaces].map((name) => resource.namespace(name));
    for (const place of places) {
      const { items } = await place.listAll({ labelSelector, signal }).toList();
      for (const object of items) {
        if (kept.has(object.metadata.uid) || !isAppliedBy(object, fieldManager)) continue;
        const preconditions = { uid: object.metadata.uid };
        const request = { dryRun, preconditions, propagationPolicy: 'Background', signal } as const;
        try {
          await place.delete(object.metadata.name, request);
        } catch (error) {
          if (!isNotFound(error)) {
            yield failed(object as Manifest, error, signal);
            continue;
          }
        }
        yield { outcome: 'pruned', object: object as Manifest };
      }
    }
  }
}

function isAppliedBy({ metadata }: KubernetesObject, fieldManager: string): boolean {
  const entries = metadata?.managedFields ?? [];
  return entries.some(
    ({ manager, operation }) => manager === fieldManager && operation === 'Apply',
  );
}
