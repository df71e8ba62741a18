import { setTimeout as sleep } from 'node:timers/promises';

import { OperatorProcess, type OperatorProcessOptions } from '../operator-process.ts';
import type { Dice } from './dice.ts';

/** What happened to the processes. */
export interface ProcessCounts {
  started: number;
  killed: number;
  terminated: number;
  paused: number;
  /** Ended because they had lost their leadership. */
  lost: number;
}

/** Who is harmed, and how. */
export interface SupervisedOptions extends Omit<OperatorProcessOptions, 'identity' | 'onLine'> {
  readonly name: string;
  readonly dice: Dice;
  readonly counts: ProcessCounts;
  /** What went wrong that nobody did on purpose. */
  readonly faults: string[];
}

/**
 * An operator that is started again whenever it ends, as a Deployment does with a pod, and that is
 * harmed at random times. Each start is a process with an identity of its own. Disposing kills it.
 */
export class Supervised implements AsyncDisposable {
  readonly #options: SupervisedOptions;
  #process: OperatorProcess;
  #starts = 0;
  #isOver = false;
  /** Called when it tells of something that it has done. */
  #onWork: () => void = () => undefined;
  readonly #running: Promise<void>;

  constructor(options: SupervisedOptions) {
    this.#options = options;
    this.#process = this.#start();
    this.#running = this.#keepRunning();
  }

  /** Harms it now and then until the signal aborts; afterwards it is well. */
  async harm(signal: AbortSignal): Promise<void> {
    const { dice, counts, leaseSeconds } = this.#options;
    const wait = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);
    while (!signal.aborted) {
      await wait(dice.between(500, 2000 * leaseSeconds));
      // Often in the middle of its work, which is where it hurts.
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

  /** Asks it to end, and expects that it does so in order. */
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
      // A signal may come before the program listens to it.
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
