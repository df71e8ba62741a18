import { ClientError, defineErrors } from '../../lib/errors.ts';
import { describePlan } from './plan.ts';
import type { FailedRun, Shrunk } from './shrink.ts';
import { formatLine, type TraceLine } from './trace.ts';

/** What a {@link SimulationFailure} is made of. */
export interface SimulationFailureOptions extends Shrunk {
  /** The run of the seed itself. */
  readonly failed: FailedRun;
  /** Runs it again. */
  readonly command: string;
  /** Runs it again, and returns the session. */
  readonly record: () => Promise<string>;
}

/** How many lines of the trace a message has at most, from its start and from its end. */
const FIRST_LINES = 25;
const LAST_LINES = 15;

/**
 * An invariant did not hold. The message has the seed, the smallest history that was found, a trace
 * of it and the command that runs it again.
 */
export class SimulationFailure extends ClientError {
  /** The number of the seed that failed. */
  readonly seed: number;
  /** The smallest history that was found, for the option `seed`. */
  readonly smallestSeed: string;
  /** The name of the invariant. */
  readonly invariant: string;
  /** What is wrong, in words. */
  readonly problem: string;
  /** Everything that happened in the smallest history. */
  readonly trace: readonly TraceLine[];

  readonly #record: () => Promise<string>;

  constructor(options: SimulationFailureOptions) {
    const { plan, violation, trace } = options.smallest;
    super('TESTING_INVARIANT', format(options));
    this.#record = options.record;
    this.seed = plan.number;
    this.smallestSeed = plan.seed;
    this.invariant = violation.invariant;
    this.problem = violation.problem;
    this.trace = trace.lines;
  }

  /**
   * Runs the smallest history again, and returns the recorded session of all its processes: the text
   * of a file that `client-ts inspect FILE` opens.
   */
  async session(): Promise<string> {
    return await this.#record();
  }

  static {
    defineErrors(this, 'SimulationFailure', 'TESTING', {
      TESTING_INVARIANT: {
        retry: 'never',
        hint: 'Read the trace from its end, and run the seed again after a change.',
      },
    });
  }
}

function format({ failed, smallest, runs, command }: SimulationFailureOptions): string {
  const { plan, violation, trace } = smallest;
  const whole = failed.plan.actions.length + failed.plan.faults.length;
  const kept = plan.actions.length + plan.faults.length;
  const lines = trace.lines.filter(({ isDetail }) => !isDetail);
  const left = lines.length - FIRST_LINES - LAST_LINES;
  return [
    `seed ${plan.number}: ${violation.invariant}: ${violation.problem}`,
    '',
    `smallest history found (${kept} of ${whole} actions and faults, ${runs} runs):`,
    ...describePlan(plan),
    '',
    'trace:',
    ...(left > 0
      ? [
          ...lines.slice(0, FIRST_LINES).map(formatLine),
          `           … ${left} lines …`,
          ...lines.slice(-LAST_LINES).map(formatLine),
        ]
      : lines.map(formatLine)),
    '',
    `run it again: ${command}`,
  ].join('\n');
}
