import { Manager } from '../../controller/manager.ts';
import { customResourceDefinitions } from '../../api/apiextensions/v1.ts';
import { Clientset } from '../../kubernetes/clientset.ts';
import { messageOf } from '../../lib/errors.ts';
import { ApiError } from '../../meta/api-error.ts';
import { isStatusConditionTrue } from '../../meta/conditions.ts';
import { type GuardWarning, guardWarnings } from '../../observe/guard-warnings.ts';
import { Conditions } from './conditions.ts';
import { describeFault, type PlannedFault } from './fault.ts';
import { History } from './history.ts';
import {
  builtInInvariants,
  type Invariant,
  type InvariantMoment,
  type PhaseStart,
  problemWith,
} from './invariants.ts';
import { forgetLeftovers } from './leftovers.ts';
import type { SimulationSubject } from './options.ts';
import { type Plan, randomFor, type WorldAction } from './plan.ts';
import { ProcessClock } from './process-clock.ts';
import { isHousekeeping } from './request-target.ts';
import {
  type FailedProcess,
  type Program,
  Replica,
  type SimulatedProcess,
} from './simulated-process.ts';
import type { SessionRecorder } from './session-recorder.ts';
import { SimulationError } from './simulation-error.ts';
import type { SimulationServer, SimulationServerOptions } from './simulation-server.ts';
import { SimulationState } from './state.ts';
import { type RunUntilOptions, Timeline } from './timeline.ts';
import { Trace } from './trace.ts';

/** An invariant that did not hold. */
export interface Violation {
  readonly invariant: string;
  readonly problem: string;
  readonly atMs: number;
}

/** How a run has ended. */
export interface RunOutcome {
  readonly plan: Plan;
  /** The first invariant that did not hold; undefined if all did. */
  readonly violation: Violation | undefined;
  readonly trace: Trace;
  readonly steps: number;
  readonly requests: number;
  readonly writes: number;
  readonly virtualMs: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
/** More writes than it takes to settle. */
const MOST_WRITES = 2000;
/** Enough for an election and a reconcile of everything. */
const SECOND_RUN_MS = 30_000;

/** One run of a plan. */
export class Simulation {
  readonly #options: SimulationSubject;
  readonly #plan: Plan;
  readonly #recorder: SessionRecorder | undefined;
  readonly #timeline = new Timeline();
  readonly #server: SimulationServer;
  readonly #history: History;
  readonly #trace = new Trace();
  readonly #replicas: readonly Replica[];
  readonly #programs: readonly Replica[];
  readonly #world: Replica;
  readonly #state: SimulationState;
  readonly #invariants: readonly Invariant[];
  readonly #until: RunUntilOptions;
  #client: Clientset | undefined;
  #violation: Violation | undefined;
  #faultsEndedAtMs = Infinity;

