import { initialState, transition } from './reflector-machine.ts';
import type {
  MachineEvent,
  MachineOperation,
  MachineSettings,
  MachineState,
  MachineStep,
  WatchSummary,
} from './reflector-machine.ts';

const settings: MachineSettings = {
  resourceVersion: '',
  useWatchList: true,
  pageSize: undefined,
  maxInternalErrorRetryMs: 0,
};

export function start(overrides: Partial<MachineSettings> = {}): MachineState {
  return initialState({ ...settings, ...overrides });
}

/** Plays events one after another and returns the last step. */
export function play(state: MachineState, ...events: MachineEvent[]): MachineStep {
  let step: MachineStep = { state, effects: [], next: { type: 'stop' } };
  for (const event of events) step = transition(step.state, event);
  return step;
}

export function ended(watch: Partial<WatchSummary> = {}, at = 0): MachineEvent {
  return {
    type: 'watch-ended',
    at,
    watch: { events: 1, durationMs: 300_000, resourceVersion: '20', ...watch },
  };
}

export const listed: Extract<MachineEvent, { type: 'listed' }> = {
  type: 'listed',
  resourceVersion: '10',
  isPaginated: false,
  items: 1,
};
export const begin: MachineEvent = { type: 'start' };
export const opened: MachineEvent = { type: 'opened' };
export const waited: MachineEvent = { type: 'waited' };
export const openFailed = (error: unknown): MachineEvent => ({ type: 'open-failed', error });
export const listFailed = (error: unknown): MachineEvent => ({ type: 'list-failed', error });

/** Listed at 10 and watching. */
export const watching: MachineState = play(
  start({ useWatchList: false }),
  begin,
  listed,
  opened,
).state;
/** Streamed at 10 and watching. */
export const streamed: MachineState = play(start(), begin, opened, {
  type: 'streamed',
  resourceVersion: '10',
  items: 1,
}).state;

export const list = (resourceVersion: string, pageSize: number): MachineOperation => ({
  type: 'list',
  resourceVersion,
  pageSize,
});
export const open = (isInitial: boolean, resourceVersion: string): MachineOperation => ({
  type: 'open',
  isInitial,
  resourceVersion,
});
export const wait: MachineOperation = { type: 'wait', atLeastMs: 0 };
export const types = ({ effects }: MachineStep): string[] => effects.map(({ type }) => type);
