/**
 * Conditions for {@link waitFor}, and functions to combine them.
 *
 * @module
 */

import type { CustomResourceDefinition } from '../api/apiextensions/v1.ts';
import type { Deployment } from '../api/apps/v1.ts';
import type { Job } from '../api/batch/v1.ts';
import type { Pod } from '../api/core/v1.ts';
import { findStatusCondition } from '../meta/conditions.ts';
import type { KubernetesObject } from '../meta/types.ts';

/** A condition on the current state of an object; undefined while it does not exist. */
export type WaitCondition<T> = (object: T | undefined) => boolean;

/**
 * A condition that only an existing object can meet. It keeps the type of what it is called with: a
 * condition on a `Pod` proves that a `Stored<Pod>` exists.
 */
export type ExistingCondition<T> = <O extends T>(object: O | undefined) => object is O;

/** {@link ExistingCondition} for one type: what a condition that is written by hand is. */
export type Exists<T> = (object: T | undefined) => object is T;

interface AnyStatus {
  readonly observedGeneration?: number | undefined;
  readonly conditions?: readonly AnyCondition[] | undefined;
}

interface AnyCondition {
  readonly type: string;
  readonly status: string;
  readonly observedGeneration?: number | undefined;
}

/**
 * The condition of this type is `True` in `status.conditions` and was observed at the current
 * generation, as with `kubectl wait`.
 */
export function conditionTrue(type: string): ExistingCondition<KubernetesObject> {
  const check = <T extends KubernetesObject>(object: T | undefined): object is T => {
    if (object === undefined) return false;
    const { conditions, observedGeneration } = (object as { status?: AnyStatus }).status ?? {};
    const found = findStatusCondition(conditions, type);
    const observed = found?.observedGeneration ?? observedGeneration ?? Infinity;
    return found?.status === 'True' && observed >= (object.metadata?.generation ?? 0);
  };
  return describe(check, `condition ${type}`);
}

/** The pod is ready: all its containers and readiness gates are. */
export const podReady: ExistingCondition<Pod> = describe(conditionTrue('Ready'), 'podReady');

/** The deployment has the minimum number of available pods of its current spec. */
export const deploymentAvailable: ExistingCondition<Deployment> = describe(
  conditionTrue('Available'),
  'deploymentAvailable',
);

/** The job has completed. A failed job never does: see {@link jobFailed}. */
export const jobComplete: ExistingCondition<Job> = describe(
  conditionTrue('Complete'),
  'jobComplete',
);

/** The job has failed. `or(jobComplete, jobFailed)` waits for its end. */
export const jobFailed: ExistingCondition<Job> = describe(conditionTrue('Failed'), 'jobFailed');

/** The server serves the custom resource of the definition. */
export const crdEstablished: ExistingCondition<CustomResourceDefinition> = describe(
  conditionTrue('Established'),
  'crdEstablished',
);

/** The object exists. */
export function exists<T extends KubernetesObject>(object: T | undefined): object is T {
  return object !== undefined;
}

/**
 * The object does not exist. With a uid, another object of the same name counts as deleted too;
 * without one, a deletion that is followed by a creation can be missed.
 */
export function deleted(uid?: string): WaitCondition<KubernetesObject> {
  return describe(
    (object: KubernetesObject | undefined) =>
      object === undefined || (uid !== undefined && object.metadata?.uid !== uid),
    'deleted',
  );
}

/** All conditions hold at the same time. */
export function and<T>(
  first: ExistingCondition<T>,
  ...others: readonly WaitCondition<NoInfer<T>>[]
): ExistingCondition<T>;
export function and<T>(
  first: Exists<T>,
  ...others: readonly WaitCondition<NoInfer<T>>[]
): Exists<T>;
export function and<T>(...conditions: readonly WaitCondition<T>[]): WaitCondition<T>;
export function and<T>(...conditions: readonly WaitCondition<T>[]): WaitCondition<T> {
  return describe(
    (object: T | undefined) => conditions.every((condition) => condition(object)),
    joined(conditions, ' and '),
  );
}

/** At least one of the conditions holds. */
export function or<T>(...conditions: readonly ExistingCondition<T>[]): ExistingCondition<T>;
export function or<T>(...conditions: readonly Exists<T>[]): Exists<T>;
export function or<T>(...conditions: readonly WaitCondition<T>[]): WaitCondition<T>;
export function or<T>(...conditions: readonly WaitCondition<T>[]): WaitCondition<T> {
  return describe(
    (object: T | undefined) => conditions.some((condition) => condition(object)),
    joined(conditions, ' or '),
  );
}

/** The condition does not hold. It is called for objects that do not exist, too. */
export function not<T>(condition: WaitCondition<T>): WaitCondition<T> {
  return describe((object: T | undefined) => !condition(object), `not ${condition.name}`);
}

function joined(conditions: readonly ((object: never) => boolean)[], word: string): string {
  return `(${conditions.map(({ name }) => name || 'a condition').join(word)})`;
}

/** Returns the condition under the name that the timeout error shows. */
function describe<F extends (object: never) => boolean>(condition: F, name: string): F {
  // Wrapped, because one function can be used under several names.
  const wrapper = (object: never): boolean => condition(object);
  return Object.defineProperty(wrapper, 'name', { value: name }) as F;
}
