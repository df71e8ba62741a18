import type { Pod } from 'client-ts/api/core/v1';
import { getControllerOf } from 'client-ts/meta';
import type { Stored } from 'client-ts/rest';

import { ordinalOf } from '../pods.ts';
import type { LoggedChange } from './watch-log.ts';

/** Counts of invariant violations, which must be zero whatever happens to the processes. */
export interface Audit {
  readonly duplicates: readonly string[];
  readonly unwanted: readonly string[];
  readonly orphans: readonly string[];
  readonly strangers: readonly string[];
  readonly leftBehind: readonly string[];
  /** Not a violation, and unavoidable: see {@link Auditor.late}. */
  readonly late: number;
  readonly podsCreated: number;
  readonly podsGone: number;
  readonly mostPods: number;
  readonly terms: number;
}

interface Owner {
  readonly name: string;
  mostWanted: number;
  isGone: boolean;
}

/** Replays the changes of a server and checks each new pod. */
export function audit(changes: readonly LoggedChange[]): Audit {
  const auditor = new Auditor();
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
  /** A pod was created by a process that did not hold the Lease and continued without it. */
  readonly strangers: string[] = [];
  /** A WebSet was gone before its pods: its finalizer was removed too early. */
  readonly leftBehind: string[] = [];
  /**
   * A pod was made by a process that had held the Lease until just before: it was paused when its
   * request was on the way. That can be one for each WebSet, since there is one worker for each, who
   * waits for the answer. Its name makes it harmless; and garbage, should the owner be gone.
   */
  late = 0;
  podsCreated = 0;
  podsGone = 0;
  mostPods = 0;
  terms = 0;
  #holder = '';
  readonly #holders = new Set<string>();
  readonly #lateWrites = new Set<string>();
  readonly #owners = new Map<string, Owner>();
  readonly #pods = new Map<string, Stored<Pod>>();

  look(change: LoggedChange): void {
    if (change.kind === 'Lease') {
      const holder = change.object.spec?.holderIdentity ?? '';
      if (holder !== this.#holder && holder !== '') this.terms += 1;
      this.#holder = holder;
      this.#holders.add(holder);
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
    const writer = writerOf(pod);
    const isLate = writer !== this.#holder && this.#isFirstLate(writer, ownerUid);
    if (isLate) this.late += 1;
    else if (writer !== this.#holder) {
      this.strangers.push(`${what} by ${writer}, while ${this.#holder || 'no process'} led`);
    }
    if (owner === undefined || (owner.isGone && !isLate)) this.orphans.push(what);
    else if (ordinal >= owner.mostWanted) this.unwanted.push(what);
    for (const other of this.#pods.values()) {
      const isSameOwner = this.#owners.get(getControllerOf(other)?.uid ?? '')?.name === owner?.name;
      if (isSameOwner && ordinalOf(other) === ordinal) this.duplicates.push(what);
    }
    this.#pods.set(uid, pod);
    this.mostPods = Math.max(this.mostPods, this.#pods.size);
  }

  #isFirstLate(writer: string, ownerUid: string): boolean {
    const write = `${writer} for ${ownerUid}`;
    const isFirst = this.#holders.has(writer) && !this.#lateWrites.has(write);
    this.#lateWrites.add(write);
    return isFirst;
  }

  *#podsOf(ownerUid: string): Generator<Stored<Pod>> {
    for (const pod of this.#pods.values()) {
      if (getControllerOf(pod)?.uid === ownerUid) yield pod;
    }
  }
}

/** Returns the process that created a pod. */
function writerOf({ metadata }: Stored<Pod>): string {
  return metadata.managedFields?.[0]?.manager?.replace('web-set-operator-', '') ?? 'unknown';
}
