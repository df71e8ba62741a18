import type { SimulationSubject } from 'client-ts/testing';

import { operatorSimulation } from '../operator/simulation.ts';
import { doubleCreate, missedDelete, statusFight } from './planted-bugs.ts';

/** A simulation that can be explored by name. */
export interface World {
  readonly about: string;
  readonly subject: SimulationSubject;
  /** True if it is wrong on purpose: a seed that fails is what is looked for. */
  readonly isBroken: boolean;
}

const right = (about: string, subject: SimulationSubject): World => ({
  about,
  subject,
  isBroken: false,
});
const wrong = (about: string, subject: SimulationSubject): World => ({
  about,
  subject,
  isBroken: true,
});

/** All simulations, by name. */
export const worlds: Readonly<Record<string, World>> = {
  operator: right('the example operator: two replicas, a kubelet, users', operatorSimulation),
  'names-of-their-own': right('one secret per site, with a fixed name', doubleCreate.mended),
  finalizer: right('a secret without an owner, with a finalizer', missedDelete.mended),
  'two-fields': right('two controllers, each with its own field', statusFight.mended),
  'double-create': wrong('creates a second secret from a stale cache', doubleCreate.broken),
  'missed-delete': wrong('cleans up only when it sees the deletion', missedDelete.broken),
  'status-fight': wrong('two controllers write one field', statusFight.broken),
};
