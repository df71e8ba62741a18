import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/errors.ts';
import { maskSecrets } from './mask-secrets.ts';
import type { ObservedRecord } from './observed-record.ts';

/** A record before it has a time and a number. */
export type RecordDraft = ObservedRecord extends infer R
  ? R extends ObservedRecord
    ? Omit<R, 'at' | 'program' | 'seq'>
    : never
  : never;

/** Texts of errors and events are cut to this length. */
const MAX_TEXT = 1000;

/** A record that is being made. */
export type Unfinished<R extends ObservedRecord> = { -readonly [Name in keyof R]: R[Name] };

/** Options of {@link FeedOutlet}. */
interface FeedOutletOptions {
  readonly clock: Clock;
  readonly onRecord: (record: ObservedRecord) => void;
  /** Hides secrets by their values. */
  readonly hide: (text: string) => string;
  readonly program?: (() => string | undefined) | undefined;
}

/** Where the parts of a feed put their records, and the names that they share. */
export class FeedOutlet {
  readonly clock: Clock;
  readonly #onRecord: (record: ObservedRecord) => void;
  readonly #hide: (text: string) => string;
  readonly #program: (() => string | undefined) | undefined;
  readonly #names = new FeedNames();
  #seq = 0;
  #unrecorded = 0;

  constructor({ clock, onRecord, hide, program }: FeedOutletOptions) {
    this.clock = clock;
    this.#onRecord = onRecord;
    this.#hide = hide;
    this.#program = program;
  }

  /** The number of the last record. */
  get seq(): number {
    return this.#seq;
  }

  /** How much has happened that has no record of its own, because there was too much. */
  get unrecorded(): number {
    return this.#unrecorded;
  }

  /** Emits a record of a kind that is rare. */
  emit(draft: RecordDraft): ObservedRecord {
    return this.emitRecord({ at: this.clock.now(), seq: this.nextSeq(), ...draft });
  }

  /**
   * Emits a record of a kind that is frequent. It is made in one piece, with the fields in one order: to
   * copy a draft costs three times as much. `seq` must be that of {@link FeedOutlet.nextSeq}.
   */
  emitRecord(record: ObservedRecord): ObservedRecord {
    const program = this.#program?.();
    const whole = program === undefined ? record : ofProgram(record, program);
    this.#onRecord(whole);
    return whole;
  }

  /** Returns the number of the record that is emitted next. */
  nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }

  /** Returns a text without secrets. */
  hide(text: string): string {
    return maskSecrets(this.#hide(text));
  }

  /** Returns a text without secrets, cut to a limit. */
  text(text: string): string {
    return cut(this.hide(text.slice(0, 4 * MAX_TEXT)));
  }

  /** Returns the message of an error, without secrets. */
  errorText(error: unknown): string {
    return this.text(messageOf(error));
  }

  /** Returns the name of an informer or a queue, unique in the feed. */
  nameOf(thing: object, name: string): string {
    return this.#names.nameOf(thing, name);
  }

  /** Counts something that happened and has no record of its own, because there are too many. */
  skip(count: number): void {
    this.#unrecorded += count;
  }
}

function ofProgram({ at, seq, ...rest }: ObservedRecord, program: string): ObservedRecord {
  return { at, seq, program, ...rest };
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

/** Names things, the second of one name `pods #2`. */
class FeedNames {
  readonly #names = new WeakMap<object, string>();
  readonly #taken = new Map<string, number>();

  nameOf(thing: object, name: string): string {
    const known = this.#names.get(thing);
    if (known !== undefined) return known;
    const count = (this.#taken.get(name) ?? 0) + 1;
    this.#taken.set(name, count);
    const unique = count === 1 ? name : `${name} #${count}`;
    this.#names.set(thing, unique);
    return unique;
  }
}
