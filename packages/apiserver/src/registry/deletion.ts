import { type DeleteOptions, formatTime, parseTime } from 'client-ts/meta';

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

/** What becomes of dependents if nobody says; `None` for kinds that nothing depends on. */
export type DefaultPropagation = 'Background' | 'None' | 'Orphan';

/** How a kind takes part in deletion. */
export interface DeletionRules {
  /** Present on kinds that are deleted gracefully: the grace period that will be used. */
  readonly gracePeriodSeconds?: (object: ApiObject, wanted: number | undefined) => number;
  readonly propagation: DefaultPropagation;
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
  const grace = startGrace(object, options, rules, nowMs);
  // The finalizers too stay as the first deletion set them, as long as its grace runs.
  if (grace === 'running') return { kind: 'pending' };
  const finalizers = finalizersFor(object.metadata.finalizers ?? [], options, rules);
  setFinalizers(object, finalizers);
  if (grace === 'started') {
    const remains = finalizers.length > 0 || (object.metadata.deletionGracePeriodSeconds ?? 0) > 0;
    return { kind: remains ? 'mark' : 'remove', update: object };
  }
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

/**
 * Starts or shortens the grace period. `none`: the kind has no such thing, or the time is up;
 * `running`: an earlier deletion is waited for, and this one changes nothing.
 */
function startGrace(
  object: ApiObject,
  options: DeleteOptions,
  { gracePeriodSeconds }: DeletionRules,
  nowMs: number,
): 'none' | 'running' | 'started' {
  if (gracePeriodSeconds === undefined) return 'none';
  const { metadata } = object;
  const wanted = atLeastASecondIfNegative(options.gracePeriodSeconds);
  if (metadata.deletionTimestamp === undefined) {
    const period = gracePeriodSeconds(object, wanted);
    metadata.deletionTimestamp = formatTime(nowMs + period * 1000);
    metadata.deletionGracePeriodSeconds = period;
    bumpGeneration(object);
    return 'started';
  }
  const current = atLeastASecondIfNegative(metadata.deletionGracePeriodSeconds) ?? 0;
  if (current === 0) return 'none';
  // A grace period that runs can only be shortened.
  if (wanted === undefined || wanted >= current) return 'running';
  const end = parseTime(metadata.deletionTimestamp) - (current - wanted) * 1000;
  const isOver = end < nowMs;
  metadata.deletionTimestamp = formatTime(isOver ? nowMs : end);
  // Whoever asked for some grace gets some: the last word is a deletion with none.
  metadata.deletionGracePeriodSeconds = isOver && wanted !== 0 ? 1 : wanted;
  return 'started';
}

function atLeastASecondIfNegative(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds < 0 ? 1 : seconds;
}

function markAsDeleting(object: ApiObject, nowMs: number): void {
  const { metadata } = object;
  if (metadata.deletionTimestamp === undefined) bumpGeneration(object);
  if (metadata.deletionTimestamp === undefined || parseTime(metadata.deletionTimestamp) > nowMs) {
    metadata.deletionTimestamp = formatTime(nowMs);
  }
  metadata.deletionGracePeriodSeconds = 0;
}

function bumpGeneration({ metadata }: ApiObject): void {
  const { generation = 0 } = metadata;
  if (generation > 0) metadata.generation = generation + 1;
}

function setFinalizers({ metadata }: ApiObject, finalizers: readonly string[]): void {
  if (finalizers.length === 0) delete metadata.finalizers;
  else metadata.finalizers = [...finalizers];
}

/** Others' finalizers, and the one that tells the garbage collector what to do with dependents. */
function finalizersFor(
  current: readonly string[],
  options: DeleteOptions,
  rules: DeletionRules,
): readonly string[] {
  const policy = policyFor(current, options, rules);
  const others = current.filter(
    (name) => name !== ORPHAN_FINALIZER && name !== FOREGROUND_FINALIZER,
  );
  if (policy !== 'Foreground' && policy !== 'Orphan') return others;
  const own = policy === 'Orphan' ? ORPHAN_FINALIZER : FOREGROUND_FINALIZER;
  const isAlreadyThere = current.includes(own) && others.length === current.length - 1;
  return isAlreadyThere ? current : [...others, own];
}

/** The request decides, else what an earlier one left on the object, else the kind. */
function policyFor(
  current: readonly string[],
  { orphanDependents, propagationPolicy }: DeleteOptions,
  { propagation }: DeletionRules,
): string {
  if (propagation === 'None') return propagation;
  if (orphanDependents !== undefined) return orphanDependents ? 'Orphan' : 'Background';
  if (propagationPolicy !== undefined) return propagationPolicy;
  if (current.includes(ORPHAN_FINALIZER)) return 'Orphan';
  return current.includes(FOREGROUND_FINALIZER) ? 'Foreground' : propagation;
}
