import { GROUP_LABEL } from '../../leaderelection/shard-leases.ts';
import { messageOf } from '../../lib/errors.ts';
import type { DeepReadonly, KubernetesObject } from '../../meta/types.ts';
import { isHousekeeping, isWrite } from './request-target.ts';
import type { SimulationState } from './state.ts';

/**
 * When an invariant is checked.
 *
 * - `write`: after each write that the server stores.
 * - `settled`: when the faults are over and nothing is written any more. It must hold then, or later
 *   while the time to settle lasts.
 * - `quiet`: at the end of a minute in which nothing happens in the world.
 * - `second-run`: after all replicas were stopped, started again and have settled.
 */
export type InvariantMoment = 'quiet' | 'second-run' | 'settled' | 'write';

/** What must hold in a simulation, whatever the faults. */
export interface Invariant {
  readonly name: string;
  readonly at: InvariantMoment | readonly InvariantMoment[];
  /** Returns the problem in words, or undefined; it may also throw, for example an AssertionError. */
  readonly check: (state: SimulationState, since: PhaseStart) => string | undefined;
}

/** The moment of a check, and the beginning of the phase before it. */
export interface PhaseStart {
  readonly at: InvariantMoment;
  readonly atMs: number;
  /** How many requests and writes there were. */
  readonly requests: number;
  readonly writes: number;
}

/** What a user's check returns: a problem, several, or none. */
export type CheckResult = readonly string[] | string | undefined | void;

/** Returns an invariant that must hold after each write. */
export function always(name: string, check: (state: SimulationState) => CheckResult): Invariant {
  return { name, at: 'write', check: (state) => problemOf(check(state)) };
}

/** Returns an invariant that must hold in the end, when the faults are over. */
export function eventually(
  name: string,
  check: (state: SimulationState) => CheckResult,
): Invariant {
  return { name, at: 'settled', check: (state) => problemOf(check(state)) };
}

