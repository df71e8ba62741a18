/**
 * A virtual clock and other tools for tests.
 *
 * @module
 */

export { quiescence } from './quiescence.ts';
export { VirtualClock, type VirtualClockOptions } from './virtual-clock.ts';
