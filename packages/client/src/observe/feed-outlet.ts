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

/** Where the parts of a feed put their records, and the names that they share. */
export interface FeedOutlet {
  readonly clock: Clock;
  readonly emit: (draft: RecordDraft) => void;
  /** Returns the name of an informer or a queue, unique in the feed. */
  readonly nameOf: (thing: object, name: string) => string;
  /** Counts something that happened and has no record of its own, because there are too many. */
  readonly skip: (count: number) => void;
}

/** Returns the message of an error, without secrets. */
export function errorText(error: unknown): string {
  return shownText(messageOf(error));
}

/** Returns a text without secrets, cut to a limit. */
export function shownText(text: string): string {
  const masked = maskSecrets(text.slice(0, 4 * MAX_TEXT));
  return masked.length > MAX_TEXT ? `${masked.slice(0, MAX_TEXT)}…` : masked;
}

/** Names things, the second of one name `pods #2`. */
export class FeedNames {
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
