import type { Event, Node, Pod } from 'client-ts/api/core/v1';
import type { InformerState } from 'client-ts/cache';
import { type Cached, type ResourceInformer, SharedInformerFactory } from 'client-ts/informers';
import { type Clock, messageOf } from 'client-ts/internal';
import type { Clientset } from 'client-ts/kubernetes';
import { type DeepReadonly, isBeingDeleted } from 'client-ts/meta';

import { compareNaturally } from '../print/natural-order.ts';
import {
  addCounts,
  type DemoState,
  type InformerLine,
  type NodeLine,
  noPods,
  type PodCounts,
  type WarningLine,
} from './state.ts';

/** Options of a {@link ClusterView}. */
export interface ClusterViewOptions {
  readonly client: Clientset;
  readonly clock: Clock;
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
}

/** The number of warnings to keep. */
const maxWarnings = 100;
/** Pods by node and condition. */
const placeIndex = 'place';

/**
 * A view of a cluster from the caches of three informers, without requests. Pods are counted by an
 * index, at a cost independent of their number.
 */
export class ClusterView implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #factory: SharedInformerFactory;
  readonly #pods: ResourceInformer<Cached<Pod>>;
  readonly #nodes: ResourceInformer<Cached<Node>>;
  readonly #events: ResourceInformer<Cached<Event>>;
  readonly #rate: EventRate;
  /** By uid, newest last. */
  readonly #warnings = new Map<string, WarningLine>();
  readonly #newWarnings: WarningLine[] = [];
  #seen = 0;

  constructor({ client, clock, namespace = '' }: ClusterViewOptions) {
    this.#clock = clock;
    this.#rate = new EventRate(clock);
    this.#factory = new SharedInformerFactory(client, { clock, namespace });
    this.#pods = this.#factory.coreV1.pods();
    this.#nodes = this.#factory.coreV1.nodes();
    this.#events = this.#factory.coreV1.events();
    this.#pods.informer.addIndexers({ [placeIndex]: placeOf });
    this.#events.informer.addEventHandler(
      {
        onAdd: (event, isInInitialList) =>
          this.#record(event, isInInitialList ? 0 : countOf(event)),
        onUpdate: (before, event) =>
          this.#record(event, Math.max(0, countOf(event) - countOf(before))),
      },
      { name: 'warnings and rate' },
    );
  }

  /** Starts the informers. */
  start(): void {
    this.#factory.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#factory.shutdown();
  }

  /** Returns the warnings since the last call, oldest first. */
  takeWarnings(): WarningLine[] {
    return this.#newWarnings.splice(0);
  }

  /** Returns what the screen shows of the cluster, from the caches. */
  snapshot(): Pick<
    DemoState,
    'events' | 'unscheduled' | 'informers' | 'nodes' | 'totals' | 'warnings'
  > {
    const nodes = this.#nodeNames().map((name): NodeLine => ({
      name,
      counts: this.#countsOn(name),
      note: this.#noteOn(name),
    }));
    const unscheduled = this.#countsOn('');
    const totals = nodes.reduce((sum, { counts }) => addCounts(sum, counts), unscheduled);
    return {
      nodes,
      unscheduled,
      totals,
      events: {
        seen: this.#seen,
        perSecond: this.#rate.perSecond,
        history: this.#rate.history,
      },
      warnings: [...this.#warnings.values()].toReversed(),
      informers: [
        informerLine('pods', this.#pods.informer),
        informerLine('nodes', this.#nodes.informer),
        informerLine('events', this.#events.informer),
      ],
    };
  }

  /** Returns all nodes, also unreadable and deleted ones that have pods. */
  #nodeNames(): string[] {
    const places = this.#pods.informer.indexer.listIndexFuncValues(placeIndex);
    const occupied = places.map((place) => String(place).split('/', 1)[0] ?? '');
    const known = this.#nodes.lister.list().map(({ metadata }) => metadata.name);
    return [...new Set([...known, ...occupied])]
      .filter((name) => name !== '')
      .toSorted(compareNaturally);
  }

  #noteOn(name: string): string {
    const node = this.#nodes.lister.find(name);
    if (node !== undefined) return noteOn(node);
    return this.#nodes.informer.state.state === 'live' ? 'no such node' : '';
  }

  #countsOn(node: string): PodCounts {
    const { indexer } = this.#pods.informer;
    const counts = { ...noPods };
    for (const condition of podConditions) {
      counts[condition] = indexer.countByIndex(placeIndex, `${node}/${condition}`);
    }
    return counts;
  }

  #record(event: Cached<Event>, isNew: number): void {
    this.#seen += Math.max(1, isNew);
    if (isNew > 0) this.#rate.add(isNew);
    if (event.type !== 'Warning') return;
    const { uid } = event.metadata;
    const warning = warningOf(event, this.#clock.now());
    this.#warnings.delete(uid);
    this.#warnings.set(uid, warning);
    if (isNew > 0) this.#newWarnings.push(warning);
    if (this.#newWarnings.length > maxWarnings) this.#newWarnings.shift();
    const [oldest] = this.#warnings.keys();
    if (this.#warnings.size > maxWarnings && oldest !== undefined) this.#warnings.delete(oldest);
  }
}

function placeOf(pod: Cached<Pod>): string[] {
  const condition = podCondition(pod);
  return condition === undefined ? [] : [`${pod.spec?.nodeName ?? ''}/${condition}`];
}

function noteOn({ spec, status }: Cached<Node>): string {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  const notes = [
    ...(ready !== undefined && ready !== 'True' ? ['not ready'] : []),
    ...(spec?.unschedulable === true ? ['cordoned'] : []),
  ];
  return notes.join(', ');
}

/** Returns the number of occurrences, from `count` or from `series`. */
function countOf({ count, series }: Cached<Event>): number {
  return Math.max(1, count ?? 0, series?.count ?? 0);
}

function warningOf(event: Cached<Event>, nowMs: number): WarningLine {
  const { involvedObject, message = '', reason = '' } = event;
  const { kind = '', name = '' } = involvedObject;
  const at = event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? '';
  const atMs = Date.parse(at);
  return {
    atMs: Number.isNaN(atMs) ? nowMs : atMs,
    reason,
    object: `${kind.toLowerCase()}/${name}`,
    message,
    count: countOf(event),
  };
}

function informerLine(
  name: string,
  {
    indexer,
    state,
  }: { readonly indexer: { readonly size: number }; readonly state: InformerState },
): InformerLine {
  return {
    name,
    state: describe(state),
    isLive: state.state === 'live',
    objects: indexer.size,
  };
}

function describe(state: InformerState): string {
  switch (state.state) {
    case 'syncing':
      return `syncing ${state.received}`;
    case 'stale':
      return `stale: ${messageOf(state.error)}`;
    case 'denied':
    case 'blocked':
    case 'absent':
      return `${state.state}: ${messageOf(state.error)}`;
    case 'live':
    case 'starting':
    case 'stopped':
      return state.state;
  }
}

/** The condition under which the demo counts a pod. */
export type PodCondition = keyof PodCounts;

export const podConditions: readonly PodCondition[] = [
  'running',
  'starting',
  'failing',
  'terminating',
];

/** Waiting reasons of a container that is starting. */
const startingReasons: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

/** Returns the condition of a pod; undefined for completed and failed ones. */
export function podCondition(pod: DeepReadonly<Pod>): PodCondition | undefined {
  const { phase, containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  if (phase === 'Succeeded' || phase === 'Failed') return undefined;
  if (isBeingDeleted(pod)) return 'terminating';
  const waiting = [...initContainerStatuses, ...containerStatuses].map(
    ({ state }) => state?.waiting?.reason ?? '',
  );
  if (waiting.some((reason) => reason !== '' && !startingReasons.has(reason))) return 'failing';
  return phase === 'Running' ? 'running' : 'starting';
}

/** The length of the history, in seconds. */
const historySeconds = 60;
/** Seconds in the average: fewer fluctuate, more lag. */
const rateSeconds = 10;

/** Counts events per second. */
export class EventRate {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #startedAt: number;
  /** Counts per second since the start, limited to the history. */
  readonly #counts = new Map<number, number>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
  }

  add(count = 1): void {
    const second = this.#second();
    this.#counts.set(second, (this.#counts.get(second) ?? 0) + count);
    for (const old of this.#counts.keys()) {
      if (old >= second - historySeconds) break;
      this.#counts.delete(old);
    }
  }

  /** Events in each of the last seconds, newest last. The current second is incomplete. */
  get history(): number[] {
    const second = this.#second();
    const length = Math.min(historySeconds, second + 1);
    return Array.from({ length }, (_, index) => this.#counts.get(second - length + 1 + index) ?? 0);
  }

  /** The average of the last ten seconds, or since the start. */
  get perSecond(): number {
    const recent = this.history.slice(-rateSeconds);
    const elapsed = (this.#clock.monotonic() - this.#startedAt) / 1000;
    const sum = recent.reduce((total, count) => total + count, 0);
    const past = recent.length - 1 + (elapsed % 1);
    return past < 1 ? sum : sum / past;
  }

  #second(): number {
    return Math.floor((this.#clock.monotonic() - this.#startedAt) / 1000);
  }
}
