export { foreignNodes } from './set-up.ts';
export { Simulation, simulationDefaults, type SimulationOptions } from './simulation.ts';
export { simulatedLabel } from './world.ts';
