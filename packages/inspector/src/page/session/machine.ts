import type {
  ElectionRecord,
  NoteRecord,
  GuardWarningRecord,
  InformerEventsRecord,
  InformerRelistRecord,
  ObservedHandler,
  ObservedHistogram,
  ObservedInformer,
  ObservedInformerPhase,
  ObservedQueue,
  ObservedRecord,
  ObservedSnapshot,
  ObservedTrigger,
  ReconcileEndRecord,
} from 'client-ts/observe';

/** How many relists of an informer and warnings of a controller a {@link Machine} remembers. */
const REMEMBERED = 50;

/** How many keys of a controller it remembers; those that are idle for longest are dropped first. */
const KEY_LIMIT = 20_000;

/** The verbs that change something. */
const WRITE_VERBS: ReadonlySet<string> = new Set([
  'apply',
  'create',
  'delete',
  'deletecollection',
  'patch',
  'update',
]);

/** An informer and its cache at one point in time. */
export interface InformerView {
  readonly id: string;
  resource: string;
  server: string;
  state: ObservedInformerPhase;
  since: number | undefined;
  reason: string | undefined;
  resourceVersion: string;
  lag: number;
  lastEventAt: number;
  objects: number;
  bytes: number;
  indices: readonly string[];
  added: number;
  updated: number;
  deleted: number;
  relistCount: number;
  watchRestarts: number;
  relists: InformerRelistRecord[];
  handlers: readonly ObservedHandler[];
  isSearchable: boolean;
}

/** What a key of a controller is doing. */
export type KeyPhase = 'active' | 'failing' | 'idle' | 'queued' | 'waiting';

/** A key of a controller at one point in time. */
export interface KeyView {
  readonly controller: string;
  readonly key: string;
  phase: KeyPhase;
  reconciles: number;
  errors: number;
  /** Failures in a row. */
  failures: number;
  lastAt: number;
  lastResult: ReconcileEndRecord['result'] | undefined;
  lastDurationMs: number | undefined;
  lastError: string | undefined;
  /** When it is due, if it waits for a delay. */
  dueAt: number | undefined;
  trigger: ObservedTrigger | undefined;
}

/** A queue and the controller that empties it at one point in time. */
export interface ControllerView {
  readonly id: string;
  /** Undefined until the first state of the queue is known. */
  queue: ObservedQueue | undefined;
  informers: readonly string[];
  workers: number;
  reconciles: number;
  errors: number;
  duration: ObservedHistogram | undefined;
  readonly keys: Map<string, KeyView>;
  warnings: GuardWarningRecord[];
}

/** A program at one point in time, from a snapshot and the records after it. */
export interface Machine {
  at: number;
  readonly informers: Map<string, InformerView>;
  readonly controllers: Map<string, ControllerView>;
  /** Which handlers filled which queues, as keys made by {@link feedKey}. */
  readonly feeds: Set<string>;
  /** Which controllers wrote which resources, as keys made by {@link writeKey}. */
  readonly writes: Set<string>;
  /** The controllers of the reconciles that are running, by id. */
  readonly running: Map<string, string>;
  /** The last record of each lease. */
  readonly elections: Map<string, ElectionRecord>;
  readonly connections: Set<string>;
  /** The notes of errors: what a simulation found. */
  readonly problems: NoteRecord[];
  openRequests: number;
  requests: number;
  failedRequests: number;
  recordedEvents: number;
  unrecorded: number;
}

/** Returns the state that a snapshot describes. */
export function machineOf(snapshot: ObservedSnapshot): Machine {
  const machine: Machine = {
    at: snapshot.at,
    informers: new Map(),
    controllers: new Map(),
    feeds: new Set(),
    writes: new Set(),
    running: new Map(),
    elections: new Map(),
    connections: new Set(),
    problems: [],
    openRequests: 0,
    requests: 0,
    failedRequests: 0,
    recordedEvents: 0,
    unrecorded: 0,
  };
  applySnapshot(machine, snapshot);
  for (const { controller, active } of snapshot.controllers) {
    const view = controllerOf(machine, controller);
    for (const key of active) keyOf(view, key, snapshot.at).phase = 'active';
  }
  return machine;
}

/**
 * Brings a machine to the state of a snapshot, which knows more than the records: they are limited per
 * second, and none has the size of a cache.
 */
export function applySnapshot(machine: Machine, snapshot: ObservedSnapshot): void {
  machine.at = Math.max(machine.at, snapshot.at);
  for (const from of snapshot.informers) {
    Object.assign(informerOf(machine, from.informer), viewOf(from));
  }
  for (const queue of snapshot.queues) controllerOf(machine, queue.queue).queue = queue;
  for (const from of snapshot.controllers) {
    const { informers, workers, reconciles, errors, duration } = from;
    const known = { informers, workers, reconciles, errors, duration };
    Object.assign(controllerOf(machine, from.controller), known);
  }
  for (const record of snapshot.elections) machine.elections.set(record.lease, record);
  for (const { connection } of snapshot.connections) machine.connections.add(connection);
  const { requests, failedRequests, openRequests, recordedEvents, unrecorded } = snapshot.totals;
  Object.assign(machine, { requests, failedRequests, openRequests, recordedEvents, unrecorded });
}

