import type { CachedObject } from '../../cache/list-watch.ts';
import { isBeingDeleted, nameOf, namespaceOf } from '../../meta/object.ts';
import { groupResourceName, type GroupResource } from '../../meta/resource.ts';
import type { AcceptedWrite } from '../write-tracker.ts';
import { versionIn } from '../write-overlay.ts';
import { fieldChanges } from './field-changes.ts';
import { managerOf } from './field-managers.ts';
import { type FieldWrite, type Loop, LoopDetector, type LoopLimits } from './loop-detector.ts';
import type { OwnWrites } from './own-writes.ts';

/** A change of an object that made a key due. */
export interface Cause {
  readonly object: string;
  readonly version: string;
  readonly isDeletion: boolean;
  /** The generation is what it was: a status, for instance. Undefined if the kind has none. */
  readonly isSameGeneration: boolean | undefined;
}

/** More than that are not distinguished, and count as a change of others. */
const MAX_CAUSES = 256;
const MAX_WRITES = 256;

/** The shortest `requeueAfter` that is a rhythm, and not a loop. */
const SHORTEST_RHYTHM_MS = 1000;

/**
 * A key whose reconciles write often: what caused its reconciles, and which fields they wrote. One
 * reconcile runs at a time.
 */
export class Suspect {
  readonly #detector: LoopDetector;
  readonly #own: OwnWrites;
  readonly #fieldManager: string;
  /** Since the start of the last reconcile. */
  #causes: Cause[] = [];
  #isCalled = false;
  /** Of the reconcile in progress. */
  #isCausedOutside = true;
  #writes: FieldWrite[] = [];
  #requeueAfterMs = Infinity;
  /** When it last wrote. */
  lastWriteAt: number;

  constructor(
    limits: LoopLimits,
    { own, fieldManager, at }: { own: OwnWrites; fieldManager: string; at: number },
  ) {
    this.#detector = new LoopDetector(limits);
    this.#own = own;
    this.#fieldManager = fieldManager;
    this.lastWriteAt = at;
  }

  /** Records that a change of an object enqueued the key. */
  cause(cause: Cause): void {
    if (this.#causes.length < MAX_CAUSES) this.#causes.push(cause);
    else this.#isCalled = true;
  }

  /** Records that something else than a change enqueued the key. */
  call(): void {
    this.#isCalled = true;
  }

  /** True if something happened that has nothing to do with the loop of this key. */
  get hasNews(): boolean {
    return (
      this.#isCalled ||
      this.#causes.some(
        (cause) => this.#isOutside(cause) && !this.#detector.isContested(cause.object),
      )
    );
  }

  started(): void {
    const hasCauses = this.#causes.length > 0;
    this.#isCausedOutside =
      this.#isCalled ||
      this.#causes.some((cause) => this.#isOutside(cause)) ||
      // Nothing has changed: it is a retry, or the time has come.
      (!hasCauses && this.#requeueAfterMs >= SHORTEST_RHYTHM_MS);
    this.#causes = [];
    this.#isCalled = false;
    this.#writes = [];
    this.#requeueAfterMs = 0;
  }

  /** Returns the loop that the reconcile continues; undefined if it does not. */
  ended(at: number, requeueAfterMs: number): Loop | undefined {
    this.#requeueAfterMs = requeueAfterMs;
    const writes = this.#writes;
    this.#writes = [];
    if (writes.length > 0) this.lastWriteAt = at;
    return this.#detector.observe({ at, isCausedOutside: this.#isCausedOutside, writes });
  }

  /** True while its writes are a loop. */
  get isLooping(): boolean {
    return this.#detector.isLooping;
  }

  /** Begins all counts again. */
  calm(): void {
    this.#detector.calm();
  }

  /** Records a write of the reconcile in progress, if it had an effect. */
  wrote(accepted: AcceptedWrite): void {
    if (this.#writes.length >= MAX_WRITES) return;
    const { write, before } = accepted;
    const { verb, subresource } = write;
    if (verb === 'deletecollection') return;
    const answer = accepted.answer();
    const object = objectOf(write, () => answer);
    const version = answer === undefined ? '' : versionIn(answer);
    const isKnown = !this.#own.add(object, { write, before, version });
    const isNew = !isKnown && version !== (before && versionIn(before));
    if (verb === 'delete' && subresource === '') {
      if (before !== undefined && isBeingDeleted(before)) return;
      this.#writes.push(lifeOf(object, 'present', 'deleted'));
    } else if (answer !== undefined && isNew) {
      const isCreation =
        (verb === 'create' && subresource === '') ||
        (verb === 'apply' && before === undefined && accepted.isCached);
      if (isCreation) this.#writes.push(lifeOf(object, 'absent', 'created'));
      else this.#compare(object, before, accepted.cachedForm(answer), version);
    }
  }

  #compare(
    object: string,
    before: CachedObject | undefined,
    after: CachedObject | undefined,
    version: string,
  ): void {
    const changes = before && after ? fieldChanges(before, after) : [];
    if (before === undefined || after === undefined || changes.length === 0) {
      // It is not cached, or what was changed is not. Every version is a new value.
      const none = { before: undefined, after: version, isContestable: false };
      this.#writes.push({ object, path: '', ...none });
      return;
    }
    for (const { path, steps, before: old, after: now } of changes) {
      const writer = managerOf(after, steps, undefined) ?? this.#fieldManager;
      const other = managerOf(before, steps, writer);
      this.#writes.push({ object, path, before: old, after: now, writer, other });
    }
  }

  /** An object that this key has written may get a new status for that: a reaction, not news. */
  #isOutside({ object, version, isDeletion, isSameGeneration }: Cause): boolean {
    if (this.#own.has(object, version)) return false;
    if (isDeletion) return !this.#own.hasDeletion(object);
    return !(isSameGeneration === true && this.#detector.hasWritten(object));
  }
}

/** Returns an object as it is called in warnings: `deployments.apps default/web`. */
export function objectName(resource: GroupResource, namespace: string, name: string): string {
  return `${groupResourceName(resource)} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** Returns the object that was written, as {@link objectName} does. Asks for the answer if the server chose the name. */
export function objectOf(
  { resource, namespace, name }: AcceptedWrite['write'],
  answer: AcceptedWrite['answer'],
): string {
  if (name !== undefined) return objectName(resource, namespace, name);
  const created = answer();
  return objectName(resource, namespace, created === undefined ? '' : nameOf(created));
}

/** Returns the cause that a change of an object is. */
export function causeOf(
  resource: GroupResource,
  object: CachedObject,
  { type, oldObject }: { readonly type: string; readonly oldObject?: CachedObject | undefined },
): Cause {
  const generation = object.metadata?.generation;
  return {
    object: objectName(resource, namespaceOf(object), nameOf(object)),
    version: versionIn(object),
    isDeletion: type === 'delete',
    isSameGeneration:
      generation === undefined || oldObject === undefined
        ? undefined
        : oldObject.metadata?.generation === generation,
  };
}

/** That an object exists is not contested: to create again what others delete is what controllers do. */
function lifeOf(object: string, before: string, after: string): FieldWrite {
  return { object, path: '', before, after, isContestable: false };
}
