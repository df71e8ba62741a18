import type { FlagValues, IntegerFlag, StringFlag } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** The flags of commands that simulate a cluster. */
export interface SimulationFlags {
  readonly nodes: IntegerFlag & { readonly default: number };
  readonly deployments: IntegerFlag & { readonly default: number };
  readonly rate: StringFlag & { readonly default: string };
  readonly seed: IntegerFlag & { readonly default: number };
}

const section = 'Simulation';

/** Size and speed of the simulated cluster. */
export const simulationFlags: SimulationFlags = {
  nodes: { type: 'integer', value: 'N', default: 5, max: 1000, about: 'number of nodes', section },
  deployments: {
    type: 'integer',
    value: 'N',
    default: 6,
    max: 1000,
    about: 'initial number of deployments',
    section,
  },
  rate: {
    type: 'string',
    value: 'X',
    default: '1',
    about: 'speed: 2 is twice as fast',
    section,
  },
  seed: {
    type: 'integer',
    value: 'N',
    default: 1,
    about: 'random seed: the same seed makes the same decisions',
    section,
  },
};

/** Returns the options of a simulation. */
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
