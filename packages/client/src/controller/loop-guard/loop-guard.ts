import type { CachedObject } from '../../cache/list-watch.ts';
import { Backoff } from '../../lib/backoff.ts';
import type { Clock, ScheduledCall } from '../../lib/clock.ts';
import { checkNumbers, OptionError } from '../../lib/option-error.ts';
import type { GroupResource } from '../../meta/resource.ts';
import { LruCache } from '../../record/event-correlator.ts';
import type { ReconcileResult } from '../../workqueue/reconcile.ts';
import type { ObjectChange } from '../predicates.ts';
import type { AcceptedWrite, AcceptedWriteListener } from '../write-tracker.ts';
import { versionIn } from '../write-overlay.ts';
import type { Loop } from './loop-detector.ts';
import { OwnWrites } from './own-writes.ts';
import { causeOf, objectOf, Suspect } from './suspect.ts';

/** Options of the loop guard of a controller. */
export interface LoopGuardOptions {
  /**
   * How many reconciles of an object in a row may cause each other and set the same fields to new
   * values. Default 100.
   */
  readonly maxRewrites?: number | undefined;
  /**
   * How many of them may set values that they have set before, and how often another writer and this
   * controller may undo each other's value of a field. Default 10.
   */
  readonly maxReturns?: number | undefined;
  /** The time in which they count, and after which a loop without further writes is over. Default 5 minutes. */
  readonly windowMs?: number | undefined;
  /** The delay of the next reconcile when a loop is noticed; it doubles while it lasts. Default 1000. */
  readonly initialDelayMs?: number | undefined;
  /** The longest delay. Default 60,000; 0 only reports. */
  readonly maxDelayMs?: number | undefined;
}

/** What a {@link LoopGuard} needs. */
export interface LoopGuardSettings extends LoopGuardOptions {
  readonly fieldManager: string;
  readonly clock: Clock;
  /** Called when a loop begins. */
  readonly onBegin: (key: string, loop: Loop) => void;
  /** Called when it is over, with the number of reconciles that were delayed. */
  readonly onEnd: (key: string, loop: Loop, delayed: number) => void;
}

/** A loop that is under way. */
interface Alarm {
  readonly suspect: Suspect;
  readonly delays: Backoff;
  loop: Loop;
  /** The next reconcile starts no earlier, on a monotonic clock. */
  notBefore: number;
  delayed: number;
  /** Ends it if nothing is written for a while. */
  calm: ScheduledCall;
}

/** What the writes of one reconcile replaced and left, as versions of the object; empty if not known. */
interface Written {
  before: string;
  after: string;
}

/** A key that has written, and is not observed. */
interface Counted {
  /** Reconciles with writes within a window that began at `since`; once they are {@link SUSPICIOUS}, it does not end. */
  writes: number;
  since: number;
  /** Reconciles whose writes did not settle, with at most the window between two; and the last of them. */
  unsettled: number;
  unsettledAt: number;
  /** The version that its last write left; empty if not known. */
  version: string;
  /** True if it has been reconciled since without writing: what it wrote is what it wants. */
  isSettled: boolean;
}

/** Reconciles with writes that did not settle, after which a key is observed field by field. */
const SUSPICIOUS = 3;
/** The keys with writes that are counted, and those that are observed. */
const MAX_COUNTED = 10_000;
const MAX_SUSPECTS = 5000;

/**
 * Notices reconciles that keep writing, and writers that undo each other, and slows them down.
 *
 * Writes that settle cost a counter, however many there are: a reconcile without a write came before,
 * and no other writer has changed the object since the last write. After the third reconcile whose
 * writes do not settle, with at most the window between two of them, a key is observed: the fields it
 * writes, and the changes that cause its reconciles. Writes that settle in between change nothing about
 * that. So no loop is missed: in a hot loop no reconcile is without a write, in a fight each write
 * replaces the value of another writer, and the time between two of them is at most the window.
 *
 * Once a key has written in three reconciles within the window, its versions are known as own ones,
 * whether it settles or not: they may cause the reconciles of an observed key. Those of keys that write
 * less often are not: a key that follows many others is not in a loop.
 *
 * Memory is bounded; with more than 5,000 observed keys the rest is not observed until one is calm.
 *
 * A slowed key is delayed, and no other: it stays in the queue. A change that has nothing to do with
 * the loop is not delayed.
 */
