import type { Event, Node, Pod } from 'client-ts/api/core/v1';
import type { InformerState } from 'client-ts/cache';
import { type Cached, type ResourceInformer, SharedInformerFactory } from 'client-ts/informers';
import type { Clientset } from 'client-ts/kubernetes';
import type { Clock } from 'client-ts/internal';

import { compareNaturally } from '../print/natural-order.ts';
import { EventRate } from './event-rate.ts';
import { podCondition, podConditions } from './pod-condition.ts';
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
  readonly namespace?: string;
}

/** The number of warnings to keep. */
const mostWarnings = 100;
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
  readonly #news: WarningLine[] = [];
  #seen = 0;

  constructor({ client, clock, namespace = '' }: ClusterViewOptions) {
    this.#clock = clock;
    this.#rate = new EventRate(clock);
    this.#factory = new SharedInformerFactory(client, { clock, namespace });
    this.#pods = this.#factory.coreV1.pods();
    this.#nodes = this.#factory.coreV1.nodes();
    this.#events = this.#factory.coreV1.events();
    this.#pods.informer.addIndexers({ [placeIndex]: placeOf });
    this.#events.informer.addEventHandler({
      onAdd: (event, isInInitialList) => this.#see(event, isInInitialList ? 0 : countOf(event)),
      onUpdate: (before, event) => this.#see(event, Math.max(0, countOf(event) - countOf(before))),
    });
  }

  /** Starts the informers. */
  start(): void {
    this.#factory.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#factory.shutdown();
  }

  /** The warnings since the last call, oldest first. */
  takeNews(): WarningLine[] {
    return this.#news.splice(0);
  }

  /** The current state. */
  look(): Pick<DemoState, 'events' | 'homeless' | 'informers' | 'nodes' | 'totals' | 'warnings'> {
    const nodes = this.#nodeNames().map((name): NodeLine => ({
      name,
      counts: this.#countsOn(name),
      note: this.#noteOn(name),
    }));
    const homeless = this.#countsOn('');
    const totals = nodes.reduce((sum, { counts }) => addCounts(sum, counts), homeless);
    return {
      nodes,
      homeless,
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

  /** Includes nodes that cannot be read, and deleted ones that still have pods. */
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

  #see(event: Cached<Event>, isNew: number): void {
    this.#seen += Math.max(1, isNew);
    if (isNew > 0) this.#rate.add(isNew);
    if (event.type !== 'Warning') return;
    const { uid } = event.metadata;
    const warning = warningOf(event, this.#clock.now());
    this.#warnings.delete(uid);
    this.#warnings.set(uid, warning);
    if (isNew > 0) this.#news.push(warning);
    if (this.#news.length > mostWarnings) this.#news.shift();
    const [oldest] = this.#warnings.keys();
    if (this.#warnings.size > mostWarnings && oldest !== undefined) this.#warnings.delete(oldest);
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

/** The number of occurrences, by either way of counting. */
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
    isWell: state.state === 'live',
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
