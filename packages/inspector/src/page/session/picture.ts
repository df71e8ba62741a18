import { formatBytes, formatCount, formatDuration, formatRate } from './format.ts';
import {
  type ControllerView,
  feedKey,
  type InformerView,
  type Machine,
  versionsBehind,
  writeKey,
} from './machine.ts';
import { perSecond, type Rates } from './rates.ts';

/** The stages of the machine, in the order in which a change passes them. */
export const STAGES = [
  'server',
  'informer',
  'cache',
  'handler',
  'queue',
  'worker',
  'write',
] as const;

/** A stage of the machine. */
export type Stage = (typeof STAGES)[number];

/** How much attention something needs. */
export type Level = 'bad' | 'idle' | 'ok' | 'warn';

/** A part of the machine. */
export interface PictureNode {
  readonly id: string;
  readonly stage: Stage;
  readonly title: string;
  /** The number that matters, and what it counts. */
  readonly value: string;
  readonly note: string;
  readonly level: Level;
  /** How full it is, from 0 to 1: what waits in it. */
  readonly backlog: number;
  /** The page about it. */
  readonly href?: string;
}

/** What flows from one part to another. */
export interface PictureEdge {
  readonly from: string;
  readonly to: string;
  /** Per second. */
  readonly rate: number;
  /** That of what waits at its end. */
  readonly level: Level;
}

/** The machine as nodes and edges. */
export interface Picture {
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
}

/** How many parts of a stage are drawn; the others are one node. */
const STAGE_LIMIT = 12;

/** Draws a machine from what is there. */
export function pictureOf(machine: Machine, rates: Rates): Picture {
  const nodes: PictureNode[] = [];
  const edges: PictureEdge[] = [];
  const informers = mostActive(runningInformers(machine), (view) => rates.changes.get(view.id));
  const controllers = mostActive(runningControllers(machine), (view) =>
    rates.reconciles.get(view.id),
  );
  for (const server of serversOf(machine)) nodes.push(serverNode(machine, rates, server));
  for (const view of informers.shown) addInformer(machine, rates, view, nodes, edges);
  for (const view of controllers.shown) addController(machine, rates, view, nodes, edges);
  addWrites(machine, rates, nodes, edges);
  addRest('informer', informers.rest, 'informers', nodes);
  addRest('queue', controllers.rest, 'queues', nodes);
  const ids = new Set(nodes.map(({ id }) => id));
  return { nodes, edges: edges.filter(({ from, to }) => ids.has(from) && ids.has(to)) };
}

/** Without those that have stopped, unless all have: then the picture is of what there was. */
function runningInformers({ informers }: Machine): InformerView[] {
  const all = [...informers.values()];
  const running = all.filter(({ state }) => state !== 'stopped');
  return running.length === 0 ? all : running;
}

/** Without those that are empty, without workers, and filled by nothing that runs. */
function runningControllers(machine: Machine): ControllerView[] {
  const running = new Set(runningInformers(machine).map(({ id }) => id));
  return [...machine.controllers.values()].filter(
    ({ workers, queue, informers }) =>
      workers > 0 ||
      (queue?.depth ?? 0) > 0 ||
      informers.length === 0 ||
      informers.some((id) => running.has(id)),
  );
}

function serversOf(machine: Machine): string[] {
  const servers = new Set(Array.from(machine.informers.values(), ({ server }) => server));
  servers.delete('');
  if (servers.size > 0) return [...servers];
  const connected = new Set(
    Array.from(machine.connections, (name) => name.split(' ').at(-1) ?? ''),
  );
  return connected.size === 0 ? [''] : [...connected];
}

function serverNode(machine: Machine, rates: Rates, server: string): PictureNode {
  const failed = rates.requests === 0 ? 0 : rates.failedRequests / rates.requests;
  return {
    id: `server ${server}`,
    stage: 'server',
    title: server === '' ? 'API server' : server,
    value: `${formatCount((rates.requests * 1000) / rates.spanMs)} req/s`,
    note:
      rates.throttled.count > 0
        ? `throttled ${formatDuration(rates.throttled.ms)}`
        : `${machine.openRequests} open`,
    level: failed > 0.2 ? 'bad' : failed > 0.02 || rates.throttled.count > 0 ? 'warn' : 'ok',
    backlog: Math.min(1, rates.throttled.ms / rates.spanMs),
    href: '#/requests',
  };
}

