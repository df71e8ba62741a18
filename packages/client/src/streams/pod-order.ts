import type { Pod } from '../api/core/v1.ts';

/** Orders pods as kubectl does before it takes the first for `logs`: also those that do not run. */
export function compareForLogs(left: Pod, right: Pod): number {
  return (
    Number(isUnassigned(left)) - Number(isUnassigned(right)) ||
    phaseRank(left) - phaseRank(right) ||
    compareReady(left, right) ||
    restartsOf(right) - restartsOf(left) ||
    sidecarRestartsOf(right) - sidecarRestartsOf(left) ||
    createdAt(left) - createdAt(right)
  );
}

/** Orders running pods as kubectl does before it takes the first for `exec` and `port-forward`. */
export function compareForExec(left: Pod, right: Pod): number {
  return (
    compareReady(left, right) ||
    restartsOf(left) - restartsOf(right) ||
    sidecarRestartsOf(left) - sidecarRestartsOf(right) ||
    createdAt(left) - createdAt(right)
  );
}

const PHASE_RANKS: ReadonlyMap<string, number> = new Map([
  ['Unknown', 1],
  ['Pending', 2],
]);

function phaseRank({ status }: Pod): number {
  return PHASE_RANKS.get(status?.phase ?? '') ?? 0;
}

function isUnassigned({ spec }: Pod): boolean {
  return (spec?.nodeName ?? '') === '';
}

/** Ready before not ready, and what has been ready longer first. */
function compareReady(left: Pod, right: Pod): number {
  return readySince(left) - readySince(right);
}

/** The time since which a pod is ready; later than any other if it is not, or if that is unknown. */
function readySince({ status }: Pod): number {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True') return Number.MAX_SAFE_INTEGER;
  return timeOf(ready.lastTransitionTime);
}

function createdAt({ metadata }: Pod): number {
  return timeOf(metadata?.creationTimestamp);
}

/** An unknown time is later than any other. */
function timeOf(time: string | undefined): number {
  return time === undefined ? Number.MAX_SAFE_INTEGER - 1 : Date.parse(time);
}

function restartsOf({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}

function sidecarRestartsOf({ spec, status }: Pod): number {
  const sidecars = (spec?.initContainers ?? []).filter(
    ({ restartPolicy }) => restartPolicy === 'Always',
  );
  const names = new Set(sidecars.map(({ name }) => name));
  const counted = (status?.initContainerStatuses ?? []).filter(({ name }) => names.has(name));
  return Math.max(0, ...counted.map(({ restartCount }) => restartCount));
}