export class LoopGuard {
  readonly #settings: LoopGuardSettings;
  readonly #limits: Required<{ [Name in keyof LoopGuardOptions]-?: number }>;
  #own = new OwnWrites();
  #counted = new LruCache<Counted>(MAX_COUNTED);
  /** The number of counted keys that are not settled, or more: keys beyond the limit of `#counted` stay in it. */
  #unsettled = 0;
  /**
   * Least recently written first. The size is looked at before a key is looked up, here and below: V8
   * internalizes each new string that a `Map` or `Set` is asked for, which costs more than the rest of a call.
   */
  readonly #suspects = new Map<string, Suspect>();
  readonly #alarms = new Map<string, Alarm>();
  /** Keys that are not observed, and have written in the reconcile in progress. */
  readonly #wrote = new Map<string, Written>();

  constructor(settings: LoopGuardSettings) {
    this.#settings = settings;
    this.#limits = limitsOf(settings);
  }

  /** The number of keys that are slowed down. */
  get slowed(): number {
    return this.#alarms.size;
  }

  /** Returns the listener of the writes of a key. */
  listener(key: string): AcceptedWriteListener {
    return (write) => {
      const suspect = this.#suspects.get(key);
      if (suspect !== undefined) suspect.wrote(write);
      else this.#note(key, write);
    };
  }