function addInformer(
  machine: Machine,
  rates: Rates,
  view: InformerView,
  nodes: PictureNode[],
  edges: PictureEdge[],
): void {
  const level = informerLevel(view);
  const rate = perSecond(rates, rates.changes, view.id);
  const href = `#/informers/${encodeURIComponent(view.id)}`;
  const behind = versionsBehind(machine, view);
  const server = view.server === '' ? serversOf(machine)[0] : view.server;
  nodes.push(
    {
      id: `informer ${view.id}`,
      stage: 'informer',
      title: view.id,
      level,
      href,
      value: view.state,
      note: view.reason ?? (behind > 0 ? `${formatCount(behind)} behind` : 'up to date'),
      backlog: 0,
    },
    {
      id: `cache ${view.id}`,
      stage: 'cache',
      title: view.id,
      href,
      value: `${formatCount(view.objects)} obj`,
      note:
        view.lag > 0
          ? `${formatCount(view.lag)} to apply`
          : view.bytes > 0
            ? formatBytes(view.bytes)
            : 'applied',
      level: view.lag > 1000 ? 'bad' : view.lag > 100 ? 'warn' : 'ok',
      backlog: scale(view.lag, 1000),
    },
  );
  edges.push(
    { from: `server ${server ?? ''}`, to: `informer ${view.id}`, rate, level },
    { from: `informer ${view.id}`, to: `cache ${view.id}`, rate, level: lagLevel(view.lag) },
  );
  for (const handler of view.handlers) {
    const id = `handler ${view.id} ${handler.name}`;
    const level = lagLevel(handler.pending);
    nodes.push({
      id,
      stage: 'handler',
      title: handler.name.replace(/^controller /, ''),
      level,
      href,
      value: `${formatCount(handler.pending)} pending`,
      note:
        handler.slowestMs === undefined
          ? 'no calls'
          : `slowest ${formatDuration(handler.slowestMs)}`,
      backlog: scale(handler.pending, 1000),
    });
    edges.push({ from: `cache ${view.id}`, to: id, rate, level });
  }
}

function lagLevel(pending: number): Level {
  return pending > 1000 ? 'bad' : pending > 100 ? 'warn' : 'ok';
}

/** How much attention an informer needs. */
export function informerLevel({ state }: InformerView): Level {
  if (state === 'live') return 'ok';
  if (state === 'stopped') return 'idle';
  return state === 'starting' || state === 'syncing' ? 'warn' : 'bad';
}

function addController(
  machine: Machine,
  rates: Rates,
  view: ControllerView,
  nodes: PictureNode[],
  edges: PictureEdge[],
): void {
  const { queue } = view;
  const depth = queue?.depth ?? 0;
  const busy = queue?.busy ?? 0;
  const level = queueLevel(view);
  const failures = rates.failures.get(view.id) ?? 0;
  const href = `#/queues/${encodeURIComponent(view.id)}`;
  const rate = perSecond(rates, rates.reconciles, view.id);
  nodes.push(
    {
      id: `queue ${view.id}`,
      stage: 'queue',
      title: view.id,
      level,
      href,
      value: `${formatCount(depth)} waiting`,
      note:
        depth > 0
          ? `oldest ${formatDuration(queue?.oldestMs ?? 0)}`
          : `${formatCount(queue?.waiting ?? 0)} delayed`,
      backlog: scale(depth, 500),
    },
    {
      id: `worker ${view.id}`,
      stage: 'worker',
      title: view.id,
      href,
      value: view.workers > 0 ? `${busy}/${view.workers} busy` : `${busy} busy`,
      note:
        failures > 0 ? `${formatCount(failures)} failed` : `${formatCount(view.reconciles)} done`,
      level: workerLevel(view, failures, rates.reconciles.get(view.id) ?? 0),
      backlog: view.workers > 0 ? Math.min(1, busy / view.workers) : 0,
    },
  );
  edges.push({ from: `queue ${view.id}`, to: `worker ${view.id}`, rate, level });
  addFeeds(machine, rates, view, level, edges);
}

