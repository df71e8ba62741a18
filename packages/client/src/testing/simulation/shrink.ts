import { dividedFault, type Kept, named, type Plan } from './plan.ts';
import type { RunOutcome } from './simulation.ts';

/** A run that has failed. */
export interface FailedRun extends RunOutcome {
  readonly violation: NonNullable<RunOutcome['violation']>;
}

/** The result of {@link shrink}. */
export interface Shrunk {
  readonly smallest: FailedRun;
  /** How many smaller plans were run. */
  readonly runs: number;
}

/**
 * Looks for a smaller plan that breaks the same invariant: without some actions and faults, then with
 * shorter faults. Each candidate is run; at most `limit` are.
 */
export async function shrink(
  failed: FailedRun,
  run: (plan: Plan) => Promise<RunOutcome>,
  limit: number,
): Promise<Shrunk> {
  let smallest = failed;
  let runs = 0;
  const accepts = async (plan: Plan): Promise<boolean> => {
    if (runs >= limit) return false;
    runs += 1;
    const { violation, ...outcome } = await run(named(plan));
    if (violation?.invariant !== failed.violation.invariant) return false;
    smallest = { ...outcome, violation };
    return true;
  };
  await dropParts(() => smallest.plan, accepts);
  await shortenFaults(() => smallest.plan, accepts);
  return { smallest, runs };
}

/** Faults do not get shorter than this part of what was drawn. */
const LARGEST_DIVISOR = 64;

type Accepts = (plan: Plan) => Promise<boolean>;

/** Leaves out halves, quarters and so on, and finally single items, until none can be spared. */
async function dropParts(current: () => Plan, accepts: Accepts): Promise<void> {
  const items = (): Part[] => [
    ...current().actions.map((kept): Part => ({ list: 'actions', index: kept.index })),
    ...current().faults.map((kept): Part => ({ list: 'faults', index: kept.index })),
  ];
  for (let size = Math.ceil(items().length / 2); size >= 1; size = Math.floor(size / 2)) {
    let isSmaller = true;
    while (isSmaller) {
      isSmaller = false;
      for (let from = 0; from < items().length;) {
        const dropped = items().slice(from, from + size);
        if (await accepts(without(current(), dropped))) isSmaller = true;
        else from += size;
      }
      if (size > 1) break;
    }
  }
}

interface Part {
  readonly list: 'actions' | 'faults';
  readonly index: number;
}

function without(plan: Plan, parts: readonly Part[]): Plan {
  const stays =
    (list: Part['list']) =>
    ({ index }: Kept<unknown>): boolean =>
      !parts.some((part) => part.list === list && part.index === index);
  return {
    ...plan,
    actions: plan.actions.filter(stays('actions')),
    faults: plan.faults.filter(stays('faults')),
  };
}

/** Halves the sizes of each fault for as long as the run fails. */
async function shortenFaults(current: () => Plan, accepts: Accepts): Promise<void> {
  for (const { index } of current().faults) {
    let divisor = 2;
    while (divisor <= LARGEST_DIVISOR && (await accepts(withDivisor(current(), index, divisor)))) {
      divisor *= 2;
    }
  }
}

function withDivisor(plan: Plan, index: number, divisor: number): Plan {
  const faults = plan.faults.map((kept) =>
    kept.index === index ? dividedFault(kept, divisor) : kept,
  );
  return { ...plan, faults };
}