  constructor(
    options: SimulationSubject,
    plan: Plan,
    newServer: (options: SimulationServerOptions) => SimulationServer,
    recorder?: SessionRecorder,
  ) {
    this.#options = options;
    this.#plan = plan;
    this.#recorder = recorder;
    this.#invariants = options.invariants ?? builtInInvariants();
    this.#server = newServer({
      clock: new ProcessClock(this.#timeline),
      random: randomFor(plan.number, 'server'),
      token: 'simulation',
      onError: (error) => this.#timeline.fail(error),
    });
    this.#history = new History(this.#timeline, this.#trace, this.#server);
    this.#history.onStep = (who, what) => recorder?.note(who, what);
    const { replicas = 1, world = {} } = options;
    const controllers: Program = (process, own) => this.#runManager(process, own);
    this.#replicas = Array.from({ length: replicas }, (_, replica) =>
      this.#replica(`replica-${replica}`, controllers, { replica, isController: true }),
    );
    this.#programs = (world.programs ?? []).map((program, replica) =>
      this.#replica(`program-${replica}`, program, { replica, isController: false }),
    );
    this.#world = this.#replica('world', (process) => this.#connect(process), {
      replica: 0,
      isController: false,
    });
    this.#state = new SimulationState(this.#server, this.#timeline, this.#history, this.#replicas);
    this.#until = {
      isDone: () => this.#violation !== undefined,
      onEndless: () => this.#violate('no hot loop', 'the controllers never wait for anything'),
    };
  }

  /** Runs it. Rejects only if the simulation itself cannot go on. */
  async run(): Promise<RunOutcome> {
    using _leftovers = forgetLeftovers();
    using _session = this.#recorder?.start(
      new ProcessClock(this.#timeline),
      `simulation, seed ${this.#plan.number}`,
    );
    using _warnings = guardWarnings.subscribe((warning) => this.#warn(warning));
    try {
      await this.#setUp();
      await this.#play();
      if (this.#violation === undefined) await this.#settle();
      if (this.#violation === undefined) await this.#beQuiet();
      if (this.#violation === undefined) await this.#runAgain();
    } finally {
      for (const replica of [...this.#replicas, ...this.#programs, this.#world]) replica.discard();
      this.#server[Symbol.dispose]();
    }
    const violation = this.#violation;
    if (violation !== undefined) {
      this.#history.step('invariant', `${violation.invariant}: ${violation.problem}`);
    }
    const { requests, writes, nowMs } = this.#history;
    return {
      plan: this.#plan,
      violation,
      trace: this.#trace,
      steps: this.#timeline.steps,
      requests: requests.length,
      writes: writes.length,
      virtualMs: nowMs,
    };
  }

  #warn(warning: GuardWarning): void {
    const { controller, key, message } = warning;
    this.#history.guardWarnings.push(warning);
    this.#history.note('guard', `controller ${controller}: ${key}: ${message}`);
    this.#check(this.#start('write'));
  }

  #replica(
    name: string,
    program: Program,
    about: { readonly replica: number; readonly isController: boolean },
  ): Replica {
    const { number } = this.#plan;
    const draws = randomFor(number, `faults of ${name}`);
    return new Replica({
      ...about,
      name,
      program,
      timeline: this.#timeline,
      server: this.#server,
      history: this.#history,
      enter: this.#recorder?.enter ?? ((_identity, work) => work()),
      conditions: new Conditions(this.#timeline, () => draws.next()),
      random: (purpose) => randomFor(number, purpose),
      ...(about.isController && { onFailed: (failed) => this.#failed(failed) }),
    });
  }

  /**
   * A process that was started during a fault may end with an error because of it, such as the loss of
   * its lease. One that was started afterwards has no excuse: without this, controllers that never
   * start would break no invariant.
   */
  #failed({ name, startedAtMs, problem }: FailedProcess): void {
    if (startedAtMs >= this.#faultsEndedAtMs) this.#violate('starts', `${name} ${problem}`);
  }

  async #runManager(process: SimulatedProcess, own: (manager: Manager) => void): Promise<void> {
    const { controllers, manager: given = {} } = this.#options;
    const { clock, random, logger, identity, signal } = process;
    const manager = this.#orFail('the manager cannot be created', () => {
      const {
        health: _health,
        metrics: _metrics,
        webhooks: _webhooks,
        leaderElection,
        sharding,
        ...rest
      } = typeof given === 'function' ? given(process) : given;
      const created = new Manager(process.config, {
        // A loop that is slowed down would look like one that has ended.
        loopGuard: { maxDelayMs: 0 },
        ...rest,
        ...(leaderElection !== undefined && { leaderElection: { ...leaderElection, identity } }),
        ...(sharding !== undefined && { sharding: { ...sharding, identity } }),
        clock,
        random,
        logger,
      });
      if (leaderElection !== undefined) own(created);
      return created;
    });
    try {
      this.#orFail('the controllers cannot be added', () => controllers(manager, process));
      await manager.run({ signal });
    } finally {
      await manager.close();
    }
  }

  /** An error ends the simulation: the next start of the process would do no better. */
  #orFail<T>(problem: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      const message = `${problem}: ${messageOf(error)}`;
      this.#timeline.fail(new SimulationError('TESTING_CONTROLLERS', message, { cause: error }));
      throw error;
    }
  }

  /** The process of the users: a client, which the actions share. */
  async #connect({ config, clock, random, signal }: SimulatedProcess): Promise<void> {
    this.#client = new Clientset(config, { clock, random });
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  }

  async #setUp(): Promise<void> {
    const { resources = [], setUp } = this.#options.world ?? {};
    this.#world.start();
    const client = this.#client as Clientset;
    await this.#drive(async () => {
      const definitions = client.apiextensionsV1.customResourceDefinitions();
      for (const { definition } of resources) await definitions.create(definition);
      await setUp?.(client);
    });
    const isEstablished = (): boolean =>
      this.#state
        .list(customResourceDefinitions)
        .every(({ status }) => isStatusConditionTrue(status?.conditions ?? [], 'Established'));
    await this.#timeline.runUntil(this.#timeline.nowMs + MINUTE_MS, {
      ...this.#until,
      isDone: isEstablished,
    });
    this.#history.begin();
    this.#history.onWrite = () => this.#check(this.#start('write'));
  }

  /** Runs the timeline until a promise of the world has settled. */
  async #drive(work: () => Promise<unknown>): Promise<void> {
    let outcome: { readonly error?: unknown } | undefined;
    work().then(
      () => (outcome = {}),
      (error: unknown) => (outcome = { error }),
    );
    const isDone = (): boolean => outcome !== undefined;
    await this.#timeline.runUntil(this.#timeline.nowMs + MINUTE_MS, { ...this.#until, isDone });
    if (outcome !== undefined && !('error' in outcome)) return;
    const cause = outcome === undefined ? undefined : Reflect.get(outcome, 'error');
    const message = `the world cannot be set up: ${cause === undefined ? 'it waits for more than a minute' : messageOf(cause)}`;
    throw new SimulationError('TESTING_WORLD', message, { cause });
  }

  /** Actions and faults happen. */
  async #play(): Promise<void> {
    const { durationMs = 30_000 } = this.#options;
    for (const replica of [...this.#programs, ...this.#replicas]) replica.start();
    for (const { item } of this.#plan.actions) {
      this.#timeline.schedule(item.atMs, () => this.#act(item));
    }
    for (const { item } of this.#plan.faults) {
      this.#timeline.schedule(item.atMs, () => this.#beginFault(item));
    }
    const ends = this.#plan.faults.map(({ item }) => item.atMs + item.forMs);
    await this.#advance(Math.max(durationMs, ...ends));
  }

  #act({ name, run }: WorldAction): void {
    this.#history.step('world', name);
    run(this.#client as Clientset).catch((error: unknown) => {
      if (error instanceof ApiError) this.#history.step('world', `${name}: ${error.message}`);
      else {
        const message = `the action "${name}" failed: ${messageOf(error)}`;
        this.#timeline.fail(new SimulationError('TESTING_WORLD', message, { cause: error }));
      }
    });
  }

  #beginFault(fault: PlannedFault): void {
    const replica = this.#replicas[fault.replica];
    if (replica === undefined) return;
    this.#history.step('fault', `replica-${fault.replica}: ${describeFault(fault)}`);
    const after = (run: () => void): void => void this.#timeline.schedule(fault.forMs, run);
    switch (fault.kind) {
      case 'crash':
        return replica.crash(fault.delayMs);
      case 'crash-after-write':
        return replica.conditions.armCrash(fault);
      case 'restart':
        return replica.restart();
      case 'leader-change':
        return replica.pause(fault.forMs);
      case 'clock-jump':
        return replica.jumpClock(fault.delayMs);
      case 'expired':
        return this.#expire(replica);
      case 'dropped-connections':
        replica.breakConnections();
        return replica.conditions.begin(fault);
      case 'lost-events':
        replica.conditions.begin(fault);
        return after(() => this.#expire(replica));
      case 'partition':
        replica.conditions.begin(fault);
        return after(() => replica.releaseEvents());
      default:
        replica.conditions.begin(fault);
    }
  }

  /** The history is compacted, and the replica has to resume its watches. */
  #expire(replica: Replica): void {
    this.#server.compact();
    replica.breakConnections();
  }

  /** Ends all faults and waits until nothing is written any more and all invariants hold. */
  async #settle(): Promise<void> {
    const { settleMs = 10 * MINUTE_MS, quietMs = 10 * SECOND_MS } = this.#options;
    this.#history.step('world', 'the faults are over');
    this.#faultsEndedAtMs = this.#timeline.nowMs;
    for (const replica of this.#replicas) {
      replica.conditions.clear();
      replica.resume();
      replica.releaseEvents();
      replica.start();
    }
    const start = this.#start('settled');
    const deadline = start.atMs + settleMs;
    let problem: readonly [invariant: string, problem: string] | undefined;
    while (this.#history.nowMs < deadline) {
      await this.#advance(SECOND_MS);
      const lastWrite = this.#history.writes.findLast((write) => !isHousekeeping(write));
      const sinceMs = this.#history.nowMs - Math.max(lastWrite?.atMs ?? 0, start.atMs);
      if (this.#violation !== undefined) return;
      const isBusy = sinceMs < quietMs;
      const elapsedMs = this.#history.nowMs - start.atMs;
      problem = isBusy
        ? ['converges', `${lastWrite?.by} still writes ${elapsedMs} ms after the last fault`]
        : this.#find(start);
      if (problem === undefined) return;
      if (isBusy && this.#history.writes.length - start.writes > MOST_WRITES) break;
    }
    const isChecked = this.#invariants.some(({ name }) => name === problem?.[0]);
    if (problem !== undefined && isChecked) this.#violate(...problem);
  }

  /** A minute in which nothing happens in the world. */
  async #beQuiet(): Promise<void> {
    if (!this.#hasInvariants('quiet')) return;
    const start = this.#start('quiet');
    await this.#advance(MINUTE_MS);
    this.#check(start);
  }

  /** All replicas are stopped and started again. */
  async #runAgain(): Promise<void> {
    if (!this.#hasInvariants('second-run')) return;
    this.#history.step('world', 'all replicas are stopped and started again');
    for (const replica of this.#replicas) replica.stop();
    const haveEnded = (): boolean => this.#replicas.every(({ identity }) => identity === undefined);
    const isDone = (): boolean => this.#violation !== undefined || haveEnded();
    await this.#timeline.runUntil(this.#timeline.nowMs + MINUTE_MS, { ...this.#until, isDone });
    for (const replica of this.#replicas) replica.start();
    const start = this.#start('second-run');
    await this.#advance(SECOND_RUN_MS);
    this.#check(start);
  }

  #hasInvariants(moment: InvariantMoment): boolean {
    return this.#invariants.some(({ at }) => [at].flat().includes(moment));
  }

  #start(at: InvariantMoment): PhaseStart {
    const { nowMs, requests, writes } = this.#history;
    return { at, atMs: nowMs, requests: requests.length, writes: writes.length };
  }

  async #advance(ms: number): Promise<void> {
    await this.#timeline.runUntil(this.#timeline.nowMs + ms, this.#until);
  }

  /** Returns the first invariant that does not hold, and the problem. */
  #find(start: PhaseStart): readonly [string, string] | undefined {
    for (const invariant of this.#invariants) {
      if (![invariant.at].flat().includes(start.at)) continue;
      const problem = problemWith(invariant, this.#state, start);
      if (problem !== undefined) return [invariant.name, problem];
    }
    return undefined;
  }

  #check(start: PhaseStart): void {
    const found = this.#find(start);
    if (found !== undefined) this.#violate(...found);
  }

  /** The run ends here. */
  #violate(invariant: string, problem: string): void {
    if (this.#violation !== undefined) return;
    this.#violation = { invariant, problem, atMs: this.#history.nowMs };
  }
}
