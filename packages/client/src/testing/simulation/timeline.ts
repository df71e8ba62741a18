import { BinaryHeap, type BinaryHeapItem } from '../../lib/binary-heap.ts';
import type { ScheduledCall } from '../../lib/clock.ts';
import { compareStrings } from '../../lib/go-format.ts';
import { quiescence } from '../quiescence.ts';

/** The process that a step belongs to. */
export interface StepOwner {
  /** Its steps wait until this time. */
  readonly pausedUntilMs: number;
  /** False after a crash: its steps do not happen. */
  readonly isAlive: boolean;
}

interface Step extends BinaryHeapItem {
  dueAt: number;
  /** The order of scheduling, which breaks ties. */
  readonly order: number;
  readonly owner: StepOwner | undefined;
  readonly run: () => void;
}

interface Arrival {
  readonly key: string;
  readonly arrive: () => void;
}

/** More steps than any useful run takes. */
const STEP_LIMIT = 50_000;

/**
 * The virtual time of a simulation, and the one place that decides what happens next. Between two
 * steps it waits until nothing is pending in the process, so that the number of promise callbacks
 * that an operation takes, which differs between releases of Node, decides nothing.
 *
 * What becomes pending between two steps is announced with {@link Timeline.arrive}, and takes its
 * place on the timeline in the order of its key and not in that of its announcement.
 */
export class Timeline {
  readonly #steps = new BinaryHeap<Step>((left, right) =>
    left.dueAt === right.dueAt ? left.order < right.order : left.dueAt < right.dueAt,
  );
  #arrivals: Arrival[] = [];
  #nowMs = 0;
  #scheduled = 0;
  #taken = 0;
  #failure: { readonly error: unknown } | undefined;

  /** Milliseconds since the start of the simulation. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** The number of steps that have been taken. */
  get steps(): number {
    return this.#taken;
  }

  /** Calls `arrive` before the next step, in the order of the keys of all that arrive before it. */
  arrive(key: string, arrive: () => void): void {
    this.#arrivals.push({ key, arrive });
  }

  /** Runs a step after `delayMs`, unless its owner has crashed; later if its owner is paused. */
  schedule(delayMs: number, run: () => void, owner?: StepOwner): ScheduledCall {
    const step: Step = {
      dueAt: this.#nowMs + Math.max(0, delayMs),
      order: this.#scheduled++,
      owner,
      run,
      heapIndex: -1,
    };
    this.#steps.push(step);
    const cancel = (): void => {
      this.#steps.remove(step);
    };
    return { cancel, [Symbol.dispose]: cancel };
  }

  /** Ends the simulation: {@link Timeline.runUntil} rejects with the first error. */
  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  /**
   * Takes all steps up to a time, or until `isDone`. Rejects if the simulation has failed. Calls
   * `onEndless`, and ends, if there is no end to the steps or to the work between two of them.
   */
  async runUntil(
    targetMs: number,
    { isDone = () => false, onEndless }: RunUntilOptions,
  ): Promise<void> {
    for (;;) {
      if (!(await isQuiescent())) return onEndless();
      // An arrival may cause others, which belong to the same moment.
      if (this.#takeArrivals()) continue;
      if (this.#failure !== undefined) throw this.#failure.error;
      if (isDone()) return;
      const next = this.#steps.peek();
      if (next === undefined || next.dueAt > targetMs) break;
      this.#steps.remove(next);
      if (next.owner?.isAlive === false) continue;
      this.#nowMs = Math.max(this.#nowMs, next.dueAt);
      if (next.owner !== undefined && next.owner.pausedUntilMs > this.#nowMs) {
        next.dueAt = next.owner.pausedUntilMs;
        this.#steps.push(next);
        continue;
      }
      this.#taken += 1;
      if (this.#taken > STEP_LIMIT) return onEndless();
      next.run();
    }
    this.#nowMs = Math.max(this.#nowMs, targetMs);
  }

  /** Returns false if there was none. */
  #takeArrivals(): boolean {
    const arrivals = this.#arrivals;
    if (arrivals.length === 0) return false;
    this.#arrivals = [];
    arrivals.sort((left, right) => compareStrings(left.key, right.key));
    for (const { arrive } of arrivals) arrive();
    return true;
  }
}

/** Options of {@link Timeline.runUntil}. */
export interface RunUntilOptions {
  /** Asked before each step. */
  readonly isDone?: (() => boolean) | undefined;
  readonly onEndless: () => void;
}

/** Waits until nothing is pending; returns false if that never happens. */
async function isQuiescent(): Promise<boolean> {
  try {
    await quiescence();
    return true;
  } catch {
    return false;
  }
}