/** Returns a copy that further records can be applied to; the original stays as it is. */
export function copyMachine(machine: Machine): Machine {
  return {
    ...machine,
    informers: copyValues(machine.informers, (view) => ({ ...view, relists: [...view.relists] })),
    controllers: copyValues(machine.controllers, (view) => ({
      ...view,
      warnings: [...view.warnings],
      keys: copyValues(view.keys, (key) => ({ ...key })),
    })),
    feeds: new Set(machine.feeds),
    writes: new Set(machine.writes),
    running: new Map(machine.running),
    elections: new Map(machine.elections),
    connections: new Set(machine.connections),
    problems: [...machine.problems],
  };
}

/** A handler of an informer and the queue that it fills, as one string. */
export function feedKey(informer: string, handler: string, controller: string): string {
  return JSON.stringify([informer, handler, controller]);
}

/** A controller and a resource that it writes, as one string. */
export function writeKey(controller: string, resource: string): string {
  return JSON.stringify([controller, resource]);
}

/** True if a request with this verb changes something. */
export function isWrite(verb: string): boolean {
  return WRITE_VERBS.has(verb);
}

/** Brings a machine forward by one record. */
export function applyRecord(machine: Machine, record: ObservedRecord): void {
  machine.at = Math.max(machine.at, record.at);
  switch (record.type) {
    case 'informer.state':
    case 'informer.relist':
    case 'informer.events':
    case 'watch.event':
      applyToInformer(informerOf(machine, record.informer), record);
      break;
    case 'handler.slow':
      break;
    case 'queue.add':
    case 'queue.state':
      applyToQueue(machine, controllerOf(machine, record.queue), record);
      break;
    case 'reconcile.start':
    case 'reconcile.end':
    case 'guard.warning':
      applyToController(machine, controllerOf(machine, record.controller), record);
      break;
    case 'request.start':
    case 'request.end':
    case 'request.head':
      applyToRequests(machine, record);
      break;
    case 'election':
      machine.elections.set(record.lease, record);
      break;
    case 'note':
      if (record.severity === 'error') machine.problems.push(record);
      break;
    case 'event.recorded':
      machine.recordedEvents += 1;
      break;
    default:
      // A newer program may send what this page does not know.
      record satisfies never;
  }
}

/**
 * How many versions the newest change that any informer of the same server has seen is ahead. Versions
 * count the changes of all resources, so a quiet resource stays behind until its next bookmark.
 */
export function versionsBehind(machine: Machine, informer: InformerView): number {
  const own = Number(informer.resourceVersion);
  let newest = own;
  for (const other of machine.informers.values()) {
    if (other.server !== informer.server) continue;
    const version = Number(other.resourceVersion);
    if (version > newest) newest = version;
  }
  return Number.isFinite(newest - own) ? newest - own : 0;
}

type InformerRecord = Extract<ObservedRecord, { readonly informer: string }>;

function applyToInformer(view: InformerView, record: InformerRecord): void {
  if (record.type === 'informer.state') {
    view.state = record.state;
    view.since = record.since;
    view.reason = record.reason;
    view.resourceVersion = record.resourceVersion || view.resourceVersion;
    view.objects = record.objects;
  } else if (record.type === 'informer.relist') {
    if (record.how === 'watch') view.watchRestarts += 1;
    else view.relistCount += 1;
    view.relists.push(record);
    if (view.relists.length > REMEMBERED) view.relists.shift();
  } else if (record.type === 'informer.events') {
    applyCounts(view, record);
  } else if (record.type === 'watch.event') {
    view.lastEventAt = record.at;
    if (Number(record.resourceVersion) > Number(view.resourceVersion)) {
      view.resourceVersion = record.resourceVersion;
    }
  }
}

function applyCounts(view: InformerView, record: InformerEventsRecord): void {
  // The size is only in snapshots; in between it follows the number of objects.
  if (view.objects > 0) view.bytes = Math.round((view.bytes / view.objects) * record.objects);
  view.added += record.added;
  view.updated += record.updated;
  view.deleted += record.deleted;
  view.objects = record.objects;
  view.lag = record.lag;
  view.resourceVersion = record.resourceVersion || view.resourceVersion;
  view.handlers = record.handlers;
  view.lastEventAt = record.at;
}

type QueueRecord = Extract<ObservedRecord, { readonly queue: string }>;

function applyToQueue(machine: Machine, view: ControllerView, record: QueueRecord): void {
  if (record.type === 'queue.state') {
    view.queue = record;
    return;
  }
  if (record.trigger.kind === 'change') {
    const { informer, handler } = record.trigger;
    machine.feeds.add(feedKey(informer, handler, view.id));
  }
  const key = keyOf(view, record.key, record.at);
  if (key.phase !== 'active') {
    const isDelayed = (record.delayMs ?? 0) > 0;
    key.phase = isDelayed ? (key.failures > 0 ? 'failing' : 'waiting') : 'queued';
    key.dueAt = isDelayed ? record.at + (record.delayMs ?? 0) : undefined;
  }
  key.trigger = record.trigger;
}

