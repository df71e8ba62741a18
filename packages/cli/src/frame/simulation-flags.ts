import type { FlagValues, IntegerFlag, StringFlag } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** The flags of every command that simulates a cluster. */
export interface SimulationFlags {
  readonly nodes: IntegerFlag & { readonly default: number };
  readonly deployments: IntegerFlag & { readonly default: number };
  readonly rate: StringFlag & { readonly default: string };
  readonly seed: IntegerFlag & { readonly default: number };
}

const section = 'Simulation';

/** How large the simulated cluster is, and how fast it lives. */
export const simulationFlags: SimulationFlags = {
  nodes: { type: 'integer', value: 'N', default: 5, max: 1000, about: 'how many nodes', section },
  deployments: {
    type: 'integer',
    value: 'N',
    default: 6,
    max: 1000,
    about: 'how many deployments to begin with',
    section,
  },
  rate: {
    type: 'string',
    value: 'X',
    default: '1',
    about: 'how fast everything happens: 2 is twice as fast',
    section,
  },
  seed: {
    type: 'integer',
    value: 'N',
    default: 1,
    about: 'the same number takes the same course',
    section,
  },
};

/** The flags of a call as the simulation takes them. */
export function simulationSettings(flags: FlagValues<SimulationFlags>): {
  readonly nodes: number;
  readonly deployments: number;
  readonly rate: number;
  readonly seed: number;
} {
  const rate = Number(flags.rate);
  if (!(rate > 0 && rate <= 1000)) {
    throw new UsageError(`--rate must be a number above 0 and up to 1000, not ${flags.rate}`);
  }
  const { nodes, deployments, seed } = flags;
  return { nodes, deployments, rate, seed };
}
