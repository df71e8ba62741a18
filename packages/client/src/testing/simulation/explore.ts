import { type Clock, systemClock } from '../../lib/clock.ts';
import { OptionError } from '../../lib/option-error.ts';
import { checkSimulationOptions } from './check-options.ts';
import { requestedSeed } from './rerun.ts';
import { inTurn, runSeed, type SimulateOptions } from './simulate.ts';
import { SimulationFailure } from './simulation-failure.ts';

/** Options of {@link explore}. */
export interface ExploreOptions extends Omit<SimulateOptions, 'seed'> {
  /** How many seeds to run, or the seeds. Default 100. */
  readonly seeds?: number | readonly (number | string)[] | undefined;
  /** The first seed, if `seeds` is a number. Default 1. */
  readonly firstSeed?: number | undefined;
  /** True collects failures in the summary; by default the first one is thrown. */
  readonly keepGoing?: boolean | undefined;
  /** No seed is started after this time. Default: no limit. */
  readonly budgetMs?: number | undefined;
  /** No seed is started after it aborts: for Ctrl-C. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each seed. */
  readonly onProgress?: ((summary: ExploreSummary) => void) | undefined;
  /** The clock of `budgetMs`. Default: the system clock. */
  readonly clock?: Clock | undefined;
}

/** What an exploration has done. */
export interface ExploreSummary {
  /** The number of seeds that were run. */
  readonly seeds: number;
  /** The number of seeds that were asked for. */
  readonly of: number;
  /** With `keepGoing`, in the order of the seeds. */
  readonly failures: readonly SimulationFailure[];
  /** Why it ended: all seeds were run, the budget was used up, or the signal aborted. */
  readonly ended: 'budget' | 'done' | 'signal';
  /** Sums over the seeds whose invariants held. */
  readonly steps: number;
  readonly requests: number;
  readonly writes: number;
  readonly virtualMs: number;
  /** The real time that it took. */
  readonly durationMs: number;
}

/**
 * Runs many seeds of a simulation, one after the other. Rejects with the first
 * {@link SimulationFailure}, unless `keepGoing` is set. The environment variable `CLIENT_TS_SEED`
 * selects one seed, as the command of a failure says.
 */
export async function explore(options: ExploreOptions): Promise<ExploreSummary> {
  checkSimulationOptions(options);
  return await inTurn(() => runSeeds(options));
}

async function runSeeds(options: ExploreOptions): Promise<ExploreSummary> {
  const { budgetMs = Infinity, signal, clock = systemClock, keepGoing = false } = options;
  const seeds = seedsOf(options);
  const startedAt = clock.monotonic();
  const failures: SimulationFailure[] = [];
  let summary: ExploreSummary = {
    seeds: 0,
    of: seeds.length,
    failures,
    ended: 'done',
    steps: 0,
    requests: 0,
    writes: 0,
    virtualMs: 0,
    durationMs: 0,
  };
  for (const seed of seeds) {
    if (signal?.aborted === true) return { ...summary, ended: 'signal' };
    if (clock.monotonic() - startedAt >= budgetMs) return { ...summary, ended: 'budget' };
    const outcome = await runSeed({ ...options, seed });
    if (outcome instanceof SimulationFailure) {
      if (!keepGoing) throw outcome;
      failures.push(outcome);
    }
    summary = {
      ...summary,
      seeds: summary.seeds + 1,
      durationMs: clock.monotonic() - startedAt,
      ...(!(outcome instanceof SimulationFailure) && {
        steps: summary.steps + outcome.steps,
        requests: summary.requests + outcome.requests,
        writes: summary.writes + outcome.writes,
        virtualMs: summary.virtualMs + outcome.virtualMs,
      }),
    };
    options.onProgress?.(summary);
  }
  return summary;
}

function seedsOf({ seeds = 100, firstSeed = 1 }: ExploreOptions): readonly (number | string)[] {
  const requested = requestedSeed();
  if (requested !== undefined) return [requested];
  if (typeof seeds !== 'number') return seeds;
  if (!Number.isSafeInteger(seeds) || seeds < 0) {
    throw new OptionError('seeds', `${seeds} is not a number of seeds`);
  }
  return Array.from({ length: seeds }, (_, index) => firstSeed + index);
}
