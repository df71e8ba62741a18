import type { Manager } from '../../controller/manager.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import { messageOf } from '../../lib/errors.ts';
import type { Random } from '../../lib/random.ts';
import type { Config } from '../../transport/config.ts';
import type { Conditions } from './conditions.ts';
import type { PlannedFault } from './fault.ts';
import type { EnterProcess } from './session-recorder.ts';
import type { History } from './history.ts';
import { ProcessClock } from './process-clock.ts';
import { type ConnectedProcess, SimulatedTransport } from './simulated-transport.ts';
import type { SimulationServer } from './simulation-server.ts';
import type { Timeline } from './timeline.ts';

/** A process of a simulation, as the program in it sees it. */
export interface SimulatedProcess {
  /** Unique per start: `replica-0-1`. */
  readonly identity: string;
  /** The number of the replica, from 0. */
  readonly replica: number;
  /** The connection to the simulated server, for `new Manager(config)` and `new Clientset(config)`. */
  readonly config: Config;
  /** Pass it on to everything that takes a clock. */
  readonly clock: Clock;
  /** Pass it on to everything that takes a source of randomness. */
  readonly random: Random;
  /** Aborts when the process is asked to end. */
  readonly signal: AbortSignal;
  /** Its lines are part of the trace. */
  readonly logger: Logger;
}

/** What all processes of a simulation share. */
export interface ProcessEnvironment {
  readonly timeline: Timeline;
  readonly server: SimulationServer;
  readonly history: History;
  readonly enter: EnterProcess;
}

/** A program in a process. Reports its manager, if it has one. */
export type Program = (process: SimulatedProcess, own: (manager: Manager) => void) => Promise<void>;

/** Options of a {@link Replica}. */
export interface ReplicaOptions extends ProcessEnvironment {
  readonly name: string;
  readonly replica: number;
  readonly isController: boolean;
  readonly conditions: Conditions;
  /** Returns a source of its own for each start. */
  readonly random: (identity: string) => Random;
  readonly program: Program;
  /** Called if the program ends with an error, unless it was asked to end. */
  readonly onFailed?: ((failed: FailedProcess) => void) | undefined;
}

/** A start of a program that has ended with an error. */
export interface FailedProcess {
  /** The name of its replica: `replica-0`. */
  readonly name: string;
  readonly startedAtMs: number;
  readonly problem: string;
}

/** The time until a process that has ended by itself is started again. */
const RESTART_MS = 1000;

/** One start of a program. */
class ProcessRun implements ConnectedProcess, SimulatedProcess {
  readonly identity: string;
  readonly replica: number;
  readonly isController: boolean;
  readonly clock: ProcessClock;
  readonly random: Random;
  readonly transport: SimulatedTransport;
  readonly config: Config;
  readonly logger: Logger;
  readonly stop = new AbortController();
  readonly crash: (fault: PlannedFault | undefined) => void;
  readonly startedAtMs: number;
  pausedUntilMs = 0;
  isAlive = true;
  manager: Manager | undefined;

  constructor(
    options: ReplicaOptions,
    start: number,
    crash: (fault: PlannedFault | undefined) => void,
  ) {
    const { timeline, server, history, conditions } = options;
    this.identity = `${options.name}-${start}`;
    this.replica = options.replica;
    this.isController = options.isController;
    this.startedAtMs = timeline.nowMs;
    this.clock = new ProcessClock(timeline, this, (work) => options.enter(this.identity, work));
    this.random = options.random(this.identity);
    this.crash = crash;
    this.transport = new SimulatedTransport({
      process: this,
      timeline,
      server,
      history,
      conditions,
      draw: (purpose) => options.random(`${this.identity} ${purpose}`).next(),
    });
    const log =
      (level: string) =>
      (message: string): void => {
        if (this.isAlive) history.note(this.identity, `${level}: ${message}`, true);
      };
    this.logger = {
      debug: () => undefined,
      info: log('info'),
      warn: log('warning'),
      error: log('error'),
    };
    this.config = {
      server: 'http://simulation',
      transport: this.transport,
      // Compression would run in threads, whose order is not the simulation's.
      compression: false,
      logger: this.logger,
    };
  }

  get signal(): AbortSignal {
    return this.stop.signal;
  }
}

/** A place where a program runs, crashes and is started again. */
export class Replica {
  readonly conditions: Conditions;
  readonly #options: ReplicaOptions;
  #starts = 0;
  #run: ProcessRun | undefined;
  #isWanted = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.conditions = options.conditions;
  }

  /** The identity of the process that runs; undefined if none does. */
  get identity(): string | undefined {
    return this.#run?.identity;
  }

  /** True if the process that runs has a manager which leads, with an election. */
  get isLeader(): boolean {
    return this.#run?.manager?.isLeader === true;
  }

  /** Starts the program, now or `delayMs` later, unless it runs. */
  start(delayMs = 0): void {
    this.#isWanted = true;
    if (delayMs > 0) {
      this.#options.timeline.schedule(delayMs, () => {
        if (this.#isWanted) this.start();
      });
      return;
    }
    if (this.#run !== undefined) return;
    const { history, timeline, program, enter } = this.#options;
    this.#starts += 1;
    const run = new ProcessRun(this.#options, this.#starts, (fault) => this.crash(fault?.delayMs));
    this.#run = run;
    history.step(run.identity, 'starts');
    const ended = (problem?: string): void =>
      timeline.arrive(`${run.identity} ended`, () => this.#ended(run, problem));
    const running = enter(run.identity, () => program(run, (manager) => (run.manager = manager)));
    running.then(
      () => ended(),
      (error: unknown) => ended(`ends with an error: ${messageOf(error)}`),
    );
  }

  /** The process ends here and now, and is started again after a while. */
  crash(downMs: number = RESTART_MS): void {
    const run = this.#run;
    if (run === undefined) return;
    this.#options.history.step(run.identity, 'crashes');
    this.#kill(run);
    this.start(downMs);
  }

  /** The process is asked to end, and is started again after it has. */
  restart(): void {
    const run = this.#run;
    if (run === undefined || run.stop.signal.aborted) return;
    this.#options.history.step(run.identity, 'is asked to stop');
    run.stop.abort();
  }

  /** The process is asked to end, and stays away. */
  stop(): void {
    this.#isWanted = false;
    this.restart();
  }

  /** Nothing of the process happens for a while. */
  pause(forMs: number): void {
    if (this.#run !== undefined) this.#run.pausedUntilMs = this.#options.timeline.nowMs + forMs;
  }

  /** A paused process continues. */
  resume(): void {
    if (this.#run !== undefined) this.#run.pausedUntilMs = 0;
  }

  /** Sets the wall clock of the process. */
  jumpClock(ms: number): void {
    this.#run?.clock.jump(ms);
  }

  breakConnections(): void {
    this.#run?.transport.break();
  }

  releaseEvents(): void {
    this.#run?.transport.release();
  }

  /** Ends the process without a trace; for the end of a simulation. */
  discard(): void {
    this.#isWanted = false;
    if (this.#run !== undefined) this.#kill(this.#run);
  }

  #kill(run: ProcessRun): void {
    run.isAlive = false;
    run.transport.close();
    this.#run = undefined;
  }

  #ended(run: ProcessRun, problem: string | undefined): void {
    if (!run.isAlive) return;
    const { name, history, onFailed } = this.#options;
    history.step(run.identity, problem ?? 'ends');
    this.#kill(run);
    if (problem !== undefined && !run.stop.signal.aborted) {
      onFailed?.({ name, startedAtMs: run.startedAtMs, problem });
    }
    if (this.#isWanted) this.start(RESTART_MS);
  }
}
