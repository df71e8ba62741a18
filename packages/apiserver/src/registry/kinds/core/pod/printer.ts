// Upstream: pkg/printers/internalversion/printers.go: printPod
import type { ContainerState, ContainerStatus, Pod } from 'client-ts/api/core/v1';
import { isBeingDeleted, isStatusConditionTrue } from 'client-ts/meta';
import { since } from '../../../printers/ages.ts';
import {
  ageColumn,
  column,
  nameColumn,
  type Printable,
  printer,
  type Printer,
  type RowCondition,
} from '../../../printers/printer.ts';
import { NONE, orNone } from '../../../printers/texts.ts';

type PodRow = Printable<Pod> & { readonly summary: PodSummary };

const podColumns = printer<PodRow>([
  nameColumn(),
  column(
    'Ready',
    'Ready containers / all containers',
    ({ summary }) => `${summary.ready}/${summary.total}`,
  ),
  column(
    'Status',
    'Status of the pod, or the reason it is not running',
    ({ summary }) => summary.status,
  ),
  column('Restarts', 'Number of restarts, and the time since the last one', ({ summary }, now) =>
    formatRestarts(summary, now),
  ),
  ageColumn(),
  column('IP', 'IP address of the pod', ({ status }) => orNone(status?.podIPs?.[0]?.ip), {
    wide: true,
  }),
  column('Node', 'Node of the pod', ({ spec }) => orNone(spec?.nodeName), {
    wide: true,
  }),
  column(
    'Nominated Node',
    'Node that the scheduler has nominated after preemption',
    ({ status }) => orNone(status?.nominatedNodeName),
    { wide: true },
  ),
  column(
    'Readiness Gates',
    'Readiness gates that are true / all readiness gates',
    formatReadinessGates,
    { wide: true },
  ),
]);

/** The table of Pods. */
export const podPrinter: Printer<Printable<Pod>> = {
  columns: podColumns.columns,
  cells: (pod, now) => podColumns.cells({ ...pod, summary: summarizePod(pod) }, now),
  conditions: ({ status }) => PHASE_CONDITIONS.get(status?.phase ?? ''),
};

/** Marks finished pods, so that clients can hide them. */
const PHASE_CONDITIONS: ReadonlyMap<string, readonly RowCondition[]> = new Map([
  ['Succeeded', [completed('Succeeded', 'The pod has completed successfully.')]],
  ['Failed', [completed('Failed', 'The pod failed.')]],
]);

function completed(reason: string, message: string): RowCondition {
  return { type: 'Completed', status: 'True', reason, message };
}

function formatRestarts({ restarts, lastRestart }: PodSummary, now: number): string {
  if (restarts === 0 || lastRestart === undefined) return String(restarts);
  return `${restarts} (${since(lastRestart, now)} ago)`;
}

function formatReadinessGates({ spec, status }: Printable<Pod>): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return NONE;
  const open = gates.filter(({ conditionType = '' }) =>
    isStatusConditionTrue(status?.conditions, conditionType),
  );
  return `${open.length}/${gates.length}`;
}

/** The container states of a pod's row. */
interface PodSummary {
  readonly ready: number;
  readonly total: number;
  /** One word for the state of the pod, such as `Running` or `Init:0/2`. */
  readonly status: string;
  readonly restarts: number;
  /** End of the last run before a restart, as a `Time`. */
  readonly lastRestart: string | undefined;
}

/** Number of restarts, and the end of the last run before one. */
interface Restarts {
  readonly count: number;
  readonly last: string | undefined;
}

const NO_RESTARTS: Restarts = { count: 0, last: undefined };

/** The reason of a pod whose node is unreachable. */
const NODE_LOST = 'NodeLost';

/**
 * Summarizes a pod. Container states take precedence over the phase: the first init container that
 * is not done during initialization, then the regular containers.
 */
function summarizePod(pod: Printable<Pod>): PodSummary {
  const init = summarizeInit(pod);
  const total = (pod.spec?.containers ?? []).length + init.sidecars.size;
  const isInitialized =
    init.status === undefined || isStatusConditionTrue(pod.status?.conditions, 'Initialized');
  if (!isInitialized) {
    const { ready, restarts, status = '' } = init;
    return summary(ready, total, shownStatus(pod, status), restarts);
  }
  const main = summarizeMain(pod, init.status ?? ownStatus(pod));
  return summary(
    init.ready + main.ready,
    total,
    shownStatus(pod, main.status),
    // Finished init containers do not count; sidecars do.
    addRestarts(init.sidecarRestarts, main.restarts),
  );
}

function summary(ready: number, total: number, status: string, restarts: Restarts): PodSummary {
  return { ready, total, status, restarts: restarts.count, lastRestart: restarts.last };
}

