import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../../lib/clock.ts';
import { Feed } from '../../observe/feed.ts';
import type { NoteRecord } from '../../observe/observed-record.ts';
import type { SessionHeader } from '../../observe/observed-snapshot.ts';
import { sessionLine } from '../../observe/session.ts';

/** Records are not sampled: a simulation is short. */
const MOST_PER_SECOND = 1_000_000;

/** The steps that a reader looks for; all others are information. */
const SEVERITIES: ReadonlyMap<string, NoteRecord['severity']> = new Map([
  ['fault', 'warning'],
  ['invariant', 'error'],
]);

/** Runs a function as part of a process, so that what it does is recorded under its name. */
export type EnterProcess = <T>(identity: string, work: () => T) => T;

/** Records what all processes of a simulation do, as a session of the inspector. */
export class SessionRecorder {
  readonly #processes = new AsyncLocalStorage<string>();
  readonly #lines: string[] = [];
  #feed: Feed | undefined;

  readonly enter: EnterProcess = (identity, work) => this.#processes.run(identity, work);

  /** The text of a session file. */
  get text(): string {
    return this.#lines.join('');
  }

  /** Records a step of the simulation itself: an action, a fault, a broken invariant. */
  note(who: string, what: string): void {
    const severity = SEVERITIES.get(who) ?? 'info';
    this.#feed?.note(who, what, severity);
  }

  /** Records until it is disposed. */
  start(clock: Clock, program: string): Disposable {
    const feed = new Feed({
      clock,
      maxPerSecond: MOST_PER_SECOND,
      program: () => this.#processes.getStore(),
      onRecord: (record) => void this.#lines.push(sessionLine(record)),
    });
    const header: SessionHeader = {
      clientTs: 'session',
      version: 1,
      program,
      startedAt: clock.now(),
      snapshot: feed.snapshot(),
    };
    this.#lines.unshift(sessionLine(header));
    this.#feed = feed;
    return feed;
  }
}
