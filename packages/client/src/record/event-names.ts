import type { Clock } from '../lib/clock.ts';
import type { Random } from '../lib/random.ts';
import { validateDns1123Subdomain } from '../meta/names.ts';

const nanosPerMilli = 1_000_000;

/** What {@link EventNames} needs. */
export interface EventNamesOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
}

/**
 * Makes the names of events: that of the object, a dot, and the time in nanoseconds as a hexadecimal
 * number. Clocks here count milliseconds, so what is finer is left to chance, and no name comes
 * twice: the second event of the same name would be refused.
 */
export class EventNames {
  readonly #options: EventNamesOptions;
  #last = 0n;

  constructor(options: EventNamesOptions) {
    this.#options = options;
  }

  /** A name for an event about an object. If the object's is none for events, it is a UUID. */
  next(objectName: string): string {
    const { clock, random } = this.#options;
    const millis = BigInt(Math.floor(clock.now())) * BigInt(nanosPerMilli);
    const nanos = millis + BigInt(Math.floor(random.next() * nanosPerMilli));
    this.#last = nanos > this.#last ? nanos : this.#last + 1n;
    const name = `${objectName}.${this.#last.toString(16)}`;
    return validateDns1123Subdomain(name).length === 0 ? name : random.uuid();
  }
}
