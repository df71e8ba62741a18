import type { ContainerState, ContainerStatus, Pod } from 'client-ts/api/core/v1';
import { isBeingDeleted } from 'client-ts/meta';
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
import { holds, NONE, orNone } from '../../../printers/texts.ts';

type PodRow = Printable<Pod> & { readonly summary: PodSummary };

const podColumns = printer<PodRow>([
  nameColumn(),
  column(
    'Ready',
    'Containers that are ready, of all that the pod runs',
    ({ summary }) => `${summary.ready}/${summary.total}`,
  ),
  column(
    'Status',
    'What the pod is doing, or what keeps it from it',
    ({ summary }) => summary.status,
  ),
  column(
    'Restarts',
    'How often containers were started again, and how long ago the last time was',
    ({ summary }, now) => formatRestarts(summary, now),
  ),
  ageColumn(),
  column(
    'IP',
    'Address of the pod within the cluster',
    ({ status }) => orNone(status?.podIPs?.[0]?.ip),
    {
      wide: true,
    },
  ),
  column('Node', 'Node that the pod was bound to', ({ spec }) => orNone(spec?.nodeName), {
    wide: true,
  }),
  column(
    'Nominated Node',
    'Node on which room is being made for the pod',
    ({ status }) => orNone(status?.nominatedNodeName),
    { wide: true },
  ),
  column(
    'Readiness Gates',
    'Conditions that hold, of those that have to before the pod counts as ready',
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

/** Pods that are through are marked, so that clients can leave them out. */
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
  const open = gates.filter(({ conditionType = '' }) => holds(status?.conditions, conditionType));
  return `${open.length}/${gates.length}`;
}

/** What a pod's row says of its containers. */
interface PodSummary {
  readonly ready: number;
  readonly total: number;
  /** One word for the state of the whole pod, such as `Running` or `Init:0/2`. */
  readonly status: string;
  readonly restarts: number;
  /** When a container ended that was started again since, as a `Time`. */
  readonly lastRestart: string | undefined;
}

/** Restarts of some containers, and the end of the last run that was followed by another. */
interface Restarts {
  readonly count: number;
  readonly last: string | undefined;
}

const NO_RESTARTS: Restarts = { count: 0, last: undefined };

/** The reason on a pod whose node is not heard of any more. */
const NODE_LOST = 'NodeLost';

/**
 * Sums a pod up. The containers tell more than the phase: as long as the pod is being initialised
 * the first init container that is not done counts, later the main containers.
 */
function summarizePod(pod: Printable<Pod>): PodSummary {
  const init = summarizeInit(pod);
  const total = (pod.spec?.containers ?? []).length + init.sidecars.size;
  const isInitialized = init.status === undefined || holds(pod.status?.conditions, 'Initialized');
  if (!isInitialized) {
    const { ready, restarts, status = '' } = init;
    return summary(ready, total, shownStatus(pod, status), restarts);
  }
  const main = summarizeMain(pod, init.status ?? ownStatus(pod));
  return summary(
    init.ready + main.ready,
    total,
    shownStatus(pod, main.status),
    // Init containers that are done no longer matter, only those that run all the time.
    addRestarts(init.sidecarRestarts, main.restarts),
  );
}

function summary(ready: number, total: number, status: string, restarts: Restarts): PodSummary {
  return { ready, total, status, restarts: restarts.count, lastRestart: restarts.last };
}

/** What the pod says of itself: that it is held back, the reason it gives, or its phase. */
function ownStatus({ status }: Printable<Pod>): string {
  const isGated = (status?.conditions ?? []).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  if (isGated) return 'SchedulingGated';
  const reason = status?.reason ?? '';
  return reason === '' ? (status?.phase ?? '') : reason;
}

/** A deletion in progress hides everything else, unless the pod has come to its end by itself. */
function shownStatus(pod: Printable<Pod>, status: string): string {
  if (!isBeingDeleted(pod)) return status;
  if (pod.status?.reason === NODE_LOST) return 'Unknown';
  const phase = pod.status?.phase ?? '';
  return phase === 'Succeeded' || phase === 'Failed' ? status : 'Terminating';
}

interface InitSummary {
  /** Set while an init container has not done its part. */
  readonly status: string | undefined;
  readonly ready: number;
  /** Names of the init containers that are meant to keep running beside the main ones. */
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

/** Why an init container does not go on; undefined if there is nothing to say but to wait. */
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
  // Backwards, so that the first container with something to say has the last word.
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
    // One container is through, the pod need not be.
    if (ready > 0 && holds(status?.conditions, 'Ready')) shown = 'Running';
    else if (failure !== undefined) shown = failure;
    else if (ready > 0) shown = 'NotReady';
  }
  return { status: shown, ready, restarts };
}

/** How a container ended: its reason, else the signal that it was killed with, else its exit code. */
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

/** Times of a server are all written the same way, so that their texts are in order of time. */
function later(left: string | undefined, right: string | undefined): string | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return left < right ? right : left;
}
