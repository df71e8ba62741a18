import type { Pod } from 'client-ts/api/core/v1';
import { getControllerOf } from 'client-ts/meta';
import type { Stored } from 'client-ts/rest';

import { ordinalOf } from '../pods.ts';
import type { LoggedChange } from './watch-log.ts';

/** What must never happen, whatever is done to the processes, and how often it did. */
export interface Audit {
  readonly duplicates: readonly string[];
  readonly unwanted: readonly string[];
  readonly orphans: readonly string[];
  readonly strangers: readonly string[];
  readonly leftBehind: readonly string[];
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

/** Goes through what has happened on a server from beginning to end, and looks at every new pod. */
export function audit(changes: readonly LoggedChange[]): Audit {
  const auditor = new Auditor();
  for (const change of changes) auditor.look(change);
  return auditor;
}

class Auditor implements Audit {
  /** A pod was made while there was another with the same number for the same WebSet. */
  readonly duplicates: string[] = [];
  /** A pod was made with a number that its WebSet never wanted up to then. */
  readonly unwanted: string[] = [];
  /** A pod was made for a WebSet that was gone, or for none. */
  readonly orphans: string[] = [];
  /** A pod was made by a process that did not hold the Lease. */
  readonly strangers: string[] = [];
  /** A WebSet went, and left pods behind: its finalizer was removed too early. */
  readonly leftBehind: string[] = [];
  podsCreated = 0;
  podsGone = 0;
  mostPods = 0;
  terms = 0;
  #holder = '';
  readonly #owners = new Map<string, Owner>();
  readonly #pods = new Map<string, Stored<Pod>>();

  look(change: LoggedChange): void {
    if (change.kind === 'Lease') {
      const holder = change.object.spec?.holderIdentity ?? '';
      if (holder !== this.#holder && holder !== '') this.terms += 1;
      this.#holder = holder;
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
    const { name, uid, resourceVersion, managedFields = [] } = pod.metadata;
    const what = `${name} (uid ${uid}, version ${resourceVersion})`;
    const ownerUid = getControllerOf(pod)?.uid ?? '';
    const owner = this.#owners.get(ownerUid);
    const ordinal = ordinalOf(pod) ?? Infinity;
    if (owner === undefined || owner.isGone) this.orphans.push(what);
    else if (ordinal >= owner.mostWanted) this.unwanted.push(what);
    for (const other of this.#pods.values()) {
      const isSameOwner = this.#owners.get(getControllerOf(other)?.uid ?? '')?.name === owner?.name;
      if (isSameOwner && ordinalOf(other) === ordinal) this.duplicates.push(what);
    }
    const writers = managedFields.map(({ manager = '' }) => manager);
    if (!writers.includes(`web-set-operator-${this.#holder}`)) {
      this.strangers.push(`${what} by ${writers.join()}, while ${this.#holder || 'nobody'} led`);
    }
    this.#pods.set(uid, pod);
    this.mostPods = Math.max(this.mostPods, this.#pods.size);
  }

  *#podsOf(ownerUid: string): Generator<Stored<Pod>> {
    for (const pod of this.#pods.values()) {
      if (getControllerOf(pod)?.uid === ownerUid) yield pod;
    }
  }
}
