import type { Pod } from 'client-ts/api/core/v1';
import { getControllerOf } from 'client-ts/meta';
import type { Stored } from 'client-ts/rest';

import { ordinalOf } from '../pods.ts';
import { readStamp } from '../stamp.ts';
import { type LeaseRules, Tenures } from './tenures.ts';
import type { LoggedChange } from './watch-log.ts';

/** Counts of invariant violations, which must be zero whatever happens to the processes. */
export interface Audit {
  readonly duplicates: readonly string[];
  readonly unwanted: readonly string[];
  readonly orphans: readonly string[];
  readonly strangers: readonly string[];
  readonly leftBehind: readonly string[];
  /** Not violations, and unavoidable: see {@link Auditor.late}. */
  readonly late: readonly string[];
  readonly podsCreated: number;
  readonly podsGone: number;
  readonly mostPods: number;
  readonly terms: number;
  /** The holders of the Leases, over the whole run. */
  readonly tenures: Tenures;
}

interface Owner {
  readonly name: string;
  mostWanted: number;
  isGone: boolean;
}

/**
 * Replays the changes of a server and checks each new pod. `stoppedAt` is when the processes were asked
 * to end: a lock that none of them held then counts as vacant until then.
 */
export function audit(
  changes: readonly LoggedChange[],
  rules: LeaseRules,
  stoppedAt?: number,
): Audit {
  const auditor = new Auditor(rules);
  // Times are compared with all renewals, and the holder with those before a change.
  for (const { kind, type, object } of changes) {
    if (kind === 'Lease' && type !== 'DELETED') auditor.tenures.look(object);
  }
  if (stoppedAt !== undefined) auditor.tenures.addOpenVacancies(stoppedAt);
  for (const change of changes) auditor.look(change);
  return auditor;
}

class Auditor implements Audit {
  /** A pod was created while another one with the same ordinal and WebSet existed. */
  readonly duplicates: string[] = [];
  /** A pod was created with an ordinal that its WebSet had never asked for. */
  readonly unwanted: string[] = [];
  /** A pod was created for a WebSet that did not exist any more. */
  readonly orphans: string[] = [];
  /** A pod was created by a request that its process sent without the Lease. */
  readonly strangers: string[] = [];
  /** A WebSet was gone before its pods: its finalizer was removed too early. */
  readonly leftBehind: string[] = [];
  /**
   * A pod was created when its process no longer held the Lease, by a request that it had sent, by the
   * time in it, while it did. No fence can prevent that: the request was on the wire, in the queue of
   * the server, or its process was paused between the check and the socket. The name of the pod makes
   * it harmless; and garbage, should the owner be gone.
   */
  readonly late: string[] = [];
  podsCreated = 0;
  podsGone = 0;
  mostPods = 0;
  readonly tenures: Tenures;
  /** The holders at the change that is looked at. */
  readonly #now: Tenures;
  readonly #owners = new Map<string, Owner>();
  readonly #pods = new Map<string, Stored<Pod>>();

  constructor(rules: LeaseRules) {
    this.tenures = new Tenures(rules);
    this.#now = new Tenures(rules);
  }

  get terms(): number {
    return this.tenures.terms;
  }

  look(change: LoggedChange): void {
    if (change.kind === 'Lease') {
      if (change.type !== 'DELETED') this.#now.look(change.object);
    } else if (change.kind === 'WebSet') {
      const { metadata, spec } = change.object;
      const owner = this.#owners.get(metadata.uid) ?? {
        name: metadata.name,
        mostWanted: 0,
        isGone: false,
      };
      this.#owners.set(metadata.uid, owner);
      owner.mostWanted = Math.max(owner.mostWanted, spec.replicas ?? 1);
      if (change.type !== 'DELETED') return;
      owner.isGone = true;
      for (const pod of this.#podsOf(metadata.uid)) {
        this.leftBehind.push(`${pod.metadata.name} of ${metadata.name}`);
      }
    } else if (change.type === 'DELETED') {
      this.podsGone += 1;
      this.#pods.delete(change.object.metadata.uid);
    } else if (change.type === 'ADDED') this.#lookAtNew(change.object);
  }

  #lookAtNew(pod: Stored<Pod>): void {
    this.podsCreated += 1;
    const { name, uid, resourceVersion } = pod.metadata;
    const what = `${name} (uid ${uid}, version ${resourceVersion})`;
    const ownerUid = getControllerOf(pod)?.uid ?? '';
    const owner = this.#owners.get(ownerUid);
    const ordinal = ordinalOf(pod) ?? Infinity;
    const isLate = this.#isLate(pod, owner?.name ?? '', what);
    if (owner === undefined || (owner.isGone && !isLate)) this.orphans.push(what);
    else if (ordinal >= owner.mostWanted) this.unwanted.push(what);
    for (const other of this.#pods.values()) {
      const isSameOwner = this.#owners.get(getControllerOf(other)?.uid ?? '')?.name === owner?.name;
      if (isSameOwner && ordinalOf(other) === ordinal) this.duplicates.push(what);
    }
    this.#pods.set(uid, pod);
    this.mostPods = Math.max(this.mostPods, this.#pods.size);
  }

  /** Returns true for a pod that was sent with the Lease and stored without it. */
  #isLate(pod: Stored<Pod>, webSet: string, what: string): boolean {
    const { writer, sentAt } = readStamp(pod.metadata.managedFields?.[0]?.manager ?? '');
    const key = `${pod.metadata.namespace}/${webSet}`;
    const holder = this.#now.holderOf(key);
    const isHeld = sentAt !== undefined && this.tenures.held(key, writer, sentAt);
    if (!isHeld) {
      const end = this.tenures.leaseEnd(writer, sentAt ?? 0);
      const late = sentAt === undefined ? '' : `, ${Math.round(sentAt - end)} ms after its lease`;
      this.strangers.push(`${what} by ${writer}${late}, while ${holder || 'no process'} held it`);
      return false;
    }
    if (writer !== holder)
      this.late.push(`${what} by ${writer}, while ${holder || 'no process'} held it`);
    return writer !== holder;
  }

  *#podsOf(ownerUid: string): Generator<Stored<Pod>> {
    for (const pod of this.#pods.values()) {
      if (getControllerOf(pod)?.uid === ownerUid) yield pod;
    }
  }
}
