export { quiescence } from './quiescence.ts';
export { VirtualClock, type VirtualClockOptions } from './virtual-clock.ts';
