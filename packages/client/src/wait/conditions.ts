import type { CustomResourceDefinition } from '../api/apiextensions/v1.ts';
import type { Deployment } from '../api/apps/v1.ts';
import type { Job } from '../api/batch/v1.ts';
import type { Pod } from '../api/core/v1.ts';
import { findStatusCondition } from '../meta/conditions.ts';
import type { KubernetesObject } from '../meta/types.ts';

/** What is waited for, asked of the object as it is now; undefined if there is none. */
export type WaitCondition<T> = (object: T | undefined) => boolean;

/** A condition that only an object which exists can meet. */
export type ExistingCondition<T> = (object: T | undefined) => object is T;

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
 * The condition of this type is `True` in `status.conditions`, and not about an older spec: what a
 * controller said before it saw the last change does not count, as with `kubectl wait`.
 */
export function conditionTrue(
  type: string,
): <T extends KubernetesObject>(object: T | undefined) => object is T {
  const check = <T extends KubernetesObject>(object: T | undefined): object is T => {
    if (object === undefined) return false;
    const { conditions, observedGeneration } = (object as { status?: AnyStatus }).status ?? {};
    const found = findStatusCondition(conditions, type);
    const observed = found?.observedGeneration ?? observedGeneration ?? Infinity;
    return found?.status === 'True' && observed >= (object.metadata?.generation ?? 0);
  };
  return describe(check, `condition ${type}`);
}

/** All containers of the pod are ready. */
export const podReady: ExistingCondition<Pod> = describe(conditionTrue('Ready'), 'podReady');

/** Enough pods of the deployment, as its last spec wants them, are there. */
export const deploymentAvailable: ExistingCondition<Deployment> = describe(
  conditionTrue('Available'),
  'deploymentAvailable',
);

/** The job has done what it had to. One that failed never gets there: see {@link jobFailed}. */
export const jobComplete: ExistingCondition<Job> = describe(
  conditionTrue('Complete'),
  'jobComplete',
);

/** The job has given up. `or(jobComplete, jobFailed)` waits for its end, whichever it is. */
export const jobFailed: ExistingCondition<Job> = describe(conditionTrue('Failed'), 'jobFailed');

/** The server serves the custom resource. */
export const crdEstablished: ExistingCondition<CustomResourceDefinition> = describe(
  conditionTrue('Established'),
  'crdEstablished',
);

/** The object exists. */
export function exists<T extends KubernetesObject>(object: T | undefined): object is T {
  return object !== undefined;
}

/**
 * The object is gone. With a uid, another object of the same name counts as gone too: without, a
 * quick delete and create in between would be waited for in vain.
 */
export function deleted(uid?: string): WaitCondition<KubernetesObject> {
  return describe(
    (object: KubernetesObject | undefined) =>
      object === undefined || (uid !== undefined && object.metadata?.uid !== uid),
    'deleted',
  );
}

/** All of the conditions hold at the same time. */
export function and<T>(
  first: ExistingCondition<T>,
  ...others: readonly WaitCondition<T>[]
): ExistingCondition<T>;
export function and<T>(...conditions: readonly WaitCondition<T>[]): WaitCondition<T>;
export function and<T>(...conditions: readonly WaitCondition<T>[]): WaitCondition<T> {
  return describe(
    (object: T | undefined) => conditions.every((condition) => condition(object)),
    joined(conditions, ' and '),
  );
}

/** At least one of the conditions holds. */
export function or<T>(...conditions: readonly ExistingCondition<T>[]): ExistingCondition<T>;
export function or<T>(...conditions: readonly WaitCondition<T>[]): WaitCondition<T>;
export function or<T>(...conditions: readonly WaitCondition<T>[]): WaitCondition<T> {
  return describe(
    (object: T | undefined) => conditions.some((condition) => condition(object)),
    joined(conditions, ' or '),
  );
}

/** The condition does not hold. It does not hold for an object that does not exist either. */
export function not<T>(condition: WaitCondition<T>): WaitCondition<T> {
  return describe((object: T | undefined) => !condition(object), `not ${condition.name}`);
}

function joined(conditions: readonly ((object: never) => boolean)[], word: string): string {
  return `(${conditions.map(({ name }) => name || 'a condition').join(word)})`;
}

/** Gives a condition the name that a message about a wait in vain has for it. */
function describe<F extends (object: never) => boolean>(condition: F, name: string): F {
  // Wrapped, so that the name of one function can be given to several.
  const wrapper = (object: never): boolean => condition(object);
  return Object.defineProperty(wrapper, 'name', { value: name }) as F;
}
