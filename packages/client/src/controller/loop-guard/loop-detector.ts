/** A field that a reconcile has set. Values are JSON; undefined if absent. */
export interface FieldWrite {
  /** The object, as in `deployments.apps default/web`. */
  readonly object: string;
  /** As in `spec.replicas`. */
  readonly path: string;
  /** What the object had before, and what it has since. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Who wrote `after`, and who wrote `before` if it was not this controller. */
  readonly writer?: string | undefined;
  readonly other?: string | undefined;
  /** False if another writer may change it back without a fight, as one who deletes the object. */
  readonly isContestable?: boolean | undefined;
}

/** One reconcile, as far as loops are concerned. */
export interface ObservedReconcile {
  /** Milliseconds of a monotonic clock. */
  readonly at: number;
  /** True if anything but the writes of this controller, and reactions to them, caused it. */
  readonly isCausedOutside: boolean;
  /** The fields that it changed. */
  readonly writes: readonly FieldWrite[];
}

/** When writes are a loop. */
export interface LoopLimits {
  /** Reconciles in a row that cause each other and set the same fields to new values. */
  readonly maxRewrites: number;
  /** The same, with values that they have set before; and how often another writer may undo a field. */
  readonly maxReturns: number;
  /** The time in which they count, and after which it is over if there are no more. */
  readonly windowMs: number;
}

/** A field in a loop, with two of its values. */
export interface LoopField {
  readonly object: string;
  readonly path: string;
  readonly values: readonly [string | undefined, string | undefined];
  readonly writers: readonly (string | undefined)[];
}

/** A loop that a reconcile continues. */
export interface Loop {
  readonly kind: 'hot-loop' | 'writer-fight';
  /** How often the fields were written, or written back. */
  readonly count: number;
  readonly fields: readonly LoopField[];
}

/** What is known of a field that was written. */
interface FieldHistory {
  readonly object: string;
  readonly path: string;
  /** The last value that this controller set. */
  own: string | undefined;
  /** The one before it. */
  former: string | undefined;
  writer: string | undefined;
  /** Of this controller and of others, the newest last. */
  readonly seen: string[];
  readonly othersSeen: string[];
  /** How often another writer replaced `own`, and this controller wrote it back. */
  undone: number;
  undoneAt: number;
  otherValue: string | undefined;
  other: string | undefined;
}

/** More are not needed to recognize a value: loops are short. */
const MAX_SEEN = 8;
/** More fields than that are not distinguished; the oldest are forgotten. */
const MAX_FIELDS = 128;
const MAX_SHOWN = 8;

const TIME = /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)"$/;

/**
 * Recognizes loops in the reconciles of one object, by what they write and why they ran.
 *
 * - A hot loop: reconciles that are caused by nothing but the writes of those before, and set the same
 *   fields again and again. A field or an object that was not written before is progress, and begins
 *   the count again.
 * - A fight: another writer replaces the value of a field, and this controller writes it back, again
 *   and again. At least one of them repeats itself.
 *
 * Memory is bounded, whatever is written. There is no I/O, and time is given.
 */
export class LoopDetector {
  readonly #limits: LoopLimits;
  readonly #fields = new Map<string, FieldHistory>();
  /** The fields of the current run of reconciles that cause each other. */
  readonly #run = new Set<FieldHistory>();
  #runSince = 0;
  #rewrites = 0;
  #returns = 0;
  #isHot = false;
  #isFought = false;

  constructor(limits: LoopLimits) {
    this.#limits = limits;
  }

  /** True after a loop was found, until a reconcile writes nothing (a hot loop) or {@link calm}. */
  get isLooping(): boolean {
    return this.#isHot || this.#isFought;
  }

