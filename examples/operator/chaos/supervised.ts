import { setTimeout as sleep } from 'node:timers/promises';

import { OperatorProcess, type OperatorProcessOptions } from '../operator-process.ts';
import type { Dice } from './dice.ts';
import type { Partition } from './partition.ts';

/** Counts of what happened to the processes. */
export interface ProcessCounts {
  started: number;
  killed: number;
  terminated: number;
  paused: number;
  partitioned: number;
  /** Exits after lost leadership. */
  lost: number;
}

/** Limits how many processes are disturbed at the same time. */
export class Troubles {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(most: number) {
    this.#free = most;
  }

  /** Runs the trouble when there is room for it. */
  async make(trouble: () => Promise<void>): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    await trouble();
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

/** Options of {@link Supervised}. */
export interface SupervisedOptions extends Omit<
  OperatorProcessOptions,
  'identity' | 'kubeconfig' | 'onLine'
> {
  readonly name: string;
  /** Its way to the server. */
  readonly partition: Partition;
  readonly troubles: Troubles;
  /** Called with each line that a process prints. */
  readonly onLine: (identity: string, line: string) => void;
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
    const { dice, leaseSeconds } = this.#options;
    const wait = (ms: number): Promise<void> =>
      sleep(ms, undefined, { signal }).catch(() => undefined);
    while (!signal.aborted) {
      await wait(dice.between(500, 2000 * leaseSeconds));
      // Often in the middle of its work.
      if (dice.between(0, 1) < 0.6) await Promise.race([this.#work(), wait(2000)]);
      await this.#options.troubles.make(async () => {
        if (!signal.aborted) await this.#harmOnce(wait);
        // The others see its lease expire, and take over.
        if (this.#options.shards !== undefined) await wait(1000 * leaseSeconds);
      });
    }
  }

  async #harmOnce(wait: (ms: number) => Promise<void>): Promise<void> {
    const { dice, counts, leaseSeconds, partition } = this.#options;
    const harm = dice.weighted({ SIGKILL: 4, SIGTERM: 3, SIGSTOP: 5, partition: 2 });
    const victim = this.#process;
    if (harm === 'partition') {
      counts.partitioned += 1;
      partition.cut();
      await wait(dice.between(100, 3000 * leaseSeconds));
      partition.heal();
      return;
    }
    victim.signal(harm);
    if (harm === 'SIGSTOP') {
      counts.paused += 1;
      await wait(dice.between(100, 3000 * leaseSeconds));
      victim.signal('SIGCONT');
      return;
    }
    if (harm === 'SIGKILL') counts.killed += 1;
    else counts.terminated += 1;
    // Until it has ended, or is about to.
    await Promise.race([victim.ended, wait(1000 * leaseSeconds)]);
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
    const identity = `${name}-${this.#starts}`;
    const onLine = (line: string): void => {
      if (line.startsWith('Successful')) this.#onWork();
      this.#options.onLine(identity, line);
    };
    const { kubeconfig } = this.#options.partition;
    return new OperatorProcess({ ...this.#options, kubeconfig, identity, onLine });
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