  /** Records that a change of an object enqueues a key. */
  changed(key: string, resource: GroupResource, change: ObjectChange<CachedObject>): void {
    if (this.#suspects.size === 0) return;
    this.#suspects.get(key)?.cause(causeOf(resource, change.object, change));
  }

  /** Records that a key is enqueued for another reason: by a source or a call. */
  called(key: string): void {
    if (this.#suspects.size > 0) this.#suspects.get(key)?.call();
  }

  /** Returns how long a key has to wait. */
  waitMs(key: string): number {
    if (this.#alarms.size === 0) return 0;
    const alarm = this.#alarms.get(key);
    if (alarm === undefined || alarm.suspect.hasNews) return 0;
    return Math.max(0, alarm.notBefore - this.#settings.clock.monotonic());
  }

  started(key: string): void {
    if (this.#suspects.size > 0) this.#suspects.get(key)?.started();
  }

  ended(key: string, result: ReconcileResult): void {
    const suspect = this.#suspects.size === 0 ? undefined : this.#suspects.get(key);
    if (suspect === undefined) {
      const written = this.#wrote.size === 0 ? undefined : this.#wrote.get(key);
      if (written !== undefined) this.#count(key, written);
      else if (this.#unsettled > 0) this.#settle(key);
      return;
    }
    const at = this.#settings.clock.monotonic();
    const requeueAfterMs = result?.type === 'requeue-after' ? result.afterMs : 0;
    const loop = suspect.ended(at, requeueAfterMs);
    if (suspect.lastWriteAt === at) this.#touch(key, suspect);
    const alarm = this.#alarms.get(key);
    if (loop !== undefined) this.#slow(key, suspect, loop);
    else if (alarm !== undefined && !suspect.isLooping) this.#end(key, alarm);
  }

  /** Forgets everything. No loop is reported as over. */
  stop(): void {
    for (const { calm } of this.#alarms.values()) calm.cancel();
    this.#alarms.clear();
    this.#suspects.clear();
    this.#wrote.clear();
    this.#own = new OwnWrites();
    this.#counted = new LruCache(MAX_COUNTED);
    this.#unsettled = 0;
  }

  #note(key: string, accepted: AcceptedWrite): void {
    const { write, before: replaced, version: after } = accepted;
    const writes = this.#counted.get(key)?.writes ?? 0;
    if (writes >= SUSPICIOUS && write.verb !== 'deletecollection') {
      this.#own.add(objectOf(write, accepted.answer), accepted);
    }
    const before = replaced === undefined ? '' : versionIn(replaced);
    const known = this.#wrote.get(key);
    if (known !== undefined) {
      if (before !== known.after) known.before = '';
      known.after = after;
      // A write that its reconcile did not await may come after the end, and stay here.
    } else if (this.#wrote.size < MAX_COUNTED) this.#wrote.set(key, { before, after });
  }

  #count(key: string, { before, after }: Written): void {
    this.#wrote.delete(key);
    const at = this.#settings.clock.monotonic();
    const counted = this.#counted.get(key) ?? this.#add(key, at);
    const { windowMs } = this.#limits;
    const settles = counted.isSettled && before !== '' && before === counted.version;
    if (counted.isSettled) this.#unsettled += 1;
    counted.isSettled = false;
    counted.version = after;
    if (counted.writes < SUSPICIOUS && at - counted.since > windowMs) {
      counted.writes = 0;
      counted.since = at;
    }
    counted.writes += 1;
    if (settles) return;
    if (at - counted.unsettledAt > windowMs) counted.unsettled = 0;
    counted.unsettled += 1;
    counted.unsettledAt = at;
    if (counted.unsettled < SUSPICIOUS || !this.#hasRoom(at)) return;
    this.#counted.delete(key);
    this.#unsettled -= 1;
    const { fieldManager } = this.#settings;
    this.#suspects.set(key, new Suspect(this.#limits, { own: this.#own, fieldManager, at }));
  }

  #add(key: string, at: number): Counted {
    const counted: Counted = {
      writes: 0,
      since: at,
      unsettled: 0,
      unsettledAt: at,
      version: '',
      isSettled: true,
    };
    this.#counted.set(key, counted);
    return counted;
  }

  /** Records a reconcile that wrote nothing. */
  #settle(key: string): void {
    const counted = this.#counted.get(key);
    if (counted?.isSettled !== false) return;
    counted.isSettled = true;
    this.#unsettled -= 1;
  }

  /** Drops the suspects that have not written for long. */
  #hasRoom(at: number): boolean {
    for (const [key, { lastWriteAt }] of this.#suspects) {
      if (at - lastWriteAt <= this.#limits.windowMs || this.#alarms.has(key)) break;
      this.#suspects.delete(key);
    }
    return this.#suspects.size < MAX_SUSPECTS;
  }

  #touch(key: string, suspect: Suspect): void {
    this.#suspects.delete(key);
    this.#suspects.set(key, suspect);
  }

  #slow(key: string, suspect: Suspect, loop: Loop): void {
    const { clock, onBegin } = this.#settings;
    const { initialDelayMs: initialMs, maxDelayMs: maxMs, windowMs } = this.#limits;
    const known = this.#alarms.get(key);
    known?.calm.cancel();
    const delays = known?.delays ?? new Backoff({ initialMs, maxMs, clock });
    const delayMs = delays.next();
    const calm = clock.schedule(windowMs + maxMs, () => this.#end(key), { background: true });
    this.#alarms.set(key, {
      suspect,
      delays,
      loop,
      notBefore: clock.monotonic() + delayMs,
      delayed: (known?.delayed ?? 0) + 1,
      calm,
    });
    if (known === undefined) onBegin(key, loop);
  }

  #end(key: string, alarm: Alarm | undefined = this.#alarms.get(key)): void {
    if (alarm === undefined) return;
    alarm.calm.cancel();
    this.#alarms.delete(key);
    alarm.suspect.calm();
    this.#settings.onEnd(key, alarm.loop, alarm.delayed);
  }
}

function limitsOf(
  options: LoopGuardOptions,
): Required<{ [Name in keyof LoopGuardOptions]-?: number }> {
  checkNumbers(options, {
    maxRewrites: 'count',
    maxReturns: 'count',
    windowMs: 'duration',
    initialDelayMs: 'duration',
    maxDelayMs: 'duration',
  });
  const {
    maxRewrites = 100,
    maxReturns = 10,
    windowMs = 300_000,
    initialDelayMs = 1000,
    maxDelayMs = 60_000,
  } = options;
  if (windowMs === 0) throw new OptionError('windowMs', '0 leaves no time in which writes count');
  return { maxRewrites, maxReturns, windowMs, initialDelayMs, maxDelayMs };
}
