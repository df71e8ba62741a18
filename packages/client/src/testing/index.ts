/**
 * Simulation of controllers by seed, a virtual clock and other tools for tests.
 *
 * @module
 */

export { quiescence } from './quiescence.ts';
export { explore, type ExploreOptions, type ExploreSummary } from './simulation/explore.ts';
export { FAULT_KINDS, type FaultKind, type SimulatedFault } from './simulation/fault.ts';
export type { SimulatedRequest, SimulatedWrite } from './simulation/history.ts';
export {
  always,
  builtInInvariants,
  type CheckResult,
  converges,
  eventually,
  idempotent,
  type Invariant,
  type InvariantMoment,
  noHotLoop,
  type NoHotLoopOptions,
  noOrphan,
  type NoOrphanOptions,
  noSecondLeader,
  noWriteAfterLoss,
  type NoWriteAfterLossOptions,
  type OwnerKey,
  type PhaseStart,
} from './simulation/invariants.ts';
export type { SimulatedWorld, SimulationSubject } from './simulation/options.ts';
export type { WorldAction } from './simulation/plan.ts';
export { simulate, type SimulateOptions, type SimulationResult } from './simulation/simulate.ts';
export type { SimulatedProcess } from './simulation/simulated-process.ts';
export { SimulationError } from './simulation/simulation-error.ts';
export { SimulationFailure } from './simulation/simulation-failure.ts';
export type { SimulationState } from './simulation/state.ts';
export type { TraceLine } from './simulation/trace.ts';
export { VirtualClock, type VirtualClockOptions } from './virtual-clock.ts';
