import type { ControllerRevision, Deployment, ReplicaSet } from '../api/apps/v1.ts';
import type { PodTemplateSpec } from '../api/core/v1.ts';
import type { Clientset } from '../kubernetes/clientset.ts';
import { jsonEqual, type JsonValue } from '../lib/json.ts';
import { getControllerOf } from '../meta/object.ts';
import { formatTime } from '../meta/time.ts';
import type { KubernetesObject } from '../meta/types.ts';
import type { MergePatch } from '../rest/object-types.ts';
import { OperationsError } from './operations-error.ts';
import { placeOf, type PlacedWorkload, type WorkloadRef } from './workload.ts';

/** Options of operations that send requests. */
export interface OperationOptions {
  /** The name of the program in managed fields. */
  readonly fieldManager?: string | undefined;
  /** The server answers as if, and stores nothing. Default false. */
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A version of a workload's template. */
export interface Revision {
  readonly revision: number;
  /** The annotation `kubernetes.io/change-cause`; empty if there is none. */
  readonly changeCause: string;
  /** The pod template. Undefined for a DaemonSet or StatefulSet, which keep a patch of it. */
  readonly template?: PodTemplateSpec | undefined;
}

const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';
const REVISION = 'deployment.kubernetes.io/revision';
const CHANGE_CAUSE = 'kubernetes.io/change-cause';
const TEMPLATE_HASH = 'pod-template-hash';

/**
 * Replaces all pods of a workload by new ones of the same template, as `kubectl rollout restart`
 * does: with an annotation in the template.
 */
export async function restartRollout(
  client: Clientset,
  workload: WorkloadRef,
  options: OperationOptions = {},
): Promise<void> {
  const place = placeOf(client, workload);
  const { spec } = await place.client.get(place.name, { signal: options.signal });
  if (spec?.paused === true) throw paused(place, 'restarted');
  const annotations = { [RESTARTED_AT]: formatTime(client.rest.clock.now()) };
  await patch(place, { spec: { template: { metadata: { annotations } } } }, options);
}

/** Stops the rollout of a Deployment: changes of its template have no effect until it is resumed. */
export async function pauseRollout(
  client: Clientset,
  deployment: WorkloadRef,
  options: OperationOptions = {},
): Promise<void> {
  await patch(placeOf(client, deployment), { spec: { paused: true } }, options);
}

/** Resumes the rollout of a paused Deployment. */
export async function resumeRollout(
  client: Clientset,
  deployment: WorkloadRef,
  options: OperationOptions = {},
): Promise<void> {
  await patch(placeOf(client, deployment), { spec: { paused: false } }, options);
}

/** Returns the revisions of a workload that the cluster keeps, oldest first. */
export async function rolloutHistory(
  client: Clientset,
  workload: WorkloadRef,
  { signal }: Pick<OperationOptions, 'signal'> = {},
): Promise<Revision[]> {
  const found = await storedRevisions(client, placeOf(client, workload), signal);
  return found.map(({ patch: _, ...revision }) => revision);
}

/** Options of {@link undoRollout}. */
export interface UndoOptions extends OperationOptions {
  /** The revision to return to. Default: the one before the current one. */
  readonly toRevision?: number | undefined;
}

/**
 * Returns a workload to an earlier revision, and returns that. The rollout is a new revision with
 * the old template. Throws `OPERATIONS_REVISION_NOT_FOUND` if the cluster does not keep it, and
 * `OPERATIONS_ROLLOUT_UNSUPPORTED` for a paused Deployment.
 */
export async function undoRollout(
  client: Clientset,
  workload: WorkloadRef,
  { toRevision, ...options }: UndoOptions = {},
): Promise<Revision> {
  const place = placeOf(client, workload);
  const { signal } = options;
  const object = await place.client.get(place.name, { signal });
  if (object.spec?.paused === true) throw paused(place, 'rolled back');
  const revisions = await storedRevisions(client, place, signal);
  const wanted =
    toRevision === undefined
      ? revisions.at(-2)
      : revisions.find(({ revision }) => revision === toRevision);
  if (wanted === undefined) {
    const which = toRevision === undefined ? 'an earlier revision' : `the revision ${toRevision}`;
    const message = `${which} of ${place.kind} "${place.name}" is not kept`;
    throw new OperationsError('OPERATIONS_REVISION_NOT_FOUND', message);
  }
  const { patch: body, ...revision } = wanted;
  if (revision.template === undefined) {
    await place.client.patch(place.name, body as never, { type: 'strategic', ...options });
  } else {
    const template = withoutHash(revision.template);
    if (isEqual(template, withoutHash(object.spec?.template ?? template))) return revision;
    const operation = {
      op: 'replace',
      path: '/spec/template',
      value: template as JsonValue,
    } as const;
    await place.client.patch(place.name, [operation], { type: 'json', ...options });
  }
  return revision;
}

interface StoredRevision extends Revision {
  /** The strategic patch that a ControllerRevision keeps. */
  readonly patch: unknown;
}

async function storedRevisions(
  client: Clientset,
  { kind, name, namespace, client: resource }: PlacedWorkload,
  signal: AbortSignal | undefined,
): Promise<StoredRevision[]> {
  const { metadata } = await resource.get(name, { signal });
  const isOwned = (object: KubernetesObject): boolean =>
    getControllerOf(object)?.uid === metadata.uid;
  const { appsV1 } = client;
  const found =
    kind === 'Deployment'
      ? (await appsV1.replicaSets(namespace).listAll({ signal }).toList()).items
          .filter(isOwned)
          .map(ofReplicaSet)
      : (await appsV1.controllerRevisions(namespace).listAll({ signal }).toList()).items
          .filter(isOwned)
          .map(ofControllerRevision);
  return found.filter(({ revision }) => revision > 0).sort((a, b) => a.revision - b.revision);
}

function ofReplicaSet({ metadata, spec }: ReplicaSet): StoredRevision {
  const annotations = new Map(Object.entries(metadata?.annotations ?? {}));
  return {
    revision: Number(annotations.get(REVISION) ?? 0),
    changeCause: annotations.get(CHANGE_CAUSE) ?? '',
    template: spec?.template ?? {},
    patch: undefined,
  };
}

function ofControllerRevision({ metadata, revision, data }: ControllerRevision): StoredRevision {
  const annotations = new Map(Object.entries(metadata?.annotations ?? {}));
  return { revision, changeCause: annotations.get(CHANGE_CAUSE) ?? '', patch: data };
}

/** The label with the hash is the ReplicaSet's own. */
function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const labels = Object.entries(template.metadata?.labels ?? {});
  const kept = Object.fromEntries(labels.filter(([key]) => key !== TEMPLATE_HASH));
  return { ...template, metadata: { ...template.metadata, labels: kept } };
}

function isEqual(left: PodTemplateSpec, right: PodTemplateSpec): boolean {
  return jsonEqual(left, right);
}

function paused({ kind, name }: PlacedWorkload, what: string): OperationsError {
  const message = `${kind} "${name}" is paused and cannot be ${what}`;
  const hint = 'Resume it first.';
  return new OperationsError('OPERATIONS_ROLLOUT_UNSUPPORTED', message, { hint });
}

async function patch(
  { client, name }: PlacedWorkload,
  body: MergePatch<Deployment>,
  options: OperationOptions,
): Promise<void> {
  await client.patch(name, body, { type: 'merge', ...options });
}
