import { type DeleteOptions, formatTime, parseTime } from 'client-ts/meta';

import type { ApiObject } from './object.ts';

export const ORPHAN_FINALIZER = 'orphan';
export const FOREGROUND_FINALIZER = 'foregroundDeletion';

/** What a delete does to an object. */
export type DeletionStep =
  /**
   * Remove it now. With `update`, watchers see this last version first (a pod with grace period 0).
   */
  | { readonly kind: 'remove'; readonly update?: ApiObject }
  /** Mark it: finalizers or a grace period delay the removal. */
  | { readonly kind: 'mark'; readonly update: ApiObject }
  /** Change nothing: it is already being deleted, at least as soon as requested. */
  | { readonly kind: 'pending' };

/** Propagation policy of a delete without one; `None` for kinds without dependents. */
export type DefaultPropagation = 'Background' | 'None' | 'Orphan';

/** The deletion rules of a kind. */
export interface DeletionRules {
  /** Present for kinds with graceful deletion. Returns the effective grace period. */
  readonly gracePeriodSeconds?: (object: ApiObject, wanted: number | undefined) => number;
  readonly propagation: DefaultPropagation;
}

/**
 * Decides how a deletion proceeds. Pure, except that it changes `object`, a copy that the returned
 * step contains.
 */
export function planDeletion(
  object: ApiObject,
  options: DeleteOptions,
  rules: DeletionRules,
  nowMs: number,
): DeletionStep {
  const grace = startGrace(object, options, rules, nowMs);
  // Finalizers too are kept as the first deletion set them while its grace period runs.
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

/** Returns true if nothing delays the removal of a deleted object any more. */
export function isReadyToRemove(object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  return (
    deletionTimestamp !== undefined &&
    (finalizers ?? []).length === 0 &&
    (deletionGracePeriodSeconds ?? 0) === 0
  );
}

/**
 * Starts or shortens the grace period. Returns `none` for kinds without one or when it has elapsed,
 * `running` if an earlier deletion ends no later.
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
  // A running grace period can only be shortened.
  if (wanted === undefined || wanted >= current) return 'running';
  const end = parseTime(metadata.deletionTimestamp) - (current - wanted) * 1000;
  const isOver = end < nowMs;
  metadata.deletionTimestamp = formatTime(isOver ? nowMs : end);
  // A delete that requests a grace period gets at least one second; only grace period 0 removes
  // immediately.
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

/** Returns the other finalizers, and the one for the propagation policy. */
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

/** Returns the policy of the request, of an earlier delete, or of the kind. */
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
