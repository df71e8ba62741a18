import type { Scale } from 'client-ts/api/autoscaling/v1';
import { cloneJson, getKey, isJsonObject, type JsonObject, setKey } from 'client-ts/internal';
import {
  type KubernetesObject,
  labelMatcherFromSet,
  type LabelSelector,
  labelSelectorAsSelector,
  newBadRequest,
  newConflict,
  newUnknownError,
} from 'client-ts/meta';
import { type FieldError, invalidObject } from '../validation/field-error.ts';
import type { Loose } from '../validation/loose.ts';
import { nonNegative, validateObjectMeta } from '../validation/object-meta.ts';
import {
  ageColumn,
  column,
  integer,
  type Printable,
  type Printer,
  printer,
} from './printers/printer.ts';

/*
 * The `/scale` subresource of built-in and custom resources.
 */

type LooseScale = Loose<Scale>;

/** The replica paths of a kind, such as `.spec.replicas` in a CRD. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  /**
   * The path of the selector text in custom resources; absent for built-in kinds, which use
   * `.spec.selector`.
   */
  readonly labelSelectorPath?: string | undefined;
}

/** The paths of built-in kinds. */
export const builtInScalePaths: ScalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
};

/** Returns the scale of a Deployment, ReplicaSet, StatefulSet or ReplicationController. */
export function scaleOf(parent: KubernetesObject): Scale {
  const { specReplicasPath, statusReplicasPath } = builtInScalePaths;
  return buildScale(
    parent,
    numberAt(parent, specReplicasPath) ?? 0,
    numberAt(parent, statusReplicasPath) ?? 0,
    selectorText(parent),
  );
}

/** Returns the scale of a custom resource, by the paths of its definition. */
export function scaleOfCustomResource(parent: KubernetesObject, paths: ScalePaths): Scale {
  const { labelSelectorPath } = paths;
  const selector = labelSelectorPath === undefined ? undefined : valueAt(parent, labelSelectorPath);
  return buildScale(
    parent,
    numberAt(parent, paths.specReplicasPath) ?? 0,
    numberAt(parent, paths.statusReplicasPath) ?? 0,
    typeof selector === 'string' ? selector : '',
  );
}

function buildScale(
  { metadata = {} }: KubernetesObject,
  replicas: number,
  current: number,
  selector: string,
): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: current, ...(selector !== '' && { selector }) },
  };
}

/** Built-in kinds have a LabelSelector, ReplicationControllers a map of labels. */
function selectorText(parent: KubernetesObject): string {
  const { selector } = (parent as { spec?: { selector?: unknown } }).spec ?? {};
  if (parent.kind === 'ReplicationController') {
    return labelMatcherFromSet(selector as Record<string, string>).toString();
  }
  return labelSelectorAsSelector(selector as LabelSelector | undefined).toString();
}

/** The scaled resource, for messages. */
export interface ScaledResource {
  readonly group: string;
  readonly resource: string;
}

/**
 * Returns the parent with the replicas of a scale, ready to be updated under the usual rules. It
 * has the resourceVersion of the scale, so a stale one is a conflict. Throws a 422 for an invalid
 * scale, and a 409 for a scale of another object.
 */
export function applyScale<T extends KubernetesObject>(
  parent: T,
  scale: LooseScale,
  resource: ScaledResource,
): T {
  const name = parent.metadata?.name ?? '';
  const findings = validateScale(scale);
  if (findings.length > 0) {
    const kind = { group: 'autoscaling', kind: 'Scale' };
    throw invalidObject(kind, name, findings);
  }
  const uid = scale.metadata?.uid ?? '';
  const own = parent.metadata?.uid ?? '';
  if (uid !== '' && uid !== own) {
    throw newConflict(
      { group: resource.group, resource: `${resource.resource}/scale` },
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${own}`,
    );
  }
  return withReplicas(parent, builtInScalePaths.specReplicasPath, scale);
}

/** Returns a custom resource with the replicas of a scale, which must be set in one of the two. */
export function applyScaleToCustomResource<T extends KubernetesObject>(
  parent: T,
  scale: LooseScale,
  { specReplicasPath }: ScalePaths,
): T {
  const wasSet = numberAt(parent, specReplicasPath) !== undefined;
  if (!wasSet && scale.spec?.replicas === undefined) {
    const path = JSON.stringify(specReplicasPath);
    throw newBadRequest(`the spec replicas field ${path} cannot be empty`);
  }
  return withReplicas(parent, specReplicasPath, scale);
}

function withReplicas<T extends KubernetesObject>(
  parent: T,
  path: string,
  { metadata = {}, spec = {} }: LooseScale,
): T {
  const scaled = cloneJson(parent);
  setAt(scaled as unknown as JsonObject, stepsOf(path), spec.replicas ?? 0);
  const own = (scaled.metadata ??= {});
  // A scale without a resourceVersion applies to any version.
  const { resourceVersion = '' } = metadata;
  if (resourceVersion !== '') own.resourceVersion = resourceVersion;
  return scaled;
}

function validateScale(scale: LooseScale): FieldError[] {
  return [
    ...validateObjectMeta(scale.metadata, { namespaced: true }),
    ...nonNegative(scale.spec?.replicas, 'spec.replicas'),
  ];
}

function stepsOf(path: string): string[] {
  return path.split('.').filter((step) => step !== '');
}

function valueAt(object: KubernetesObject, path: string): unknown {
  let value: unknown = object;
  for (const step of stepsOf(path)) value = isJsonObject(value) ? getKey(value, step) : undefined;
  return value;
}

function numberAt(object: KubernetesObject, path: string): number | undefined {
  const value = valueAt(object, path);
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number') {
    const found = typeof value === 'boolean' ? 'bool' : typeof value;
    throw newUnknownError(
      `${path} accessor error: ${JSON.stringify(value)} is of the type ${found}, expected int64`,
    );
  }
  return value;
}

function setAt(object: JsonObject, [step, ...rest]: readonly string[], value: number): void {
  if (step === undefined) return;
  if (rest.length === 0) {
    setKey(object, step, value);
    return;
  }
  const inner = getKey(object, step);
  const next = isJsonObject(inner) ? inner : {};
  setKey(object, step, next);
  setAt(next, rest, value);
}

/** The table of Scales of built-in kinds. */
export const scalePrinter: Printer<Printable<Scale>> = printer([
  // Unlike in other tables, the format of this column is empty.
  column('Name', 'Name of the scaled object', ({ metadata }) => metadata?.name ?? ''),
  column('Desired', 'Number of desired replicas', ({ spec }) => spec?.replicas ?? 0, integer),
  column('Available', 'Number of current replicas', ({ status }) => status?.replicas ?? 0, integer),
  ageColumn(),
]);
