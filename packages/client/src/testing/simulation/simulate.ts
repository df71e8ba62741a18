import { checkSimulationOptions } from './check-options.ts';
import type { SimulationSubject } from './options.ts';
import { type Plan, planOf } from './plan.ts';
import { requestedSeed, rerunCommand } from './rerun.ts';
import { SessionRecorder } from './session-recorder.ts';
import { type FailedRun, shrink } from './shrink.ts';
import { SimulationFailure } from './simulation-failure.ts';
import { loadServer } from './simulation-server.ts';
import { type RunOutcome, Simulation } from './simulation.ts';
import { FAULT_KINDS } from './fault.ts';
import type { TraceLine } from './trace.ts';

/** Options of {@link simulate}. */
export interface SimulateOptions extends SimulationSubject {
  /** A whole number, or the smaller seed that a failure has printed. */
  readonly seed: number | string;
  /** How many smaller histories are tried after a failure. Default 100; 0 keeps the whole one. */
  readonly shrinkRuns?: number | undefined;
  /**
   * Returns the command that is printed with a failure. Default: this program, with the seed in the
   * environment variable `CLIENT_TS_SEED`, which takes precedence over `seed`.
   */
  readonly command?: ((seed: string) => string) | undefined;
}

/** A run in which all invariants held. */
export interface SimulationResult {
  readonly seed: number;
  /** The SHA-256 of the trace: the same for the same seed and program, on every release of Node. */
  readonly digest: string;
  readonly trace: readonly TraceLine[];
  readonly steps: number;
  readonly requests: number;
  readonly writes: number;
  /** How much time has passed in the simulation. */
  readonly virtualMs: number;
}

/** Simulations share the event loop, so they run one after the other. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs controllers against the embedded server in this process, on a virtual clock, while faults of
 * the seed happen; see {@link FaultKind} for all of them. The manager, its informers, caches, queues
 * and elections are the real ones. Everything that happens follows from the seed, so a run repeats
 * byte for byte.
 *
 * Rejects with a {@link SimulationFailure} if an invariant does not hold.
 *
 * ```ts
 * await simulate({
 *   seed: 7,
 *   controllers: (manager) => manager.controller('site', siteController),
 *   world: {
 *     resources: [sites],
 *     actions: () => [{ name: 'create a', run: (client) => client.resource(sites, 'default').create(a) }],
 *   },
 *   invariants: [...builtInInvariants(), eventually('a is ready', (state) => …)],
 * });
 * ```
 *
 * Controllers must take time and randomness from the process they run in, and do no I/O but requests
 * to the server. One simulation runs at a time; further calls wait.
 */
export async function simulate(options: SimulateOptions): Promise<SimulationResult> {
  checkSimulationOptions(options);
  const seed = requestedSeed() ?? options.seed;
  const outcome = await inTurn(() => runSeed({ ...options, seed }));
  if (outcome instanceof SimulationFailure) throw outcome;
  return outcome;
}

/** Runs one seed; returns the failure, with its smallest history. */
export async function runSeed(
  options: SimulateOptions,
): Promise<SimulationFailure | SimulationResult> {
  const { seed, shrinkRuns = 100, command = rerunCommand, world = {} } = options;
  const newServer = await loadServer();
  const run = (plan: Plan): Promise<RunOutcome> => new Simulation(options, plan, newServer).run();
  const plan = planOf(seed, {
    actions: world.actions ?? (() => []),
    faults: options.faults ?? FAULT_KINDS,
    durationMs: options.durationMs ?? 30_000,
    replicas: options.replicas ?? 1,
  });
  const { violation, ...outcome } = await run(plan);
  if (violation === undefined) {
    const { trace, steps, requests, writes, virtualMs } = outcome;
    const { digest, lines } = trace;
    return { seed: plan.number, digest, trace: lines, steps, requests, writes, virtualMs };
  }
  const failed: FailedRun = { ...outcome, violation };
  const shrunk = await shrink(failed, run, shrinkRuns);
  return new SimulationFailure({
    ...shrunk,
    failed,
    command: command(shrunk.smallest.plan.seed),
    record: () =>
      inTurn(async () => {
        const recorder = new SessionRecorder();
        await new Simulation(options, shrunk.smallest.plan, newServer, recorder).run();
        return recorder.text;
      }),
  });
}

/** Waits for simulations that run. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const own = last.then(work, work);
  last = own.catch(() => undefined);
  return await own;
}
