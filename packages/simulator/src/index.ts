/**
 * A test bed for programs that use Kubernetes, and simulated nodes and workloads on an API server.
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
export type { TestBedWebhooks } from './bed/bed-webhooks.ts';
export {
  RecordedRequest,
  type RequestFilter,
  type WaitForRequestOptions,
} from './bed/request-log.ts';
export type { Seed } from './bed/seeds.ts';
export { TestBed, testBed, type TestBedOptions, type TestNamespaceOptions } from './bed/bed.ts';
export { TestNamespace } from './bed/bed-namespace.ts';
export { type TestHooks, useTestBed } from './bed/use-bed.ts';
export { WorkloadControllers, type WorkloadControllersOptions } from './workload-controllers.ts';
export { SIMULATOR_ERRORS, SimulatorError } from './simulator-error.ts';
