/**
 * Simulates nodes and workloads on an API server.
 *
 * @module
 */

export { simulatedLabel } from './cluster.ts';
export { Simulation, simulationDefaults, type SimulationOptions } from './simulation.ts';
export { SIMULATOR_ERRORS, SimulatorError } from './simulator-error.ts';
