/**
 * Conditions for {@link waitFor}, and functions to combine them.
 *
 * @module
 */

import type { CustomResourceDefinition } from '../api/apiextensions/v1.ts';
import type { APIService } from '../api/apiregistration/v1.ts';
import type { Deployment } from '../api/apps/v1.ts';
import type { Job } from '../api/batch/v1.ts';
import type { Namespace, Node, PersistentVolumeClaim, Pod, Service } from '../api/core/v1.ts';
import type { Ingress } from '../api/networking/v1.ts';
import { JSONPathError, relaxedJSONPath } from '../jsonpath/index.ts';
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
  return describe(conditionIs(type, 'True'), `condition ${type}`);
}

/**
 * The condition of this type has this status and was observed at the current generation: `kubectl
 * wait --for=condition=Ready=False`. As there, upper and lower case are the same.
 */
export function conditionIs(type: string, status: string): ExistingCondition<KubernetesObject> {
  const isType = sameIgnoringCase(type);
  const isStatus = sameIgnoringCase(status);
  const check = <T extends KubernetesObject>(object: T | undefined): object is T => {
    if (object === undefined) return false;
    const { conditions, observedGeneration } = (object as { status?: AnyStatus }).status ?? {};
    const found = conditions?.find((condition) => isType(condition.type));
    const observed = found?.observedGeneration ?? observedGeneration ?? Infinity;
    return isStatus(found?.status ?? '') && observed >= (object.metadata?.generation ?? 0);
  };
  return describe(check, `condition ${type}=${status}`);
}

function sameIgnoringCase(wanted: string): (text: string) => boolean {
  const lower = wanted.toLowerCase();
  return (text) => text.toLowerCase() === lower;
}

/**
 * The JSONPath selects a value, and this one if it is given: `kubectl wait
 * --for=jsonpath='{.status.phase}'=Running`. Braces and the first dot may be left out. A missing
 * field is not yet a match. A path that selects several values, or an object or list to compare with
 * a text, is a `JSONPathError`.
 *
 * ```ts
 * await waitFor(services, 'web', conditions.jsonPath('{.status.loadBalancer.ingress}'));
 * ```
 */
export function jsonPath(path: string, value?: string): ExistingCondition<KubernetesObject> {
  const parsed = relaxedJSONPath(path, { allowMissingKeys: true });
  const check = <T extends KubernetesObject>(object: T | undefined): object is T => {
    const results = object === undefined ? [] : parsed.findResults(object);
    const [values = []] = results;
    if (values.length === 0) return false;
    if (value === undefined) return true;
    if (results.length > 1) throw new JSONPathError('the path matches more than one list');
    if (values.length > 1) throw new JSONPathError('the path matches more than one value');
    if (typeof values[0] === 'object' && values[0] !== null) {
      throw new JSONPathError('the path leads to an object or list, which has no text to compare');
    }
    return parsed.execute(object).trim() === value.trim();
  };
  return describe(check, value === undefined ? path : `${path}=${value}`);
}

/** The pod's containers have been created and at least one runs: `status.phase` is `Running`. */
export const podRunning: ExistingCondition<Pod> = phase('Running', 'podRunning');

/** All containers of the pod have exited with 0 and will not be restarted. */
export const podSucceeded: ExistingCondition<Pod> = phase('Succeeded', 'podSucceeded');

/** All containers of the pod have exited, at least one with an error, and will not be restarted. */
export const podFailed: ExistingCondition<Pod> = phase('Failed', 'podFailed');

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

/** The job has no active pods and keeps its spec: `spec.suspend` has taken effect. */
export const jobSuspended: ExistingCondition<Job> = describe(
  conditionTrue('Suspended'),
  'jobSuspended',
);

/** The kubelet of the node is healthy and accepts pods. */
export const nodeReady: ExistingCondition<Node> = describe(conditionTrue('Ready'), 'nodeReady');

/** The namespace accepts objects. */
export const namespaceActive: ExistingCondition<Namespace> = phase('Active', 'namespaceActive');

/** The claim has its volume. */
export const persistentVolumeClaimBound: ExistingCondition<PersistentVolumeClaim> = phase(
  'Bound',
  'persistentVolumeClaimBound',
);

/** The load balancer of the service or ingress has an address. */
export const loadBalancerReady: ExistingCondition<Ingress | Service> = describe(
  jsonPath('{.status.loadBalancer.ingress[*]}'),
  'loadBalancerReady',
);

/** The API server reaches the server behind an aggregated API, such as that of metrics. */
export const apiServiceAvailable: ExistingCondition<APIService> = describe(
  conditionTrue('Available'),
  'apiServiceAvailable',
);

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

function phase(wanted: string, name: string): ExistingCondition<KubernetesObject> {
  const check = <T extends KubernetesObject>(object: T | undefined): object is T =>
    (object as { status?: { phase?: string } } | undefined)?.status?.phase === wanted;
  return describe(check, name);
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
