export {
  type LeaderCallbacks,
  LeaderElector,
  type LeaderElectorOptions,
  type LeadershipOutcome,
} from './leader-elector.ts';
export {
  LEADER_ELECTION_ERRORS,
  LeaderElectionError,
  type LeaderElectionErrorCode,
} from './leader-election-error.ts';
export {
  type LeaderEventSink,
  type LeaderEventSubject,
  type LeaseClient,
  LeaseLock,
  type LeaseLockOptions,
} from './lease-lock.ts';
export type {
  LeaderElectionRecord,
  LockOptions,
  ResourceLock,
  WrittenRecord,
} from './resource-lock.ts';
export { type ElectionTiming, JITTER_FACTOR } from './timing.ts';
export { withLeadership, type WithLeadershipOptions } from './with-leadership.ts';
