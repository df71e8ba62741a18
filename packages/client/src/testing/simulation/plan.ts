import type { Clientset } from '../../kubernetes/clientset.ts';
import { type Random, seededRandom } from '../../lib/random.ts';
import {
  between,
  describeFault,
  type FaultPlanOptions,
  planFaults,
  type PlannedFault,
} from './fault.ts';
import { SimulationError } from './simulation-error.ts';

/** Something that a user of the cluster does. */
export interface WorldAction {
  /** What is printed about it: `scale web to 3`. */
  readonly name: string;
  /** When, in milliseconds from the start. Default: drawn by the seed. */
  readonly atMs?: number | undefined;
  /** Does it. An error of the API is noted and ignored: other actions may have been left out. */
  readonly run: (client: Clientset) => Promise<unknown>;
}

/** An action of which the time is decided. */
export type PlannedAction = Required<WorldAction> & { readonly atMs: number };

/** Everything that is going to happen in a run. */
export interface Plan {
  /** As it is printed, and can be given instead of a number. */
  readonly seed: string;
  readonly number: number;
  readonly actions: readonly Kept<PlannedAction>[];
  readonly faults: readonly Kept<PlannedFault>[];
}

/** An item with its number in the whole plan of the seed. */
export interface Kept<T> {
  readonly index: number;
  /** By what sizes are divided: 1, 2, 4, … */
  readonly divisor: number;
  readonly item: T;
}

/** What is drawn by {@link planOf}. */
export interface PlanOptions extends FaultPlanOptions {
  readonly actions: (random: Random) => readonly WorldAction[];
}

/** Returns a source of randomness for one purpose of a seed. */
export function randomFor(seed: number, purpose: string): Random {
  let hash = 0x811c9dc5;
  for (const letter of `${seed} ${purpose}`) {
    hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  }
  return seededRandom(hash);
}

/**
 * Returns what happens in the run of a seed: a number, or the text of a smaller plan such as
 * `7:a0,a2,f1/4`, which has only these actions and faults of seed 7, and the last one a quarter as
 * long.
 */
export function planOf(seed: number | string, options: PlanOptions): Plan {
  const { number, parts } = parseSeed(seed);
  const random = randomFor(number, 'actions');
  const actions = options.actions(random).map((action): PlannedAction => {
    const atMs = between(random, [0, options.durationMs]);
    return { ...action, atMs: action.atMs ?? atMs };
  });
  const faults = planFaults(randomFor(number, 'faults'), options);
  const keep = <T>(letter: string, items: readonly T[]): Kept<T>[] =>
    items.flatMap((item, index) => {
      const divisor = parts === undefined ? 1 : parts.get(`${letter}${index}`);
      return divisor === undefined ? [] : [{ index, divisor, item }];
    });
  return smallerPlan({
    seed: '',
    number,
    actions: keep('a', actions),
    faults: keep('f', faults).map((kept) => ({ ...kept, item: divided(kept.item, kept.divisor) })),
  });
}

/** Returns a plan whose seed names what it has. */
export function smallerPlan(plan: Plan): Plan {
  const part = (letter: string, { index, divisor }: Kept<unknown>): string =>
    `${letter}${index}${divisor === 1 ? '' : `/${divisor}`}`;
  const parts = [
    ...plan.actions.map((kept) => part('a', kept)),
    ...plan.faults.map((kept) => part('f', kept)),
  ];
  return { ...plan, seed: `${plan.number}:${parts.join(',')}` };
}

/** Returns a fault with its sizes divided. */
export function divided(fault: PlannedFault, divisor: number): PlannedFault {
  return {
    ...fault,
    forMs: Math.round(fault.forMs / divisor),
    delayMs: Math.round(fault.delayMs / divisor),
  };
}

/** Returns what happens, one line each, in the order of time. */
export function describePlan({ actions, faults }: Plan): string[] {
  return [
    ...actions.map(({ item }) => ({ atMs: item.atMs, text: `world      ${item.name}` })),
    ...faults.map(({ item }) => ({
      atMs: item.atMs,
      text: `replica-${item.replica}  ${describeFault(item)}`,
    })),
  ]
    .toSorted((left, right) => left.atMs - right.atMs)
    .map(({ atMs, text }) => `${(atMs / 1000).toFixed(3).padStart(9)} s  ${text}`);
}

function parseSeed(seed: number | string): {
  readonly number: number;
  readonly parts: ReadonlyMap<string, number> | undefined;
} {
  const text = String(seed);
  const [, number, list] = /^(\d+)(?::((?:[af]\d+(?:\/\d+)?(?:,|$))*))?$/.exec(text) ?? [];
  if (number === undefined || !Number.isSafeInteger(Number(number))) {
    throw new SimulationError('TESTING_SEED', `"${text}" is not a seed`);
  }
  if (list === undefined) return { number: Number(number), parts: undefined };
  const parts = list.split(',').flatMap((part): [string, number][] => {
    const [name = '', divisor = '1'] = part.split('/');
    return name === '' ? [] : [[name, Number(divisor)]];
  });
  return { number: Number(number), parts: new Map(parts) };
}