/** Runs a check; an error that it throws is the problem. */
export function problemWith(
  { check }: Invariant,
  state: SimulationState,
  since: PhaseStart,
): string | undefined {
  try {
    return check(state, since);
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * The controllers stop writing when the world stops changing. The simulation itself reports this
 * one, because it waits for it.
 */
export function converges(): Invariant {
  return { name: 'converges', at: 'settled', check: () => undefined };
}

/** Options of {@link noHotLoop}. */
export interface NoHotLoopOptions {
  /** The most requests of a replica in a minute without changes, leases and events not counted. Default 120. */
  readonly perMinute?: number | undefined;
  /** The most updates of one object in ten seconds, whatever the faults. Default 100. */
  readonly perObject?: number | undefined;
}

/** The time in which updates of one object are counted. */
const LOOP_MS = 10_000;

/**
 * Controllers do not keep asking or writing when nothing changes, nor update an object without end,
 * and their loop guards report no loop and no fight for a field.
 */
export function noHotLoop({ perMinute = 120, perObject = 100 }: NoHotLoopOptions = {}): Invariant {
  return {
    name: 'no hot loop',
    at: ['write', 'quiet'],
    check: (state, since) => {
      if (since.at === 'quiet') return requestLoop(state, since, perMinute);
      const [warning] = state.guardWarnings;
      if (warning === undefined) return updateLoop(state, perObject);
      return `controller ${warning.controller}, ${warning.key}: ${warning.message}`;
    },
  };
}

/** Returns the object of the last write if it was updated too often. */
function updateLoop({ writes, nowMs }: SimulationState, most: number): string | undefined {
  const last = writes.at(-1);
  if (last?.isController !== true || last.object === undefined || isHousekeeping(last)) return;
  const { resource, namespace, name } = last;
  let count = 0;
  const by = new Set<string>();
  for (let index = writes.length - 1; index >= 0; index -= 1) {
    const write = writes[index];
    if (write === undefined || write.atMs < nowMs - LOOP_MS) break;
    const isSame = write.name === name && write.resource === resource;
    const isUpdate = write.object !== undefined && write.previous !== undefined;
    if (!isSame || write.namespace !== namespace || !isUpdate) continue;
    count += 1;
    by.add(write.by);
  }
  if (count <= most) return undefined;
  const place = namespace === '' ? name : `${namespace}/${name}`;
  return `${resource} ${place} was updated ${count} times in ten seconds, by ${[...by].join(', ')}`;
}

/** Returns the replica that sends requests although nothing changes. */
function requestLoop(
  { requests }: SimulationState,
  since: PhaseStart,
  most: number,
): string | undefined {
  const counts = new Map<string, number>();
  for (const request of requests.slice(since.requests)) {
    if (!request.isController || isHousekeeping(request) || request.verb === 'watch') continue;
    counts.set(request.process, (counts.get(request.process) ?? 0) + 1);
  }
  const [found] = [...counts].filter(([, count]) => count > most);
  return found && `${found[0]} sent ${found[1]} requests in a minute without changes`;
}

/** Options of {@link noOrphan}. */
export interface NoOrphanOptions {
  /**
   * Returns the owner of an object that is tied to it by a label or a name instead of an owner
   * reference, or undefined if it has none. Called for each object that the controllers have created.
   */
  readonly ownerOf?: ((object: DeepReadonly<KubernetesObject>) => OwnerKey | undefined) | undefined;
}

/** The kind, the namespace and the name of an owner. */
export interface OwnerKey {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/**
 * Nothing stays behind: the owners of all objects that the controllers have created exist, and no
 * object waits for a finalizer.
 */
export function noOrphan({ ownerOf }: NoOrphanOptions = {}): Invariant {
  return {
    name: 'no orphan',
    at: 'settled',
    check: (state) => {
      const objects = state.all();
      const uids = new Set(objects.map(({ metadata }) => metadata?.uid));
      const keys = new Set(objects.map((object) => keyOf(object)));
      const created = createdByControllers(state);
      for (const object of objects) {
        const {
          uid = '',
          deletionTimestamp,
          finalizers = [],
          ownerReferences = [],
        } = object.metadata ?? {};
        if (deletionTimestamp !== undefined && finalizers.length > 0) {
          return `${keyOf(object)} is being deleted, and waits for ${finalizers.join(', ')}`;
        }
        if (!created.has(uid)) continue;
        const gone = ownerReferences.find((owner) => !uids.has(owner.uid));
        if (gone !== undefined)
          return `${keyOf(object)} has no owner: ${gone.kind} ${gone.name} is gone`;
        const owner = ownerOf?.(object);
        if (owner === undefined) continue;
        const namespace = owner.namespace ?? object.metadata?.namespace ?? '';
        const key = keyOf({ kind: owner.kind, metadata: { namespace, name: owner.name } });
        if (!keys.has(key)) return `${keyOf(object)} has no owner: ${key} is gone`;
      }
      return undefined;
    },
  };
}

/** At no time two replicas consider themselves the leader. */
export function noSecondLeader(): Invariant {
  return {
    name: 'no second leader',
    at: 'write',
    check: ({ leaders }) =>
      leaders.length < 2 ? undefined : `${leaders.join(' and ')} lead at the same time`,
  };
}

/** Options of {@link noWriteAfterLoss}. */
export interface NoWriteAfterLossOptions {
  /** The name of the Lease. Default: every Lease but those of shards, for programs that have one. */
  readonly lease?: string | undefined;
}

/**
 * A replica sends no write while another one holds the Lease. A write that was sent before, and is
 * stored after the loss, cannot be excluded: see docs/leader-election.md.
 */
export function noWriteAfterLoss({ lease }: NoWriteAfterLossOptions = {}): Invariant {
  /** How many requests of a simulation were checked. */
  const checked = new WeakMap<SimulationState, number>();
  return {
    name: 'no write after loss of the lease',
    at: 'write',
    check: (state) => {
      const { requests, writes } = state;
      const fresh = requests.slice(checked.get(state) ?? 0);
      checked.set(state, requests.length);
      for (const request of fresh) {
        if (!request.isController || !isWrite(request) || isHousekeeping(request)) continue;
        const held = writes.findLast(
          ({ resource, name, revision, object, previous }) =>
            resource === 'leases' &&
            (lease === undefined ? !isOfShards(object ?? previous) : name === lease) &&
            revision <= request.sentAtRevision,
        );
        const holder = holderOf(held?.object);
        if (holder === undefined || holder === request.process) continue;
        const { verb, resource, namespace, name } = request;
        const what = `${verb} ${resource} ${namespace}/${name}`;
        return `${request.process} sent ${what} while ${holder === '' ? 'no replica' : holder} held the lease`;
      }
      return undefined;
    },
  };
}

/** A Lease of a shard or of a replica that shares them: several are held at a time. */
function isOfShards(object: DeepReadonly<KubernetesObject> | undefined): boolean {
  return object?.metadata?.labels?.[GROUP_LABEL] !== undefined;
}

/** Controllers that are started again on a world that is as it should be write nothing. */
export function idempotent(): Invariant {
  return {
    name: 'a second run writes nothing',
    at: 'second-run',
    check: ({ writes }, since) => {
      const found = writes
        .slice(since.writes)
        .find((write) => write.isController && !isHousekeeping(write));
      if (found === undefined) return undefined;
      const { by, resource, namespace, name, object, previous } = found;
      const verb =
        previous === undefined ? 'created' : object === undefined ? 'deleted' : 'changed';
      return `${by} ${verb} ${resource} ${namespace}/${name}`;
    },
  };
}

/** All built-in invariants, with their default options. */
export function builtInInvariants(): Invariant[] {
  return [converges(), noHotLoop(), noOrphan(), noSecondLeader(), noWriteAfterLoss(), idempotent()];
}

function problemOf(result: CheckResult): string | undefined {
  const problems = typeof result === 'string' ? [result] : (result ?? []);
  return problems.length === 0 ? undefined : problems.join('; ');
}

function createdByControllers({ writes }: SimulationState): ReadonlySet<string> {
  return new Set(
    writes
      .filter(({ isController, previous }) => isController && previous === undefined)
      .map(({ object }) => object?.metadata?.uid ?? ''),
  );
}

function keyOf({ kind = '', metadata }: DeepReadonly<KubernetesObject>): string {
  const { namespace = '', name = '' } = metadata ?? {};
  return `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;
}

function holderOf(lease: DeepReadonly<KubernetesObject> | undefined): string | undefined {
  const { spec } = (lease ?? {}) as { readonly spec?: { readonly holderIdentity?: string } };
  return lease === undefined ? undefined : (spec?.holderIdentity ?? '');
}
