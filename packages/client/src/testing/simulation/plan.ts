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
  /** When, in milliseconds from the start. Default: drawn by the seed, in the order of the list. */
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
  readonly faults: readonly KeptFault[];
}

/** An item with its number in the whole plan of the seed. */
export interface Kept<T> {
  readonly index: number;
  readonly item: T;
}

/** A fault, perhaps smaller than the seed has drawn it. */
export interface KeptFault extends Kept<PlannedFault> {
  /** As the seed has drawn it. */
  readonly drawn: PlannedFault;
  /** By what its sizes are divided: 1, 2, 4, … */
  readonly divisor: number;
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
  const given = options.actions(random);
  const times = given.map(() => between(random, [0, options.durationMs]));
  times.sort((left, right) => left - right);
  const actions = given.map((action, index): PlannedAction => ({
    ...action,
    atMs: action.atMs ?? times[index] ?? 0,
  }));
  const faults = planFaults(randomFor(number, 'faults'), options);
  const divisorOf = (name: string): number | undefined =>
    parts === undefined ? 1 : parts.get(name);
  return named({
    seed: '',
    number,
    actions: actions.flatMap((item, index) =>
      divisorOf(`a${index}`) === undefined ? [] : [{ index, item }],
    ),
    faults: faults.flatMap((drawn, index) => {
      const divisor = divisorOf(`f${index}`);
      return divisor === undefined ? [] : [dividedFault({ index, drawn }, divisor)];
    }),
  });
}

/** Returns a plan whose seed names what it has. */
export function named(plan: Plan): Plan {
  const parts = [
    ...plan.actions.map(({ index }) => `a${index}`),
    ...plan.faults.map(({ index, divisor }) => `f${index}${divisor === 1 ? '' : `/${divisor}`}`),
  ];
  return { ...plan, seed: `${plan.number}:${parts.join(',')}` };
}

/** Returns a fault with the sizes that the seed has drawn, divided. */
export function dividedFault(
  { index, drawn }: Pick<KeptFault, 'drawn' | 'index'>,
  divisor: number,
): KeptFault {
  const forMs = Math.round(drawn.forMs / divisor);
  const delayMs = Math.round(drawn.delayMs / divisor);
  return { index, drawn, divisor, item: { ...drawn, forMs, delayMs } };
}

/** Returns what happens, one line each, in the order of time. */
export function describePlan({ actions, faults }: Plan): string[] {
  return [
    ...actions.map(({ item }) => ({
      atMs: item.atMs,
      text: `${'world'.padEnd(11)}  ${item.name}`,
    })),
    ...faults.map(({ item }) => ({
      atMs: item.atMs,
      text: `${`replica-${item.replica}`.padEnd(11)}  ${describeFault(item)}`,
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
