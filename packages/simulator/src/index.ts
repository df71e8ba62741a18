/**
 * Simulates nodes and workloads on an API server.
 *
 * @module
 */

export { simulatedLabel } from './cluster.ts';
export { type ContainerFile, ContainerFiles } from './kubelet/container-files.ts';
export type { ContainerExit } from './kubelet/container.ts';
export { FakeKubelet, type FakeKubeletOptions } from './kubelet/fake-kubelet.ts';
export type { LocalProcessOptions } from './kubelet/local-processes.ts';
export type { Program, ProgramContext } from './kubelet/program.ts';
export { Simulation, simulationDefaults, type SimulationOptions } from './simulation.ts';
export { SIMULATOR_ERRORS, SimulatorError } from './simulator-error.ts';
