import type { DeleteOptions } from 'client-ts/meta';
import { formatTime, parseTime } from 'client-ts/meta';
import type { ApiObject } from './object.ts';

export const ORPHAN_FINALIZER = 'orphan';
export const FOREGROUND_FINALIZER = 'foregroundDeletion';

/** What a DELETE does to the object that it found. */
export type DeletionStep =
  /** Remove it now. With `update`, watchers see this last version first (a pod's grace of 0). */
  | { readonly kind: 'remove'; readonly update?: ApiObject }
  /** Keep it, marked: finalizers or a grace period have to run out. */
  | { readonly kind: 'mark'; readonly update: ApiObject }
  /** Nothing changes: it is already being deleted, no later than was asked for. */
  | { readonly kind: 'pending' };

/** How a kind takes part in deletion. */
export interface DeletionRules {
  /** Present on kinds that are deleted gracefully: the grace period that will be used. */
  readonly gracePeriodSeconds?: (object: ApiObject, wanted: number | undefined) => number;
  /** False for kinds that nothing depends on (Events): propagation is ignored. */
  readonly garbageCollected: boolean;
}

/**
 * Decides how a deletion goes on. Pure: `object` is a copy that belongs to the request, and is
 * handed back changed inside the step.
 */
export function planDeletion(
  object: ApiObject,
  options: DeleteOptions,
  rules: DeletionRules,
  nowMs: number,
): DeletionStep {
  const { metadata } = object;
  const finalizersBefore = metadata.finalizers ?? [];
  const finalizers = rules.garbageCollected
    ? finalizersFor(finalizersBefore, options)
    : finalizersBefore;
  const finalizersChange = finalizers.join() !== finalizersBefore.join();

  if (rules.gracePeriodSeconds !== undefined) {
    const graceful = planGraceful(object, options, rules.gracePeriodSeconds, nowMs);
    if (graceful === 'pending') return { kind: 'pending' };
    if (graceful === 'updated') {
      setFinalizers(object, finalizers);
      const remains = finalizers.length > 0 || (metadata.deletionGracePeriodSeconds ?? 0) > 0;
      return { kind: remains ? 'mark' : 'remove', update: object };
    }
  }
  if (finalizersBefore.length === 0 && !finalizersChange) return { kind: 'remove' };
  setFinalizers(object, finalizers);
  if (finalizers.length === 0) return { kind: 'remove' };
  markAsDeleting(object, nowMs);
  return { kind: 'mark', update: object };
}

/** True when an update took away the last thing that kept a deleted object alive. */
export function isReadyToRemove(object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  return (
    deletionTimestamp !== undefined &&
    (finalizers ?? []).length === 0 &&
    (deletionGracePeriodSeconds ?? 0) === 0
  );
}

function planGraceful(
  object: ApiObject,
  options: DeleteOptions,
  gracePeriodSeconds: (object: ApiObject, wanted: number | undefined) => number,
  nowMs: number,
): 'immediate' | 'pending' | 'updated' {
  const { metadata } = object;
  const wanted = options.gracePeriodSeconds;
  if (metadata.deletionTimestamp !== undefined) {
    const current = metadata.deletionGracePeriodSeconds;
    if (current === undefined) return 'immediate';
    // A running grace period can only be shortened.
    if (wanted === undefined || wanted >= current) return 'pending';
    const period = Math.max(0, wanted);
    metadata.deletionTimestamp = formatTime(
      parseTime(metadata.deletionTimestamp) - (current - period) * 1000,
    );
    metadata.deletionGracePeriodSeconds = period;
    return 'updated';
  }
  const period = gracePeriodSeconds(object, wanted);
  metadata.deletionTimestamp = formatTime(nowMs + period * 1000);
  metadata.deletionGracePeriodSeconds = period;
  bumpGeneration(object);
  return 'updated';
}

function markAsDeleting(object: ApiObject, nowMs: number): void {
  const { metadata } = object;
  if (metadata.deletionTimestamp === undefined) {
    metadata.deletionTimestamp = formatTime(nowMs);
    bumpGeneration(object);
  }
  metadata.deletionGracePeriodSeconds = 0;
}

function bumpGeneration({ metadata }: ApiObject): void {
  if ((metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1;
}

function setFinalizers({ metadata }: ApiObject, finalizers: readonly string[]): void {
  if (finalizers.length === 0) delete metadata.finalizers;
  else metadata.finalizers = [...finalizers];
}

/** The finalizers that tell the garbage collector what to do with dependents. */
function finalizersFor(current: readonly string[], options: DeleteOptions): readonly string[] {
  const policy = propagation(current, options);
  const others = current.filter(
    (name) => name !== ORPHAN_FINALIZER && name !== FOREGROUND_FINALIZER,
  );
  const wanted =
    policy === 'Orphan' ? ORPHAN_FINALIZER : policy === 'Foreground' ? FOREGROUND_FINALIZER : '';
  if (wanted === '') return others.length === current.length ? current : others;
  return current.includes(wanted) && others.length === current.length - 1
    ? current
    : [...others, wanted];
}

function propagation(current: readonly string[], options: DeleteOptions): string {
  if (options.orphanDependents !== undefined) {
    return options.orphanDependents ? 'Orphan' : 'Background';
  }
  if (options.propagationPolicy !== undefined) return options.propagationPolicy;
  if (current.includes(ORPHAN_FINALIZER)) return 'Orphan';
  return current.includes(FOREGROUND_FINALIZER) ? 'Foreground' : 'Background';
}