function addFeeds(
  machine: Machine,
  rates: Rates,
  view: ControllerView,
  level: Level,
  edges: PictureEdge[],
): void {
  for (const { id, handlers } of machine.informers.values()) {
    for (const { name } of handlers) {
      const key = feedKey(id, name, view.id);
      // Handlers of controllers carry their name; others are known once they have filled the queue.
      const isOwn = view.informers.includes(id) && name.startsWith(`controller ${view.id} on `);
      if (!isOwn && !machine.feeds.has(key)) continue;
      const rate = perSecond(rates, rates.feeds, key);
      edges.push({ from: `handler ${id} ${name}`, to: `queue ${view.id}`, rate, level });
    }
  }
}

/** How much attention a queue needs: by how long its oldest key waits, and how many do. */
export function queueLevel({ queue }: ControllerView): Level {
  if (queue === undefined) return 'idle';
  if (queue.oldestMs > 10_000 || queue.depth > 1000) return 'bad';
  return queue.oldestMs > 1000 || queue.depth > 100 ? 'warn' : 'ok';
}

function workerLevel(view: ControllerView, failures: number, reconciles: number): Level {
  if (reconciles > 0 && failures / reconciles > 0.5) return 'bad';
  const isFull = view.workers > 0 && (view.queue?.busy ?? 0) >= view.workers;
  return failures > 0 || (isFull && (view.queue?.depth ?? 0) > 0) ? 'warn' : 'ok';
}

function addWrites(
  machine: Machine,
  rates: Rates,
  nodes: PictureNode[],
  edges: PictureEdge[],
): void {
  const pairs = Array.from(machine.writes, (key) => JSON.parse(key) as [string, string]);
  const resources = [...new Set(pairs.map(([, resource]) => resource))];
  const total = (counts: ReadonlyMap<string, number>, resource: string): number =>
    pairs
      .filter((pair) => pair[1] === resource)
      .reduce((sum, [controller]) => sum + (counts.get(writeKey(controller, resource)) ?? 0), 0);
  const { shown, rest } = mostActive(resources, (resource) => total(rates.writes, resource));
  for (const resource of shown) {
    const failed = total(rates.failedWrites, resource);
    const count = total(rates.writes, resource);
    const level = failed > count / 2 ? 'bad' : failed > 0 ? 'warn' : count > 0 ? 'ok' : 'idle';
    nodes.push({
      id: `write ${resource}`,
      stage: 'write',
      title: resource,
      level,
      value: formatRate((count * 1000) / rates.spanMs),
      note: failed > 0 ? `${formatCount(failed)} refused` : 'no errors',
      backlog: count === 0 ? 0 : failed / count,
      href: '#/requests',
    });
    edges.push({
      from: `write ${resource}`,
      to: `server ${serversOf(machine)[0] ?? ''}`,
      rate: (count * 1000) / rates.spanMs,
      level,
    });
  }
  for (const [controller, resource] of pairs) {
    const rate = perSecond(rates, rates.writes, writeKey(controller, resource));
    edges.push({ from: `worker ${controller}`, to: `write ${resource}`, rate, level: 'ok' });
  }
  addRest('write', rest, 'resources', nodes);
}

function addRest(stage: Stage, count: number, what: string, nodes: PictureNode[]): void {
  if (count === 0) return;
  nodes.push({
    id: `rest ${stage}`,
    stage,
    title: `${count} more ${what}`,
    level: 'idle',
    backlog: 0,
    value: 'quiet',
    note: 'not drawn',
  });
}

/** The first of a stage by activity, in their own order. */
function mostActive<T>(
  items: readonly T[],
  activity: (item: T) => number | undefined,
): { readonly shown: readonly T[]; readonly rest: number } {
  if (items.length <= STAGE_LIMIT) return { shown: items, rest: 0 };
  const ranked = items.toSorted((left, right) => (activity(right) ?? 0) - (activity(left) ?? 0));
  const chosen = new Set(ranked.slice(0, STAGE_LIMIT - 1));
  return {
    shown: items.filter((item) => chosen.has(item)),
    rest: items.length - chosen.size,
  };
}

/** From 0 to 1, where small backlogs are visible and `full` is 1. */
function scale(count: number, full: number): number {
  return Math.min(1, Math.log1p(count) / Math.log1p(full));
}
