import type { Scale } from '../api/autoscaling/v1.ts';
import { type Mappable } from '../discovery/rest-mapper.ts';
import { ScaleClient } from '../discovery/scale-client.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import type { Stored } from '../rest/object-types.ts';
import { retryOnConflict } from '../wait/retry.ts';
import { OperationsError } from './operations-error.ts';
import type { OperationOptions } from './rollout.ts';

/** Options of {@link scale}. */
export interface ScaleOptions extends OperationOptions {
  /** Default: that of the client. */
  readonly namespace?: string | undefined;
  /** Scale only if there are so many replicas now; else `OPERATIONS_REPLICAS_CHANGED`. */
  readonly ifReplicas?: number | undefined;
}

/**
 * Sets the number of replicas of any scalable object, built-in or custom, and returns its scale.
 * Repeats after a conflict.
 *
 * ```ts
 * await scale(client, 'deployments.apps', 'web', 3);
 * ```
 */
export async function scale(
  client: Clientset,
  resource: Mappable,
  name: string,
  replicas: number,
  options: ScaleOptions = {},
): Promise<Stored<Scale>> {
  const { namespace = client.namespace, ifReplicas, ...request } = options;
  const scales = new ScaleClient(client.rest, client.mapper).scales(namespace);
  const { signal } = request;
  return await retryOnConflict(async () => {
    const current = await scales.get(resource, name, { signal });
    const found = current.spec?.replicas ?? 0;
    if (ifReplicas !== undefined && found !== ifReplicas) {
      const message = `"${name}" has ${found} replicas, expected ${ifReplicas}`;
      throw new OperationsError('OPERATIONS_REPLICAS_CHANGED', message);
    }
    return await scales.update(
      resource,
      { ...current, spec: { ...current.spec, replicas } },
      request,
    );
  });
}