  /** Begins all counts again. What was written stays known. */
  calm(): void {
    this.#endRun();
    this.#isFought = false;
    for (const field of this.#fields.values()) field.undone = 0;
  }

  /** True if a reconcile has written the object. */
  hasWritten(object: string): boolean {
    for (const field of this.#fields.values()) if (field.object === object) return true;
    return false;
  }

  /** True if another writer and this controller fight about fields of the object. */
  isContested(object: string): boolean {
    for (const field of this.#fields.values()) {
      if (field.object === object && field.undone > 0) return true;
    }
    return false;
  }

  /** Returns the loop that a reconcile begins or continues; undefined if it does not. */
  observe(reconcile: ObservedReconcile): Loop | undefined {
    const { at, isCausedOutside, writes } = reconcile;
    if (writes.length === 0) {
      this.#endRun();
      return undefined;
    }
    if (isCausedOutside) this.#restartRun(at);
    if (at - this.#runSince > this.#limits.windowMs && !this.#isHot) this.#restartRun(at);
    const results = writes.map((write) => this.#record(write, at));
    const undone = results.flatMap(({ field, isUndone }) => (isUndone ? field : []));
    const fight = this.#fight(undone);
    if (fight !== undefined) return fight;
    if (isCausedOutside || undone.length > 0) return undefined;
    return this.#hotLoop(results, at);
  }

  #fight(undone: readonly FieldHistory[]): Loop | undefined {
    const { maxReturns } = this.#limits;
    const fields = undone.filter((field) => this.#isFought || field.undone >= maxReturns);
    if (fields.length === 0) return undefined;
    this.#isFought = true;
    return {
      kind: 'writer-fight',
      count: Math.max(...fields.map((field) => field.undone)),
      fields: fields
        .slice(0, MAX_SHOWN)
        .map(({ object, path, own, otherValue, writer, other }) => ({
          object,
          path,
          values: [own, otherValue],
          writers: [writer, other],
        })),
    };
  }

  #hotLoop(results: readonly RecordedWrite[], at: number): Loop | undefined {
    const isRepeat = results.every(({ field }) => this.#run.has(field));
    if (!isRepeat) {
      this.#rewrites = 0;
      this.#returns = 0;
      this.#runSince = at;
    }
    for (const { field } of results) this.#run.add(field);
    if (!isRepeat) return undefined;
    this.#rewrites += 1;
    const isReturn = results.every(({ isSeen, isTime }) => isSeen || isTime);
    if (isReturn && results.some(({ isTime }) => !isTime)) this.#returns += 1;
    const { maxRewrites, maxReturns } = this.#limits;
    this.#isHot ||= this.#rewrites >= maxRewrites || this.#returns >= maxReturns;
    if (!this.#isHot) return undefined;
    return {
      kind: 'hot-loop',
      count: this.#rewrites,
      fields: results.slice(0, MAX_SHOWN).map(({ field }) => ({
        object: field.object,
        path: field.path,
        values: [field.former, field.own],
        writers: [field.writer],
      })),
    };
  }

  #record(write: FieldWrite, at: number): RecordedWrite {
    const { object, path, before, after, writer, other, isContestable = true } = write;
    const isTime = TIME.test(after ?? '') || TIME.test(before ?? '');
    const id = `${object} ${path}`;
    const field = this.#fields.get(id);
    const value = after ?? '';
    if (field === undefined) return this.#add(id, write, isTime);
    const isReplaced = before !== field.own && isContestable;
    const isRepeated = after === field.own || field.othersSeen.includes(before ?? '');
    if (isReplaced) {
      if (at - field.undoneAt > this.#limits.windowMs) field.undone = 0;
      if (isRepeated) field.undone += 1;
      field.undoneAt = at;
      field.otherValue = before;
      field.other = other;
      remember(field.othersSeen, before ?? '');
    }
    const isSeen = field.seen.includes(value);
    if (after !== field.own) field.former = field.own;
    field.own = after;
    field.writer = writer;
    remember(field.seen, value);
    return { field, isSeen, isTime, isUndone: isReplaced && isRepeated };
  }

  #add(
    id: string,
    { object, path, before, after, writer }: FieldWrite,
    isTime: boolean,
  ): RecordedWrite {
    const field: FieldHistory = {
      object,
      path,
      own: after,
      former: before,
      writer,
      seen: [after ?? ''],
      othersSeen: [],
      undone: 0,
      undoneAt: -Infinity,
      otherValue: undefined,
      other: undefined,
    };
    this.#fields.set(id, field);
    if (this.#fields.size > MAX_FIELDS) {
      const [oldest = ''] = this.#fields.keys();
      this.#run.delete(this.#fields.get(oldest) as FieldHistory);
      this.#fields.delete(oldest);
    }
    return { field, isSeen: false, isTime, isUndone: false };
  }

  #restartRun(at: number): void {
    // Even an empty set allocates when it is cleared.
    if (this.#run.size > 0) this.#run.clear();
    this.#rewrites = 0;
    this.#returns = 0;
    this.#runSince = at;
  }

  #endRun(): void {
    this.#restartRun(0);
    this.#isHot = false;
  }
}

/** What a write was, beside what was known. */
interface RecordedWrite {
  readonly field: FieldHistory;
  /** The controller has set this value before. */
  readonly isSeen: boolean;
  readonly isTime: boolean;
  readonly isUndone: boolean;
}

function remember(values: string[], value: string): void {
  const known = values.indexOf(value);
  if (known !== -1) values.splice(known, 1);
  values.push(value);
  if (values.length > MAX_SEEN) values.shift();
}