/** Returns what the pod itself reports: SchedulingGated, its reason or its phase. */
function ownStatus({ status }: Printable<Pod>): string {
  const isGated = (status?.conditions ?? []).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  if (isGated) return 'SchedulingGated';
  const reason = status?.reason ?? '';
  return reason === '' ? (status?.phase ?? '') : reason;
}

/** Returns `Terminating` for a pod that is being deleted, unless it has ended. */
function shownStatus(pod: Printable<Pod>, status: string): string {
  if (!isBeingDeleted(pod)) return status;
  if (pod.status?.reason === NODE_LOST) return 'Unknown';
  const phase = pod.status?.phase ?? '';
  return phase === 'Succeeded' || phase === 'Failed' ? status : 'Terminating';
}

interface InitSummary {
  /** Set while an init container is not done. */
  readonly status: string | undefined;
  readonly ready: number;
  /** Names of the sidecar containers. */
  readonly sidecars: ReadonlySet<string>;
  readonly restarts: Restarts;
  readonly sidecarRestarts: Restarts;
}

function summarizeInit({ spec, status }: Printable<Pod>): InitSummary {
  const containers = spec?.initContainers ?? [];
  const sidecars = new Set(
    containers
      .filter(({ restartPolicy }) => restartPolicy === 'Always')
      .map(({ name = '' }) => name),
  );
  let ready = 0;
  let restarts = NO_RESTARTS;
  let sidecarRestarts = NO_RESTARTS;
  for (const [index, container] of (status?.initContainerStatuses ?? []).entries()) {
    const isSidecar = sidecars.has(container.name ?? '');
    restarts = addRestarts(restarts, restartsOf(container));
    if (isSidecar) sidecarRestarts = addRestarts(sidecarRestarts, restartsOf(container));
    const { terminated } = container.state ?? {};
    if (terminated !== undefined && (terminated.exitCode ?? 0) === 0) continue;
    if (isSidecar && container.started === true) {
      if (container.ready === true) ready++;
      continue;
    }
    const progress = `${index}/${containers.length}`;
    const initStatus = `Init:${initReason(container.state ?? {}) ?? progress}`;
    return { status: initStatus, ready, sidecars, restarts, sidecarRestarts };
  }
  return { status: undefined, ready, sidecars, restarts, sidecarRestarts };
}

/** Returns why an init container does not proceed; undefined if it only waits. */
function initReason({ terminated, waiting }: Printable<ContainerState>): string | undefined {
  if (terminated !== undefined) return endOf(terminated);
  const reason = waiting?.reason ?? '';
  return reason === '' || reason === 'PodInitializing' ? undefined : reason;
}

interface MainSummary {
  readonly status: string;
  readonly ready: number;
  readonly restarts: Restarts;
}

function summarizeMain({ status }: Printable<Pod>, before: string): MainSummary {
  let shown = before;
  let failure: string | undefined;
  let ready = 0;
  let restarts = NO_RESTARTS;
  // Backwards, so that the first container with a reason wins.
  for (const container of (status?.containerStatuses ?? []).toReversed()) {
    restarts = addRestarts(restarts, restartsOf(container));
    const { waiting, terminated, running } = container.state ?? {};
    if ((waiting?.reason ?? '') !== '') {
      shown = waiting?.reason ?? '';
    } else if (terminated !== undefined) {
      shown = endOf(terminated);
      if ((terminated.exitCode ?? 0) !== 0) failure = shown;
    } else if (container.ready === true && running !== undefined) {
      ready++;
    }
  }
  if (shown === 'Completed') {
    // A completed container beside a running one.
    if (ready > 0 && isStatusConditionTrue(status?.conditions, 'Ready')) shown = 'Running';
    else if (failure !== undefined) shown = failure;
    else if (ready > 0) shown = 'NotReady';
  }
  return { status: shown, ready, restarts };
}

/** Returns how a container ended: its reason, or the signal, or the exit code. */
function endOf({
  reason = '',
  signal = 0,
  exitCode = 0,
}: NonNullable<Printable<ContainerState>['terminated']>): string {
  if (reason !== '') return reason;
  return signal === 0 ? `ExitCode:${exitCode}` : `Signal:${signal}`;
}

function restartsOf({ restartCount = 0, lastState }: Printable<ContainerStatus>): Restarts {
  return { count: restartCount, last: lastState?.terminated?.finishedAt ?? undefined };
}

function addRestarts(left: Restarts, right: Restarts): Restarts {
  return { count: left.count + right.count, last: later(left.last, right.last) };
}

/** Times have one format here, so comparing their texts is comparing times. */
function later(left: string | undefined, right: string | undefined): string | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return left < right ? right : left;
}
