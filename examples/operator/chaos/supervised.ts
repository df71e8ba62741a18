import { setTimeout as sleep } from 'node:timers/promises';

import { OperatorProcess, type OperatorProcessOptions } from '../operator-process.ts';
import type { Dice } from './dice.ts';

/** Counts of what happened to the processes. */
export interface ProcessCounts {
  started: number;
  killed: number;
  terminated: number;
  paused: number;
  /** Exits after lost leadership. */
  lost: number;
}

/** Options of {@link Supervised}. */
export interface SupervisedOptions extends Omit<OperatorProcessOptions, 'identity' | 'onLine'> {
  readonly name: string;
  readonly dice: Dice;
  readonly counts: ProcessCounts;
  /** Unexpected failures. */
  readonly faults: string[];
}

/**
 * An operator that is restarted whenever it exits, as by a Deployment, and disturbed at random times.
 * Each start is a process with its own identity. Disposing kills it.
 */
export class Supervised implements AsyncDisposable {
  readonly #options: SupervisedOptions;
  #process: OperatorProcess;
  #starts = 0;
  #isOver = false;
  /** Called when it reports an action. */
  #onWork: () => void = () => undefined;
  readonly #running: Promise<void>;

  constructor(options: SupervisedOptions) {
    this.#options = options;
    this.#process = this.#start();
    this.#running = this.#keepRunning();
  }

  /** Disturbs it at random times until the signal aborts; afterwards it is running. */
  async harm(signal: AbortSignal): Promise<void> {
    const { dice, counts, leaseSeconds } = this.#options;
    const wait = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);
    while (!signal.aborted) {
      await wait(dice.between(500, 2000 * leaseSeconds));
      // Often in the middle of its work.
      if (dice.between(0, 1) < 0.6) await Promise.race([this.#work(), wait(2000)]);
      if (signal.aborted) return;
      const harm = dice.weighted({ SIGKILL: 4, SIGTERM: 3, SIGSTOP: 4 });
      const victim = this.#process;
      victim.signal(harm);
      if (harm === 'SIGKILL') counts.killed += 1;
      else if (harm === 'SIGTERM') counts.terminated += 1;
      else {
        counts.paused += 1;
        await wait(dice.between(100, 3000 * leaseSeconds));
        victim.signal('SIGCONT');
      }
    }
  }

  /** Sends SIGTERM and expects a regular exit. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#process.signal('SIGTERM');
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    this.#process.signal('SIGKILL');
    await this.#running;
  }

  #start(): OperatorProcess {
    const { name, counts } = this.#options;
    this.#starts += 1;
    counts.started += 1;
    const onLine = (line: string): void => {
      if (line.startsWith('Successful')) this.#onWork();
    };
    return new OperatorProcess({ ...this.#options, identity: `${name}-${this.#starts}`, onLine });
  }

  #work(): Promise<void> {
    return new Promise((resolve) => {
      this.#onWork = resolve;
    });
  }

  async #keepRunning(): Promise<void> {
    const { dice, counts, faults } = this.#options;
    for (;;) {
      const { identity, ended, errors } = this.#process;
      const { code, signal } = await ended;
      if (code === 1 && errors.length === 0) counts.lost += 1;
      // A signal may arrive before the program listens for it.
      else if (code !== 0 && signal !== 'SIGKILL' && signal !== 'SIGTERM') {
        faults.push(`${identity} ended with ${code ?? signal}: ${errors.join('\n')}`);
      }
      if (this.#isOver) return;
      await sleep(dice.between(0, 500));
      if (this.#isOver) return;
      this.#process = this.#start();
    }
  }
}