type ControllerRecord = Extract<ObservedRecord, { readonly controller: string }>;

function applyToController(machine: Machine, view: ControllerView, record: ControllerRecord): void {
  if (record.type === 'guard.warning') {
    view.warnings.push(record);
    if (view.warnings.length > REMEMBERED) view.warnings.shift();
    return;
  }
  const key = keyOf(view, record.key, record.at);
  key.lastAt = record.at;
  key.trigger = record.trigger;
  if (record.type === 'reconcile.start') {
    machine.running.set(String(record.id), view.id);
    key.phase = 'active';
    key.dueAt = undefined;
    return;
  }
  machine.running.delete(String(record.id));
  const isFailed = isFailure(record.result);
  view.reconciles += 1;
  view.errors += isFailed ? 1 : 0;
  key.reconciles += 1;
  key.errors += isFailed ? 1 : 0;
  key.failures = isFailed ? key.failures + 1 : 0;
  key.lastResult = record.result;
  key.lastDurationMs = record.durationMs;
  key.lastError = record.error ?? record.errorCode;
  key.dueAt = record.requeueAfterMs === undefined ? undefined : record.at + record.requeueAfterMs;
  key.phase = isFailed ? 'failing' : key.dueAt === undefined ? 'idle' : 'waiting';
}

type RequestRecord = Extract<ObservedRecord, { readonly verb: string }>;

function applyToRequests(machine: Machine, record: RequestRecord): void {
  if (record.type === 'request.start') {
    machine.openRequests += 1;
    machine.requests += 1;
    if (isWrite(record.verb)) {
      const id = record.reconcile === undefined ? undefined : String(record.reconcile);
      machine.writes.add(writeKey(machine.running.get(id ?? '') ?? '', record.resource));
    }
    return;
  }
  if (record.type === 'request.end') machine.openRequests = Math.max(0, machine.openRequests - 1);
  if (record.code === 0 || record.code >= 400) machine.failedRequests += 1;
  if (record.connection !== '') machine.connections.add(record.connection);
}

/** True for the results that count as errors. */
export function isFailure(result: ReconcileEndRecord['result']): boolean {
  return result === 'error' || result === 'terminal' || result === 'timeout';
}

function viewOf(from: ObservedInformer): Omit<InformerView, 'id' | 'relists'> {
  return {
    ...from.events,
    resource: from.resource,
    server: from.server,
    state: from.state,
    since: from.since,
    reason: from.reason,
    resourceVersion: from.resourceVersion,
    lag: from.lag,
    lastEventAt: from.lastEventAt,
    objects: from.objects,
    bytes: from.bytes,
    indices: from.indices,
    relistCount: from.relists,
    watchRestarts: from.watchRestarts,
    handlers: from.handlers,
    isSearchable: from.isSearchable,
  };
}

/** The informer of a name. One that started after the snapshot is known by its records only. */
function informerOf(machine: Machine, id: string): InformerView {
  const known = machine.informers.get(id);
  if (known !== undefined) return known;
  const view: InformerView = {
    id,
    resource: id,
    server: '',
    state: 'starting',
    since: undefined,
    reason: undefined,
    resourceVersion: '',
    lag: 0,
    lastEventAt: 0,
    objects: 0,
    bytes: 0,
    indices: [],
    added: 0,
    updated: 0,
    deleted: 0,
    relistCount: 0,
    watchRestarts: 0,
    relists: [],
    handlers: [],
    isSearchable: false,
  };
  machine.informers.set(id, view);
  return view;
}

/** The controller of a name. */
function controllerOf(machine: Machine, id: string): ControllerView {
  const known = machine.controllers.get(id);
  if (known !== undefined) return known;
  const view: ControllerView = {
    id,
    queue: undefined,
    informers: [],
    workers: 0,
    reconciles: 0,
    errors: 0,
    duration: undefined,
    keys: new Map(),
    warnings: [],
  };
  machine.controllers.set(id, view);
  return view;
}

function keyOf(view: ControllerView, key: string, at: number): KeyView {
  const known = view.keys.get(key);
  if (known !== undefined) return known;
  const created: KeyView = {
    controller: view.id,
    key,
    phase: 'idle',
    reconciles: 0,
    errors: 0,
    failures: 0,
    lastAt: at,
    lastResult: undefined,
    lastDurationMs: undefined,
    lastError: undefined,
    dueAt: undefined,
    trigger: undefined,
  };
  view.keys.set(key, created);
  if (view.keys.size > KEY_LIMIT) forgetIdleKey(view);
  return created;
}

function forgetIdleKey(view: ControllerView): void {
  for (const [key, { phase }] of view.keys) {
    if (phase !== 'idle') continue;
    view.keys.delete(key);
    return;
  }
}

function copyValues<V>(map: ReadonlyMap<string, V>, copy: (value: V) => V): Map<string, V> {
  return new Map(Array.from(map, ([key, value]) => [key, copy(value)]));
}
