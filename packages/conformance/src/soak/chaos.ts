import type { ApiServer, BreakingPoint, Fault } from '@client-ts/apiserver';
import type { EventHandlerRegistration } from 'client-ts/cache';
import { nextTurn, type Random, sleep, systemClock } from 'client-ts/internal';

import type { Subject } from './subject.ts';

/** The maximum pause between two actions. */
const longestPauseMs = 120;
/** The maximum duration of an outage. */
const longestOutageMs = 400;

interface ChaosOptions {
  readonly server: ApiServer;
  readonly subjects: readonly Subject[];
  readonly random: Random;
  /** Counts the actions by name. */
  readonly acts: Map<string, number>;
  /** Returns the newest revision that may be compacted. */
  readonly forgettable: () => string;
}

/** Disturbs informers and their servers with one action after another. */
export class Chaos {
  readonly #options: ChaosOptions;
  #late: { readonly subject: Subject; readonly registration: EventHandlerRegistration }[] = [];
  #pause = new AbortController();
  #acting: Promise<void> = Promise.resolve();

  constructor(options: ChaosOptions) {
    this.#options = options;
  }

  start(): void {
    this.#pause = new AbortController();
    this.#acting = this.#run(this.#pause.signal);
  }

  /** Resolves when everything is repaired that can be. */
  async stop(): Promise<void> {
    this.#pause.abort();
    await this.#acting;
    this.#options.server.faults.clear();
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#act();
      const pauseMs = this.#next() * longestPauseMs;
      await sleep(systemClock, pauseMs, { signal }).catch(() => undefined);
    }
  }

  async #act(): Promise<void> {
    const { server, forgettable, subjects } = this.#options;
    const subject = this.#pick(subjects);
    const chance = this.#next();
    if (chance < 0.7) this.#addFault(subject);
    else if (chance < 0.75) {
      this.#count('connections cut');
      subject.proxy.cut();
    } else if (chance < 0.79) {
      this.#count('connections gone dead');
      subject.proxy.freeze();
    } else if (chance < 0.83) {
      this.#count('compaction');
      server.compact({ revision: Number(forgettable()) });
    } else if (chance < 0.84) {
      this.#count('outage');
      await server.stopServing();
      await sleep(systemClock, this.#next() * longestOutageMs);
      await server.resume();
    } else if (chance < 0.88) {
      this.#count('restart of an informer');
      await subject.restart();
    } else if (chance < 0.95) this.#addHandler(subject);
    else await this.#removeHandler();
  }

  #addHandler(subject: Subject): void {
    this.#count('late handler');
    const temper = this.#pick(['bounded', 'quick', 'slow', 'throwing'] as const);
    const { registration } = subject.handle({
      ...(temper === 'bounded' && { maxPending: 5 }),
      behaviour: () => {
        if (temper === 'throwing') throw new Error('as always');
        return temper === 'quick' ? undefined : nextTurn();
      },
    });
    this.#late.push({ subject, registration });
  }

  async #removeHandler(): Promise<void> {
    const [late] = this.#late.splice(Math.floor(this.#next() * this.#late.length), 1);
    if (late === undefined) return;
    this.#count('removal of a handler');
    await late.registration.remove();
  }

  #addFault(subject: Subject): void {
    const { server } = this.#options;
    const verb = this.#pick(['list', 'watch', 'watch', 'watch'] as const);
    const fault = this.#pickFault(verb);
    this.#count(`fault: ${describeFault(fault)}`);
    const isDropping = fault.kind === 'drop-events';
    const match = { user: subject.user, verb, ...(isDropping && { where: isResumed }) };
    const handle = server.faults.add({
      match,
      fault,
      count: 1 + Math.floor(this.#next() * 2),
    });
    if (isDropping) subject.mayMiss(handle);
  }

  #pickFault(verb: 'list' | 'watch'): Fault {
    const general: readonly (() => Fault)[] = [
      () => ({ kind: 'latency', ms: [0, 30_000] }),
      () => ({ kind: 'reset', ...this.#pickPoint(verb) }),
      () => ({ kind: 'stall', ...this.#pickPoint(verb) }),
      () => ({ kind: 'status', code: this.#pick([401, 403, 404, 410, 429, 500, 502, 503, 504]) }),
      () => ({ kind: 'status', code: this.#pick([429, 503]), retryAfterSeconds: 5 }),
    ];
    const ofWatches: readonly (() => Fault)[] = [
      () => ({ kind: 'drop-events', first: 1 + this.#few() }),
      () => ({ kind: 'drop-events', first: 1, types: [this.#pick(['ADDED', 'DELETED'])] }),
      () => ({ kind: 'delay-events', ms: this.#next() * 10_000 }),
      () => ({ kind: 'end-stream', afterEvents: this.#few() }),
      () => ({
        kind: 'error-event',
        afterEvents: this.#few(),
        code: this.#pick([410, 410, 429, 500, 504]),
      }),
      () => ({ kind: 'reset', afterBytes: 1 + Math.floor(this.#next() * 3000) }),
    ];
    return this.#pick(verb === 'list' ? general : [...general, ...ofWatches])();
  }

  #pickPoint(verb: 'list' | 'watch'): BreakingPoint {
    const points: BreakingPoint[] = [
      { at: 'after-handling' },
      { at: 'after-headers' },
      { at: 'before-handling' },
      { afterBytes: Math.floor(this.#next() * 5000) },
    ];
    if (verb === 'watch') points.push({ afterEvents: this.#few() });
    return this.#pick(points);
  }

  #few(): number {
    return Math.floor(this.#next() * 20);
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.#next() * choices.length)] as T;
  }

  #next(): number {
    return this.#options.random.next();
  }

  #count(act: string): void {
    const { acts } = this.#options;
    acts.set(act, (acts.get(act) ?? 0) + 1);
  }
}

/**
 * Dropping events from the initial state would make it a wrong list, which no client can detect.
 */
function isResumed({ query }: { readonly query: URLSearchParams }): boolean {
  return query.get('sendInitialEvents') !== 'true';
}

function describeFault(fault: Fault): string {
  return fault.kind === 'status' || fault.kind === 'error-event'
    ? `${fault.kind} ${fault.code}`
    : fault.kind;
}
